"""Shell lines that stand in other files: recipes of a Makefile or justfile, scripts of package.json, commands in YAML.

YAML of compose, workflows and task runners by their keys (`run`, `command`, `script`, ...), line by line. Not covered:
functions of make but `$(shell ...)`, anchors and templates of YAML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

MAKEFILE = re.compile(r"(?:^|/)(?:GNU)?[Mm]akefile(?:\.\w+)?$|\.mk$")
JUSTFILE = re.compile(r"(?:^|/)\.?[Jj]ustfile$|\.just$")
YAML = re.compile(r"\.ya?ml$")
_RUNNERS: dict[str, tuple[str, ...]] = {
    "make": ("GNUmakefile", "makefile", "Makefile"), "gmake": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"), "npm": ("package.json",), "yarn": ("package.json",),
    "pnpm": ("package.json",), "bun": ("package.json",), "task": ("Taskfile.yml", "Taskfile.yaml"),
    "docker": ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"),
    "docker-compose": ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"),
    "podman-compose": ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"),
}  # fmt: skip
"""Program -> files whose lines it runs."""
_VERBS = frozenset({"run", "run-script", "compose", "up", "exec", "start"})
_SET = re.compile(r"^(?:export\s+|override\s+)?([A-Za-z_]\w*)\s*(?:[:?+]{0,2}=)\s*(.*)$")
_RULE = re.compile(r"^@?([^\s#:=][^:#]*)::?(?!=)(.*)$")
_USE = re.compile(r"\$[({](\w+)[)}]|\{\{\s*(\w+)\s*\}\}")
_SHELL = re.compile(r"\$\(shell\s+([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_KEY = re.compile(
    r"^(\s*(?:-\s+)?)[\"']?(run|command|entrypoint|script|scripts|cmd|cmds|args|before_script|after_script)[\"']?"
    r"\s*:\s*(.*)$"
)
_ENVIRONMENT = re.compile(r"^(\s*(?:-\s+)?)(?:environment|env|variables|vars)\s*:\s*$")
_ENTRY = re.compile(r"^\s*(?:-\s+)?[\"']?([A-Z][A-Z0-9_]*)[\"']?\s*(?:=|:\s)\s*[\"']?([^\s\"'#]*)")
_DOCKER_ENV = re.compile(r"^[ \t]*ENV[ \t]+(\w+)(?:=|[ \t]+)[\"']?([^\s\"']*)", re.MULTILINE)
_DEEPEST = 5
MOST_FILLED = 2000
"""Characters to which a line with its variables filled in may grow."""
MOST_RECIPES = 500
"""Of one file."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One shell text, the line at which it stands, and what it is a part of."""

    text: str
    line: int
    goal: str = ""


def holds_recipes(name: str) -> bool:
    """Say whether a file of this name is read for shell lines.

    >>> holds_recipes("Makefile"), holds_recipes("ci/build.yml"), holds_recipes("a.json")
    (True, True, False)
    """
    return any(kind.search(name) for kind in (MAKEFILE, JUSTFILE, YAML)) or name.rpartition("/")[2] == "package.json"


def recipes_of(name: str, text: str, given: Mapping[str, str] | None = None) -> tuple[Recipe, ...]:
    """Return the shell lines of a file; `given` are variables that the command line sets.

    >>> recipes_of("Makefile", "H = a.b\\nget:\\n\\t@curl $(H)/$$X\\n")
    (Recipe(text='curl a.b/$X', line=3, goal='get'),)
    """
    if MAKEFILE.search(name) or JUSTFILE.search(name):
        return tuple(islice(_of_rules(text, given or {}), MOST_RECIPES))
    if YAML.search(name):
        return tuple(islice(_of_yaml(text), MOST_RECIPES))
    return tuple(_of_package(text))


def file_of(words: Sequence[str], held: Callable[[str], bool]) -> str:
    """Return the file whose lines a command runs, by its options and the names that it looks for; empty for none.

    >>> file_of(("make", "-C", "gen", "data"), lambda path: path == "gen/Makefile")
    'gen/Makefile'
    """
    names = _RUNNERS.get(words[0].rpartition("/")[2], ()) if words else ()
    after = dict(pairwise(words))
    stated = next((after[one] for one in ("-f", "--file", "--makefile", "--justfile") if one in after), "")
    folder = next((after[one] for one in ("-C", "--directory", "--prefix", "--cwd") if one in after), "")
    names = (stated,) if stated and names else names
    every = [f"{folder}/{one}" if folder else one for one in names]
    return next((one for one in every if held(one)), "")


def goals_of(words: Sequence[str], recipes: Sequence[Recipe], text: str) -> frozenset[str]:
    """Return the parts of a file that a command runs: those named with what they depend on, else the first."""
    known = {one.goal for one in recipes if one.goal}
    named = [one for one in words[1:] if one not in _VERBS and (one in known or _depends(text, one))]
    if not named and (any(one in _VERBS for one in words) or not known):
        return frozenset(known | {""})
    todo, reached = named or [recipes[0].goal, *(_first(text),)], set[str]()
    while todo:
        goal = todo.pop()
        if goal and goal not in reached:
            reached.add(goal)
            todo += _depends(text, goal)
    return frozenset(reached | {""})


