"""How far reviewers agree, with each other and with themselves when the same pair is shown swapped.

A pair that only one reviewer saw, or that was shown in one order, says nothing here and is not counted as agreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fairtrial.audit.pairs.reading import Compared
from fairtrial.measure.agreement import krippendorff_alpha
from fairtrial.measure.shares import share_over_clusters
from fairtrial.records import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """Shares with intervals over tasks; `value` is None where nothing could be compared."""

    pairs_of_several: int
    """Pairs on which two reviewers or more gave an answer."""
    alike: Estimate
    """Share of two reviewers' answers to one pair that are the same."""
    alpha: float | None
    """Krippendorff's alpha over first, second and tie; None where all answers are equal, or none can be compared."""
    swapped: Estimate
    """Share of pairs on which a reviewer said the same in both orders."""
    first_twice: int
    """Pairs of which a reviewer preferred the first in both orders: the place, not the work."""
    second_twice: int


def consistency(compared: Iterable[Compared]) -> Consistency:
    """Return how far the comparisons agree; those in which nobody could tell are left out."""
    kept = [one for one in compared if one.preference.preferred is not None]
    by_pair: dict[tuple[str, str], list[Compared]] = {}
    for one in kept:
        by_pair.setdefault(one.pair, []).append(one)
    alike: list[tuple[str, bool]] = []
    units: list[list[str]] = []
    for said in by_pair.values():
        answers = {reviewer: answer for reviewer, answer in votes(said).items() if answer is not None}
        if len(answers) > 1:
            units.append(list(answers.values()))
            alike += [(said[0].cluster, one == other) for one, other in combinations(answers.values(), 2)]
    repeats = [(pair, of) for said in by_pair.values() for pair, of in _repeats(said)]
    same = [(one.cluster, one.better == other.better) for one, other in (both for both, _ in repeats)]
    return Consistency(
        pairs_of_several=len(units), alike=share_over_clusters(alike, "pairs of answers"),
        alpha=krippendorff_alpha(units), swapped=share_over_clusters(same, "pairs shown in both orders"),
        first_twice=sum(place == "first" for _, place in repeats),
        second_twice=sum(place == "second" for _, place in repeats),
    )  # fmt: skip


def votes(said: Sequence[Compared]) -> dict[str, str | None]:
    """Return what each reviewer says of one pair: the id of the better, `tie`, or None where they cannot tell.

    Who prefers another work when the pair is shown swapped has preferred a place, which is a tie.
    """
    of_reviewer: dict[str, list[str]] = {}
    for one in said:
        answers = of_reviewer.setdefault(one.preference.reviewer, [])
        if one.better is not None:
            answers.append(one.better)
    return {name: None if not answers else answers[0] if len(set(answers)) == 1 else "tie"
            for name, answers in of_reviewer.items()}  # fmt: skip


def _repeats(said: Sequence[Compared]) -> list[tuple[tuple[Compared, Compared], str]]:
    """Return each reviewer's two answers to a pair shown in both orders, and the place that was preferred twice."""
    found = []
    for reviewer in dict.fromkeys(one.preference.reviewer for one in said):
        mine = {one.preference.first: one for one in said if one.preference.reviewer == reviewer}
        if len(mine) == 2:
            one, other = mine.values()
            places = {one.preference.preferred, other.preference.preferred}
            found.append(((one, other), str(places.pop()) if len(places) == 1 else ""))
    return found


def share_over_tasks(compared: Sequence[Compared], true: Sequence[bool]) -> Estimate:
    """Return the share of comparisons for which `true` holds, with its interval over clusters of tasks."""
    return share_over_clusters([(one.cluster, is_so) for one, is_so in zip(compared, true, strict=True)], "comparisons")
