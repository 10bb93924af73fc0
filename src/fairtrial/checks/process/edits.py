"""Which files an action writes to, as far as its words show it, and which of them it makes anew.

A write that names no file (`git apply`) is an edit of something unknown. Not covered: files whose path a program
computes, and what a program that the agent did not write in sight does.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.checks.process.shell_commands import Ran
from fairtrial.checks.process.shell_syntax import is_python, unwrapped
from fairtrial.checks.process.trajectory import Act

UNKNOWN = "?"
MOST_CODE = 200_000
MOST_NAMES = 200
"""Files that one program writes to."""
SCRATCH = ("/tmp/", "/var/tmp/", "/dev/")
"""Folders whose files are nobody's work."""
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
CHANGING = frozenset({"content", "file_text", "new_str", "new_string", "new_text", "new_content", "contents", "diff",
                       "patch", "edits", "replacement", "insert_text", "text", "insert_line", "old_str",
                       "old_string"})  # fmt: skip
_LOOKING = frozenset({"view", "read", "open", "cat", "show"})
_GIT_WRITES = {"apply", "am", "checkout", "restore", "reset", "revert", "cherry-pick", "merge", "mv", "rm", "clean"}
_FORMATTERS = {"black": (), "isort": (), "prettier": ("--write", "-w"), "gofmt": ("-w",), "rustfmt": (),
               "autopep8": ("-i",), "clang-format": ("-i",), "yapf": ("-i",)}  # fmt: skip
_OPENED = r"(?:[\"']([^\"'\n]+)[\"']|(\w+))"
_CODE_WRITES = re.compile(
    rf"open\(\s*{_OPENED}\s*,\s*(?:mode\s*=\s*)?[\"'](?:[wax]b?t?\+?|r\+b?)[\"']|"
    rf"(?:Path\(\s*)?{_OPENED}\s*\)?\.write_(?:text|bytes)\(|(?:writeFile(?:Sync)?|File\.write)\(\s*{_OPENED}|"
    rf"\.(?:save|to_csv|to_excel|to_json|to_parquet)\(\s*{_OPENED}|"
    rf"(?:shutil\.(?:copy\w*|move)|os\.(?:replace|rename))\([^,\n]+,\s*{_OPENED}"
)
_CODE_READS = re.compile(r"open\([^,)\n]*\)|\.read_(?:text|bytes)\(|readFile(?:Sync)?\(|load_workbook\(")


@dataclass(frozen=True, slots=True)
class Edits:
    """Files that one action wrote to."""

    in_place: tuple[str, ...] = ()
    """Changed as they were: a replacement, `sed -i`, `>>`."""
    whole: tuple[str, ...] = ()
    """Written as a whole, be it for the first time or over what was there."""
    removed: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Return all of them."""
        return (*self.in_place, *self.whole, *self.removed)


def edits_of(act: Act) -> Edits:
    """Return the files that an action writes to; `?` stands for one that it does not name."""
    if act.commands:
        parts = [edits_of_command(ran) for ran in act.commands]
        return Edits(*(tuple(p for part in parts for p in getattr(part, name)) for name in Edits.__slots__))
    texts = [value for value in act.arguments.values() if isinstance(value, str)]
    if patched := [path.strip() for text in texts for path in _PATCHED.findall(text)]:
        return Edits(in_place=tuple(patched))
    verb = str(act.arguments.get("command", act.tool)).lower()
    if not act.path or not CHANGING & set(act.arguments) or verb in _LOOKING or act.is_claim:
        return Edits()
    is_whole = bool({"content", "file_text", "contents"} & set(act.arguments)) and not {"old_str", "old_string"} & set(
        act.arguments
    )
    return Edits(whole=(act.path,)) if is_whole else Edits(in_place=(act.path,))


def edits_of_command(ran: Ran) -> Edits:
    """Return the files that one command writes to."""
    inner = unwrapped(ran.words)
    program = posixpath.basename(inner[0]) if inner else ""
    named = [one for one in inner[1:] if not one.startswith("-")]
    whole, in_place, removed = list(ran.writes), [], []
    if program == "tee":
        whole += named
    elif program in ("cp", "mv", "install", "ln") and len(named) > 1:
        whole.append(_destination(named))
    elif program in ("sed", "perl", "ed", "ex", "patch", "truncate"):
        in_place += _edited(program, inner, named)
    elif program == "dd":
        whole += [one[3:] for one in inner if one.startswith("of=")]
    elif program == "git" and named and named[0] in _GIT_WRITES:
        in_place += _by_git(named, inner)
    elif program == "rm":
        removed += named
    elif program in _FORMATTERS or (program == "ruff" and named[:1] in (["format"], ["check"])):
        in_place += _formatted(program, inner)
    if ran.code and (is_python(program) or program in ("node", "ruby", "perl", "php")):
        # A program that lies in a file makes its output; one that stands in the line changes what it reads.
        is_inline = not named or "-c" in inner or "-e" in inner
        (in_place if is_inline and _CODE_READS.search(ran.code) else whole).extend(_by_code(ran.code))
    return Edits(tuple(in_place), tuple(whole), tuple(removed))


def _by_code(code: str) -> list[str]:
    """Return the files that a program's text opens for writing; names are followed to their literals."""
    code = code[:MOST_CODE]
    named = [next((g for g in reversed(m.groups()) if g), "") for m in _CODE_WRITES.finditer(code)]
    unique = list(dict.fromkeys(name for name in named if name))
    read = {name: _literal(name, code) if re.fullmatch(r"\w+", name) else name for name in unique[:MOST_NAMES]}
    return [path for name in unique if (path := read.get(name, ""))]


def _literal(name: str, code: str) -> str:
    """Return the path that a name of a program stands for, where it is given one in sight."""
    value = re.search(rf"\b{name}\s*(?:=|in)\s*[\[(]?\s*(?:pathlib\.)?(?:Path\()?[\"']([^\"'\n]+)[\"']", code)
    return value[1] if value else ""


def _destination(named: Sequence[str]) -> str:
    last = named[-1]
    return posixpath.join(last, posixpath.basename(named[0])) if last.endswith(("/", ".")) else last


def _edited(program: str, inner: Sequence[str], named: Sequence[str]) -> list[str]:
    if program in ("sed", "perl"):
        if not any(re.match(r"-[a-zA-Z]*i|--in-place", one) for one in inner[1:]):
            return []
        has_script = any(one in ("-e", "-f", "--expression") or re.match(r"-[a-zA-Z]*e$", one) for one in inner[1:])
        return list(named[1:] if len(named) > 1 or not has_script else named)
    return list(named) or [UNKNOWN]


def _by_git(named: Sequence[str], inner: Sequence[str]) -> list[str]:
    verb = named[0]
    if verb == "apply" and ({"--check", "--stat"} & set(inner)):
        return []
    if verb == "checkout" and ("-b" in inner or ("--" not in inner and len(named) < 2)):
        return []
    if verb == "reset" and "--hard" not in inner:
        return []
    if verb in ("checkout", "restore", "rm", "mv"):
        return list(named[1:]) or [UNKNOWN]
    return [UNKNOWN]


def _formatted(program: str, inner: Sequence[str]) -> list[str]:
    if program == "ruff":
        changes = "--fix" in inner or ("format" in inner and "--check" not in inner)
        return [UNKNOWN] if changes else []
    if {"--check", "--diff", "--check-only"} & set(inner):
        return []
    needs = _FORMATTERS[program]
    return [UNKNOWN] if not needs or set(needs) & set(inner) else []
