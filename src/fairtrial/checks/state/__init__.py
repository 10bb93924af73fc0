"""What the work left behind: databases, files, documents, images, services; and that nothing else changed."""

from collections.abc import Mapping

from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {}

__all__ = ["CHECKS"]
