"""Write a report to a folder: report.html, report.md, report.json, each whole or not at all."""

from __future__ import annotations

import uuid
from pathlib import Path

import orjson

from fairtrial.records import InputError
from fairtrial.report.data import Report
from fairtrial.report.html import html
from fairtrial.report.markdown import markdown

NAMES = ("report.html", "report.md", "report.json")


def write(report: Report, folder: Path) -> dict[str, Path]:
    """Write the three files into `folder`, made if absent; return their paths by kind. Raise InputError on failure."""
    made = {
        "html": html(report).encode(),
        "md": markdown(report).encode(),
        "json": json_bytes(report),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {kind: put(folder / name, made[kind]) for kind, name in zip(made, NAMES, strict=True)}
    except OSError as error:
        raise InputError(
            f"could not write the report: {error.strerror or error}",
            path=folder,
            hint="Name another folder with --out.",
        ) from error


def json_bytes(report: Report) -> bytes:
    """Return the report as indented JSON."""
    return orjson.dumps(report.document(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def put(path: Path, data: bytes) -> Path:
    """Write through a temporary name and return the path, so that a reader never sees half a file."""
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path
