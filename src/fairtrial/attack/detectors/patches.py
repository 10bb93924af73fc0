"""What a diff or a sed script changes: per file, the lines it takes out and the lines it puts in."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_TEXT = 200_000
_FILE = re.compile(r"^(?:\+\+\+ (?:b/)?(?P<to>[^\t\n]+)|--- (?:a/)?(?P<of>[^\t\n]+)|"
                   r"\*\*\* (?P<verb>Add|Update|Delete) File: (?P<named>.+))$")  # fmt: skip
_SED = re.compile(r"(?:^|[;{}\n]|(?<=\d)|(?<=\$)|(?<=/)|(?<=\s))s(?P<sign>[/|#,@!:~%])")


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of one file, taken out and put in."""

    path: str
    old: str
    new: str
    is_new: bool = False
    is_removed: bool = False


def changes_of_diff(text: str) -> tuple[Change, ...]:
    r"""Return the changes of a unified diff, or of the `*** Update File` form; one a file.

    >>> changes_of_diff("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n")
    (Change(path='x.py', old='a = 1', new='a = 2', is_new=False, is_removed=False),)
    """
    found: list[Change] = []
    path, before, old, new = "", "", list[str](), list[str]()
    verb = ""

    def close() -> None:
        if path and (old or new or verb == "Delete"):
            found.append(Change(path, "\n".join(old), "\n".join(new), is_new=verb == "Add" or before == "/dev/null",
                                is_removed=verb == "Delete"))  # fmt: skip
        old.clear()
        new.clear()

    for line in text[:MOST_TEXT].splitlines():
        named = _FILE.match(line) if line[:3] in ("+++", "---", "***") else None
        if named is None:
            if line.startswith("+"):
                new.append(line[1:])
            elif line.startswith("-"):
                old.append(line[1:])
            continue
        if named["of"] is not None:
            close()
            before, path, verb = named["of"].strip(), "", ""
        elif named["to"] is not None:
            path = named["to"].strip()
            if path == "/dev/null":
                path, verb = before, "Delete"
        else:
            close()
            path, verb, before = named["named"].strip(), named["verb"], ""
    close()
    return tuple(found)


def is_diff(text: str) -> bool:
    """Say whether a text holds a diff.

    >>> is_diff("*** Begin Patch"), is_diff("--- a/x\\n+++ b/x\\n@@ -1 +1 @@"), is_diff("a - b")
    (True, True, False)
    """
    return "*** Begin Patch" in text or ("\n+++ " in text and "\n@@" in text)


def replacements_of_sed(script: str) -> tuple[tuple[str, str], ...]:
    r"""Return what the `s` commands of a sed script take out and put in; a deletion puts in nothing.

    >>> replacements_of_sed("s/== 23$/== 24/; s|a|b|g"), replacements_of_sed("/assert x/d")
    ((('== 23$', '== 24'), ('a', 'b')), (('assert x', ''),))
    """
    found: list[tuple[str, str]] = []
    at = 0
    script = script[:5000]
    while match := _SED.search(script, at):
        parts, at = _parts(script, match.end(), match["sign"])
        if len(parts) == 2:
            found.append((parts[0], parts[1]))
    found += [(one[1], "") for one in re.finditer(r"(?:^|;|\n)\s*/((?:[^/\\\n]|\\.)+)/[^sciay;\n]{0,30}d\b", script)]
    for one in re.finditer(r"(?:^|;|\n)\s*(?:/((?:[^/\\\n]|\\.)+)/|[\d,$]+)?\s*([aic])\\?\s*([^\n]+)", script):
        if not found:
            found.append((one[1] or "", one[3].replace("\\n", "\n")))
    return tuple(found)


def _parts(script: str, at: int, sign: str) -> tuple[list[str], int]:
    """Return the two parts of an `s` command that starts at `at`, and where it ends."""
    parts, held = list[str](), list[str]()
    while at < len(script) and len(parts) < 2:
        if script[at] == "\\" and at + 1 < len(script):
            held.append(script[at + 1] if script[at + 1] == sign else "\n" if script[at + 1] == "n" else script[at + 1])
            at += 2
            continue
        if script[at] == sign:
            parts.append("".join(held))
            held.clear()
        else:
            held.append(script[at])
        at += 1
    return parts, max(at, 1)
