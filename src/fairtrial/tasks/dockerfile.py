"""Read a Dockerfile into instructions, and from them the workdir and the variables.

Joins continuation lines, drops comments, honours the `escape` directive, attaches here-documents, and takes keywords
in any case; the JSON form of an instruction stays text. It runs nothing and does not judge what a sandbox can honour.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import FormatError, Instruction

_BUILDING = {"ADD", "ARG", "COPY", "ENV", "FROM", "LABEL", "ONBUILD", "RUN", "SHELL", "USER", "VOLUME", "WORKDIR"}
_RUNNING = {"CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "MAINTAINER", "STOPSIGNAL"}
KEYWORDS = frozenset(_BUILDING | _RUNNING)
DOCKER_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
IMAGE_WORKDIR = "/app"
"""Taken where an image is named and nothing says where its work lies."""

_DIRECTIVE = re.compile(r"#\s*([a-z]+)\s*=\s*(\S+)\s*", re.IGNORECASE)
_HEREDOC = re.compile(r"(?<!<)<<(-?)\s*([\"']?)([A-Za-z_][A-Za-z0-9_]*)\2")
_VARIABLE = re.compile(r"\\(.)|\$(?:\{([A-Za-z_][A-Za-z0-9_]*)(?::([-+])([^}]*))?\}|([A-Za-z_][A-Za-z0-9_]*))")


def read_dockerfile(path: Path) -> tuple[Instruction, ...]:
    """Read the Dockerfile at `path`. Raise FormatError with the line of what is malformed."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", path=path) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    return parse_dockerfile(text, path)


def parse_dockerfile(text: str, path: Path | str = "Dockerfile") -> tuple[Instruction, ...]:
    """Return the instructions of a Dockerfile's text, lines counted from 1.

    >>> [(i.keyword, i.value, i.line) for i in parse_dockerfile("from a\\nRUN x \\\\\\n  # why\\n  y\\n")]
    [('FROM', 'a', 1), ('RUN', 'x   y', 2)]
    """
    lines = text.replace("\r\n", "\n").split("\n")
    escape = _escape(lines, path)
    found: list[Instruction] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        start = at
        logical, at = _join(lines, at, escape)
        keyword, value = _checked(logical, path, start + 1)
        bodies: list[str] = []
        if keyword in ("RUN", "COPY", "ADD"):
            bodies, at = _heredocs(value, lines, at, path, start + 1)
        found.append(Instruction(keyword, value, start + 1, tuple(bodies)))
    if not any(item.keyword == "FROM" for item in found):
        raise FormatError("has no FROM", path=path, hint="A Dockerfile starts with `FROM image`.")
    first = next(item for item in found if item.keyword != "ARG")
    if first.keyword != "FROM":
        raise FormatError("only ARG may stand before FROM", path=path, line=first.line, field=first.keyword)
    return tuple(found)


def _escape(lines: Sequence[str], path: Path | str) -> str:
    """Return the line-continuation character: `\\`, or what an escape directive at the top says."""
    for number, line in enumerate(lines, 1):
        directive = _DIRECTIVE.fullmatch(line.strip())
        if directive is None:
            break
        if directive[1].lower() == "escape":
            if directive[2] not in ("\\", "`"):
                raise FormatError(f"escape should be \\ or `, not {directive[2]}", path=path, line=number)
            return directive[2]
    return "\\"


def _join(lines: Sequence[str], at: int, escape: str) -> tuple[str, int]:
    """Join continuation lines from `at`; comments and empty lines between them vanish."""
    logical = ""
    while at < len(lines):
        line = lines[at].rstrip()
        at += 1
        if logical and (not line or line.lstrip().startswith("#")):
            continue
        if not line.endswith(escape):
            return logical + line, at
        logical += line[: -len(escape)]
    return logical, at


def _checked(logical: str, path: Path | str, line: int) -> tuple[str, str]:
    """Return the keyword in upper case and its value; refuse a keyword that Docker does not know, or without value."""
    keyword, value = [*logical.split(None, 1), "", ""][:2]
    upper = keyword.upper()
    if upper not in KEYWORDS:
        raise FormatError(f"`{keyword}` is not a Dockerfile instruction", path=path, line=line)
    if not value:
        raise FormatError("has nothing after the keyword", path=path, line=line, field=upper)
    return upper, value.strip()


