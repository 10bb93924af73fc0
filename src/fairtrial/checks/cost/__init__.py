"""What the work costs to run, in instructions, never in time."""

from collections.abc import Mapping

from fairtrial.checks.cost.instructions import instructions
from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {"instructions": instructions}

__all__ = ["CHECKS"]
