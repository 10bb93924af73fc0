"""Is the benchmark flawed? Where at least 20% of its tasks have an error, or one fault corrupts the grading at scale.

The share of a sample decides nothing by itself: whole intervals are held against the threshold, exact for a sample
without replacement of so many tasks. A task with an open question counts as without error at the lower end and as one
with an error at the upper end. So it is flawed, sound, or cannot be told; and how many more tasks would tell is said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fairtrial.audit.checklist.model import Checklist
from fairtrial.audit.checklist.population import Population, TaskRef
from fairtrial.audit.checklist.standing import Answered, Question
from fairtrial.measure.intervals.finite import finite_interval
from fairtrial.records import Estimate

THRESHOLD = 0.2
"""From this share of tasks with an error on a benchmark is flawed."""
METHOD = "exact for a sample without replacement of a finite population; open tasks are errors at the upper end alone"

MOST_TASKS = 2000
"""So many tasks nobody inspects by hand."""
_HAIR = 1e-9

Decision = Literal["flawed", "sound", "cannot_tell"]
State = Literal["error", "clean", "open", "not_inspected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What the answers come to, and on what that rests."""

    decision: Decision
    why: tuple[str, ...]
    states: Mapping[str, State]
    """Of each task of the sample, in the order of the sample."""
    share: Estimate
    """Share of the benchmark's tasks with an error."""
    threshold: float
    at_scale: tuple[Answered, ...]
    """Faults that all inspectors who answered call faults at scale."""
    open_items: tuple[str, ...]
    """Deciding items about the benchmark that nobody has settled."""
    outside: Mapping[str, State]
    """Tasks that were inspected, and are not in the sample: they say nothing of the share."""
    more_tasks: int | None
    """So many more tasks, settled like those of the sample, would tell. None: it is told already, or all would not."""

    @property
    def counts(self) -> dict[State, int]:
        """Return how many tasks of the sample are in which state."""
        found = Counter(self.states.values())
        return {state: found[state] for state in ("error", "clean", "open", "not_inspected")}


def decide(
    checklist: Checklist, population: Population, sample: Sequence[TaskRef], answered: Mapping[Question, Answered],
    threshold: float = THRESHOLD,
) -> Decided:  # fmt: skip
    """Hold what stands against the threshold. Raise ValueError where the sample is empty."""
    if not sample:
        raise ValueError("a decision needs a sample")
    states = {task.name: _state(task.name, checklist, answered) for task in sample}
    inspected = {task for task, _ in answered if task and task not in states}
    counts, size = Counter(states.values()), len(population.tasks)
    errors, undecided = counts["error"], counts["open"] + counts["not_inspected"]
    low = finite_interval(errors, len(sample), size)[0] / size
    high = finite_interval(errors + undecided, len(sample), size)[1] / size
    settled = len(sample) - undecided
    share = Estimate(value=errors / settled if settled else None, low=low, high=high, n=settled, ungraded=undecided,
                     method=METHOD)  # fmt: skip
    agreed = tuple(one for one in answered.values() if one.at_scale)
    disputed = [one for one in answered.values() if one.at_scale is None]
    open_items = tuple(item.id for item in checklist.about("benchmark") if item.severity == "error"
                       and _is_open(answered.get(("", item.id))))  # fmt: skip
    decision, why = _told(share, threshold, agreed, open_items, disputed)
    return Decided(
        decision=decision, why=why, states=states, share=share, threshold=threshold, at_scale=agreed,
        open_items=open_items, outside={task: _state(task, checklist, answered) for task in sorted(inspected)},
        more_tasks=tasks_to_tell(errors, settled, size, threshold) if low < threshold - _HAIR <= high else None,
    )  # fmt: skip


def _state(task: str, checklist: Checklist, answered: Mapping[Question, Answered]) -> State:
    found = [answered.get((task, item.id)) for item in checklist.about("task") if item.severity == "error"]
    told = [one.common for one in found if one is not None]
    if "fails" in told:
        return "error"
    if not told:
        return "not_inspected"
    # A task to which no question applies was not inspected: nothing was asked of it.
    return "open" if any(map(_is_open, found)) or set(told) == {"not_applicable"} else "clean"


def _is_open(one: Answered | None) -> bool:
    return one is None or one.common in ("unclear", "disputed")


def _told(
    share: Estimate, threshold: float, faults: Sequence[Answered], open_items: Sequence[str],
    disputed: Sequence[Answered],
) -> tuple[Decision, tuple[str, ...]]:  # fmt: skip
    assert share.low is not None
    assert share.high is not None
    bad = [
        f"`{one.item}` fails{f' on {one.task}' if one.task else ''}, and corrupts grading at scale" for one in faults
    ]
    if share.low >= threshold - _HAIR:
        bad.append(f"at least {share.low:.1%} of its tasks have an error")
    if bad:
        return "flawed", tuple(bad)
    unknown = [f"inspectors disagree whether `{one.item}` fails{f' on {one.task}' if one.task else ''} at scale"
               for one in disputed]  # fmt: skip
    unknown += [f"`{item}` is not settled for the benchmark as a whole" for item in open_items]
    if share.high >= threshold - _HAIR:
        unknown.append(f"up to {share.high:.1%} of its tasks may have an error")
    return ("cannot_tell", tuple(unknown)) if unknown else ("sound", (f"at most {share.high:.1%} have an error",))


def tasks_to_tell(errors: int, settled: int, population: int, threshold: float = THRESHOLD) -> int | None:
    """Return how many tasks beyond `settled` would tell, if errors came as often as so far.

    None where all would not tell, or MOST_TASKS neither. Errors are rounded against the answer that is expected; with
    nothing settled, none are expected.

    >>> tasks_to_tell(errors=0, settled=5, population=200), tasks_to_tell(errors=10, settled=20, population=200)
    (11, 0)
    """
    rate = errors / settled if settled else 0.0

    def tells(n: int) -> bool:
        if rate >= threshold:
            return _verdict(math.floor(rate * n + _HAIR), n, population, threshold) == "flawed"
        return _verdict(math.ceil(rate * n - _HAIR), n, population, threshold) == "sound"

    before, n, last = settled, max(settled, 1), min(population, max(MOST_TASKS, settled))
    while n < last and not tells(n):
        before, n = n + 1, min(last, n + max(1, n // 50))
    return next((found - settled for found in range(before, n + 1) if found and tells(found)), None)


def bought(n: int, population: int, threshold: float = THRESHOLD) -> tuple[int | None, int | None]:
    """Return up to how many tasks with an error a sample of `n` tells sound, and from how many on flawed.

    None where no number of them would tell.

    >>> bought(20, 200), bought(5, 200)
    ((0, 8), (None, 4))
    """
    told = [_verdict(errors, n, population, threshold) for errors in range(n + 1)]
    sound = told.count("sound")  # more errors never speak for it
    return sound - 1 if sound else None, told.index("flawed") if "flawed" in told else None


def _verdict(errors: int, n: int, population: int, threshold: float) -> Decision:
    low, high = finite_interval(errors, n, population)
    edge = threshold * population - _HAIR
    return "flawed" if low >= edge else "sound" if high < edge else "cannot_tell"
