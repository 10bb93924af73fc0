"""Variables that shell texts set, texts with the known ones filled in, and files that a command reads words from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_SETS = re.compile(
    r"(?:^|[;&|\n(]|\b(?:export|setenv|env|ENV)\s)[ \t]*((?:[A-Za-z_]\w*=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|)]*)[ \t]*)+)"
)
_PAIR = re.compile(r"([A-Za-z_]\w*)=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|)]*))")
_USE = re.compile(r"\$\{?(\w+)\}?")
_FILE = re.compile(r"\$\(\s*(?:cat\s+|<\s*)([\w./~-]+)\s*\)|`cat\s+([\w./~-]+)`")
_MOST = 100_000


def variables_in(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a shell text or a file of them sets, those that are known filled in.

    >>> variables_in("export A=1; B='x y' python a.py", {}), variables_in("C=$A/v1", {"A": "h"})
    ({'A': '1', 'B': 'x y'}, {'C': 'h/v1'})
    """
    found: dict[str, str] = {}
    for group in _SETS.findall(text[:_MOST]):
        for name, *values in _PAIR.findall(group):
            value = next((one for one in values if one), "")
            found[name] = _filled(value, {**known, **found})
    return found


def expanded(text: str, known: Mapping[str, str]) -> str:
    """Return a shell text with the variables filled in that it sets itself, or that are known.

    >>> expanded("A=api; B=x; curl https://$A.$B.ai", {})
    'A=api; B=x; curl https://api.x.ai'
    """
    return _filled(text, {**known, **variables_in(text, known)}) if "$" in text and len(text) < _MOST else text


def _filled(text: str, known: Mapping[str, str]) -> str:
    return _USE.sub(lambda found: known.get(found[1], found[0]), text)


def with_files(text: str, file: Callable[[str], str | None]) -> str:
    """Return a text in which `$(cat FILE)` is what the file holds, where that is in sight.

    >>> with_files("git clone $(cat /tmp/u)", {"/tmp/u": "https://a.b\\n"}.get)
    'git clone https://a.b'
    """

    def held(found: re.Match[str]) -> str:
        inside = file(found[1] or found[2])
        return found[0] if inside is None else inside.strip()[:2000]

    return _FILE.sub(held, text) if "cat" in text or "<" in text else text
