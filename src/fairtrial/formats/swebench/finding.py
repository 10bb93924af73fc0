"""Which files of a folder are SWE-bench's, and what their places say: the model, the run, the split.

Its harness writes `logs/run_evaluation/RUN/MODEL/INSTANCE/report.json` and `MODEL.RUN.json`; the leaderboard keeps
`evaluation/SPLIT/SUBMISSION/results/results.json` and perhaps `logs/INSTANCE/report.json`. Names are taken as they are
in the paths: the harness writes `/` in a model's name as `__`, which cannot be told from a model that has it.
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
_OPENING_BYTES = 4096
_FOLDERS_OF_LOGS = ("logs", "evaluation_outputs", "eval_outputs")


@dataclass(frozen=True, slots=True)
class Run:
    """Whose results they are."""

    model: str
    name: str = ""
    """Of the run, where the place says it."""
    split: str = ""

    @property
    def stem(self) -> str:
        """Return the name of the run's summary without `.json`."""
        return f"{self.model}.{self.name}" if self.name else self.model


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


def run_of_instance(folder: Path) -> Run:
    """Return whose instance's folder it is."""
    above = folder.absolute().parent
    if above.name in _FOLDERS_OF_LOGS:
        return _submission(above.parent)
    return Run(model=above.name, name=above.parent.name if above.parent.parent.name == "run_evaluation" else "")


def run_of_results(file: Path) -> Run:
    """Return whose submission's results.json it is."""
    return _submission(folder_of_results(file.absolute()))


def folder_of_results(file: Path) -> Path:
    """Return the submission's folder."""
    return file.parent.parent if file.parent.name == "results" else file.parent


def run_of_summary(file: Path, known: frozenset[Run]) -> Run:
    """Return whose summary it is: of a run that is `known` by its logs, else its name is cut at the last dot."""
    stem = file.name.removesuffix(".json")
    named = next((run for run in sorted(known, key=lambda run: run.stem) if run.stem == stem), None)
    model, _, name = stem.rpartition(".")
    return named or (Run(model, name) if model else Run(stem))


def _submission(folder: Path) -> Run:
    is_filed = folder.parent.parent.name == "evaluation"
    return Run(model=folder.name, split=folder.parent.name if is_filed else "")


def _opening(file: Path) -> bytes:
    with file.open("rb") as handle:
        return handle.read(_OPENING_BYTES)


def _is_report(file: Path) -> bool:
    opening = _opening(file)
    return b'"resolved"' in opening and (b'"patch_' in opening or b'"tests_status"' in opening)


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
