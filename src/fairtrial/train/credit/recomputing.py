"""The advantages of a logged group, computed again from its line alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairtrial.train.credit.dealing import advantages_with_gaps, dealt_by_rank
from fairtrial.train.log.lines import GroupLine

TOLERANCE = 1e-9


def advantages_of(line: GroupLine) -> tuple[float, ...]:
    """Return what the trainer should have been given for each attempt of the group; `line.advantages` is not read."""
    found = advantages_with_gaps(line.rewards, line.convention, line.epsilon)
    if not line.ranks:
        return found
    passed = [outcome == "passed" for outcome in line.outcomes]
    return dealt_by_rank(found, passed, line.ranks, line.hacks, line.strength)


def wrong_groups(lines: Iterable[GroupLine]) -> Iterator[tuple[GroupLine, tuple[float, ...]]]:
    """Yield every group whose logged advantages are not what its line comes to, with what they should be."""
    for line in lines:
        should = advantages_of(line)
        if len(should) != len(line.advantages) or any(
            abs(one - other) > TOLERANCE for one, other in zip(should, line.advantages, strict=True)
        ):
            yield line, should
