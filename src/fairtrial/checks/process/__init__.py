"""What the agent did on its way, and what that cost: from the actions of its trajectory, never from what it says."""

from collections.abc import Mapping

from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {}

__all__ = ["CHECKS"]
