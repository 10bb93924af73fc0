"""Take the value of a Dockerfile instruction apart: flags, words, JSON form, variables, ENV pairs.

Covers what a sandbox lays out itself. The file was split into instructions before; here-documents come attached.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping

_VARIABLE = re.compile(
    r"\\(?P<escaped>.)|\$(?:\{(?P<braced>\w+)(?::?(?P<how>[-+])(?P<word>[^}]*))?\}|(?P<plain>[A-Za-z_]\w*))"
)
_FLAG = re.compile(r"--([a-z-]+)(?:=(\S*))?(?:\s+|$)")


def substitute(text: str, variables: Mapping[str, str]) -> str:
    """Replace $NAME and ${NAME}, ${NAME:-word}, ${NAME:+word}; an unknown name becomes nothing.

    >>> substitute(r"$A/${B:-b}/\\$A", {"A": "a"})
    'a/b/$A'
    """

    def replace(found: re.Match[str]) -> str:
        if found["escaped"] is not None:
            return "$" if found["escaped"] == "$" else found[0]
        value = variables.get(found["braced"] or found["plain"], "")
        if found["how"] == "-":
            return value or found["word"]
        if found["how"] == "+":
            return found["word"] if value else ""
        return value

    return _VARIABLE.sub(replace, text)


def split_flags(value: str) -> tuple[dict[str, str], str]:
    """Return the leading --flags and the rest.

    >>> split_flags("--chown=1:1 --link a b")
    ({'chown': '1:1', 'link': ''}, 'a b')
    """
    flags: dict[str, str] = {}
    rest = value.lstrip()
    while found := _FLAG.match(rest):
        flags[found[1]] = found[2] or ""
        rest = rest[found.end() :]
    return flags, rest


def split_words(value: str) -> list[str]:
    """Return the words of an instruction in its JSON or its plain form.

    >>> split_words('["a b", "c"]'), split_words('a "b c"')
    (['a b', 'c'], ['a', 'b c'])
    """
    array = json_form(value)
    if array is not None:
        return array
    try:
        return shlex.split(value)
    except ValueError:
        return value.split()


def json_form(value: str) -> list[str] | None:
    """Return the words of the JSON (exec) form; None where it is the shell form."""
    if not value.lstrip().startswith("["):
        return None
    try:
        words = json.loads(value)
    except ValueError:
        return None
    return words if isinstance(words, list) and all(isinstance(word, str) for word in words) else None


def pairs(value: str, variables: Mapping[str, str]) -> dict[str, str]:
    """Return what an ENV sets, in either of its forms.

    >>> pairs('A=1 B="x $A"', {"A": "0"}), pairs("A one two", {})
    ({'A': '1', 'B': 'x 0'}, {'A': 'one two'})
    """
    first, _, rest = value.strip().partition(" ")
    if "=" not in first:
        return {first: substitute(rest.strip(), variables)}
    found: dict[str, str] = {}
    for word in split_words(value):
        name, _, text = word.partition("=")
        found[name] = substitute(text, variables)
    return found
