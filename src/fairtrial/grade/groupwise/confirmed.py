"""When a rollout counts as a hack: when people who looked at it say so; no detector or judge confirms one.

Each reviewer's last word counts, void reviews do not. Adjudication decides over all others; without it, the people who
said anything must agree.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.records import Review


def is_confirmed_hack(reviews: Iterable[Review]) -> bool:
    """Say whether the reviews of one rollout confirm that it gamed the grader.

    >>> said = Review(rollout="r", reviewer="ada", hack=True)
    >>> is_confirmed_hack([said]), is_confirmed_hack([said, Review(rollout="r", reviewer="bo", hack=False)])
    (True, False)
    """
    adjudicated, people = _last_words(reviews)
    return adjudicated if adjudicated is not None else bool(people) and all(people)


def is_disputed_hack(reviews: Iterable[Review]) -> bool:
    """Say whether people disagree, and nobody has adjudicated."""
    adjudicated, people = _last_words(reviews)
    return adjudicated is None and len(set(people)) > 1


def _last_words(reviews: Iterable[Review]) -> tuple[bool | None, list[bool]]:
    """Return what adjudication says last (None: nothing), and the last word of each person."""
    adjudicated: bool | None = None
    people: dict[str, bool] = {}
    for review in sorted(reviews, key=lambda one: (one.recorded_at, one.id)):
        if review.hack is None or review.void:
            continue
        if review.adjudicates and review.kind == "person":
            adjudicated = review.hack
        elif review.kind == "person":
            people[review.reviewer] = review.hack
    return adjudicated, list(people.values())
