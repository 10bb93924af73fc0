"""The health of the grader: known right answers that fail, attempts that could not be graded, passes not paid.

A pass that has no reward says that what pays broke (a judge of criteria that is gone, or past its bound): nothing is
learned of it. Which fails have none is not looked at: a grader that pays passes alone pays them all.
"""

from __future__ import annotations

from fairtrial.train.recipe import Watch
from fairtrial.train.watch.result import Alarm
from fairtrial.train.watch.seen import Seen

BROKEN_SHARE = 0.5
"""Share of known right answers that fail, or of attempts that are ungraded, from which on a step is unfit."""
DOUBTFUL_SHARE = 0.1
"""Share of ungraded attempts from which on it is told."""
CALM_STEPS = 5
"""Steps without a doubt after which the next is told apart; a grader that breaks now and then is told once."""


class GraderHealth:
    """Steps in a row whose grader is not well."""

    def __init__(self, settings: Watch) -> None:
        """Begin."""
        self._settings = settings
        self._broken: list[Seen] = []
        self._doubtful: list[Seen] = []

    def see(self, seen: Seen) -> Alarm | None:
        """Return the alarm of this step: unfit `silent_steps` times in a row pauses, less is told."""
        if seen.attempts == 0 and not seen.line.references:
            return None
        self._broken = [*self._broken, seen] if _is_broken(seen) else []
        if self._doubtful and seen.step - self._doubtful[-1].step > CALM_STEPS:
            self._doubtful = []
        is_doubtful = _is_doubtful(seen)
        if is_doubtful:
            self._doubtful = [*self._doubtful, seen]
        if len(self._broken) >= self._settings.silent_steps:
            self._doubtful = []
            return _alarm(self._broken, pauses=self._settings.pause, marks=True)
        return _alarm(self._doubtful, pauses=False, marks=False) if is_doubtful else None

    def begin_anew(self) -> None:
        """Forget the steps so far: somebody looked at them and said to go on."""
        self._broken, self._doubtful = [], []


def _is_doubtful(seen: Seen) -> bool:
    return seen.references_fail or (seen.attempts > 0 and seen.ungraded >= DOUBTFUL_SHARE * seen.attempts)


def _is_broken(seen: Seen) -> bool:
    """Say whether half of what is known or more is lost in this step."""
    looked, right = seen.line.references or 0, seen.line.references_passed or 0
    most_references = looked > 0 and looked - right >= BROKEN_SHARE * looked
    unpaid = _unpaid(seen)
    return (
        most_references
        or (seen.attempts > 0 and seen.ungraded >= BROKEN_SHARE * seen.attempts)
        or (unpaid > 0 and unpaid >= BROKEN_SHARE * seen.passed)
    )


def _unpaid(seen: Seen) -> int:
    """Return how many passes have no reward."""
    return sum(
        outcome == "passed" and reward is None
        for group in seen.groups
        for outcome, reward in zip(group.outcomes, group.rewards, strict=True)
    )


def _alarm(steps: list[Seen], *, pauses: bool, marks: bool) -> Alarm:
    first, last = steps[0].step, steps[-1].step
    looked = sum(seen.line.references or 0 for seen in steps)
    wrong = looked - sum(seen.line.references_passed or 0 for seen in steps)
    ungraded, attempts = sum(seen.ungraded for seen in steps), sum(seen.attempts for seen in steps)
    apart = f" ({len(steps)} of them)" if len(steps) <= last - first else ""
    told = [f"Step {first}:" if first == last else f"Steps {first} to {last}{apart}:"]
    if wrong:
        told.append(f"{wrong} of {looked} known right answers were graded as wrong.")
    if ungraded:
        told.append(f"{ungraded:,} of {attempts:,} attempts could not be graded{_reasons(steps, 'ungraded')}.")
    if marks and (unpaid := sum(map(_unpaid, steps))):
        passed = sum(seen.passed for seen in steps)
        told.append(f"{unpaid:,} of {passed:,} passes could not be paid{_reasons(steps, 'passed')}.")
    if marks and not wrong and not ungraded:
        told.append("What pays is broken; nothing was learned of them.")
        return Alarm(kind="grader", first_step=first, last_step=last, pauses=pauses, marks=marks, why=" ".join(told))
    told.append("The grader is broken; what the policy is worth is not known." if marks
                else "The grader is wrong about some answers." if wrong
                else "What those were worth is not known; they are no fails.")  # fmt: skip
    return Alarm(kind="grader", first_step=first, last_step=last, pauses=pauses, marks=marks, why=" ".join(told))


def _reasons(steps: list[Seen], meant: str) -> str:
    counts: dict[str, int] = {}
    for group in (group for seen in steps for group in seen.groups):
        for outcome, reason in zip(group.outcomes, group.reasons, strict=True):
            if outcome == meant and reason:
                counts[reason] = counts.get(reason, 0) + 1
    if not counts:
        return ""
    return f" (most often: {max(sorted(counts), key=counts.__getitem__)})"
