"""Say which format a file or folder is, from its names and its first bytes.

Covers the formats that can be imported; what cannot be told apart is an InputError that asks for `--format`. Harbor's
folders are asked for first: what a trial's agent and verifier wrote may be of any other format (of SWE-bench's tasks
the verifier writes SWE-bench's report). Of a folder that holds several formats one is read, and the others are named.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fairtrial.formats import inspect, scout, swebench, verifiers
from fairtrial.formats.atif_import import is_trajectory
from fairtrial.formats.harbor import trial_folders
from fairtrial.formats.table import SUFFIXES
from fairtrial.records import InputError

_OPENING_BYTES = 4096
_LOOKS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("inspect", inspect.looks_like), ("verifiers", verifiers.looks_like), ("swebench", swebench.looks_like),
    ("scout", scout.looks_like),
)  # fmt: skip
"""Asked in this order: each has marks that no other format has, in a file as in a folder."""


def recognised(path: Path) -> str:
    """Return the name of the format of `path`.

    Raise InputError if it looks like none.
    """
    found = "harbor" if path.is_dir() and trial_folders(path) else ""
    found = found or next((name for name, looks_like in _LOOKS if looks_like(path)), "")
    found = found or (_of_folder(path) if path.is_dir() else _of_file(path))
    if not found:
        raise InputError("is of no format that can be told from its look", path=path, field="--format",
                         hint="Say which it is: --format table, harbor, terminal-bench, atif, ...")  # fmt: skip
    return found


def also_there(path: Path, name: str) -> list[str]:
    """Return the other formats that a folder recognised as `name` holds files of, and that are not read."""
    if not path.is_dir() or name not in dict(_LOOKS):
        return []
    return [other for other, looks_like in _LOOKS if other != name and looks_like(path)]


def _of_file(path: Path) -> str:
    with path.open("rb") as handle:
        opening = handle.read(_OPENING_BYTES)
    if path.name == "results.json" or (
        b'"task_id"' in opening and b'"submission"' in opening and b'"trial"' in opening
    ):
        return "terminal-bench"
    if path.name == "result.json" and trial_folders(path.parent):
        return "harbor"
    if path.suffix == ".json" and is_trajectory(path):
        return "atif"
    if all(mark in opening for mark in (b'"input"', b'"output"', b'"gts"', b'"score"')):
        return "verl"
    if b'"messages"' in opening and path.suffix == ".jsonl":
        return "openai"
    if path.suffix == ".parquet" and path.name.startswith("completions_"):
        return "trl"
    return "table" if path.name.endswith(SUFFIXES) else ""


def _of_folder(path: Path) -> str:
    if next(path.rglob("results.json"), None):
        return "terminal-bench"
    if any(is_trajectory(file) for file in path.rglob("*.json") if file.is_file()):
        return "atif"
    return "table" if any(file.name.endswith(SUFFIXES) for file in path.rglob("*")) else ""
