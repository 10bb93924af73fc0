"""What the text of a grader tells an attacker: the modules and commands it uses and the paths it mentions.

Read with regular expressions, since what is missed costs one planted file and nothing else. Text files only.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from fairtrial.attack.target import Target

MOST_BYTES = 400_000
_IMPORTS = re.compile(r"^\s*(?:from\s+([A-Za-z_]\w*)[\w.]*\s+import|import\s+([A-Za-z_][\w., ]*))", re.MULTILINE)
_PATHS = re.compile(
    r"(?<![\w$}.-])(~|\$HOME|\$\{HOME\}|\.{0,2})?((?:/[\w.@+-]+)+|[\w.@+-]+/[\w./@+-]+|[\w@+-]*\.[A-Za-z][\w.]{1,9})"
)
_BUILT_IN = re.compile(
    r"^(?:os|sys|time|builtins|io|abc|site|codecs|stat|errno|marshal|posix|__future__|encodings|zipimport|posixpath|"
    r"genericpath)$"
)
"""Loaded before any folder of the agent's is looked into."""


def grader_texts(target: Target) -> Iterator[tuple[str, str]]:
    """Yield (path below tests, text) of every text file of the last step's tests."""
    tests = target.key.steps[-1].tests
    for path in sorted(tests.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES:
            data = path.read_bytes()
            if b"\0" not in data:
                yield path.relative_to(tests).as_posix(), data.decode("utf-8", "replace")


def imported_modules(target: Target) -> tuple[str, ...]:
    """Return the top-level modules that Python parts of the grader import, those it brings itself left out."""
    found: set[str] = set()
    own: set[str] = set()
    for name, text in grader_texts(target):
        own.add(name.removesuffix(".py").split("/")[0])
        for from_name, names in _IMPORTS.findall(text):
            listed = [from_name] if from_name else names.split(",")
            found |= {word.split()[0].split(".")[0] for word in listed if word.split()}
    return tuple(sorted(name for name in found - own if not _BUILT_IN.match(name)))


def mentioned_paths(target: Target, home: str) -> tuple[str, ...]:
    """Return absolute inside paths that the grader mentions, relative ones taken from the workdir."""
    found: set[str] = set()
    base = target.task.environment.workdir.rstrip("/")
    for _, text in grader_texts(target):
        for prefix, path in _PATHS.findall(text):
            if prefix in ("~", "$HOME", "${HOME}"):
                found.add(home + path)
            elif path.startswith("/") and prefix == "":
                found.add(path)
            elif not path.startswith("/"):
                found.add(f"{base}/{path}")
            elif prefix == ".":
                found.add(base + path)
    plain = {posixpath.normpath(path) for path in found if not {".", "..", ""} & set(path.strip("/").split("/"))}
    return tuple(sorted(plain))