def variables_of(name: str, text: str) -> dict[str, str]:
    """Return the variables that a Dockerfile, compose or workflow file, or Makefile gives to what it starts.

    >>> variables_of("compose.yml", "services:\\n  a:\\n    environment:\\n      - URL=http://m:1\\n")
    {'URL': 'http://m:1'}
    """
    if not YAML.search(name):
        is_rules = MAKEFILE.search(name) or JUSTFILE.search(name)
        lines = [line for line in text.split("\n") if line.startswith("export ")] if is_rules else []
        exported = {one[1]: one[2] for line in lines if (one := _SET.match(line))}
        return exported | dict(_DOCKER_ENV.findall(text))
    found: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if block := _ENVIRONMENT.match(line):
            for _, inner in _block(lines, number, len(block[1])):
                if entry := _ENTRY.match(inner):
                    found[entry[1]] = entry[2]
    return found


def _of_rules(text: str, given: Mapping[str, str]) -> Iterator[Recipe]:
    known: dict[str, str] = {}
    goal, held, start = "", "", 0
    for number, whole in enumerate(text.split("\n"), 1):
        start, held = (start, held + whole) if held else (number, whole)
        if held.endswith("\\"):
            held = held[:-1] + " "
            continue
        line, held = held, ""
        for inner in _SHELL.findall(line):
            yield Recipe(_filled(inner, known), start)
        if line[:1] in ("\t", " ") and goal and line.strip():
            yield Recipe(_filled(line.strip().lstrip("@-+"), known), start, goal)
        elif found := _SET.match(line.strip()):
            value = found[2].strip().strip("'\"")
            known[found[1]] = given.get(found[1], _filled(value, known))[:MOST_FILLED]
        elif found := _RULE.match(line):
            goal = found[1].split()[0]
            if rest := found[2].partition(";")[2].strip():
                yield Recipe(_filled(rest, known), start, goal)


def _filled(text: str, known: Mapping[str, str]) -> str:
    for _ in range(_DEEPEST):
        filled = _USE.sub(lambda found: known.get(found[1] or found[2], found[0]), text)
        if filled == text or len(filled) > max(MOST_FILLED, len(text)):
            break
        text = filled
    return text.replace("$$", "$")


def _first(text: str) -> str:
    rules = (_RULE.match(line) for line in text.split("\n") if not _SET.match(line))
    return next((one[1].split()[0] for one in rules if one and not one[1].startswith(".")), "")


def _depends(text: str, goal: str) -> list[str]:
    """Return what a goal depends on; at least itself where the file has a rule for it."""
    for line in text.split("\n"):
        found = _RULE.match(line)
        if found and goal in found[1].split():
            return [goal, *found[2].partition(";")[0].split()]
    return []


def _of_package(text: str) -> Iterator[Recipe]:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return
    scripts = held.get("scripts") if isinstance(held, dict) else None
    for goal, line in scripts.items() if isinstance(scripts, dict) else ():
        if isinstance(line, str):
            at = text.find(json.dumps(goal))
            yield Recipe(line, text.count("\n", 0, max(at, 0)) + 1, goal)


def _of_yaml(text: str) -> Iterator[Recipe]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        found = _KEY.match(line)
        if found is None:
            continue
        key, value = found[2], found[3].partition(" #")[0].strip()
        inner = list(_block(lines, number, len(found[1]))) if value in ("", "|", ">", "|-", ">-", "|+", ">+") else []
        if value.startswith("["):
            yield Recipe(_joined(re.findall(r"\"([^\"]*)\"|'([^']*)'|([^\s,\[\]\"']+)", value)), number + 1)
        elif not inner:
            yield Recipe(value.strip("'\""), number + 1)
        elif value:
            parts = [one.strip() for _, one in inner]
            yield Recipe(("\n" if value[0] == "|" else " ").join(parts), number + 2)
        elif all(one.lstrip().startswith("- ") for _, one in inner):
            items = [one.strip()[2:].strip().strip("'\"") for _, one in inner]
            if key in ("command", "entrypoint", "args"):
                yield Recipe(_joined([(one,) for one in items]), number + 2)
            else:
                yield from (Recipe(one, at + 1) for (at, _), one in zip(inner, items, strict=True))


def _joined(words: Iterable[Sequence[str]]) -> str:
    """Return words as one line; the text of `sh -c` as it is."""
    plain = [next((part for part in one if part), "") for one in words]
    if len(plain) > 2 and plain[1].startswith("-") and plain[1].endswith("c"):
        return plain[2]
    return " ".join("'" + one.replace("'", "'\\''") + "'" if re.search(r"[\s;&|<>(){}\"'$`]", one) else one
                    for one in plain)  # fmt: skip


def _block(lines: Sequence[str], number: int, indent: int) -> Iterator[tuple[int, str]]:
    """Yield (number, line) of the lines that belong to a key: deeper than it, or its list at the same depth."""
    for at in range(number + 1, len(lines)):
        line = lines[at]
        if not line.strip():
            continue
        deep = len(line) - len(line.lstrip())
        if deep < indent or (deep == indent and not line.lstrip().startswith("- ")):
            return
        yield at, line
