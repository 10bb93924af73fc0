"""What the sequential test does at a true rate: how often it claims what, and after how many attempts. Exact, no draws.

All paths of passes and failures are followed together, by counts. For planning, for the docs' table, and for the tests,
which hold the error of a claim to what was promised. Pure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from fairtrial.authoring.calibrate.betting import log_wealth_above, log_wealth_below
from fairtrial.authoring.calibrate.evidence import Band

_NOTHING = 1e-15
"""Chance below which a path is followed no further, and counted as open: denormal numbers take 50 times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """Chances of each claim within the attempts allowed, and the mean number of attempts made."""

    in_band: float
    too_easy: float
    too_hard: float
    open: float
    attempts: float


def operating(rate: float, band: Band, most: int) -> Operating:
    """Return what becomes of a difficulty that is passed `rate` of the time, of `most` graded attempts at most.

    >>> found = operating(0.35, Band(low=0.02, high=0.7, error=0.05), 200)
    >>> found.in_band > 0.99, found.attempts < 20
    (True, True)
    """
    line = -math.log(band.error)
    crossed = cache(lambda passed, failed: _crossed(passed, failed, band, line))
    states = {(0, False, False): 1.0}
    claims = {"in_band": 0.0, "too_easy": 0.0, "too_hard": 0.0}
    attempts = dropped = 0.0
    for n in range(1, most + 1):
        attempts += sum(states.values())
        reached: dict[tuple[int, bool, bool], float] = {}
        for (passed, above, below), mass in _stepped(states, rate).items():
            easy, hard, is_above, is_below = crossed(passed, n - passed)
            above, below = above or is_above, below or is_below
            if easy or hard:
                claims["too_easy" if easy else "too_hard"] += mass
            elif above and below:
                claims["in_band"] += mass
            elif mass < _NOTHING:
                dropped += mass
            else:
                key = (passed, above, below)
                reached[key] = reached.get(key, 0.0) + mass
        states = reached
    return Operating(**claims, open=sum(states.values()) + dropped, attempts=attempts)


def _crossed(passed: int, failed: int, band: Band, line: float) -> tuple[bool, bool, bool, bool]:
    return (
        band.high < 1 and log_wealth_above(passed, failed, band.high) >= line,
        band.low > 0 and log_wealth_below(passed, failed, band.low) >= line,
        band.low <= 0 or log_wealth_above(passed, failed, band.low) >= line,
        band.high >= 1 or log_wealth_below(passed, failed, band.high) >= line,
    )


def _stepped(states: dict[tuple[int, bool, bool], float], rate: float) -> dict[tuple[int, bool, bool], float]:
    found: dict[tuple[int, bool, bool], float] = {}
    for (passed, above, below), mass in states.items():
        for more, chance in ((1, rate), (0, 1 - rate)):
            if chance:
                key = (passed + more, above, below)
                found[key] = found.get(key, 0.0) + mass * chance
    return found
