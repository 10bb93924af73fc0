"""Match paths of a tree by patterns; what a pattern means is the same in every check of code.

Not covered: character classes and negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

LEFT_OUT = (
    ".git/", ".hg/", ".svn/", "__pycache__/", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/", "*.pyc",
    ".DS_Store", ".coverage",
)  # fmt: skip
"""What no check of code reads: histories and caches. A cached module could stand for other source than is there."""


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Say whether `path` (from the top of a tree, with `/`) is meant by one of `patterns`.

    `*` is any text within one name, `**` any number of folders, `?` one character. A pattern without a `/` before its
    end means a name at any depth; one that ends with `/` means a folder and all below it.

    >>> [matches("src/a/b.py", [pattern]) for pattern in ("src/**", "src/*", "*.py", "a/", "b.py", "a/b.py")]
    [True, False, True, True, True, False]
    """
    return any(_compiled(pattern).fullmatch(path) for pattern in patterns)


def outside(paths: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """Return the `paths` that no pattern means, sorted."""
    return sorted(path for path in paths if not matches(path, patterns))


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    bare = pattern.removeprefix("./")
    anywhere = "/" not in bare.rstrip("/")
    below = bare.endswith("/")
    parts = bare.strip("/").split("/")
    said = ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            said += ".+" if last else "(?:[^/]+/)*"
            continue
        said += "".join(_WILD.get(character) or re.escape(character) for character in re.sub(r"\*+", "*", part))
        said += "" if last else "/"
    return re.compile(("(?:[^/]+/)*" if anywhere else "") + said + ("/.+" if below else ""), re.DOTALL)


_WILD = {"*": "[^/]*", "?": "[^/]"}
