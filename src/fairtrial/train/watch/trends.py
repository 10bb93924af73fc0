"""What changes slowly: a pass rate that collapses, completions that grow or shrink.

Five steps are told together. A collapse is called where the whole interval of the last five lies below a share of the
whole interval of the best five so far: Wilson over groups, the best five weighted to the families of the last. It goes
on until the rate itself is back above that share, or one fall that hovers there would be told as nine.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from fairtrial.measure.intervals import effective_wilson
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.result import Alarm
from fairtrial.train.watch.seen import Seen

WINDOW = 5
"""Steps that are told together."""
LENGTH_RATIO = 2.0
"""Change of the mean length at which it is told."""


@dataclass(frozen=True, slots=True)
class _Family:
    passed: int
    graded: int
    groups: int

    @property
    def rate(self) -> float:
        return self.passed / self.graded


@dataclass(frozen=True, slots=True)
class _Window:
    first: int
    last: int
    families: dict[str, _Family]

    @property
    def groups(self) -> int:
        return sum(one.groups for one in self.families.values())

    def rate(self, weights: dict[str, float]) -> float:
        return min(1.0, math.fsum(weight * self.families[name].rate for name, weight in weights.items()))


class PassRate:
    """The pass rate of the last steps beside the best so far."""

    def __init__(self, settings: Watch) -> None:
        """Begin."""
        self._settings = settings
        self._last: deque[Seen] = deque(maxlen=2 * WINDOW)
        self._best: _Window | None = None
        self._since = 0
        self.fallen = ""
        """How the rate has fallen, where it has; empty where it has not."""

    def see(self, seen: Seen) -> Alarm | None:
        """Return the alarm where the pass rate has collapsed."""
        if not any(one.graded for one in seen.counts):
            return None
        self._last.append(seen)
        if len(self._last) < 2 * WINDOW:
            return None
        steps = list(self._last)
        self._keep_best(_window(steps[:WINDOW]))
        recent = _window(steps[WINDOW:])
        self.fallen = self._fall(recent)
        if not self.fallen:
            self._since = 0
            return None
        self._since = self._since or recent.first
        return Alarm(kind="collapse", first_step=self._since, last_step=recent.last, pauses=False, why=self.fallen)

    def forget(self, first_step: int) -> None:
        """Forget the steps from `first_step` on: an outage says nothing of what the policy can do."""
        kept = [one for one in self._last if one.step < first_step]
        self._last.clear()
        self._last.extend(kept)

    def _keep_best(self, window: _Window) -> None:
        if self._best is None or _overall(window) > _overall(self._best):
            self._best = window

    def _fall(self, recent: _Window) -> str:
        best = self._best
        shared = set(recent.families) & set(best.families) if best else set()
        if best is None or not shared:
            return ""
        total = sum(recent.families[name].graded for name in shared)
        weights = {name: recent.families[name].graded / total for name in shared}
        was, is_ = best.rate(weights), recent.rate(weights)
        low = effective_wilson(was, sum(best.families[name].groups for name in shared))[0]
        high = effective_wilson(is_, sum(recent.families[name].groups for name in shared))[1]
        bar = self._settings.collapse_share
        if high >= bar * low and not (self._since and is_ < bar * was):
            return ""
        return (
            f"The pass rate fell from {was:.1%} (steps {best.first} to {best.last}) to {is_:.1%} (steps "
            f"{recent.first} to {recent.last}), below {bar:.0%} of the best."
        )


def _overall(window: _Window) -> float:
    graded = sum(one.graded for one in window.families.values())
    passed = sum(one.passed for one in window.families.values())
    return effective_wilson(passed / graded, window.groups)[0]


def _window(steps: list[Seen]) -> _Window:
    families: dict[str, _Family] = {}
    for one in (one for seen in steps for one in seen.counts if one.graded):
        old = families.get(one.family, _Family(0, 0, 0))
        families[one.family] = _Family(old.passed + one.passed, old.graded + one.graded, old.groups + 1)
    return _Window(steps[0].step, steps[-1].step, families)


class Length:
    """The mean length of completions beside that of the first steps of the same stage."""

    def __init__(self) -> None:
        """Begin."""
        self._stage = 0
        self._first: list[tuple[float, int]] = []
        self._last: deque[tuple[Seen, float]] = deque(maxlen=WINDOW)

    def see(self, seen: Seen) -> Alarm | None:
        """Return the alarm where completions are twice or half as long as at first, or most are cut off."""
        if seen.line.mean_tokens is None or seen.attempts == 0:
            return None
        if seen.line.stage != self._stage:
            self._stage, self._first = seen.line.stage, []
            self._last.clear()
        if len(self._first) < WINDOW:
            self._first.append((seen.line.mean_tokens, seen.step))
            return None
        self._last.append((seen, seen.line.mean_tokens))
        if len(self._last) < WINDOW:
            return None
        was = sum(tokens for tokens, _ in self._first) / WINDOW
        is_ = sum(tokens for _, tokens in self._last) / WINDOW
        cut, attempts = sum(s.line.cut_off for s, _ in self._last), sum(s.attempts for s, _ in self._last)
        if is_ < LENGTH_RATIO * was and is_ * LENGTH_RATIO > was and 2 * cut <= attempts:
            return None
        first, last = self._last[0][0].step, seen.step
        return Alarm(kind="length", first_step=first, last_step=last, pauses=False,
                     why=f"Steps {first} to {last}: {is_:,.1f} tokens a completion, {was:,.1f} in steps "
                         f"{self._first[0][1]} to {self._first[-1][1]}; {cut:,} of {attempts:,} cut off.")  # fmt: skip
