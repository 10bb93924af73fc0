"""Say whether the work keeps to its task: which files it touches, and how many lines beside the reference's change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from fairtrial.checks.code.changes import Change, changes
from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.outcomes import MOST_NAMED, counted
from fairtrial.checks.code.trees import Tree, key, work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work

GENERATED = (
    "*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "*.min.js", "*.min.css", "*.map",
    "*.egg-info/", "build/", "dist/", "target/", "node_modules/", ".venv/", ".tox/", ".nox/", "htmlcov/", "*.o", "*.so",
    "*.class", "*.log", ".coverage*", ".ipynb_checkpoints/", "*.swp", "*.tsbuildinfo",
)  # fmt: skip
"""Files that tools write: they are told of and not kept, unless `deny` names them."""
BUILT = ("build/", "dist/", "target/")
"""Where tools copy Python to and write none: a module there that is no copy is the work's, and counts."""
SPARE_LINES = 10
SPARE_FILES = 1


@of_the_work
def scope(
    code: Inside,
    original: Inside,
    reference: Inside = "",
    most: float = 3.0,
    least: float = 0.0,
    allow: list[str] | None = None,
    deny: list[str] | None = None,
    apart: list[str] | None = None,
) -> Result:
    """Pass if what `code` changes of the `original` lies where it may, and is of the size of the `reference`'s change.

    `most` and `least` are multiples of the reference's count of lines of code, and `most` of its files, each with a
    little to spare (10 lines, one file). A file outside `allow`, or one that `deny` names, fails. Generated files and
    those that `apart` names (its tests) are not kept; nor are comments, white space and binary files. A rename is
    one file. The value is the number of lines of code changed.
    """
    if not 0 <= least <= most:
        raise CheckError("`least` is at most `most`, and neither is below 0")
    pristine, tree = key(original, "original"), work(code)
    found = changes(pristine, tree)
    hidden = _written_by_hand(tree)
    skipped = (*GENERATED, *(apart or ()))
    denied = [one for one in found if any(matches(path, deny or ()) for path in _paths(one))]
    kept = [
        one
        for one in found
        if one not in denied and not _is_skipped(one, (apart or ()) if one.path in hidden else skipped)
    ]
    value = float(sum(one.code for one in kept))
    evidence = {"files": [_row(one) for one in kept[:MOST_NAMED]], "comments": sum(one.comments for one in kept),
                "spaces": sum(one.spaces for one in kept),
                "apart": [one.path for one in found if one not in kept][:MOST_NAMED]}  # fmt: skip
    size = f"{counted(value, 'line')} of code in {counted(len(kept), 'file')}"
    if denied:
        return Result(False, f"it changes {denied[0].path}, which it may not", value, evidence)
    strays = [one.path for one in kept if allow and not all(matches(path, allow) for path in _paths(one))]
    if strays:
        why = f"{len(strays)} changed files lie where nothing should change, as {strays[0]}"
        return Result(False, why, value, evidence | {"strays": strays[:MOST_NAMED]})
    if not reference:
        return Result(True, f"it changes {size}", value, evidence)
    theirs = [
        one for one in changes(pristine, {**pristine, **key(reference, "reference")}) if not _is_skipped(one, skipped)
    ]
    lines = sum(one.code for one in theirs)
    said = f"it changes {size}; the reference {lines} in {len(theirs)}"
    fits = least * lines <= value <= most * lines + SPARE_LINES
    fits = fits and len(kept) <= most * len(theirs) + SPARE_FILES
    why = said if fits else f"{said}, and from {least:g} to {most:g} times as much was expected"
    return Result(fits, why, value, evidence | {"reference_lines": lines, "reference_files": len(theirs)})


def _written_by_hand(tree: Tree) -> set[str]:
    """Return the Python files in folders of built ones that are no copies of others."""
    modules = {name: entry for name, entry in tree.items() if name.endswith((".py", ".pyi")) and entry.kind == "file"}
    built = {name for name in modules if matches(name, BUILT)}
    if not built:
        return built
    sources = {hashlib.sha256(entry.data()).digest() for name, entry in modules.items() if name not in built}
    return {name for name in built if hashlib.sha256(modules[name].data()).digest() not in sources}


def _paths(change: Change) -> list[str]:
    return [change.path, change.was] if change.was else [change.path]


def _is_skipped(change: Change, patterns: Sequence[str]) -> bool:
    return all(matches(path, patterns) for path in _paths(change))


def _row(change: Change) -> dict[str, object]:
    row: dict[str, object] = {"path": change.path, "kind": change.kind, "code": change.code}
    extra = {"was": change.was, "comments": change.comments, "spaces": change.spaces, "binary": change.is_binary}
    return row | {name: value for name, value in extra.items() if value}
