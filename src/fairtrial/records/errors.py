"""Every error fairtrial raises, named for the boundary it crossed.

    FairtrialError
    ├── InputError        what the user handed in is wrong          exit 2
    │   └── FormatError   a file does not hold what its format says  exit 2
    ├── LedgerError       the ledger cannot be read or written       exit 2
    ├── SandboxError      the sandbox could not start or died        exit 3
    ├── GraderError       the grader could not be run                exit 3
    └── ModelError        a language model could not be asked        exit 3

Covers naming and wording only. Errors inside a rollout or a grading are not raised to the user: they are
stored as `ungraded(reason)`.
"""

from __future__ import annotations

from pathlib import Path


class FairtrialError(Exception):
    """Say what is wrong, where (file, line, field), and what to do about it."""

    exit_code = 3

    def __init__(
        self,
        what: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        field: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.path = None if path is None else str(path)
        self.line = line
        self.field = field
        self.hint = hint

    @property
    def where(self) -> str:
        """Return `file:line, field NAME`, as much of it as is known; empty if nothing is."""
        place = self.path or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        if self.field is not None:
            place += f"{', ' if place else ''}field `{self.field}`"
        return place

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}\n  {self.hint}" if self.hint else text


class InputError(FairtrialError):
    """What the user handed in is wrong."""

    exit_code = 2


class FormatError(InputError):
    """A file does not hold what its format says."""


class LedgerError(FairtrialError):
    """The ledger cannot be read or written."""

    exit_code = 2


class SandboxError(FairtrialError):
    """The sandbox could not start, or died."""


class GraderError(FairtrialError):
    """The grader could not be run."""


class ModelError(FairtrialError):
    """A language model could not be asked."""
