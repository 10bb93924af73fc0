"""What is true of code: its tests, the agent's own tests, build and lint, scope, names."""

from collections.abc import Mapping

from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {}

__all__ = ["CHECKS"]
