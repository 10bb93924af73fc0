"""Write both sides of a calibrated family to a folder, with the split and the calibration's document.

Text tasks go to train.jsonl and held_out.jsonl, tasks with a box to tasks/NAME; split.json names the sides of either.
Each file is there whole or not at all.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from fairtrial.authoring.calibrate.made import Ready
from fairtrial.authoring.calibrate.sides import Sides
from fairtrial.records import InputError


def write_all(sides: Sides | None, document: Mapping[str, Any], out: Path) -> list[Path]:
    """Write into `out`, made if absent, and return what was written. Raise InputError where it cannot be."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        written = _tasks(sides, out) if sides is not None else []
        if sides is not None:
            written.append(_put(out / "split.json", _json(sides.split())))
        return [*written, _put(out / "calibration.json", _json(document))]
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=out, field="--out") from error


def _json(document: Mapping[str, Any]) -> bytes:
    return orjson.dumps(dict(document), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _tasks(sides: Sides, out: Path) -> list[Path]:
    """Write the tasks; near copies are given one cluster where the family names none."""
    cluster = {name: group[0] for group in sides.groups for name in group}
    written = []
    for side, tasks in (("train", sides.train), ("held_out", sides.held_out)):
        rows = [_row(task, side, cluster) for task in tasks if task.made.row is not None]
        if rows:
            written.append(_put(out / f"{side}.jsonl", b"".join(orjson.dumps(row) + b"\n" for row in rows)))
        for task in tasks:
            if task.made.folder is not None:
                written.append(_copy(task.made.folder, out / "tasks" / task.name.replace("/", "-")))
    return written


def _row(task: Ready, side: str, cluster: Mapping[str, str]) -> dict[str, Any]:
    assert task.made.row is not None
    row = {**task.made.row, "split": side}
    if not row.get("cluster") and task.name in cluster:
        row["cluster"] = cluster[task.name]
    return row


def _copy(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target, symlinks=True)
    return target


def _put(path: Path, data: bytes) -> Path:
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path
