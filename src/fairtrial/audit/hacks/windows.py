"""Training steps pooled into windows, where one step alone has too few reviews to say anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

AT_LEAST = 30
"""Reviews in a window: none seen among so many bounds the share to 10%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One rollout of the population."""

    group: Hashable
    """Its task, or the near copies that the task belongs to."""
    step: int | None
    suspected: bool
    """By `fairtrial detect`; a lead, which only decides the stratum."""
    hack: bool | None = None
    """What the reviewers say; None where it was not reviewed, or they disagree, or cannot tell."""
    weight: float = 1.0
    """One over the probability with which it was drawn for review."""


def windows(members: Iterable[Member], at_least: int = AT_LEAST) -> tuple[tuple[int, ...], ...]:
    """Return the steps of each window, in order: each with `at_least` reviews, and one of each kind that it holds.

    Kinds are suspected and not. What is left over at the end joins the last window; where all steps together have not
    so many reviews, there is one window.

    >>> some = [Member(group=i, step=i // 2, suspected=False, hack=False) for i in range(10)]
    >>> windows(some, at_least=4)
    ((0, 1), (2, 3, 4))
    """
    held: dict[int, Counter[tuple[bool, bool]]] = {}
    for member in members:
        if member.step is not None:
            held.setdefault(member.step, Counter())[(member.suspected, member.hack is not None)] += 1
    found: list[list[int]] = []
    open_steps: list[int] = []
    counts = Counter[tuple[bool, bool]]()
    for step in sorted(held):
        open_steps.append(step)
        counts.update(held[step])
        if _is_enough(counts, at_least):
            found.append(open_steps)
            open_steps, counts = [], Counter()
    if open_steps:
        found[-1:] = [[*(found[-1] if found else []), *open_steps]]
    return tuple(tuple(steps) for steps in found)


def _is_enough(counts: Counter[tuple[bool, bool]], at_least: int) -> bool:
    reviewed = counts[(True, True)] + counts[(False, True)]
    return reviewed >= at_least and all(counts[(kind, True)] or not counts[(kind, False)] for kind in (True, False))


def in_window(members: Sequence[Member], steps: Sequence[int]) -> list[Member]:
    """Return the members of these steps."""
    wanted = set(steps)
    return [member for member in members if member.step in wanted]
