"""A box whose commands are given some variables of this machine besides, as `--pass-env` names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from fairtrial.sandbox import Box, Command, Completed, Taken


@dataclass(frozen=True, slots=True)
class PassingBox:
    """Hand everything to `box`; what a command sets itself goes before what is passed."""

    box: Box
    variables: Mapping[str, str]

    def run(self, command: Command) -> Completed:
        """Run `command` with the variables."""
        return self.box.run(replace(command, variables={**self.variables, **command.variables}))

    def put(self, source: Path, inside: str) -> None:
        """Copy a host file or folder to `inside`."""
        self.box.put(source, inside)

    def take(self, inside: Sequence[str], into: Path, most_bytes: int) -> Taken:
        """Copy files and folders of the box into `into`."""
        return self.box.take(inside, into, most_bytes)

    def close(self) -> None:
        """Remove the box."""
        self.box.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
