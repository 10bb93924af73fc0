"""What the agent did on its way, and what that cost: from the actions of its trajectory, never from what it says."""

from collections.abc import Mapping

from fairtrial.checks.process.comes_before import comes_after, comes_before
from fairtrial.checks.process.how_often import at_most, forbidden, required
from fairtrial.checks.process.looking import looked_before_edit
from fairtrial.checks.process.own_testing import tests_own_work
from fairtrial.checks.process.spending import money, tokens, turns
from fairtrial.checks.process.trajectory import Trajectory
from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {
    "at_most": at_most,
    "comes_after": comes_after,
    "comes_before": comes_before,
    "forbidden": forbidden,
    "looked_before_edit": looked_before_edit,
    "money": money,
    "required": required,
    "tests_own_work": tests_own_work,
    "tokens": tokens,
    "turns": turns,
}

__all__ = ["CHECKS", "Trajectory"]