def _heredocs(value: str, lines: Sequence[str], at: int, path: Path | str, line: int) -> tuple[list[str], int]:
    """Take the here-documents that `value` opens from the lines that follow."""
    bodies: list[str] = []
    for dash, _, word in _HEREDOC.findall(value):
        body: list[str] = []
        while at < len(lines):
            text = lines[at].lstrip("\t") if dash else lines[at]
            at += 1
            if text == word:
                break
            body.append(text)
        else:
            raise FormatError(f"here-document `{word}` is not closed", path=path, line=line)
        bodies.append("".join(f"{text}\n" for text in body))
    return bodies, at


@dataclass(frozen=True, slots=True)
class World:
    """What the instructions of the last stage leave: where work happens, and which variables are set."""

    workdir: str
    variables: dict[str, str]


def world_of(instructions: Sequence[Instruction], path: Path | str = "Dockerfile") -> World:
    """Follow ENV, ARG and WORKDIR of the last stage.

    The workdir is the last WORKDIR, joined to the one before where it is relative. Without any, it is /app if COPY
    or ADD fills /app, else / as Docker has it.
    """
    last = max((n for n, item in enumerate(instructions) if item.keyword == "FROM"), default=-1)
    before = [item for item in instructions[: last + 1] if item.keyword == "ARG"]
    outside = {name: value for name, _, value in (item.value.partition("=") for item in before)}
    scope = {"PATH": DOCKER_PATH}
    variables: dict[str, str] = {}
    workdir = ""
    fills_app = False
    for item in instructions[last + 1 :]:
        if item.keyword == "ARG":
            name, has_default, default = item.value.partition("=")
            if name not in variables:
                scope[name] = substitute((default if has_default else outside.get(name, "")).strip("\"'"), scope)
        elif item.keyword == "ENV":
            pairs = {name: substitute(value, scope) for name, value in _pairs(item, path)}
            scope |= pairs
            variables |= pairs
        elif item.keyword == "WORKDIR":
            workdir = posixpath.normpath(posixpath.join(workdir or "/", substitute(item.value.strip("\"'"), scope)))
        elif item.keyword in ("COPY", "ADD"):
            fills_app = fills_app or _target(item.value, scope) == "app"
    return World(workdir or ("/app" if fills_app else "/"), variables)


def _target(value: str, scope: dict[str, str]) -> str:
    """Return the first folder of the path that COPY or ADD writes to, with / as the workdir."""
    last = re.split(r"[\s\"]+", value.strip(' ]"'))[-1]
    return posixpath.normpath(posixpath.join("/", substitute(last, scope))).split("/")[1]


def _pairs(item: Instruction, path: Path | str) -> list[tuple[str, str]]:
    """Read `ENV a=b c="d e"`, or the older `ENV a the rest`."""
    name, _, rest = item.value.partition(" ")
    if "=" not in name:
        if not rest.strip():
            raise FormatError("ENV needs a value", path=path, line=item.line, field=name)
        return [(name, rest.strip())]
    try:
        words = shlex.split(item.value, posix=True)
    except ValueError as error:
        raise FormatError(f"ENV has an open quotation ({error})", path=path, line=item.line) from error
    for word in words:
        if "=" not in word or word.startswith("="):
            raise FormatError(f"ENV takes name=value, not `{word}`", path=path, line=item.line)
    return [(word.partition("=")[0], word.partition("=")[2]) for word in words]


def substitute(text: str, scope: dict[str, str]) -> str:
    """Replace $NAME, ${NAME}, ${NAME:-word} and ${NAME:+word}; an unknown name becomes nothing, as in Docker.

    >>> substitute("/srv/$A/${B:-b}", {"A": "a"})
    '/srv/a/b'
    """

    def one(match: re.Match[str]) -> str:
        escaped, braced, operator, word, plain = match.groups()
        if escaped is not None:
            return "$" if escaped == "$" else str(match[0])
        value = scope.get(braced or plain, "")
        if operator == "-":
            return value or str(word)
        if operator == "+":
            return str(word) if value else ""
        return value

    return _VARIABLE.sub(one, text)
