"""A leak: a proof (a later record shows) or a lead (worth a look), with the tasks in which it was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """One thing that tells of the future."""

    test: Literal["lines", "traces", "values", "predicting", "files"]
    severity: Literal["proof", "lead"]
    field: str
    """Field, file or name that tells; empty where no single one does."""
    claim: str
    tasks: int
    of: int
    examples: tuple[str, ...] = ()
    is_accepted: bool = False
    """True for a lead on a field that RECORDS.toml accepts."""

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found, and what could not be tested."""

    leaks: tuple[Leak, ...]
    not_measured: tuple[str, ...] = ()


def accepting(leaks: Sequence[Leak], accepted: Sequence[str]) -> list[Leak]:
    """Return `leaks` with those marked that are leads on an accepted field; a proof is never accepted."""
    return [
        replace(leak, is_accepted=True) if leak.severity == "lead" and leak.field in accepted else leak
        for leak in leaks
    ]
