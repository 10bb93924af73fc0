"""What the files of the evaluator held while the agent worked, laid out as PATH/DIGEST for the check of edits.

Only paths of the public evaluator are looked for, so no name that the agent chose becomes a path here.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from fairtrial.posttrain.attempt.workspace import EVALUATOR
from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.folder import RunFolder

VERSIONS = "versions"


def lay_out_versions(bench: Bench, cell: Cell, folder: RunFolder) -> str:
    """Copy the recorded versions of the evaluator's files; return the folder's name, empty where nothing recorded."""
    if not (folder.path / "writes.jsonl").is_file():
        return ""
    target = folder.path / VERSIONS
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    public = bench.beside(bench.benchmark(cell.track).evaluator)
    named = {f"{EVALUATOR}/{one.relative_to(public).as_posix()}": one.relative_to(public)
             for one in public.rglob("*") if one.is_file()}  # fmt: skip
    for write in writes_of(folder):
        below, source = named.get(write["path"]), version_of(folder, write)
        if below is not None and source is not None:
            (target / below).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target / below / source.name)
    return VERSIONS


def writes_of(folder: RunFolder) -> Iterator[dict[str, Any]]:
    """Yield what was recorded of file writes, in the order of time; a last line that was cut by a kill is left out."""
    path = folder.path / "writes.jsonl"
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                told = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(told, dict) and isinstance(told.get("path"), str):
                yield told


def version_of(folder: RunFolder, write: dict[str, Any]) -> Path | None:
    """Return the file that holds what was written; None where it was not kept."""
    name = write.get("digest")
    if not isinstance(name, str) or not name:
        return None
    bare = name.removeprefix("sha256:")
    if not bare.isalnum():
        return None
    return next((one for one in sorted(folder.written.glob(f"{bare}*")) if one.is_file()), None)
