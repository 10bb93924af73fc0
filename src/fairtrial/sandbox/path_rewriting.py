"""Make scripts that name /app, /tests and their like work in a folder: the paths in them are rewritten, and back.

Used where no namespace can give a box its own root. Only text files of up to 1 MB are rewritten, and only paths that
stand there in one piece: a path put together at run time ("/" + "app") still means the host's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

MOST_BYTES = 1 << 20
HOST_FOLDERS = frozenset({"bin", "boot", "dev", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "sys", "usr", "etc"})
ALWAYS = frozenset({"app", "logs", "solution", "tests", "tmp", "root", "home", "opt", "srv", "var", "run", "data"})


class Rewriting:
    """Rewrites inside paths to those below `root`, and back."""

    def __init__(self, root: Path, folders: Iterable[str] = ()) -> None:
        self._root = str(root)
        names = sorted((ALWAYS | set(folders)) - HOST_FOLDERS, key=len, reverse=True)
        words = "|".join(re.escape(name) for name in names)
        self._inside = re.compile(rf"(?<![\w./~-])/(?={words})(?:{words})(?![\w-])(?!\.\w)")

    def forward(self, text: str) -> str:
        """Return `text` with inside paths moved below the root.

        >>> Rewriting(Path("/b/r")).forward("cat /app/x >/logs/y; ls /usr/app ./app /application")
        'cat /b/r/app/x >/b/r/logs/y; ls /usr/app ./app /application'
        """
        parts = text.split(self._root)
        return self._root.join(self._inside.sub(lambda found: self._root + found[0], part) for part in parts)

    def back(self, text: str) -> str:
        """Return `text` with the root taken off.

        >>> Rewriting(Path("/b/r")).back("no such file: /b/r/app/x")
        'no such file: /app/x'
        """
        return text.replace(self._root, "")

    def back_bytes(self, data: bytes) -> bytes:
        """Return a file's content with the root taken off, where it is text."""
        if b"\0" in data or self._root.encode() not in data:
            return data
        return data.replace(self._root.encode(), b"")

    def rewrite_tree(self, folder: Path) -> None:
        """Rewrite every text file below `folder`, no link followed."""
        self._each(folder, self.forward)

    def restore_tree(self, folder: Path) -> None:
        """Take the root off in every text file below `folder`."""
        self._each(folder, self.back)

    def _each(self, folder: Path, change: object) -> None:
        assert callable(change)
        files = (
            [folder] if folder.is_file() else (Path(base, name) for base, _, names in os.walk(folder) for name in names)
        )
        for file in files:
            if file.is_symlink() or not file.is_file() or file.stat().st_size > MOST_BYTES:
                continue
            try:
                text = file.read_bytes().decode()
            except (UnicodeDecodeError, PermissionError):
                continue
            changed = text if "\0" in text else change(text)
            if changed != text:
                file.write_bytes(changed.encode())
