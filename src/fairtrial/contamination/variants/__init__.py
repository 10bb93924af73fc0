"""Training rows that reword an item: other words, other figures, other names, or asked backwards.

    prepared = prepare(items, background=control)
    threshold = threshold_of(prepared, control, fpr=0.01)
    for found in prepared.search(rows, bar=threshold.value):
        ...

What shares five words in a row is found elsewhere, faster. Not covered: translations, and a row that takes from an item
only what it asks for, in a story of its own.
"""

from fairtrial.contamination.variants.aligned import passages
from fairtrial.contamination.variants.prepared import Found, Near, Prepared, prepare
from fairtrial.contamination.variants.thresholds import (
    Threshold,
    default_threshold,
    threshold_from,
    threshold_of,
    threshold_of_scores,
)

__all__ = [
    "Found",
    "Near",
    "Prepared",
    "Threshold",
    "default_threshold",
    "passages",
    "prepare",
    "threshold_from",
    "threshold_of",
    "threshold_of_scores",
]
