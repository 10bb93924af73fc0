"""Steps in a row in which no group holds a pass and a fail: nothing is learned of them. All may pass, or each its way.

A grader that passes everything looks like this, and like a policy that has nothing left to learn: it is told, and the
run goes on. Where nothing passes it is for `silence` to say. Groups of one graded attempt say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.train.recipe import Watch
from fairtrial.train.watch.result import Alarm
from fairtrial.train.watch.seen import Counts, Seen

FEWEST_ATTEMPTS = 32
"""Graded attempts in such steps before it is told."""


class Teaching:
    """The steps in a row that taught nothing, and the last that did."""

    def __init__(self, settings: Watch) -> None:
        """Begin."""
        self._settings = settings
        self._dull: list[Seen] = []
        self._before: Seen | None = None

    def see(self, seen: Seen) -> Alarm | None:
        """Return the alarm where no group of the last steps holds a pass and a fail."""
        groups = _weighable(seen)
        if not groups:
            return None
        if seen.passed == 0 or any(one.passed and one.failed for one in groups):
            self._dull, self._before = [], seen
            return None
        self._dull.append(seen)
        graded = sum(one.graded for each in self._dull for one in _weighable(each))
        if len(self._dull) < self._settings.silent_steps or graded < FEWEST_ATTEMPTS:
            return None
        first, last = self._dull[0].step, seen.step
        why = _why(self._dull, self._before)
        return Alarm(kind="no_signal", first_step=first, last_step=last, pauses=False, why=why)


def _weighable(seen: Seen) -> list[Counts]:
    return [one for one in seen.counts if one.graded > 1] if seen.groups else []


def _why(dull: Sequence[Seen], before: Seen | None) -> str:
    first, last = dull[0].step, dull[-1].step
    where = f"Step {first}" if first == last else f"Steps {first} to {last}"
    failed, groups = sum(seen.failed for seen in dull), [one for seen in dull for one in _weighable(seen)]
    step = ""
    if before is not None and before.passed + before.failed:
        step = f" Step {before.step} before passed {before.passed / (before.passed + before.failed):.1%}."
    if failed:
        all_pass = sum(one.failed == 0 for one in groups)
        return (f"{where}: none of {len(groups):,} groups holds a pass and a fail, so nothing is learned of them: "
                f"{all_pass:,} all pass, {len(groups) - all_pass:,} all fail.{step}")  # fmt: skip
    passed = sum(seen.passed for seen in dull)
    return (f"{where}: all {passed:,} graded attempts passed, so nothing is learned of them.{step} Either nothing is "
            "left to learn, or the grader passes everything: grade known wrong answers to tell.")  # fmt: skip
