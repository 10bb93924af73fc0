"""Which tasks lie in a band of measured pass rates, and what drawing from them costs. Pure.

A task's rate is passes over graded attempts. A task without a graded attempt is not in the band: its rate is not known.
A rate from few attempts is noisy, and tasks chosen by it come out less extreme when they are tried again; the share of
groups that teach is therefore the mean over tasks of its posterior under a flat prior, never the plug-in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from fairtrial.measure.gradient import informative_posterior
from fairtrial.records import Estimate


@dataclass(frozen=True, slots=True)
class Counted:
    """What a ledger holds of one task."""

    passed: int = 0
    failed: int = 0
    ungraded: int = 0

    @property
    def n(self) -> int:
        """Return the graded attempts."""
        return self.passed + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The tasks that are drawn, those that are not, and why."""

    kept: tuple[str, ...]
    too_hard: tuple[str, ...]
    too_easy: tuple[str, ...]
    not_measured: tuple[str, ...]
    informative: Estimate | None
    """Expected share of groups with unequal outcomes among the kept; None where no task is kept."""

    @property
    def oversampling(self) -> float | None:
        """Return how many groups are sampled for one that teaches, on average."""
        return None if self.informative is None or self.informative.value is None else 1 / self.informative.value


def in_band(
    tasks: Sequence[str], counts: Mapping[str, Counted], low: float, high: float, group_size: int
) -> Band:  # fmt: skip
    """Sort `tasks` by whether their measured pass rate lies in [low, high].

    >>> counts = {"a": Counted(passed=4, failed=4), "b": Counted(failed=8)}
    >>> band = in_band(["a", "b", "c"], counts, 0.1, 0.9, group_size=8)
    >>> band.kept, band.too_hard, band.not_measured, round(band.oversampling, 2)
    (('a',), ('b',), ('c',), 1.04)
    """
    known = {task: counts[task] for task in tasks if task in counts and counts[task].n}
    rates = {task: count.passed / count.n for task, count in known.items()}
    kept = tuple(task for task, rate in rates.items() if low <= rate <= high)
    return Band(
        kept=kept,
        too_hard=tuple(task for task, rate in rates.items() if rate < low),
        too_easy=tuple(task for task, rate in rates.items() if rate > high),
        not_measured=tuple(task for task in tasks if task not in known),
        informative=_informative([known[task] for task in kept], group_size),
    )


def _informative(counts: Sequence[Counted], group_size: int) -> Estimate | None:
    if not counts:
        return None
    chances = [informative_posterior(count.n, count.passed, group_size) for count in counts]
    return Estimate(value=fmean(chances), low=None, high=None, n=len(chances), ungraded=sum(c.ungraded for c in counts),
                    method=f"mean over tasks of the posterior chance of a mixed group of {group_size}, flat prior; "
                           "no interval")  # fmt: skip
