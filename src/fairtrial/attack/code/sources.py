"""Which of the files that the reference changed are programs, as text, and how one is handed in with others in place.

Python and shell are told by suffix or by their first line. Text is UTF-8 of moderate size; whatever else a reference
leaves (binary, huge, another encoding) is no source and is handed in as it is. Not covered: programs in other
languages beyond being lines of text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target
from fairtrial.run import FilesAgent

Language = Literal["python", "shell", "text"]
MOST_BYTES = 200_000
MOST_FILES = 30
"""Programs that a reference wrote are fewer; what it installed may be thousands."""
_SUFFIXES: Mapping[str, Language] = {".py": "python", ".pyw": "python", ".sh": "shell", ".bash": "shell"}
_FIRST_LINE: tuple[tuple[re.Pattern[str], Language], ...] = (
    (re.compile(r"#!.*\bpython[\d.]*\b"), "python"),
    (re.compile(r"#!.*\b(?:ba|da|k|z)?sh\b"), "shell"),
)
_BY_PRODUCTS = re.compile(
    r"/(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.git|node_modules|site-packages|\.?venv|\.tox)/|\.pyc$"
)
_COMPANIONS = re.compile(r"(?i)\.(?:md|rst|toml|cfg|ini)$")
"""Notes and settings that go with a program; they are not what it makes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One text file as the reference left it."""

    inside: str
    language: Language
    after: str
    before: str | None
    """Its text in the untouched workspace; None where the reference added it, or where it was no text."""

    @property
    def name(self) -> str:
        """Return its last path component."""
        return posixpath.basename(self.inside)

    @property
    def module(self) -> str:
        """Return its name without suffix."""
        return posixpath.splitext(self.name)[0]


def sources(target: Target, *languages: Language) -> tuple[Source, ...]:
    """Return the changed text files, by-products of interpreters left out; only those in `languages` where given."""
    found: list[Source] = []
    for change in target.changes:
        after = read_text(change.after) if not _BY_PRODUCTS.search(change.inside) else None
        if after is None or len(found) == MOST_FILES:
            continue
        language = language_of(change.inside, after)
        if not languages or language in languages:
            found.append(Source(inside=change.inside, language=language, after=after, before=read_text(change.before)))
    return tuple(found)


def language_of(inside: str, text: str) -> Language:
    """Say what a text file is written in, as far as these probes care.

    >>> language_of("/app/run", "#!/usr/bin/env python3"), language_of("/app/go.sh", ""), language_of("/app/a.csv", "")
    ('python', 'shell', 'text')
    """
    by_suffix = _SUFFIXES.get(posixpath.splitext(inside)[1].lower())
    if by_suffix is not None:
        return by_suffix
    first = text.partition("\n")[0]
    return next((language for pattern, language in _FIRST_LINE if pattern.match(first)), "text")


def read_text(path: Path | None) -> str | None:
    """Return the UTF-8 text of a file, line ends as they are; None where it is binary, huge or not there."""
    if path is None or path.stat().st_size > MOST_BYTES:
        return None
    data = path.read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def asked_for(target: Target, language: Language) -> tuple[Source, ...]:
    """Return the programs that are the work itself: those that were there, and all where no data was left beside.

    A reference may leave a script behind that wrote what was asked for; spoiling the script spoils nothing.
    """
    every = sources(target)
    programs = {source.inside for source in every if source.language != "text"}
    others = [change.inside for change in target.changes if change.inside not in programs]
    is_all = all(_BY_PRODUCTS.search(inside) or _COMPANIONS.search(inside) for inside in others)
    return tuple(one for one in every if one.language == language and (is_all or one.before is not None))


def hand_in(target: Target, name: str, texts: Mapping[str, str]) -> FilesAgent:
    """Return the reference's work with `texts` (inside path -> new text) in the places of its files."""
    files: dict[str, Path] = {}
    removed = []
    for change in target.changes:
        if change.after is None:
            removed.append(change.inside)
        elif change.inside not in texts:
            files[change.inside] = change.after
    modes = {change.inside: change.after or change.before for change in target.changes}
    for inside, text in texts.items():
        files[inside] = written(target, inside, text, modes.get(inside))
    return FilesAgent(model=name, files=files, removed=tuple(removed))


def only_programs(target: Target, name: str, texts: Mapping[str, str]) -> FilesAgent:
    """Return programs in an otherwise untouched workspace: whatever else the reference did is left undone."""
    like = {change.inside: change.after or change.before for change in target.changes}
    return FilesAgent(model=name, files={inside: written(target, inside, text, like.get(inside))
                                         for inside, text in texts.items()})  # fmt: skip


def written(target: Target, inside: str, text: str, like: Path | None = None) -> Path:
    """Write `text` to a file of ours, executable where `like` is."""
    path = target.new_file(posixpath.basename(inside), text.encode("utf-8", "surrogateescape"))
    if like is not None and like.stat().st_mode & 0o111:
        path.chmod(0o755)
    return path


def named_for(source: Source, every: Sequence[Source]) -> str:
    """Return a label of `source` that no other of `every` has: its name, or its whole path."""
    names = [one.name for one in every]
    return source.name if names.count(source.name) == 1 else source.inside.lstrip("/")


def mutant(target: Target, source: Source, text: str, *, label: str, what: str) -> Submission:
    """Return the reference's work with one program altered: a lead, for no oracle says that the change matters."""
    return Submission(
        name=label, agent=hand_in(target, label, {source.inside: text}), expects="fails", severity="lead",
        what=f"{source.inside} with {what}",
        why="The reference's program was altered in this one way; only its author can say whether that is wrong.",
    )  # fmt: skip
