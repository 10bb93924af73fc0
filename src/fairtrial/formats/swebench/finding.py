"""Which files of a folder are SWE-bench's: reports of instances, summaries of runs, results of submissions.

Told by content, since other tools write files of the same names. What cannot be read and lies where the harness puts
its reports is taken for one, so that it is told and not passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.formats.json_files import read_fields
from fairtrial.records import FormatError

REPORT, RESULTS = "report.json", "results.json"
LISTS = frozenset({
    "no_generation", "generated", "with_logs", "no_logs", "install_fail", "reset_failed", "no_apply", "applied",
    "test_errored", "test_timeout", "resolved",
})  # fmt: skip
"""What a submission's results may list, old and new."""
_SUMMARY = ("submitted_ids", "completed_ids", "error_ids", "empty_patch_ids", "unresolved_ids")
_SUMMARY_OPENING = re.compile(rb'"(?:total_instances|submitted_instances|completed_instances|\w+_ids)"\s*:')
_REPORT_MARKS = (b'"resolved"', b'"patch_', b'"tests_status"')
_OPENING_BYTES = 4096


@dataclass(slots=True)
class Found:
    """SWE-bench's files at a place."""

    instances: list[Path] = field(default_factory=list)
    """Folders of one instance each, with a report or with other files of the harness."""
    summaries: list[Path] = field(default_factory=list)
    results: list[Path] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return bool(self.instances or self.summaries or self.results)


def find(path: Path) -> Found:
    """Return what is at `path`."""
    found = Found()
    folders: set[Path] = set()
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if (file.name == REPORT and file.is_file() and _is_report(file)) or _is_log(file):
            folders.add(file.parent)
        elif file.name == RESULTS and file.is_file() and _is_results(file):
            found.results.append(file)
        elif file.suffix == ".json" and file.is_file() and _is_summary(file):
            found.summaries.append(file)
    found.instances = sorted(folders)
    return found


def looks_like(path: Path) -> bool:
    """Say whether a file or folder is of SWE-bench's harness or leaderboard."""
    files = iter([path]) if path.is_file() else _candidates(path)
    return any(_is_report(file) if file.name == REPORT else _is_results(file) if file.name == RESULTS
               else _is_summary(file) for file in files)  # fmt: skip


def _candidates(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*.json") if file.is_file())


def _is_log(file: Path) -> bool:
    """Say whether a file shows that the harness worked on an instance here, though it may not have come to a report."""
    return file.name == "run_instance.log" or (file.name == "test_output.txt" and "__" in file.parent.name)


def _opening(file: Path) -> bytes:
    with file.open("rb") as handle:
        return handle.read(_OPENING_BYTES)


def _is_report(file: Path) -> bool:
    """Say whether a file is an object of instances, each with `resolved`."""
    is_in_place = "__" in file.parent.name
    if not is_in_place and not any(mark in _opening(file) for mark in _REPORT_MARKS):
        return False
    try:
        content = read_fields(file).content
    except FormatError:
        return is_in_place
    return any(isinstance(entry, dict) and isinstance(entry.get("resolved"), bool) for entry in content.values())


def _is_summary(file: Path) -> bool:
    if not _SUMMARY_OPENING.search(_opening(file)):
        return False
    try:
        content = read_fields(file).content
    except FormatError:
        return False
    return "resolved_ids" in content and any(name in content for name in _SUMMARY) and "results" not in content


def _is_results(file: Path) -> bool:
    if b'"resolved"' not in (opening := _opening(file)) and not any(f'"{n}"'.encode() in opening for n in LISTS):
        return False
    try:
        content = read_fields(file).content
    except FormatError:
        return False
    return isinstance(content.get("resolved"), list) and len(content.keys() & LISTS) > 1
