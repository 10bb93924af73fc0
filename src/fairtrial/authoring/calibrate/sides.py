"""The tasks of a calibrated family on two sides: seeds of one side are never the other's, near copies lie on one.

Training tasks come first, those of the calibration among them; a held-out candidate that is a near copy of one, or of
any task that the calibration attempted, written or not, is left out and the next seed takes its place. Equal tasks are
written once. The document is a `fairtrial.split/1`, whose ids are names of tasks. Held-out tasks of a family measure
the skill and not its transfer: they are of the same making.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.authoring.calibrate.family import HELD_OUT, TRAIN
from fairtrial.authoring.calibrate.made import Ready
from fairtrial.authoring.near_copies import ALIKE, groups_of

SPLIT_SCHEMA = "fairtrial.split/1"
MOST_TRIES = 5
"""Times as many seeds as tasks are wanted that are tried before fewer are taken."""
Make = Callable[[str, int, int], Ready]
"""(difficulty, index, side) -> task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Both sides, and what was left out."""

    train: tuple[Ready, ...]
    held_out: tuple[Ready, ...]
    groups: tuple[tuple[str, ...], ...]
    """Near copies by name, each group on one side."""
    wanted: tuple[int, int]
    equal: int
    """Seeds whose task was there already."""
    near_training: int
    """Held-out candidates that were near copies of training tasks."""
    share: float
    seed: int

    @property
    def shortfall(self) -> tuple[int, int]:
        """Return how many tasks either side lacks."""
        return self.wanted[0] - len(self.train), self.wanted[1] - len(self.held_out)

    def document(self) -> dict[str, Any]:
        """Return how many there are, for the calibration's document."""
        return {"train": len(self.train), "held_out": len(self.held_out), "shortfall": list(self.shortfall),
                "equal_left_out": self.equal, "near_copies_of_training_left_out": self.near_training,
                "groups_of_near_copies": len(self.groups)}  # fmt: skip

    def split(self) -> dict[str, Any]:
        """Return the split as `contamination split` writes one."""
        train, held_out = ([task.name for task in side] for side in (self.train, self.held_out))
        rows = len(train) + len(held_out)
        families = Counter(_family(task) for task in (*self.train, *self.held_out))
        held = Counter(_family(task) for task in self.held_out)
        notes = ["Both sides are made by one generator: held-out tasks measure the skill, not its transfer."]
        return {
            "schema": SPLIT_SCHEMA, "rows": rows, "unreadable_rows": 0,
            "groups": [list(group) for group in self.groups], "singletons": rows - sum(map(len, self.groups)),
            "train": train, "held_out": held_out, "other_sides": {}, "checked": False,
            "held_out_share": {"wanted": self.share, "reached": len(held_out) / rows if rows else None},
            "shortfall_rows": self.shortfall[1],
            "families": [{"family": name, "rows": count, "wanted": held[name], "held_out": held[name]}
                         for name, count in sorted(families.items())],
            "straddling": [], "chains": [], "cut": [], "threshold": ALIKE, "seed": self.seed,
            "not_measured": ["rewordings: near copies are told by shared runs of words, figures kept"],
            "notes": notes, "unreadable": [], "inputs": [],
        }  # fmt: skip


def _family(task: Ready) -> str:
    named = task.text_task or task.task
    return named.family if named is not None else ""


def sides_of(
    difficulties: Sequence[str], make: Make, wanted: int, share: float, seed: int, attempted: Sequence[Ready] = ()
) -> Sides:  # fmt: skip
    """Return `wanted` tasks of `difficulties` in turn, `share` of them held out, none near an attempted one."""
    most_held = max(1, round(wanted * share)) if wanted > 1 else 0
    most_train = wanted - most_held
    seen: set[str] = set()
    train, equal = _side(difficulties, make, most_train, TRAIN, seen)
    others = [task for task in attempted if task.hash not in seen]
    seen |= {task.hash for task in others}
    taken = [*train, *others]
    candidates, again = _side(difficulties, make, most_held, HELD_OUT, seen)
    held, near, tried = _apart(taken, candidates), 0, len(candidates) + again
    near = len(candidates) - len(held)
    start = tried
    while len(held) < most_held and start < most_held * MOST_TRIES:
        more, copies = _side(difficulties, make, most_held - len(held), HELD_OUT, seen, start)
        again += copies
        start += max(1, len(more) + copies)
        kept = _apart(taken, more)
        near += len(more) - len(kept)
        held += kept
    groups = groups_of([task.text for task in (*train, *held)], [task.cluster for task in (*train, *held)]).tolist()
    by_group: dict[int, list[str]] = {}
    for task, group in zip((*train, *held), groups, strict=True):
        by_group.setdefault(group, []).append(task.name)
    held = _whole(train, held, groups)
    names = {task.name for task in (*train, *held)}
    several = [tuple(name for name in members if name in names) for members in by_group.values()]
    return Sides(train=tuple(train), held_out=tuple(held), wanted=(most_train, most_held), equal=equal + again,
                 near_training=near, share=share, seed=seed,
                 groups=tuple(sorted((g for g in several if len(g) > 1), key=lambda g: (-len(g), g))))  # fmt: skip


def _side(
    difficulties: Sequence[str], make: Make, wanted: int, side: int, seen: set[str], start: int = 0
) -> tuple[list[Ready], int]:
    """Return tasks of one side that are not there yet, and how many seeds made one that was."""
    found: list[Ready] = []
    equal = 0
    index = start
    while len(found) < wanted and index < start + max(1, wanted) * MOST_TRIES:
        task = make(difficulties[index % len(difficulties)], index // len(difficulties), side)
        index += 1
        if task.hash in seen:
            equal += 1
            continue
        seen.add(task.hash)
        found.append(task)
    return found, equal


def _apart(train: Sequence[Ready], candidates: Sequence[Ready]) -> list[Ready]:
    """Return the candidates that are no near copies of training tasks, nor joined to one by another candidate."""
    everyone = [*train, *candidates]
    groups = groups_of([task.text for task in everyone], [task.cluster for task in everyone]).tolist()
    taken = set(groups[: len(train)])
    return [task for task, group in zip(candidates, groups[len(train) :], strict=True) if group not in taken]


def _whole(train: Sequence[Ready], held: Sequence[Ready], groups: Sequence[int]) -> list[Ready]:
    """Return the held-out tasks without those that all of them together join to a training task."""
    taken = set(groups[: len(train)])
    return [task for task, group in zip(held, groups[len(train) :], strict=True) if group not in taken]
