"""Seeds: one number for each attempt, made from the run's seed, the task and the attempt, the same in every run."""

from __future__ import annotations

import hashlib


def attempt_seed(seed: int, task: str, attempt: int) -> int:
    """Return a 32-bit seed.

    >>> attempt_seed(0, "a", 0) == attempt_seed(0, "a", 0) != attempt_seed(0, "a", 1)
    True
    """
    return int.from_bytes(hashlib.sha256(f"{seed}\0{task}\0{attempt}".encode()).digest()[:4], "big")
