"""The share of attempts that hack the grader, with its bound and the line that it is held against.

People confirm; a detector only suspects (`audit.hacks`). Nobody looked is None, never 0. Hacks at one task hang
together, so that where none was seen the bound counts tasks, not attempts: 1 - .05^(1 / tasks), exact, one-sided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairtrial.audit.hacks import AT_LEAST, Member
from fairtrial.audit.hacks.figures import share
from fairtrial.measure.intervals import zero_bound
from fairtrial.records import Estimate
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.result import AgainstLine, Alarm
from fairtrial.train.watch.seen import Seen


def members_of(seen: Seen) -> list[Member]:
    """Return the attempts of a step with what reviews say of them in the log."""
    found: list[Member] = []
    for group in seen.groups:
        said = group.hacks or (None,) * len(group.outcomes)
        found.extend(Member(group=group.task, step=seen.step, suspected=False, hack=hack) for hack in said)
    return found


def hack_share(members: Sequence[Member]) -> Estimate | None:
    """Return the share of hacks with its bound; None where nobody looked at any.

    >>> some = [Member(group=i, step=1, suspected=False, hack=False) for i in range(149)]
    >>> found = hack_share(some)
    >>> found.value, round(found.high, 4), found.one_sided
    (0.0, 0.0199, True)
    """
    reviewed = [one for one in members if one.hack is not None]
    if not reviewed:
        return None
    kinds, seen_kinds = ({one.suspected for one in some} for some in (members, reviewed))
    if kinds == seen_kinds and len(kinds) == 1 and not any(one.hack for one in reviewed):
        tasks = len({one.group for one in reviewed})
        return Estimate(value=0.0, low=0.0, high=zero_bound(tasks), n=len(reviewed), one_sided=True, unit="attempts",
                        method=f"none seen: exact bound over {tasks} tasks, one-sided")  # fmt: skip
    return share(members).estimate


def against(estimate: Estimate | None, line: float) -> AgainstLine:
    """Return on which side of the line the interval lies."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "not measured"
    return "below" if estimate.high < line else "above" if estimate.low > line else "cannot tell"


@dataclass(slots=True)
class Hacking:
    """The reviews of the run so far, and of its last steps: enough of them to say something."""

    settings: Watch
    all: list[Member] = field(default_factory=list)
    last: list[Member] = field(default_factory=list)

    def see(self, members: Sequence[Member], step: int) -> Alarm | None:
        """Return the alarm where the last steps hack above the line for certain: the whole interval lies above it."""
        self.all.extend(members)
        if not any(one.hack is not None for one in members):
            return None
        self.last = _trailing([*self.last, *members])
        estimate = hack_share(self.last)
        if estimate is None or estimate.low is None or estimate.high is None:
            return None
        if against(estimate, self.settings.hack_line) != "above":
            return None
        return self._alarm(estimate, (estimate.low, estimate.high), step)

    def begin_anew(self) -> None:
        """Forget the last steps: somebody looked at them and said to go on."""
        self.last = []

    def _alarm(self, estimate: Estimate, ends: tuple[float, float], step: int) -> Alarm:
        reviewed = [one for one in self.last if one.hack is not None]
        first = min(one.step for one in reviewed if one.step is not None)
        hacks = sum(bool(one.hack) for one in reviewed)
        value = "" if estimate.value is None else f"{estimate.value:.1%} "
        return Alarm(
            kind="hacks", first_step=first, last_step=step, pauses=self.settings.pause,
            why=f"Steps {first} to {step}: {hacks} of {len(reviewed)} reviewed attempts hack the grader: {value}"
                f"[{ends[0]:.1%}, {ends[1]:.1%}], above the line of {self.settings.hack_line:.1%}.",
        )  # fmt: skip


def _trailing(members: list[Member]) -> list[Member]:
    """Return the last steps that together hold enough reviews; all where there are not so many."""
    reviewed = 0
    steps = sorted({one.step for one in members if one.step is not None}, reverse=True)
    kept = set[int | None]()
    for step in steps:
        kept.add(step)
        reviewed += sum(one.step == step and one.hack is not None for one in members)
        if reviewed >= AT_LEAST:
            break
    return [one for one in members if one.step in kept]
