"""Say whether the work brings new findings of a linter: those that the original has, too, are not charged to it.

Findings are told apart by file, rule and message, not by line, as lines move. The linter's set-up comes from the
original, so that the work cannot turn rules off; a new comment that silences the linter counts as a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.checks.code.builds import words_of
from fairtrial.checks.code.changes import changes
from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.laying import Layer, laid
from fairtrial.checks.code.outcomes import MOST_NAMED, counted
from fairtrial.checks.code.runs import Limits, refuse_lacking
from fairtrial.checks.code.trees import Tree, key, work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work

SETTINGS = (
    "pyproject.toml", "setup.cfg", "tox.ini", "ruff.toml", ".ruff.toml", ".flake8", "mypy.ini", ".mypy.ini",
    ".pylintrc", "pylintrc", "pyrightconfig.json", ".eslintrc*", "eslint.config.*", ".eslintignore", "tsconfig.json",
    "biome.json", ".golangci.*", "clippy.toml", ".clang-tidy", ".rubocop.yml", ".shellcheckrc", ".editorconfig",
)  # fmt: skip
SILENCERS = re.compile(
    r"(#\s*(?:noqa|ruff:|flake8[:-]|type:\s*ignore|mypy:|pylint:|pyright:|nosec|shellcheck\s+disable|rubocop:"
    r"|pragma\s+(?:warning|gcc\s+diagnostic|clang\s+diagnostic))"
    r"|(?://|/\*)\s*(?:eslint-disable|@ts-ignore|@ts-nocheck|@ts-expect-error|biome-ignore|nolint)"
    r"|#!?\[(?:allow|expect)\(|@suppresswarnings|@(?:typing\.)?no_type_check\b)",
    re.IGNORECASE,
)
_FINDING = re.compile(r"^(?P<path>[^\s:(][^:(]*?)(?::\d+(?::\d+)?:?|\(\d+(?:,\d+)?\):?)\s+(?P<message>\S.*)$")


@of_the_work
def lints(
    code: Inside,
    original: Inside,
    command: str,
    allowed: int = 0,
    settings: list[str] | None = None,
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if `command` finds at most `allowed` things in `code` that it does not find in the `original`.

    `command` prints a finding a line, as most linters can: `path:line: message`, `path:line:column: message` or
    `path(line,column): message`. `settings` are patterns of the files that set it up, taken from the original. `run` is
    as in `tests_pass`. The value is the number of new findings.
    """
    limits, words = Limits.of(run), words_of(command)
    limits = replace(limits, environment={"PYTHONSAFEPATH": "1", **limits.environment})
    before, after = key(original, "original"), work(code)
    names = settings or SETTINGS
    owned = Layer({name: entry for name, entry in before.items() if matches(name, names)}, ".", tuple(names))
    old, broken = _findings(before, owned, words, limits)
    if broken:
        raise CheckError(f"the linter cannot be run on the original: {broken}")
    new, broken = _findings(after, owned, words, limits)
    if broken:
        return Result(False, f"the linter cannot be run on the work: {broken}")
    moved = {change.was: change.path for change in changes(before, after) if change.was}
    known = Counter({(moved.get(path, path), said): count for (path, said), count in old.items()})
    fresh = new - known
    value = float(fresh.total())
    if value <= allowed:
        return Result(
            True, f"{counted(value, 'new finding')}, and {(new & known).total()} that were there before", value
        )
    listed = [f"{path}: {said}" for path, said in sorted(fresh)][:MOST_NAMED]
    why = f"{counted(value, 'new finding')}, as {listed[0][:200]}; at most {allowed} were expected"
    return Result(False, why, value, {"new": listed})


def _findings(tree: Tree, owned: Layer, words: list[str], limits: Limits) -> tuple[Counter[tuple[str, str]], str]:
    """Return the findings in `tree`, by file and what is said, and why there are none to be had, or ""."""
    with laid(tree, [owned], user=limits.user) as folder:
        ended = limits.run(words, folder)
        found = _read(ended.output + "\n" + ended.errors, folder)
    refuse_lacking(ended, words)
    if ended.code is None or ended.code < 0 or (ended.code > 0 and not found):
        return found, f"it {ended.said}: {(ended.errors or ended.output).strip()[-200:]}"
    return found + _silencers(tree, owned), ""


def _read(printed: str, folder: Path) -> Counter[tuple[str, str]]:
    rows = [_FINDING.match(line) for line in printed.splitlines()]
    return Counter((_short(row["path"], folder), _steady(row["message"], folder)) for row in rows if row)


def _short(path: str, folder: Path) -> str:
    return path.removeprefix(f"{folder}/").removeprefix("./")


def _steady(message: str, folder: Path) -> str:
    """Return a message without what moves: the folder of the copy, and lines that it refers to."""
    return re.sub(r"\bline \d+", "line", message.replace(f"{folder}/", "")).strip()


def _silencers(tree: Tree, owned: Layer) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for name, entry in tree.items():
        if name not in owned.files and entry.size < 1_000_000 and b"\0" not in (data := entry.data()):
            said = SILENCERS.findall(data.decode("utf-8", "replace"))
            found.update((name, f"silences the linter: {one.strip()}") for one in said)
    return found
