"""What a language model judges: atomic, binary criteria with citations that are checked."""

from collections.abc import Mapping

from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {}

__all__ = ["CHECKS"]
