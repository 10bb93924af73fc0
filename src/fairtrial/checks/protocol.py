"""What a check is: a function of named parameters that returns a `Result`, or raises `CheckError`.

Broken is not failed: `Result(False, …)` speaks of the work, `CheckError` says that nothing was learned of it (no such
tool here, the check's own parameters make no sense, the reference could not be read). Standard library only, as these
modules also run inside a task's tests, where nothing else may be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from fairtrial.records.errors import GraderError

MOST_SAID = 500


class CheckError(GraderError):
    """The check could not be run; it says nothing about the work."""


@dataclass(frozen=True, slots=True)
class Result:
    """Say whether the work passes one check, and what was found."""

    passed: bool
    why: str
    """One sentence: what was found, and what was expected where it fails."""
    value: float | None = None
    """What was measured (instructions, tokens, a judge's share of yes), for comparison within a group."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """JSON: rows that differ, lines cited, counts."""


Check = Callable[..., Result]
"""Parameters by name, typed `bool, int, float, str, list, dict` as TOML has them, and the two kinds below."""

Inside = Annotated[str, "inside"]
"""A path: absolute, it lies in the deliverable's file system; relative, beside the checks.toml (part of the key)."""


class Given:
    """Base of what a caller of checks provides (a trajectory, a judge): a parameter of such a type is filled in."""

    NAME: ClassVar[str]
    """What it is called where it is missing."""


class Kept(Given):
    """Base of what the checks of one run share: made at its first use, closed at the end (an app that was started)."""

    def close(self) -> None:
        """End what was started."""
