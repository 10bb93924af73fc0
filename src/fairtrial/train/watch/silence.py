"""Silent outages: steps in a row in which every attempt fails, told apart from hard tasks and from a broken grader.

Three things are asked of a streak. Would these tasks fail so often at the rates that they had before (`rates`)? Then
they are hard, and nothing is wrong; one easy family among them makes it unlikely. Did known right answers fail in the
same steps? Then it is the grader. Could anything that was written have passed (`shapes`)? If not it is the policy or
what stands between it and the grader. A policy that collapses to nothing within a step or two cannot be told from an
outage by its grades; the alarm says so.

A streak that begins at the t-th step is an outage where its chance is below .001 / (t (t + 1)). A streak fails on with
a chance that only falls, so that however often one looks, a streak is accused wrongly with that chance at most, and
over all t, in a run of any length, 1 run in 1,000 (sum 1 / (t (t + 1)) = 1): at rates that were learned rightly.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace

from fairtrial.train.recipe import Watch
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.rates import FamilyChance, Rates
from fairtrial.train.watch.result import Alarm, AlarmKind
from fairtrial.train.watch.seen import Seen
from fairtrial.train.watch.shapes import signs

FALSE_PAUSES = 1e-3
"""Chance per run that steps are accused that were bad luck."""
FEWEST_ATTEMPTS = 32
"""Attempts without a pass before a run of which nothing is known is paused: then the rate is below 9%, one-sided."""


_LONGEST = 50
"""Steps of a streak that are weighed; one that was accused before goes on without being weighed again."""


class Silence:
    """The streak that goes on, and the rates that the run had before it."""

    def __init__(self, settings: Watch, known: Known) -> None:
        """Begin, with what was measured before the run."""
        self._settings, self._known = settings, known
        self._rates = Rates()
        for task, before in known.tasks.items():
            self._rates.learn(0, before.family, task, before.graded, before.passed)
        self._streak: list[Seen] = []
        self._watched = 0
        self._began = 0
        self._fallen = ""
        self._accused: Alarm | None = None
        self._before: Seen | None = None

    def see(self, seen: Seen, fallen: str) -> Alarm | None:
        """Return the alarm of the streak up to this step. `fallen`: how the pass rate fell before, if it did."""
        if seen.attempts == 0 or (seen.failed == 0 and seen.passed == 0):
            return None
        self._watched += 1
        if not seen.is_silent:
            self._end_streak()
            self._learn(seen)
            self._before = seen
            return None
        if not self._streak:
            self._began, self._fallen = self._watched, fallen
        self._streak.append(seen)
        if self._accused is not None and len(self._streak) > _LONGEST:
            return replace(self._accused, last_step=seen.step)
        alarm = self._alarm() if len(self._streak) >= self._settings.silent_steps else None
        self._accused = alarm if alarm is not None and alarm.kind != "no_signal" else None
        return alarm

    def begin_anew(self) -> None:
        """End the streak: somebody looked at it and said to go on."""
        self._end_streak()

    def _end_streak(self) -> None:
        """Learn from a streak that was only bad luck or hard tasks; an outage says nothing of the tasks."""
        if self._accused is None:
            for seen in self._streak:
                self._learn(seen)
        self._streak, self._accused = [], None

    def _learn(self, seen: Seen) -> None:
        for one in seen.counts:
            self._rates.learn(seen.step, one.family, one.task, one.graded, one.passed)

    def _alarm(self) -> Alarm | None:
        first, last = self._streak[0].step, self._streak[-1].step
        chances = self._rates.chances(first, _failed(self._streak))
        log_chance = math.fsum(one.log_chance for one in chances)
        is_unlikely = log_chance < math.log(FALSE_PAUSES / (self._began * (self._began + 1)))
        looks = signs((one for seen in self._streak for one in seen.completions()), self._known.shapes)
        failed = sum(seen.failed for seen in self._streak)
        if is_unlikely or looks.impossible:
            kind = self._kind()
            cause = self._fallen if kind == "collapse" else _cause(self._streak, kind, bool(looks.impossible))
            or_else = (_or_else(self._before),) if kind == "outage" else ()
            why = " ".join((_what(self._streak, failed), _at_rates(chances, log_chance), *looks.impossible, *looks.odd,
                            cause, *or_else))  # fmt: skip
            chance = _probability(log_chance) if any(one.known for one in chances) else None
            return Alarm(kind=kind, first_step=first, last_step=last, why=why, pauses=self._settings.pause,
                         marks=kind != "collapse", probability=chance)  # fmt: skip
        if self._rates.passes_ever or failed < FEWEST_ATTEMPTS:
            return None
        was_measured = self._rates.graded_ever > 0
        return Alarm(kind="no_signal", first_step=first, last_step=last, marks=not was_measured,
                     pauses=self._settings.pause and not was_measured,
                     why=" ".join((_what(self._streak, failed), *looks.odd, self._unknown(was_measured))))  # fmt: skip

    def _kind(self) -> AlarmKind:
        if any(seen.references_fail for seen in self._streak):
            return "grader"
        return "collapse" if self._fallen else "outage"

    def _unknown(self, was_measured: bool) -> str:
        if was_measured:
            source = f" ({self._known.source})" if self._known.source else ""
            return (f"None of {self._rates.graded_ever:,} attempts before passed either{source}, so it is as measured: "
                    "tasks too hard for this policy to learn from, or an outage older than the run.")  # fmt: skip
        return ("No attempt at these tasks was ever measured, so hard tasks cannot be told from an outage. Evaluate "
                "the base on them, or grade known right answers in each step: that would tell.")  # fmt: skip


def _failed(streak: Sequence[Seen]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for seen in streak:
        for one in seen.counts:
            tasks = found.setdefault(one.family, {})
            tasks[one.task] = tasks.get(one.task, 0) + one.failed
    return found


def _what(streak: Sequence[Seen], failed: int) -> str:
    tasks = {one.task for seen in streak for one in seen.counts}
    families = {one.family for seen in streak for one in seen.counts}
    first, last = streak[0].step, streak[-1].step
    steps = f"Step {first}" if first == last else f"Steps {first} to {last}"
    mix = f" of {len(families)} families" if len(families) > 1 else ""
    return f"{steps}: all {failed:,} graded attempts at {len(tasks):,} tasks{mix} failed."


def _at_rates(chances: Sequence[FamilyChance], log_chance: float) -> str:
    known = [one for one in chances if one.rate is not None]
    if not known:
        return "No pass rate of these tasks is known."
    rates = ", ".join(f"{one.family or 'all tasks'} {one.rate:.1%}" for one in known)
    unknown = len(chances) - len(known)
    more = f"; of {unknown} {'family' if unknown == 1 else 'families'} nothing is known" if unknown else ""
    return f"Pass rates before: {rates}{more}. The chance of it at those rates is {_small(log_chance)}."


def _probability(log_chance: float) -> float:
    """Return the chance; one too small for a float is the smallest that it holds, for it is not zero."""
    return max(math.exp(log_chance), sys.float_info.min)


def _small(log_chance: float) -> str:
    """Return a probability in words.

    >>> _small(-3.0), _small(-50.0)
    ('5%', 'below 1 in 10^21')
    """
    if log_chance > math.log(1e-3):
        return f"{math.exp(log_chance):.2g}" if log_chance < math.log(0.01) else f"{math.exp(log_chance):.0%}"
    return f"below 1 in 10^{math.floor(-log_chance / math.log(10))}"


def _or_else(before: Seen | None) -> str:
    """Return what grades cannot tell apart, with the step before for a hint: a policy mostly falls over some steps."""
    told = f" Step {before.step} before passed {before.passed / (before.passed + before.failed):.1%}." if before else ""
    return f"A policy that collapsed at once fails alike: the completions tell which it was.{told}"


def _cause(streak: Sequence[Seen], kind: str, has_signs: bool) -> str:
    looked = sum(seen.line.references or 0 for seen in streak)
    right = sum(seen.line.references_passed or 0 for seen in streak)
    if kind == "grader":
        return f"{looked - right} of {looked} known right answers failed in these steps: it is the grader."
    if looked:
        return f"All {looked} known right answers passed in these steps, so it is the policy or its harness."
    if has_signs:
        return "No known right answer was graded in these steps; the completions point to the policy or its harness."
    return "No known right answer was graded in these steps, so the grader may be the cause: grade one to tell."
