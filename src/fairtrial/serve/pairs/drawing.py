"""Which pairs are compared, by whom, in which order and on which side: all of it decided by the sample's seed.

Pairs are of two rollouts of one task of the sample, of two models where it has rollouts of several; the two models
that have been paired least come first, so that figures by model hang together. A pair is read by one person, one in
five by two; one in five is shown again to the same reader, swapped, after all others, which shows a liking for a side.
Pure: neither verdicts nor answers are known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fairtrial.audit.sampling.order import chance
from fairtrial.records import Sample
from fairtrial.serve.review.held import Attempt

PAIRS_A_TASK = 2
MOST_COMPARED = 12
"""Rollouts of one task among which pairs are looked for."""
OVERLAP, AGAIN = 0.2, 0.2
LEAST_FOR_AGAIN = 4
"""A reader with fewer pairs would remember the first showing."""

Pair = tuple[Attempt, Attempt]


@dataclass(frozen=True, slots=True)
class Showing:
    """One pair as one reader sees it: `first` on the left, or above."""

    first: Attempt
    second: Attempt
    is_again: bool = False


def drawn_pairs(sample: Sample, attempts: Iterable[Attempt]) -> tuple[Pair, ...]:
    """Return the pairs of the sample's tasks, in the order in which the sample names the tasks.

    Rollouts without steps and answer, and second copies of the same steps, are not compared.
    """
    by_id = {one.id: one for one in attempts}
    of_task: dict[tuple[str, str, str], list[Attempt]] = {}
    for one in by_id.values():
        if one.trajectory or one.answer:
            of_task.setdefault(_task(one), []).append(one)
    tasks = dict.fromkeys(_task(by_id[row.rollout]) for row in sample.rows if row.rollout in by_id)
    often: Counter[frozenset[str]] = Counter()
    found: list[Pair] = []
    for task in tasks:
        found += _of_task(sample.seed, _distinct(sample.seed, of_task.get(task, [])), often)
    return tuple(found)


def showings(seed: int, pairs: Sequence[Pair], readers: Iterable[str]) -> dict[str, tuple[Showing, ...]]:
    """Return what each reader is shown, in order; loads as equal as can be."""
    loads = dict.fromkeys(sorted(set(readers)), 0)
    mine: dict[str, list[Pair]] = {name: [] for name in loads}
    for pair in pairs:
        lot = {name: chance(seed, "pair's reader", name, *_ids(pair)) for name in loads}
        wanted = 2 if chance(seed, "overlap", *_ids(pair)) < OVERLAP else 1
        for name in sorted(loads, key=lambda name: (loads[name], lot[name]))[:wanted]:
            loads[name] += 1
            mine[name].append(pair)
    return {name: _shown(seed, name, some) for name, some in mine.items()}


def _shown(seed: int, name: str, pairs: Sequence[Pair]) -> tuple[Showing, ...]:
    ordered = sorted(pairs, key=lambda pair: chance(seed, "order", name, *_ids(pair)))
    first = [Showing(*(pair[::-1] if chance(seed, "side", name, *_ids(pair)) < 0.5 else pair)) for pair in ordered]
    again = []
    if len(first) >= LEAST_FOR_AGAIN:
        count = max(1, round(len(first) * AGAIN))
        lot = sorted(first, key=lambda one: chance(seed, "again", name, one.first.id, one.second.id))
        again = [Showing(one.second, one.first, is_again=True) for one in lot[:count]]
    return (*first, *again)


def _of_task(seed: int, attempts: Sequence[Attempt], often: Counter[frozenset[str]]) -> list[Pair]:
    """At most two pairs, no rollout in both while there are others; `often` counts the models that were paired."""
    left = sorted(combinations(attempts, 2), key=lambda pair: chance(seed, "pair", *_ids(pair)))
    found: list[Pair] = []
    while left and len(found) < PAIRS_A_TASK:
        used = {one.id for pair in found for one in pair}
        best = min(left, key=lambda pair: (_models(pair) == 1, bool(used & set(_ids(pair))), often[_between(pair)]))
        left.remove(best)
        often[_between(best)] += 1
        found.append(best)
    return found


def _distinct(seed: int, attempts: Iterable[Attempt]) -> list[Attempt]:
    """Rollouts in an order by chance, of each trajectory one, at most twelve: of each model some."""
    ordered = sorted(attempts, key=lambda one: chance(seed, "compared", one.id))
    once = {(one.trajectory, one.answer): one for one in reversed(ordered)}
    of_model: Counter[str] = Counter()
    turns = []
    for one in sorted(once.values(), key=lambda one: chance(seed, "compared", one.id)):
        of_model[one.model] += 1
        turns.append((of_model[one.model], one))
    return [one for _, one in sorted(turns, key=lambda turn: turn[0])][:MOST_COMPARED]


def _task(attempt: Attempt) -> tuple[str, str, str]:
    return attempt.suite, attempt.task, attempt.task_hash


def _ids(pair: Pair) -> tuple[str, str]:
    one, other = sorted((pair[0].id, pair[1].id))
    return one, other


def _between(pair: Pair) -> frozenset[str]:
    return frozenset((pair[0].model, pair[1].model))


def _models(pair: Pair) -> int:
    return len(_between(pair))
