"""Which instances a submission attempted: its results list what was resolved, and never what was not.

Taken from the predictions (`all_preds.jsonl`, `preds.json`), from `trajs` and `logs`, and from a list of the split's
instances, `instances.jsonl`, `.json` or `.txt`, in the submission's folder or above it. Patches come from predictions.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.json_files import Fields
from fairtrial.formats.swebench.outcomes import names_in
from fairtrial.formats.swebench.runs import folder_of_results
from fairtrial.records import FormatError

_PREDICTIONS = ("all_preds.jsonl", "preds.json", "predictions.jsonl", "predictions.json")
_INSTANCES = ("instances.jsonl", "instances.json", "instances.txt")
_LISTED = ("generated", "applied", "with_logs")
_SUFFIXES = (".json", ".jsonl", ".traj", ".log", ".md", ".txt", ".yaml")
MOST_PATCH = 1_000_000


def attempted(results: Fields, top: Path) -> set[str]:
    """Return every instance that a submission is known to have attempted; `top`: the highest folder that is looked at.

    Empty where nothing tells more than what was resolved.
    """
    folder = folder_of_results(results.path)
    names = names_in(results, *_LISTED) | set(predictions(folder))
    for kept in ("trajs", "logs"):
        if (folder / kept).is_dir():
            names |= {_instance(entry) for entry in (folder / kept).iterdir() if "__" in entry.name}
    for above in (folder, *folder.parents):
        names |= {name for listed in _INSTANCES for name in _instances(above / listed)}
        if above == top or top not in above.parents:
            break
    return names


def predictions(folder: Path) -> dict[str, str]:
    """Return the patch of each instance in the predictions of a folder. Raise FormatError for a line that is none."""
    found: dict[str, str] = {}
    for name in _PREDICTIONS:
        for entry in _rows(folder / name):
            instance, patch = entry.get("instance_id"), entry.get("model_patch")
            if isinstance(instance, str):
                found[instance] = patch if isinstance(patch, str) else ""
    return found


def _instance(entry: Path) -> str:
    """Return the instance that a file or folder is named for.

    >>> _instance(Path("trajs/django__django-11001.json"))
    'django__django-11001'
    """
    return entry.name.partition(".")[0] if entry.suffix in _SUFFIXES else entry.name


def _instances(file: Path) -> set[str]:
    if not file.is_file():
        return set()
    if file.suffix == ".txt":
        return set(file.read_text(encoding="utf-8", errors="replace").split())
    return {name for entry in _rows(file) if isinstance(name := entry.get("instance_id"), str)}


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSONL, of a list, or of an object of objects; a name in a list stands for its object."""
    if not file.is_file():
        return
    data = file.read_bytes()
    try:
        found = [orjson.loads(line) for line in data.split(b"\n") if line.strip()] if file.suffix == ".jsonl" else (
            orjson.loads(data))  # fmt: skip
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=file) from error
    if isinstance(found, dict):
        found = [{"instance_id": name, **entry} for name, entry in found.items() if isinstance(entry, dict)]
    for entry in found if isinstance(found, list) else ():
        if isinstance(entry, str):
            yield {"instance_id": entry}
        elif isinstance(entry, dict):
            yield entry
