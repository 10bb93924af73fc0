"""Intervals that do not degenerate: Wilson, zero seen in n, stratified and weighted back, clustered."""

from fairtrial.measure.intervals.clustered import ClusteredMean, clustered_mean, clustered_ratio
from fairtrial.measure.intervals.stratified import Strata, stratified
from fairtrial.measure.intervals.wilson import Z_95, effective_wilson, wilson
from fairtrial.measure.intervals.zero import stratified_zero_bound, upper_bound, zero_bound

__all__ = [
    "Z_95",
    "ClusteredMean",
    "Strata",
    "clustered_mean",
    "clustered_ratio",
    "effective_wilson",
    "stratified",
    "stratified_zero_bound",
    "upper_bound",
    "wilson",
    "zero_bound",
]
