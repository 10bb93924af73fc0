"""The agent that does nothing: what it earns, a grader gives away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.run.protocol import Episode, Situation
from fairtrial.sandbox import Mount


@dataclass(frozen=True, slots=True)
class NullAgent:
    """Leave the workspace untouched."""

    name: str = "null"
    model: str = "null"
    effort: str = ""
    needs_isolation: bool = False

    def settings(self) -> Mapping[str, Any]:
        """Return nothing: there is nothing to set."""
        return {}

    def mounts(self) -> Sequence[Mount]:
        """Return none."""
        return ()

    def act(self, situation: Situation) -> Episode:  # noqa: ARG002
        """Do nothing."""
        return Episode(actions=(), stop="finished")
