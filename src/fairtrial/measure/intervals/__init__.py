"""Intervals that do not degenerate: Wilson, zero seen in n, stratified and weighted back, clustered."""

from fairtrial.measure.intervals.clustered import ClusteredMean, clustered_mean, clustered_ratio
from fairtrial.measure.intervals.difference import Difference, difference
from fairtrial.measure.intervals.stratified import Strata, finite_share, stratified
from fairtrial.measure.intervals.weighted import Share, Weighted, weighted_share
from fairtrial.measure.intervals.wilson import Z_95, effective_wilson, wilson
from fairtrial.measure.intervals.zero import stratified_zero_bound, upper_bound, zero_bound

__all__ = [
    "Z_95",
    "ClusteredMean",
    "Difference",
    "Share",
    "Strata",
    "Weighted",
    "clustered_mean",
    "clustered_ratio",
    "difference",
    "effective_wilson",
    "finite_share",
    "stratified",
    "stratified_zero_bound",
    "upper_bound",
    "weighted_share",
    "wilson",
    "zero_bound",
]
