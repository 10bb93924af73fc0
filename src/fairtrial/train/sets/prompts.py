"""RL prompt sets: tasks that the model to be trained sometimes passes, by the rate that was measured, on one side.

A rate is passes over graded attempts of one model. Inside the band are tasks whose rate lies between its ends and is
neither 0 nor 1: a group of attempts that all fail or all pass has no gradient. A rollout that may not be counted
(ungraded, known, of a control arm, of an outage, of a refuted grader) is in no rate. Counted here are tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fairtrial.formats.exports import Origin, Question
from fairtrial.records import InputError
from fairtrial.tasks.text import TextTask
from fairtrial.train.sets.demonstrations import by_task
from fairtrial.train.sets.eligible import Eligible, Source, listed, sides_for
from fairtrial.train.sets.objections import read_objections
from fairtrial.train.sets.options import Options
from fairtrial.train.sets.pool import Entry, Pool, Tally
from fairtrial.train.sets.suspected import Suspected
from fairtrial.train.sets.works import Work, Works, prompt_of, prompt_text

_EDGE = 1e-9
_UNCOUNTABLE = ("known_candidate", "degenerate_reward", "outage_step", "grader_refuted")
_SHOWN = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How often one task was passed."""

    passed: int
    graded: int

    @property
    def value(self) -> float:
        """Return the share of graded attempts that passed."""
        return self.passed / self.graded


def prompts(source: Source, pool: Pool, tally: Tally) -> tuple[list[Question], Eligible, dict[str, int]]:
    """Return the prompts by task, what was found on the way, and how many rollouts are in no rate, by reason.

    Raise InputError where rollouts of several models or training steps are there and none is named.
    """
    _refuse_several(source, pool.meant)
    objections, works = read_objections(source.ledger), Works(source.ledger, source.tasks)
    of_rollouts = Tally()
    counted = of_rollouts.keep(pool.meant, lambda entry: _uncountable(objections.of(entry)))
    counted = listed(of_rollouts.keep(counted, works.unfit), source)
    sides = sides_for(source, pool, works)
    tasks = {task.name: task for task in source.tasks.tasks} if source.tasks else {}
    graded = by_task(counted)
    rows: list[Question] = []
    texts: set[str] = set()
    for key in _all_tasks(source, pool.meant):
        entries = graded.get(key, [])
        unlisted = "not_in_tasks" if source.tasks and key[1] not in tasks else ""
        why = sides.of(*key) or unlisted or _outside(_rate(entries), source.options)
        row = why or _question(key, entries, tasks, source, works)
        if isinstance(row, Question) and prompt_text(row.prompt) in texts:
            row = "duplicate"
        if isinstance(row, str):
            tally.drop(row)
        else:
            texts.add(prompt_text(row.prompt))
            rows.append(row)
    unread = Suspected(rollouts=frozenset(), read=0, not_read=0, partly=0)
    found = Eligible(entries=tuple(counted), works=works, sides=sides, suspected=unread,
                     not_measured=objections.not_measured)  # fmt: skip
    return rows, found, dict(of_rollouts.counts)


def _uncountable(why: str) -> str:
    """Return a reason that makes an attempt say nothing of the task; what a review doubts is still what rewards say."""
    return why if why.startswith("ungraded:") or why in _UNCOUNTABLE else ""


def _refuse_several(source: Source, pool: Sequence[Entry]) -> None:
    mine = [entry for entry in pool if entry.origin == "policy"]
    for option, there in (
        ("--model", sorted({entry.label for entry in mine})),
        ("--step", sorted({"no step" if entry.step is None else str(entry.step) for entry in mine})),
    ):
        if len(there) > 1:
            raise InputError("a band is of one model as it is at one step, and rollouts of several are there",
                             path=source.ledger.path, field=option,
                             hint=f"Name one of: {', '.join(there[:_SHOWN])}.")  # fmt: skip


def _all_tasks(source: Source, pool: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return every task that was attempted, and those of the file of text tasks that were not."""
    found = {entry.task_key for entry in listed(pool, source)}
    attempted = {task for _, task in found}
    missing = source.tasks.tasks if source.tasks else ()
    return sorted({*found, *((task.suite, task.name) for task in missing if task.name not in attempted)})


def _rate(entries: Sequence[Entry]) -> Rate:
    return Rate(passed=sum(entry.outcome == "passed" for entry in entries), graded=len(entries))


def _outside(rate: Rate, options: Options) -> str:
    low, high = options.band
    if rate.graded == 0:
        return "not_measured"
    if rate.graded < options.least_graded:
        return "too_few_attempts"
    if rate.passed == 0 and low > 0:
        return "never_passed"
    if rate.passed == rate.graded and high < 1:
        return "always_passed"
    if rate.value < low - _EDGE:
        return "below_the_band"
    return "above_the_band" if rate.value > high + _EDGE else ""


def _question(
    key: tuple[str, str], entries: Sequence[Entry], tasks: Mapping[str, TextTask], source: Source, works: Works
) -> Question | str:
    """Return the row of a task, or the reason why there is none."""
    rate, first = _rate(entries), entries[0]
    origin = Origin(task=key[1], suite=key[0], task_hash=first.task_hash, family=first.family or first.domain,
                    cluster=first.cluster)  # fmt: skip
    task = tasks.get(key[1])
    if task is not None and source.tasks is not None:
        answer = source.tasks.keys[task.name]
        told = replace(origin, suite=task.suite, task_hash=task.hash, family=task.family or origin.family,
                       cluster=task.cluster or origin.cluster)  # fmt: skip
        return Question(prompt=prompt_of(task), answer=answer.answer, kind=answer.kind, part=answer.part,
                        rate=rate.value, graded=rate.graded, origin=told)  # fmt: skip
    made = [found for entry in entries if isinstance(found := works.of(entry), Work)]
    if not made:
        return "no_text"
    if any(work.prompt != made[0].prompt for work in made):
        return "prompts_differ"
    keys = {entry.expected for entry in entries if entry.expected is not None}
    return Question(prompt=made[0].prompt, answer=keys.pop() if len(keys) == 1 else None, rate=rate.value,
                    graded=rate.graded, origin=origin)  # fmt: skip
