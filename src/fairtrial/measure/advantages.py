"""Advantages of one GRPO group from its rewards, under a convention that is always named.

`population`: (r - mean) / (std with ddof 0 + epsilon). `sample`: ddof 1, what TRL and verl do. `none`: r - mean, as
Dr. GRPO. TRL adds 1e-4 to the standard deviation, verl 1e-6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Convention = Literal["population", "sample", "none"]
EPSILON_TRL = 1e-4
EPSILON_VERL = 1e-6


def advantages(rewards: Sequence[float], convention: Convention, epsilon: float = 0.0) -> NDArray[np.float64]:
    """Return the advantage of each rollout of one group; all zero where the rewards are equal.

    Raise ValueError for fewer than two rewards, one that is not finite, or an unknown convention.

    >>> advantages([1.0] + [0.0] * 15, "sample").round(2)[:2].tolist()
    [3.75, -0.25]
    """
    group = np.asarray(rewards, dtype=np.float64)
    if len(group) < 2 or not np.isfinite(group).all():
        raise ValueError("a group has at least two finite rewards")
    if convention not in ("population", "sample", "none"):
        raise ValueError(f"no convention `{convention}`: population, sample or none")
    centred: NDArray[np.float64] = group - group.mean()
    if float(np.ptp(group)) == 0.0:
        return np.zeros_like(group)
    if convention == "none":
        return centred
    scaled: NDArray[np.float64] = centred / (group.std(ddof=1 if convention == "sample" else 0) + epsilon)
    return scaled
