"""The kinds of values in a rules file and in a submission: names, sentences, paths, counts; each refuses what cannot
be meant, before anything is made from it.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from fairtrial.sandbox.variables import is_credential

MOST_COUNT = 2**63 - 1
"""What a ledger can hold."""
MOST_RUNS = 100_000
_NAME = re.compile(r"[^\s@#]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what stands after them: a reader sees another text than a program."""


def _visible(text: str) -> str:
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs") or character in _TURNS:
            raise ValueError(f"should not hold the character U+{ord(character):04X}")
    return text


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("should be one word without `@` and `#`")
    return _visible(name)


def _joined(text: str) -> str:
    return _visible(" ".join(text.split()))


def _spoken(text: str) -> str:
    if not text.strip():
        raise ValueError("should not be blank")
    return _joined(text)


def _path(text: str) -> str:
    if not text.strip():
        raise ValueError("should not be blank")
    return _visible(text)


def _variable(name: str) -> str:
    if not _VARIABLE.fullmatch(name):
        raise ValueError("should be the name of an environment variable")
    if is_credential(name):
        raise ValueError("is named like a credential, which an agent's commands never see")
    return name


Name = Annotated[str, AfterValidator(_named)]
Title = Annotated[str, AfterValidator(_joined)]
"""One line, which may be empty."""
Words = Annotated[str, AfterValidator(_spoken)]
"""One line, white space run together."""
PathText = Annotated[str, AfterValidator(_path)]
"""As written: two blanks in a file's name stay two."""
MaybePath = Annotated[str, AfterValidator(lambda text: _path(text) if text else text)]
"""Empty where there is none."""
Variable = Annotated[str, AfterValidator(_variable)]
Runs = Annotated[int, Field(ge=1, le=MOST_RUNS)]
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]


def beside(file: Path, path: str) -> Path:
    """Return a path that `file` names, from the folder in which it lies; `~` is the home folder of who reads it.

    A `~` of somebody who is not known here is a name like any other.
    """
    try:
        return file.parent / Path(path).expanduser()
    except RuntimeError:
        return file.parent / path


def is_there(path: Path) -> bool:
    """Say whether a path leads somewhere; one that no file system takes does not."""
    try:
        return path.exists()
    except OSError:
        return False
