"""Verdicts in, estimates out: pass@k, gradient, bins, suspects, intervals, comparison. Pure: no files, no clock."""

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
    "Outage",
    "Reversed",
    "Spend",
    "StopCount",
    "Suspect",
]
