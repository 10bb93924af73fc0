"""What an agent can read before it acts, as pieces: files, variables, and what archives, caches and repositories hold.

Opened to a depth of three: gzip, bzip2, xz, zlib, zip, tar, base64, hexadecimal, git objects and packs, SQLite
cells and tables, texts inside JSON. Nothing is executed and nothing is written. Bounded in bytes and in number.
Not covered: encrypted archives, other compressions, pictures and sound; the base image.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fairtrial.attack.leaks.git_objects import names_in_tree
from fairtrial.attack.leaks.opening import Opened, opened
from fairtrial.attack.target import Target
from fairtrial.grade import deliverable_paths
from fairtrial.records import SandboxError
from fairtrial.sandbox.plan import Copy, plan

Source = Literal["file", "inside", "git", "table", "variable"]
MOST_FILE_BYTES = 16_000_000
MOST_BYTES = 128_000_000
MOST_PIECES = 20_000
MOST_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something that the agent can read."""

    place: str
    """For readers: `/app/rules.git/objects/b7/e707 (git blob quotes.csv)`."""
    root: str
    """Inside path of the file that it lies in; the name of a variable."""
    name: str
    """Its own name, as far as it has one: of a member, a table, a file in a repository."""
    source: Source
    data: bytes


def visible_pieces(target: Target) -> list[Piece]:
    """Return every piece, files in the order of their paths."""
    found: list[Piece] = []
    size = 0
    for root, name, data in _roots(target):
        source: Source = "file" if root.startswith("/") else "variable"
        waiting = [(Piece(place=root, root=root, name=name, source=source, data=data), 0)]
        while waiting and len(found) < MOST_PIECES and size < MOST_BYTES:
            piece, depth = waiting.pop()
            found.append(piece)
            size += len(piece.data)
            if depth < MOST_DEPTH:
                waiting += [(_below(piece, one), depth + 1) for one in opened(piece.data, MOST_FILE_BYTES)]
    return _with_names(found)


def _below(piece: Piece, one: Opened) -> Piece:
    source: Source = "inside"
    if one.kind.startswith("git"):
        source = "git"
    elif one.kind == "table":
        source = "table"
    return Piece(place=f"{piece.place} ({one.kind}{' ' if one.name else ''}{one.name})", root=piece.root,
                 name=one.name or piece.name, source=source, data=one.data)  # fmt: skip


def _with_names(found: list[Piece]) -> list[Piece]:
    """Give the blobs of repositories the file names that trees have for them."""
    trees = [piece for piece in found if piece.source == "git" and "(git tree" in piece.place]
    names = {blob: name for tree in trees for blob, name in names_in_tree(tree.data)}
    return [
        piece if piece.source != "git" or piece.name not in names else
        Piece(place=piece.place.replace(piece.name, names[piece.name]), root=piece.root, name=names[piece.name],
              source="git", data=piece.data)
        for piece in found
    ]  # fmt: skip


def _roots(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """Yield (inside path or name of a variable, last part, content)."""
    for path in sorted(target.before.rglob("*")):
        if _is_readable(path):
            yield f"/{path.relative_to(target.before)}", path.name, path.read_bytes()
    yield from _copied_elsewhere(target)
    for step in target.task.steps:
        for path in sorted(step.workdir.rglob("*")) if step.workdir is not None else ():
            if _is_readable(path):
                assert step.workdir is not None
                inside = posixpath.join(target.task.environment.workdir, path.relative_to(step.workdir).as_posix())
                yield inside, path.name, path.read_bytes()
    for name, value in target.task.environment.variables:
        yield f"environment variable {name}", name, value.encode("utf-8", "surrogateescape")


def _copied_elsewhere(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """Yield what the Dockerfile copies to places that are no part of the deliverable, so that `before` lacks them."""
    environment = target.task.environment
    try:
        places = deliverable_paths(target.task)
    except SandboxError:
        places = ()
    for step in plan(environment).steps:
        if not isinstance(step, Copy) or any(f"{step.target}/".startswith(place.rstrip("/") + "/") for place in places):
            continue
        if step.text is not None:
            yield step.target, posixpath.basename(step.target), step.text.encode()
        elif environment.context is not None:
            for pattern in step.sources:
                yield from _copied(environment.context, pattern, step.target)


def _copied(context: Path, pattern: str, to: str) -> Iterator[tuple[str, str, bytes]]:
    plain = posixpath.normpath(pattern.lstrip("/") or ".")
    sources = [context] if plain == "." else sorted(context.glob(plain)) if not plain.startswith("..") else []
    for source in sources:
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if _is_readable(path):
                below = path.relative_to(source) if path != source else Path(path.name if to.endswith("/") else "")
                yield posixpath.normpath(posixpath.join(to, below.as_posix())), path.name, path.read_bytes()


def _is_readable(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_FILE_BYTES
