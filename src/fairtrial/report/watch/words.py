"""What is said of a watched run in words: its name, its steps, an alarm, which side of the line. No markup."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.report.data import State
from fairtrial.report.numbers import count, percent, share_with_interval
from fairtrial.report.words import count_word, listed, plural
from fairtrial.train.watch import Alarm, Watched, WatchedStep

KINDS = {
    "outage": "outage", "grader": "broken grader", "hacks": "hacks", "collapse": "collapse", "no_signal": "no signal",
    "length": "length",
}  # fmt: skip
_ONE = KINDS | {"no_signal": "stretch without a signal", "length": "change of length"}
_MANY = {"outage": "outages", "grader": "broken graders", "hacks": "hacks", "collapse": "collapses",
         "no_signal": "stretches without a signal", "length": "changes of length"}  # fmt: skip


def counted(alarms: Sequence[Alarm]) -> str:
    """Return how many alarms there were of each kind, in the order in which the kinds were first raised."""
    kinds = [alarm.kind for alarm in alarms]
    return listed([
        f"{count_word(kinds.count(kind))} {(_ONE if kinds.count(kind) == 1 else _MANY)[kind]}"
        for kind in dict.fromkeys(kinds)
    ])  # fmt: skip


def name_of(run: Watched) -> str:
    """Return model and seed."""
    return run.model if run.seed is None else f"{run.model}, seed {run.seed}"


def sampled(run: Watched) -> tuple[WatchedStep, ...]:
    """Return the steps in which something was attempted."""
    return tuple(step for step in run.steps if step.attempts)


def steps_words(first: int, last: int) -> str:
    """Return one step or a stretch of them.

    >>> steps_words(4, 4), steps_words(4, 1200)
    ('step 4', 'steps 4 to 1,200')
    """
    return f"step {count(first)}" if first == last else f"steps {count(first)} to {count(last)}"


def stretches(steps: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return ascending numbers as stretches without a gap.

    >>> stretches([2, 3, 4, 9])
    ((2, 4), (9, 9))
    """
    found: list[tuple[int, int]] = []
    for step in steps:
        if found and step == found[-1][1] + 1:
            found[-1] = (found[-1][0], step)
        else:
            found.append((step, step))
    return tuple(found)


def state_of(alarm: Alarm) -> State:
    """Return the state of an alarm: what leaves steps out or stops the run does not hold, the rest is a lead."""
    return "refuted" if alarm.is_grave else "lead"


def done_of(alarm: Alarm) -> str:
    """Return what was done about an alarm."""
    if alarm.pauses:
        return "paused, steps left out" if alarm.marks else "paused"
    return "steps left out" if alarm.marks else "told"


def side_words(run: Watched) -> str:
    """Return on which side of the line the share of hacks lies."""
    line = percent(run.hack_line)
    return {"below": f"below the line of {line}", "above": f"above the line of {line}",
            "cannot tell": f"the line of {line} cannot be excluded", "not measured": "nobody looked",
            }[run.against_line]  # fmt: skip


def hack_words(run: Watched) -> str:
    """Return the share of hacks with its bound and its side of the line."""
    if run.hack_share is None:
        return "not measured: nobody looked"
    return f"{share_with_interval(run.hack_share)}, {side_words(run)}"


def attempts_words(steps: Sequence[WatchedStep]) -> str:
    """Return how many attempts there were, and how many of them were not graded."""
    attempts, ungraded = sum(step.attempts for step in steps), sum(step.ungraded for step in steps)
    return f"{plural(attempts, 'attempt')}, {count(ungraded)} ungraded"
