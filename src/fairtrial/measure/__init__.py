"""Verdicts in, estimates out: pass@k, gradient, bins, suspects, intervals, comparison. Pure: no files, no clock."""

from fairtrial.measure.options import Options
from fairtrial.measure.result import (
    Band,
    Bins,
    Comparison,
    Consistency,
    Curve,
    FrontPoint,
    Gradient,
    Measurement,
    ModelFigures,
    Outage,
    Reversed,
    Spend,
    StopCount,
    Suspect,
)
from fairtrial.measure.suite import measure

__all__ = [
    "Band",
    "Bins",
    "Comparison",
    "Consistency",
    "Curve",
    "FrontPoint",
    "Gradient",
    "Measurement",
    "ModelFigures",
    "Options",
    "Outage",
    "Reversed",
    "Spend",
    "StopCount",
    "Suspect",
    "measure",
]
