"""What a judge looks at and cites: an artifact, a step of the trajectory, a text; as numbered lines made visible.

Files are read inside their root alone, as if it were `/`: a link that leads out of it leads to nothing. Documents are
read by their text (`documents`); what has none is named with its size and hash.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from fairtrial.checks.judged.documents import document_text
from fairtrial.checks.judged.visible import one_line, visible_lines
from fairtrial.checks.reading import WorkError
from fairtrial.formats.atif import AtifStep, Trajectory
from fairtrial.models import Image
from fairtrial.records import digest

MOST_BYTES = 4_000_000
MOST_FILES = 200
MOST_LINKS = 40
BAD_SHARE = 0.05
"""Least share of bytes that are no UTF-8 in what is not called a text."""


@dataclass(frozen=True, slots=True)
class Source:
    """One thing that can be cited."""

    name: str
    """As it is cited: `A1`, `S12`."""
    title: str
    """Path or kind, made visible: it may be the agent's own words."""
    lines: tuple[str, ...] = ()
    unshown: str = ""
    """Why there are no lines: what it is, its size and hash."""
    image: Image | None = field(default=None, repr=False)
    """What it shows where it is an image; attached for a model that is shown images."""

    @property
    def hash(self) -> str:
        """Return the content address of what is shown."""
        return digest("\0".join((self.name, self.title, self.unshown, *self.lines)).encode())

    @property
    def characters(self) -> int:
        """Return how long it is."""
        return sum(len(line) + 1 for line in self.lines)


def text_source(name: str, title: str, text: str) -> Source:
    """Return a text as a source.

    >>> text_source("A1", "answer", "one\\ntwo").lines
    ('one', 'two')
    """
    return Source(name, one_line(title), visible_lines(text))


def artifacts_of(root: Path, paths: Sequence[str | Path], letter: str = "A") -> tuple[list[Source], list[str]]:
    """Return the files at `paths` below `root` as sources (of a folder, each file in it), and what is not there."""
    found: list[Path] = []
    missing: list[str] = []
    for path in paths:
        place = inside(root, Path(path))
        if place is None or not (place.is_file() or place.is_dir()):
            missing.append(_shown(root, Path(path)))
        elif place.is_dir():
            found += sorted(islice(_files(place), MOST_FILES + 1))
        else:
            found.append(place)
    unique = list(dict.fromkeys(found))
    return [_artifact(f"{letter}{n}", _shown(root, path), path) for n, path in enumerate(unique, 1)], missing


def inside(root: Path, path: Path) -> Path | None:
    """Return where `path` lies below `root`, links followed as if `root` were `/`; None where that is nowhere."""
    base = Path(os.path.abspath(root))  # noqa: PTH100 - the root may be a link itself, and is the caller's word
    absolute = Path(os.path.abspath(path))  # noqa: PTH100
    parts = list(absolute.relative_to(base).parts) if absolute.is_relative_to(base) else None
    if parts is None:
        return None
    at: list[str] = []
    links = 0
    while parts:
        part = parts.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            at = at[:-1]
            continue
        here = base.joinpath(*at, part)
        try:
            is_link = stat.S_ISLNK(here.lstat().st_mode)
            leads = os.readlink(here) if is_link else ""  # noqa: PTH115 - a text, not a path
        except (OSError, ValueError):
            return None
        if not is_link:
            at.append(part)
            continue
        links += 1
        if links > MOST_LINKS:
            return None
        if leads.startswith("/"):
            at = []
        parts = [*PurePosixPath(leads.lstrip("/") or ".").parts, *parts]
    return base.joinpath(*at)


def _files(folder: Path) -> Iterable[Path]:
    """Yield the plain files below `folder`, links left out."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        yield from (Path(at, name) for name in names if stat.S_ISREG(Path(at, name).lstat().st_mode))


def _shown(root: Path, path: Path) -> str:
    base = Path(os.path.abspath(root))  # noqa: PTH100
    absolute = Path(os.path.abspath(path))  # noqa: PTH100
    below = absolute.relative_to(base).as_posix() if absolute.is_relative_to(base) else path.name
    return one_line(f"/{below}")


def _artifact(name: str, title: str, path: Path) -> Source:
    if not stat.S_ISREG(path.lstat().st_mode):
        return Source(name, title, unshown="no plain file")
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        return Source(name, title, unshown=f"cannot be read: {error.strerror}")
    if len(data) > MOST_BYTES:
        return Source(name, title, unshown=f"{path.stat().st_size} bytes, more than {MOST_BYTES}")
    try:
        text = document_text(data, title)
    except WorkError as fault:
        return Source(name, title, unshown=f"{fault}: {len(data)} bytes, {digest(data)}")
    text = text_in(data) if text is None else text
    if text is None:
        kind = image_kind(data)
        image = Image(media_type=kind, data=data) if kind else None
        return Source(name, title, unshown=f"{kind or 'no text'}: {len(data)} bytes, {digest(data)}", image=image)
    return Source(name, title, visible_lines(text))


def image_kind(data: bytes) -> str:
    """Return the media type of an image, empty where `data` is none that models are shown.

    >>> image_kind(bytes.fromhex("89504e470d0a1a0a")), image_kind(b"GIF")
    ('image/png', '')
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def text_in(data: bytes) -> str | None:
    """Return the text that `data` is, single bad bytes kept as lone surrogates; None where it is no text.

    >>> text_in(b"caf\\xc3\\xa9"), text_in(b"\\x00\\x01")
    ('café', None)
    """
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                return None
    if b"\0" in data or data.startswith(b"%PDF-"):
        return None
    text = data.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= c <= "\udcff" for c in text) if not text.isascii() else 0
    return text if bad <= BAD_SHARE * len(text) else None


def steps_of(trajectory: Trajectory) -> list[Source]:
    """Return the steps as sources `S1`, `S2`, …: what was said, called and seen; reasoning is left out."""
    return [text_source(f"S{n}", f"step {n}, {step.source}", _told(step)) for n, step in enumerate(trajectory.steps, 1)]


def _told(step: AtifStep) -> str:
    """Return the step in lines that each begin with what they are: a message cannot pass for a call, nor its result."""
    told = _each(f"{step.source} says", step.message) if step.message else []
    for call in step.tool_calls:
        told.append(
            f"calls {one_line(call.function_name)}: {json.dumps(dict(call.arguments), ensure_ascii=False, default=str)}"
        )
    told += [line for one in step.observations for line in _each("sees", one.content)]
    return "\n".join(told) or "(nothing)"


def _each(what: str, text: str) -> list[str]:
    return [f"{what}: {line}" for line in text.split("\n")]
