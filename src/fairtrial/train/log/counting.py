"""What the groups of a step come to: the counts of its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.train.log.lines import GroupLine


class Counts(TypedDict):
    """Fields of a `StepLine`."""

    attempts: int
    passed: int
    failed: int
    ungraded: int
    groups: int
    all_pass: int
    all_fail: int
    mean_tokens: float | None
    cut_off: int
    output_tokens: int


def counts_of(groups: Sequence[GroupLine]) -> Counts:
    """Return the counts of one step. A group passed whole if all that was graded in it passed, and something was."""
    outcomes = Counter(outcome for group in groups for outcome in group.outcomes)
    graded = [{outcome for outcome in group.outcomes if outcome != "ungraded"} for group in groups]
    tokens = [count for group in groups for count in group.tokens]
    return Counts(
        attempts=len(tokens), passed=outcomes["passed"], failed=outcomes["failed"], ungraded=outcomes["ungraded"],
        groups=len(groups), all_pass=graded.count({"passed"}), all_fail=graded.count({"failed"}),
        mean_tokens=sum(tokens) / len(tokens) if tokens else None,
        cut_off=sum(not done for group in groups for done in group.finished), output_tokens=sum(tokens),
    )  # fmt: skip
