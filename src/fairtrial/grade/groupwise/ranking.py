"""Rank the passing rollouts of one group. Pure but for the judge that is handed in.

On each criterion a rollout gets the share of the others that it beats, a tie counting half. The weighted mean of these
shares orders the group; ties share the mean of their ranks. A confirmed hack gets nothing and moves nobody. One that
could not be measured on every criterion is not ranked, never last: the others are ranked without it.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from fairtrial.checks.aggregation import ranks, shares
from fairtrial.checks.judged.pairs import Work
from fairtrial.grade.groupwise.criteria import Criteria, Criterion

Prefer = Callable[[str, Work, Work], float | None]
"""(question, one, other) -> 1 where the one is better, -1 the other, 0 neither; None where it could not be judged."""
SAME = 12
"""Decimals to which two weighted means are the same."""
PAIRS_AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """One rollout that passed."""

    rollout: str
    values: Mapping[str, float] = field(default_factory=dict)
    checks: Mapping[str, bool | None] = field(default_factory=dict)
    works: Mapping[str, Work] = field(default_factory=dict)
    """Name of a judged criterion -> what its judge is shown; lacking where nothing is kept."""
    confirmed_hack: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Where a rollout stands in its group."""

    rollout: str
    rank: float | None
    """1 for the best; None for a confirmed hack."""
    share: float
    """Share of the others that it beats: 1 the best, 0 the last and every confirmed hack; 1 alone."""
    criteria: Mapping[str, float] = field(default_factory=dict)
    """Criterion -> share of the others that it beats in it."""
    confirmed_hack: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The ranking of one group."""

    ranked: tuple[Ranked, ...]
    """Best first, ties by id; confirmed hacks last."""
    not_ranked: tuple[tuple[str, str], ...] = ()
    """(rollout, why)."""


def rank_group(criteria: Criteria, passing: Sequence[Passing], prefer: Prefer | None = None) -> Ranking:
    """Rank the passing rollouts of one group; without `prefer`, a judged criterion is not measured.

    >>> group = [Passing(rollout=r, values={"output_tokens": n}) for r, n in (("a", 90.0), ("b", 40.0))]
    >>> [(one.rollout, one.rank, one.share) for one in rank_group(Criteria(), group).ranked]
    [('b', 1.0, 1.0), ('a', 2.0, 0.0)]
    """
    lacking: dict[str, str] = {}
    found: list[tuple[Passing, dict[str, float]]] = []
    for one in sorted(passing, key=lambda one: one.rollout):
        if one.confirmed_hack:
            continue
        figures = {c.name: _figure(c, one) for c in criteria.criteria if not c.question}
        absent = [name for name, figure in figures.items() if figure is None]
        if absent:
            lacking[one.rollout] = f"no value on {', '.join(absent)}"
        else:
            found.append((one, {name: figure for name, figure in figures.items() if figure is not None}))
    wins: dict[str, dict[tuple[str, str], float]] = {}
    for criterion in criteria.judged:
        preferred = _preferences(criterion, [one for one, _ in found], prefer)
        for rollout in _not_judged([one.rollout for one, _ in found], preferred):
            lacking[rollout] = f"could not be judged on {criterion.name}"
        found = [(one, figures) for one, figures in found if one.rollout not in lacking]
        wins[criterion.name] = {pair: value for pair, value in preferred.items() if value is not None}
    hacks = [Ranked(rollout=one.rollout, rank=None, share=0.0, confirmed_hack=True)
             for one in sorted(passing, key=lambda one: one.rollout) if one.confirmed_hack]  # fmt: skip
    return Ranking(ranked=(*_ranked(criteria, found, wins), *hacks), not_ranked=tuple(sorted(lacking.items())))


def _figure(criterion: Criterion, one: Passing) -> float | None:
    """Return what is compared, more being better; None where it was not measured."""
    if criterion.measure:
        value = one.values.get(criterion.measure)
        return None if value is None else value if criterion.direction == "more" else -value
    results = [one.checks.get(name) for name in criterion.checks]
    return None if None in results else sum(map(bool, results)) / len(results)


def _preferences(
    criterion: Criterion, group: Sequence[Passing], prefer: Prefer | None
) -> dict[tuple[str, str], float | None]:
    """Return what the judge prefers of each pair, as a value of the first; None where it could not say."""

    def judged(pair: tuple[Passing, Passing]) -> float | None:
        works = [one.works.get(criterion.name) for one in pair]
        if prefer is None or works[0] is None or works[1] is None:
            return None
        value = prefer(criterion.question, works[0], works[1])
        return None if value is None else max(-1.0, min(1.0, float(value)))

    if len(group) == 1:  # there is nobody to compare it with, but it must be there to be seen
        alone = group[0].rollout
        return {} if prefer is not None and criterion.name in group[0].works else {(alone, alone): None}
    pairs = list(itertools.combinations(group, 2))
    with ThreadPoolExecutor(PAIRS_AT_ONCE) as pool:
        values = list(pool.map(judged, pairs))
    return {(a.rollout, b.rollout): value for (a, b), value in zip(pairs, values, strict=True)}


def _not_judged(group: Sequence[str], preferred: Mapping[tuple[str, str], float | None]) -> list[str]:
    """Return who must be left out so that every pair left was judged: again and again those with the most failures.

    >>> _not_judged(["a", "b", "c"], {("a", "b"): None, ("a", "c"): None, ("b", "c"): 1.0})
    ['a']
    """
    failed = {pair for pair, value in preferred.items() if value is None}
    left_out: list[str] = []
    while failed:
        counts = Counter(rollout for pair in failed for rollout in set(pair))
        most = max(counts.values())
        worst = [rollout for rollout in group if counts[rollout] == most]
        left_out += worst
        failed = {pair for pair in failed if not set(pair) & set(worst)}
    return left_out


def _ranked(
    criteria: Criteria,
    found: Sequence[tuple[Passing, Mapping[str, float]]],
    wins: Mapping[str, Mapping[tuple[str, str], float]],
) -> list[Ranked]:
    names = [one.rollout for one, _ in found]
    by_criterion = {
        c.name: _win_shares(names, wins[c.name]) if c.question else shares([figures[c.name] for _, figures in found])
        for c in criteria.criteria
    }
    whole = math.fsum(criterion.weight for criterion in criteria.criteria)
    means = [
        round(math.fsum(c.weight * by_criterion[c.name][index] for c in criteria.criteria) / whole, SAME)
        for index in range(len(names))
    ]
    ranked = [
        Ranked(rollout=name, rank=rank, share=share, criteria={c: held[index] for c, held in by_criterion.items()})
        for index, (name, rank, share) in enumerate(zip(names, ranks(means), shares(means), strict=True))
    ]
    return sorted(ranked, key=lambda one: (one.rank or 0.0, one.rollout))


def _win_shares(names: Sequence[str], wins: Mapping[tuple[str, str], float]) -> list[float]:
    """Return for each the mean over the others of 1 where it was preferred, 0 where the other was, a half for a tie."""
    if len(names) == 1:
        return [1.0]
    found = []
    for name in names:
        values = [
            wins[name, other] if (name, other) in wins else -wins[other, name] for other in names if other != name
        ]
        found.append(math.fsum((1 + value) / 2 for value in values) / len(values))
    return found
