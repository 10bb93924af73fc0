"""Changes as lines with signs: from edit tools that give the old and the new text, and from unified diffs.

Line numbers are those of the texts given, or of the diff's own headers. Two texts that are long and alike in too many
places, beyond what they begin and end with in common, are not aligned: all of the old is out, all of the new is in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

Sign = str
"""`+`, `−`, a blank for a line that stays, `@` for a heading within."""

_PAIRS = (("old_str", "new_str"), ("old_string", "new_string"), ("old_text", "new_text"), ("old_code", "new_code"),
          ("oldText", "newText"), ("search", "replace"), ("find", "replace"), ("old", "new"))  # fmt: skip
_OLD = frozenset(old for old, _ in _PAIRS)
_PATHS = ("path", "file_path", "filepath", "filename", "file_name", "file", "target_file", "target")
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@")
_HEADS = re.compile(r"(diff |index |--- |\+\+\+ |new file |deleted file |similarity |rename |old mode |new mode |"
                    r"\*\*\* )")  # fmt: skip
_IS_DIFF = re.compile(r"^(@@ -\d+(,\d+)? \+\d+(,\d+)? @@|\*\*\* Begin Patch)", re.MULTILINE)
_MOST_PAIRS = 1_000_000
_MOST_EQUAL = 20_000
"""Pairs of equal lines, of all edits of one call: each may be looked at once for every stretch that is found."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a change."""

    sign: Sign
    text: str
    number: int | None = None
    """Of a line that goes: in the old text; of any other: in the new one."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change, and to which file."""

    path: str
    lines: tuple[Line, ...]

    @property
    def size(self) -> str:
        """Return how much it changes, in words.

        >>> Change("a", (Line("−", "x", 1), Line("+", "y", 1), Line("+", "z", 2))).size
        '1 line out, 2 in'
        """
        out, into = (sum(line.sign == sign for line in self.lines) for sign in ("−", "+"))
        return f"{out:,} line{'' if out == 1 else 's'} out, {into:,} in"


def path_of(arguments: Mapping[str, Any]) -> str:
    """Return the file that a call names, empty where none."""
    return next((arguments[key] for key in _PATHS if isinstance(arguments.get(key), str)), "")


def is_change(arguments: Mapping[str, Any]) -> bool:
    """Say whether `changes_of` finds any, without aligning lines: a rail asks it of every step."""
    edits = arguments.get("edits")
    if isinstance(edits, list) and edits:
        return any(isinstance(edit, dict) and _pair_of(edit) is not None for edit in edits)
    return _pair_of(arguments) is not None or any(isinstance(v, str) and is_diff(v) for v in arguments.values())


def changes_of(arguments: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the changes that a call of an edit tool makes; none where it is no edit.

    >>> [line.sign for line in changes_of({"path": "a", "old_str": "x\\ny", "new_str": "x\\nz"})[0].lines]
    [' ', '−', '+']
    """
    edits = arguments.get("edits")
    if isinstance(edits, list) and edits:
        made = [_edit(edit, _MOST_EQUAL // len(edits)) for edit in edits if isinstance(edit, dict)]
        return tuple(Change(path_of(arguments), lines) for lines in made if lines)
    lines = _edit(arguments)
    if lines:
        return (Change(path_of(arguments), lines),)
    texts = [value for value in arguments.values() if isinstance(value, str) and is_diff(value)]
    return (Change(path_of(arguments), unified(texts[0])),) if texts else ()


def _pair_of(arguments: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the old text and the new one, None where they are not given or both empty."""
    if _OLD.isdisjoint(arguments):
        return None
    for old, new in _PAIRS:
        texts = arguments.get(old), arguments.get(new, "")
        if isinstance(texts[0], str) and isinstance(texts[1], str) and any(texts):
            return texts[0], texts[1]
    return None


def _edit(arguments: Mapping[str, Any], most_equal: int = _MOST_EQUAL) -> tuple[Line, ...]:
    pair = _pair_of(arguments)
    return tuple(_aligned(_lines(pair[0]), _lines(pair[1]), most_equal)) if pair else ()


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _aligned(old: list[str], new: list[str], most_equal: int) -> Iterator[Line]:
    before = _common(old, new)
    after = _common(old[before:][::-1], new[before:][::-1])
    for kind, old_from, old_to, new_from, new_to in (
        ("equal", 0, before, 0, before),
        *_between(old, new, before, after, most_equal),
        ("equal", len(old) - after, len(old), len(new) - after, len(new)),
    ):
        if kind == "equal":
            yield from (Line(" ", new[at], at + 1) for at in range(new_from, new_to))
        else:
            yield from (Line("−", old[at], at + 1) for at in range(old_from, old_to))
            yield from (Line("+", new[at], at + 1) for at in range(new_from, new_to))


def _common(one: list[str], other: list[str]) -> int:
    """Return how many lines both begin with."""
    return next((at for at, (mine, yours) in enumerate(zip(one, other, strict=False)) if mine != yours),
                min(len(one), len(other)))  # fmt: skip


def _between(
    old: list[str], new: list[str], before: int, after: int, most_equal: int
) -> list[tuple[str, int, int, int, int]]:
    """Return what happens between the lines that both begin and end with; one replacement where that costs too much."""
    mine, yours = old[before : len(old) - after], new[before : len(new) - after]
    often = Counter(yours)
    if len(mine) * len(yours) > _MOST_PAIRS or sum(often[line] for line in mine) > most_equal:
        return [("replace", before, before + len(mine), before, before + len(yours))]
    return [(kind, before + a, before + b, before + c, before + d)
            for kind, a, b, c, d in SequenceMatcher(None, mine, yours, autojunk=False).get_opcodes()]  # fmt: skip


def is_diff(text: str) -> bool:
    """Say whether `text` holds a unified diff or a patch in the manner of apply_patch.

    >>> is_diff("--- a\\n+++ b\\n@@ -1 +1 @@\\n-x\\n+y"), is_diff("a - b")
    (True, False)
    """
    return ("@@ -" in text or "*** Begin" in text) and _IS_DIFF.search(text) is not None


def unified(text: str) -> tuple[Line, ...]:
    """Return the lines of a unified diff or patch; what stands before its first heading is kept as it is.

    >>> [(line.sign, line.number, line.text) for line in unified("@@ -4 +4,2 @@\\n-x\\n+y\\n+z")]
    [('@', None, '@@ -4 +4,2 @@'), ('−', 4, 'x'), ('+', 4, 'y'), ('+', 5, 'z')]
    """
    found: list[Line] = []
    old = new = 0
    inside = False
    for line in _lines(text):
        hunk = _HUNK.match(line)
        if hunk:
            old, new, inside = int(hunk[1]), int(hunk[2]), True
        elif line.startswith(("*** Update File", "*** Add File")):
            old, new, inside = 0, 0, True
            found.append(Line("@", line))
            continue
        if hunk or line.startswith("@@") or _HEADS.match(line) or not inside:
            inside = inside and not line.startswith(("diff ", "*** End", "*** Delete"))
            found.append(Line("@", line))
        elif line.startswith("-"):
            found.append(Line("−", line[1:], old or None))
            old += old > 0
        elif line.startswith("+"):
            found.append(Line("+", line[1:], new or None))
            new += new > 0
        else:
            found.append(Line(" ", line[1:] if line[:1] == " " else line, new or None))
            old, new = old + (old > 0), new + (new > 0)
    return tuple(found)
