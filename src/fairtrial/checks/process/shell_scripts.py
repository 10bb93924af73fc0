"""What one command hands on: a script to a shell, a program to an interpreter, a text to the next in a pipe.

Not covered: texts that another program makes (a download, a cipher), and calls whose words a program computes.
"""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
import shlex
from collections.abc import Sequence

from fairtrial.checks.process.shell_session import Session
from fairtrial.checks.process.shell_syntax import SAYING, SHELLS, TEXT_TOOLS, escaped, is_python

MOST_CODE = 200_000
MOST_CALLS = 200
_CODE_OPTIONS = ("-c", "-e", "--eval", "-E", "--command", "-r")
_STARTS = re.compile(
    r"\b(?:system|popen|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|spawn\w*|exec\w*)\s*\(\s*"
    r"(?:[\[(]([^\])\n]{1,2000})[\])]|[rbfu]*(\"\"\"|'''|\"|'|`)(.{1,2000}?)\2)",
    re.DOTALL,
)
_ITEM = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_FORMAT = re.compile(r"%[sdib]")


def script_of(name: str, inner: Sequence[str], given: str | None, session: Session) -> str | None:
    """Return the shell script that a command runs, where it is in sight; None where it runs none."""
    if name == "eval":
        return " ".join(inner[1:])
    if name == "ssh":
        rest = [one for one in inner[1:] if not one.startswith("-")]
        return " ".join(rest[1:]) if len(rest) > 1 else None
    if name in ("source", "."):
        return session.get(inner[1]) if len(inner) > 1 else None
    if name in ("su", "script", "runuser") and (at := _place_of_code(inner)):
        return inner[at]
    if name in ("tmux", "screen", "watch", "parallel") and (words := [one for one in inner[1:] if " " in one]):
        return words[-1]
    if name in ("at", "batch"):
        return given
    if SHELLS.match(name):
        return _of_shell(inner, given, session)
    if inner and "/" in inner[0]:
        text = session.get(inner[0])
        first = (text or "").partition("\n")[0]
        is_shell = not first.startswith("#!") or bool(SHELLS.match(posixpath.basename(first.split()[-1])))
        return text if text is not None and is_shell else None
    return None


def _place_of_code(inner: Sequence[str]) -> int:
    """Return the place of the word after `-c`, alone or at the end of a cluster; 0 where there is none."""
    found = (n + 1 for n, one in enumerate(inner[:-1]) if re.fullmatch(r"-[a-z]*c|--command", one))
    return next(found, 0)


def _of_shell(inner: Sequence[str], given: str | None, session: Session) -> str | None:
    """Return what a shell is told to run: `-c`, a file written in sight, its standard input."""
    has_code, skips = False, False
    for one in inner[1:]:
        if skips:
            skips = False
        elif one in ("--rcfile", "--init-file") or re.fullmatch(r"[-+][a-zA-Z]*[oO]", one):
            skips = True
            has_code = has_code or (one.startswith("-") and "c" in one)
        elif one.startswith(("-", "+")) and one != "-":
            has_code = has_code or (one.startswith("-") and not one.startswith("--") and "c" in one)
        elif one != "-":
            return one if has_code else session.get(one)
    return given


def code_of(name: str, inner: Sequence[str], given: str | None, session: Session) -> str:
    """Return the program text that a command acts by: `-c`, a script written in sight, its standard input."""
    if not inner or name in TEXT_TOOLS or name in SAYING:
        return ""
    pieces = [inner[n + 1] for n, one in enumerate(inner[:-1]) if one in _CODE_OPTIONS]
    named = [one for one in inner[1:] if not one.startswith("-")]
    if name.endswith("awk") and named:
        pieces = [named[0]]
    if not pieces and (is_python(name) or name in ("node", "ruby", "perl", "php", "Rscript")) and named:
        pieces = [session.get(named[0]) or ""]
    if "/" in inner[0] and (text := session.get(inner[0])):
        pieces.append(text)
    return "\n".join(piece for piece in (*pieces, given or "") if piece)


def started_by(code: str) -> list[str]:
    r"""Return the command lines that a program's text plainly starts.

    >>> started_by("import os; os.system('git push')"), started_by("subprocess.run(['git', 'push'], check=True)")
    (['git push'], ['git push'])
    """
    found = []
    for match in _STARTS.finditer(code[:MOST_CODE]):
        items = [one or other for one, other in _ITEM.findall(match[1] or "")]
        line = shlex.join(items) if items else (match[3] or "")
        if line.strip():
            found.append(line)
        if len(found) >= MOST_CALLS:
            break
    return found


def said_by(program: str, words: Sequence[str], given: str | None) -> str | None:
    """Return what a command prints, where that is known: echo, printf, cat of what it was given, a decoded text."""
    if program == "echo":
        flags = [one for one in words[1:] if re.fullmatch(r"-[neE]+", one)]
        text = " ".join(one for one in words[1:] if one not in flags)
        return (escaped(text) if any("e" in one for one in flags) else text.replace("\\n", "\n")) + "\n"
    if program == "printf" and len(words) > 1:
        return _formatted([one for one in words[1:] if one != "--"])
    if program == "base64" and given is not None and {"-d", "-D", "--decode", "-di", "-id"} & set(words):
        return _decoded(given)
    return given if program in ("cat", "tee") else None


def _formatted(words: Sequence[str]) -> str:
    """Return what printf makes of a format and its words, each used in turn."""
    left = list(words[1:])
    if not _FORMAT.search(words[0]):
        return escaped(words[0])
    parts = []
    while True:
        parts.append(_FORMAT.sub(lambda _: left.pop(0) if left else "", words[0]))
        if not left:
            return escaped("".join(parts))


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode("".join(text.split())).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None
