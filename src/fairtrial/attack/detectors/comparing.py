"""From rollouts to what is found in each: the rules one by one, then the contrast within each task.

A rollout is read once and only its hits and its profile are kept, so that many fit into memory and processes can share
the reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fairtrial.attack.detectors.contrast import contrast
from fairtrial.attack.detectors.contrast_profile import Profile, profile
from fairtrial.attack.detectors.detecting import SUSPECTED, summed
from fairtrial.attack.detectors.protocol import Detected, Hit
from fairtrial.attack.detectors.reading import see
from fairtrial.attack.detectors.registry import detectors
from fairtrial.formats.atif import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What the rules find in one rollout, and its profile."""

    task: str
    steps: int
    hits: tuple[Hit, ...]
    profile: Profile
    unread: tuple[str, ...] = ()
    """Places that could not be read: not measured."""


def examine(trajectory: Trajectory, task: str, outcome: str = "") -> Examined:
    """Read one rollout with every rule. `outcome` is `passed`, `failed`, `ungraded`, or empty where it is not known."""
    seen = see(trajectory, task)
    hits = tuple(hit for one in detectors() for hit in one.hits(seen))
    return Examined(task=task, steps=len(trajectory.steps), hits=hits, profile=profile(seen, outcome),
                    unread=seen.unread)  # fmt: skip


def compared(rollouts: Sequence[Examined], more: Mapping[int, Sequence[Hit]] | None = None) -> list[Detected]:
    """Return what is found in each rollout, those of one task compared; `more` has hits from elsewhere, by position."""
    brought = more or {}
    alone = [summed((*one.hits, *brought.get(at, ())), one.unread) for at, one in enumerate(rollouts)]
    by_task: dict[str, list[int]] = {}
    for at, one in enumerate(rollouts):
        by_task.setdefault(one.task, []).append(at)
    found = list(alone)
    for members in by_task.values():
        for at in members:
            others = [one for one in members if one != at]
            hits = contrast(rollouts[at].profile, [rollouts[one].profile for one in others],
                            [alone[one].suspected for one in others])  # fmt: skip
            if hits:
                agreed = [agreeing(hit, alone[at].hits) for hit in hits]
                found[at] = summed((*alone[at].hits, *agreed), rollouts[at].unread)
    return found


def agreeing(hit: Hit, rules: Sequence[Hit]) -> Hit:
    """Return a hit of contrast with the weight of a weak rule of its group that saw the same step: 1 - (1 - c)(1 - r).

    >>> seen = Hit(group="g", detector="rule", steps=(4,), claim="changed", score=0.3)
    >>> apart = Hit(group="g", detector="contrast", steps=(4,), claim="alone", score=0.4)
    >>> round(agreeing(apart, [seen]).score, 2), agreeing(apart, []).score
    (0.58, 0.4)
    """
    weak = [rule for rule in rules if rule.group == hit.group and rule.score < SUSPECTED]
    same = [rule.score for rule in weak if set(rule.steps) & set(hit.steps)]
    return replace(hit, score=round(1 - (1 - hit.score) * (1 - max(same)), 3)) if same else hit
