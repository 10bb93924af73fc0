"""Error rates of the verdict: reviews and a sample in, estimates out. Pure, but for `reading`."""

from fairtrial.audit.estimating.result import (
    Agreement,
    Bounds,
    Counts,
    ErrorRates,
    FailureShares,
    HackBound,
    JudgeQuality,
    Looked,
    Rates,
    ShapeRow,
    Shapes,
    StratumCount,
)

__all__ = [
    "Agreement",
    "Bounds",
    "Counts",
    "ErrorRates",
    "FailureShares",
    "HackBound",
    "JudgeQuality",
    "Looked",
    "Rates",
    "ShapeRow",
    "Shapes",
    "StratumCount",
]
