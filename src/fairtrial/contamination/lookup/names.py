"""The names of a benchmark, and where they stand in a text: addresses, repositories, data sets, packages, plain words.

A repository is known by `owner/name` at any host and mirror, in any case and URL-encoding; a plain name by its words,
however they are joined. Not covered: names that the rules do not give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal
from urllib.parse import unquote

Kind = Literal["repository", "leaderboard", "traces", "name"]
_CODE_HOSTS = re.compile(
    r"^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|gitee\.com|huggingface\.co|hf\.co|"
    r"modelscope\.cn|kaggle\.com)$"
)
_SLUG = re.compile(r"^[\w.-]+/[\w.-]+$")
_SECTIONS = frozenset({"datasets", "spaces", "models", "repos", "tree", "blob", "raw", "gh", "d"})
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")
_GENERIC_NAMES = (
    "bench benchmark data dataset eval evals evaluation code repo tests test results main core leaderboard traces runs "
    "paper website docs site tasks"
)
_GENERIC = frozenset(_GENERIC_NAMES.split())
MOST_SEEN = 50
"""Places of one name that are looked at in one text."""
LEAST_NAME = 4
"""Letters and digits of a repository's own name by which copies under other owners are known."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A name that stands in a text."""

    kind: Kind
    name: str
    """As the rules give it."""
    start: int
    end: int
    is_copy: bool = False
    """The repository's own name under another owner."""
    is_address: bool = False
    """It is what an address or an id points to, not a word of prose."""


@dataclass(frozen=True, eq=True)
class BenchmarkNames:
    """What looking up the benchmark would name: addresses, `owner/name`, ids of data sets, packages, words."""

    repository: tuple[str, ...] = ()
    leaderboard: tuple[str, ...] = ()
    traces: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to look for."""
        return not (self.repository or self.leaderboard or self.traces or self.names)

    @cached_property
    def _patterns(self) -> tuple[tuple[Kind, str, re.Pattern[str], bool, bool], ...]:
        made: list[tuple[Kind, str, re.Pattern[str], bool, bool]] = []
        given: tuple[tuple[Kind, tuple[str, ...]], ...] = (
            ("repository", self.repository), ("leaderboard", self.leaderboard), ("traces", self.traces),
            ("name", self.names),
        )  # fmt: skip
        for kind, names in given:
            for name in names:
                made += [(kind, name, pattern, copy, address) for pattern, copy, address in _patterns_of(name)]
        return tuple(made)

    def seen(self, text: str) -> list[Seen]:
        """Return the names in a text, as it stands and URL-decoded; of two names at one place the one that says more.

        >>> names = BenchmarkNames(repository=("https://github.com/ada/FigBench.git",), names=("FigBench",))
        >>> [(one.kind, one.is_address) for one in names.seen("git clone git@github.com:Ada/figbench")]
        [('repository', True)]
        >>> names.seen("a fig on a bench"), [one.kind for one in names.seen("what is fig-bench?")]
        ([], ['name'])
        """
        plain = unquote(unquote(text)) if "%" in text else text
        found: list[Seen] = []
        for kind, name, pattern, is_copy, is_address in self._patterns:
            for one in islice(pattern.finditer(plain), MOST_SEEN):
                if not any(held.start < one.end() and one.start() < held.end and _covers(held, kind) for held in found):
                    found.append(Seen(kind, name, one.start(), one.end(), is_copy, is_address))
        return found if plain == text else [replace(one, start=0, end=len(text)) for one in found]


def _covers(held: Seen, kind: Kind) -> bool:
    """Say whether what was seen already at a place says more than another name there: names come last."""
    return held.kind == kind or kind == "name"


def _patterns_of(name: str) -> Iterator[tuple[re.Pattern[str], bool, bool]]:
    """Yield (pattern, is it of a copy, is it of an address) for one name."""
    plain = unquote(name.strip())
    path = re.sub(r"^(?:\w+://|git@)", "", plain).replace(":", "/", 1).rstrip("/")
    path = re.sub(r"[?#].*$", "", path).removesuffix(".git")
    host, _, rest = path.partition("/")
    is_url = "://" in plain or plain.startswith("git@") or (bool(rest) and "." in host and not host.startswith("."))
    if is_url and (not rest or not _CODE_HOSTS.match(host.lower())):
        yield _exact(path.removeprefix("www.")), False, True
        return
    parts = [one for one in (rest if is_url else plain).split("/") if one]
    while len(parts) > 2 and parts[0] in _SECTIONS:
        parts = parts[1:]
    slug = "/".join(parts[:2])
    if len(parts) >= 2 and _SLUG.match(slug):
        yield _exact(slug), False, True
        own = parts[1]
        if len(re.sub(r"\W|_", "", own)) >= LEAST_NAME and own.lower() not in _GENERIC:
            yield re.compile(rf"(?<=/){re.escape(own)}(?:\.git)?(?![\w-]|\.\w)", re.IGNORECASE), True, True
        return
    if "." in plain and re.fullmatch(r"[\w-]+(?:\.[\w-]+)+", plain):
        yield _exact(plain), False, True
        return
    yield worded(plain), False, False


def _exact(path: str) -> re.Pattern[str]:
    """Return the pattern of a path: in any case, its slash as it is or doubled, `__` or `--` as caches write it."""
    joined = r"(?:/|__|--)".join(re.escape(one) for one in path.split("/"))
    return re.compile(rf"(?<![\w-]){joined}(?:\.git)?(?![\w-]|\.\w)", re.IGNORECASE)


def worded(name: str) -> re.Pattern[str]:
    """Return the pattern of a name by its words.

    >>> bool(worded("PostTrainBench").search("the post-train bench")), bool(worded("ARC").search("search"))
    (True, False)
    """
    parts = _PARTS.findall(name) or [name]
    joined = r"[\W_]{0,2}".join(re.escape(one) for one in parts)
    return re.compile(rf"(?<![^\W_]){joined}(?![^\W_])", re.IGNORECASE)
