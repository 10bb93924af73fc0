"""Error rates of the verdict: reviews and a sample in, estimates out. Pure, but for `reading`."""

from fairtrial.audit.estimating.document import document_of
from fairtrial.audit.estimating.estimate import Material, estimate
from fairtrial.audit.estimating.options import Options
from fairtrial.audit.estimating.reading import Sources, read_material
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
    "Material",
    "Options",
    "Rates",
    "ShapeRow",
    "Shapes",
    "Sources",
    "StratumCount",
    "document_of",
    "estimate",
    "read_material",
]
