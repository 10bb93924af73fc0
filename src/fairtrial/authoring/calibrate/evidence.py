"""What was seen at one difficulty, attempt by attempt, and what it says of the band: within, too easy, too hard, open.

A claim once reached stands: the tests are valid at every look, and so is the first at which one of them speaks. An
ungraded attempt is no evidence. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from fairtrial.authoring.calibrate.betting import (
    highest_not_refuted,
    log_wealth_above,
    log_wealth_below,
    lowest_not_refuted,
)
from fairtrial.records import Estimate, Outcome

Says = Literal["in_band", "too_easy", "too_hard", "open"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The training band, both ends inside, and the error that each claim about a difficulty may make."""

    low: float
    high: float
    error: float


class Evidence:
    """Counts of one difficulty in the order of its attempts."""

    def __init__(self, band: Band) -> None:
        self.band = band
        self.passed = self.failed = self.ungraded = 0
        self.says: Says = "open"
        self.decided_after: int | None = None
        self._above_low = self._below_high = False

    @property
    def graded(self) -> int:
        """Return how many attempts are evidence."""
        return self.passed + self.failed

    @property
    def rate(self) -> float | None:
        """Return the share that passed; None where nothing was graded."""
        return self.passed / self.graded if self.graded else None

    def take(self, outcomes: Iterable[Outcome]) -> None:
        """Take outcomes in order; each is a look."""
        for outcome in outcomes:
            if outcome == "ungraded":
                self.ungraded += 1
                continue
            self.passed += outcome == "passed"
            self.failed += outcome == "failed"
            self._look()

    def _look(self) -> None:
        band, line = self.band, -math.log(self.band.error)
        passed, failed = self.passed, self.failed
        self._above_low |= band.low <= 0 or log_wealth_above(passed, failed, band.low) >= line
        self._below_high |= band.high >= 1 or log_wealth_below(passed, failed, band.high) >= line
        if self.says != "open":
            return
        if band.high < 1 and log_wealth_above(passed, failed, band.high) >= line:
            self.says = "too_easy"
        elif band.low > 0 and log_wealth_below(passed, failed, band.low) >= line:
            self.says = "too_hard"
        elif self._above_low and self._below_high:
            self.says = "in_band"
        if self.says != "open":
            self.decided_after = self.graded

    def estimate(self) -> Estimate:
        """Return the rate with its anytime-valid interval, each end at the error of a claim."""
        if not self.graded:
            return Estimate(value=None, low=None, high=None, n=0, ungraded=self.ungraded, unit="attempts",
                            method="not measured: no graded attempt")  # fmt: skip
        low = lowest_not_refuted(self.passed, self.failed, self.band.error)
        high = highest_not_refuted(self.passed, self.failed, self.band.error)
        return Estimate(value=self.rate, low=low, high=high, n=self.graded, ungraded=self.ungraded, unit="attempts",
                        method=f"anytime-valid (betting, Beta(1/2, 1/2) mixture), each end at {self.band.error:.4g}",
                        )  # fmt: skip

    def leans(self) -> Says:
        """Return where an open one lies by what was seen: a direction to look in, no claim."""
        if self.says != "open" or self.rate is None:
            return self.says
        return "too_easy" if self.rate > (self.band.low + self.band.high) / 2 else "too_hard"
