"""What workspace probes may look at: the task, its key, and what its reference makes of the workspace.

The files lie in a scratch folder that lives as long as the proof. Probes read them, and write new files below
`scratch`; they never change what lies in `before` or `after`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import digest
from fairtrial.tasks import Key, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file that the reference added, changed or removed."""

    inside: str
    """Its path in the box: /app/totals.json."""
    before: Path | None
    """The untouched file on the host; None where the reference added it."""
    after: Path | None
    """The reference's file on the host; None where the reference removed it."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A task under attack. Equal inputs give equal probes: nothing here depends on the clock or on chance."""

    task: Task
    key: Key
    before: Path
    """Host folder that mirrors the box before anybody acted: /app/x lies at before/app/x. Deliverable places only."""
    after: Path
    """The same after the reference acted; empty where the task has no reference."""
    scratch: Path
    """Where probes write their files."""
    seed: int = 0
    most: int = 24
    """How many submissions a probe that could make any number of them should make at most."""

    @functools.cached_property
    def changes(self) -> tuple[Change, ...]:
        """Return what the reference changed, sorted by path; links and special files are left out."""
        old, new = dict(_files(self.before)), dict(_files(self.after))
        if not new:
            return ()
        names = [name for name in sorted({*old, *new}) if _content(old.get(name)) != _content(new.get(name))]
        return tuple(Change(inside=name, before=old.get(name), after=new.get(name)) for name in names)

    def new_file(self, name: str, content: bytes) -> Path:
        """Write `content` to a file of ours and return its path; `name` is for readers of the folder.

        The same content has the same path, however often it is made.
        """
        folder = self.scratch / "made"
        folder.mkdir(exist_ok=True)
        path = folder / f"{digest(content)[7:23]}-{name.replace('/', '_')[-80:]}"
        if not path.exists():
            path.write_bytes(content)
            path.chmod(0o644)
        return path


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield f"/{path.relative_to(root)}", path


def _content(path: Path | None) -> bytes | None:
    return path.read_bytes() if path is not None else None
