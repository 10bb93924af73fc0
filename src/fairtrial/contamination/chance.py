"""Is what was flagged more than chance flags? Of clean rows a share is flagged, so flags alone are no finding.

Two ways of being more: as many rows as clean ones would give no more often than the level (binomial), or one row as
near to an item as the nearest of so many clean rows is no more often than that. What stands there word for word needs
neither.
Not covered: whether the control is like the training set; where it is not, no rate is known and every flag counts.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from fairtrial.contamination.result import LEVEL
from fairtrial.contamination.variants import threshold_from


def alone_of(scores: NDArray[np.float32], rows: int, level: float = LEVEL) -> float | None:
    """Return the score that the nearest of `rows` clean rows exceeds at the rate `level`; None without a control.

    The tail of the control's scores is extended that far, so it is an estimate, and leans to the high side.
    """
    if not len(scores) or not rows:
        return None
    return threshold_from(scores, min(0.5, level / rows)).value


def is_more(flagged: int, rows: int, fpr: float, level: float = LEVEL) -> bool:
    """Say whether clean rows give as many flags less often than the level.

    >>> is_more(13, 1000, 0.01), is_more(25, 1000, 0.01)
    (False, True)
    """
    return bool(binom.sf(flagged - 1, rows, fpr) < level)


def is_near(scores: Iterable[float], alone: float | None) -> bool:
    """Say whether one of `scores` lies beyond what chance explains.

    >>> is_near([0.4, 0.91], 0.9), is_near([0.4], 0.9), is_near([0.4], None)
    (True, False, False)
    """
    return alone is not None and any(score > alone for score in scores)
