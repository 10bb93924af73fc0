"""A box whose files lie in a folder of the host: files go in and out without following a link of the box's.

Covers files only. How a command runs is each sandbox's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from fairtrial.records import SandboxError
from fairtrial.sandbox import deliverable
from fairtrial.sandbox.host_view import system_place
from fairtrial.sandbox.inside import normal, put_into, remove_tree
from fairtrial.sandbox.protocol import Taken


class FolderBox:
    """Puts files into a root folder, takes them out, and removes it in the end."""

    _for_box_user = False
    """Whether what is put in belongs to the user that boxes run as."""

    def __init__(self, folder: Path, root: Path, workdir: str) -> None:
        self.folder = folder
        self.root = root
        self._workdir = workdir
        self._closed = False

    def put(self, source: Path, inside: str) -> None:
        """Copy a host file or folder to `inside`, replacing what is there."""
        self._must_be_open()
        path = normal(inside, self._workdir)
        if system_place(path) is not None:
            raise SandboxError(f"{path} lies in a system folder of the host, which a box cannot write to")
        put_into(self.root, source, path, for_box_user=self._for_box_user)

    def take(self, inside: Sequence[str], into: Path, most_bytes: int) -> Taken:
        """Copy files and folders of the box into `into`, following no link, up to a size cap."""
        self._must_be_open()
        return deliverable.take(self.root, [normal(path, self._workdir) for path in inside], into, most_bytes)

    def close(self) -> None:
        """Remove the box."""
        self._closed = True
        remove_tree(self.folder)

    def _must_be_open(self) -> None:
        if self._closed:
            raise SandboxError("this box is closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
