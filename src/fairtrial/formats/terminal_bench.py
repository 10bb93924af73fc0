"""`terminal-bench`: results of Terminal-Bench 1, as its harness writes them or as compact JSONL.

A tree of run folders with `results.json` (and `run_metadata.json`), or lines of `submission, task_id, trial, resolved,
failure_mode, tests`. A parse error, a test time-out or a harness error is ungraded with that reason, and what the
harness recorded stands beside it in the verdict's evidence, `{"as_recorded": "failed", …}`; with `as_recorded` that
is the verdict. An agent's time-out is graded: its tests ran. Trials of one run share a `group`, so two runs of one
agent do not fall together. A run that states no model is named by the folder that one submission's runs share, so that
two submissions of one agent are not pooled. Not covered: recordings and logs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.json_files import Fields, attempt_number, read_fields
from fairtrial.formats.times import seconds_between, utc_or_empty
from fairtrial.records import CheckResult, CheckStatus, FormatError, Rollout, Verdict

_TRIALS_A_BATCH = 5_000
BROKEN = frozenset({
    "parse_error", "test_timeout", "unknown_agent_error", "agent_installation_failed", "unknown",
    "unknown_harness_error",
})  # fmt: skip
"""Failure modes that say nothing of the model: the grader or the harness broke."""

_STOPS = {
    "": "finished", "unset": "finished", "none": "finished", "parse_error": "finished", "test_timeout": "finished",
    "unknown_agent_error": "agent_error", "agent_installation_failed": "agent_error",
    "context_length_exceeded": "context_limit", "output_length_exceeded": "output_limit",
}  # fmt: skip
_TRIAL_NUMBER = re.compile(r"\.(\d+)-of-\d+")
_STATUS: dict[Any, CheckStatus] = {1: "passed", 0: "failed", "passed": "passed", "failed": "failed",
                                   "skipped": "skipped", None: "broken"}  # fmt: skip


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the trials at `path`: a JSONL file, one results.json, or a folder of runs."""
    if path.is_file() and path.suffix in (".jsonl", ".ndjson"):
        yield from _compact(path, options)
        return
    files = [path] if path.is_file() else results_files(path)
    if not files:
        raise FormatError("the folder has no results.json", path=path)
    for position, file in enumerate(files, start=1):
        yield _of_file(file, path, options, position / len(files))


def results_files(folder: Path) -> list[Path]:
    """Return the results.json below `folder` that hold others' results, and those of trials that none holds."""
    chosen: list[Path] = []
    whole: set[Path] = set()
    for file in sorted(folder.rglob("results.json"), key=lambda file: (len(file.parts), file)):
        if whole.isdisjoint(file.parents):
            chosen.append(file)
            if _holds_trials(file):
                whole.add(file.parent)
    return sorted(chosen)


def _holds_trials(file: Path) -> bool:
    try:
        return isinstance(read_fields(file).content.get("results"), list)
    except FormatError:
        return False  # its trials may still have their own


def _of_file(file: Path, top: Path, options: Options, done: float) -> Batch:
    """Read one results.json: of a run, or of one trial."""
    attempts: list[tuple[Rollout, Verdict | None]] = []
    skipped: list[Skipped] = []
    try:
        fields = read_fields(file)
        run = _Run.of(file, top, options)
        trials = fields.inners("results") if "results" in fields.content else [fields]
    except FormatError as error:
        return batch_of([], [Skipped(error.where, error.what)], done=done)
    for trial in trials:
        try:
            attempts.append(run.attempt(trial))
        except FormatError as error:
            skipped.append(Skipped(error.where, error.what))
    return batch_of(attempts, skipped, done=done)


class _Run:
    """What all trials of one run folder share."""

    def __init__(self, name: str, submission: str, metadata: dict[str, str], options: Options) -> None:
        self.name = name
        self.submission = submission
        self.metadata = metadata
        self.options = options

    @classmethod
    def of(cls, file: Path, top: Path, options: Options) -> _Run:
        """Read run_metadata.json beside `file` or above it; without one, the run is named by its folder."""
        for folder in (file.parent, *file.parent.parents[:3]):
            beside = folder / "run_metadata.json"
            if beside.is_file():
                found = read_fields(beside)
                names = ("run_id", "agent_name", "model_name", "dataset_name", "dataset_version")
                metadata = {name: found.text(name) for name in names}
                name = metadata["run_id"] or folder.name
                return cls(name, _submission(folder, top, is_run=folder.name == name), metadata, options)
        return cls(file.parent.name, _submission(file.parent, top, is_run=True), {}, options)

    def attempt(self, trial: Fields) -> tuple[Rollout, Verdict]:
        """Return the rollout and the verdict of one trial."""
        task = trial.text("task_id")
        if not task:
            raise trial.wrong("task_id", "is missing")
        stated = self.metadata.get("model_name") or self.options.model
        model = stated or self.submission or self.metadata.get("agent_name") or self.name
        name = trial.text("trial_name")
        numbered = _TRIAL_NUMBER.search(name)
        started, ended = (utc_or_empty(trial.text(f"trial_{name}_at")) for name in ("started", "ended"))
        mode = trial.text("failure_mode").lower()
        rollout = Rollout(
            task=task, model=model, agent=self.metadata.get("agent_name", ""), suite=self._suite(), group=self.name,
            attempt=int(numbered[1]) if numbered else attempt_number(trial.text("id") or name),
            stop=_STOPS.get(mode, mode), label=name, source=str(trial.path),
            input_tokens=trial.integer("total_input_tokens"), output_tokens=trial.integer("total_output_tokens"),
            seconds=seconds_between(started, ended), recorded_at=started,
        )  # fmt: skip
        checks = _checks(trial, "parser_results")
        return rollout, _verdict(rollout, trial, "is_resolved", checks, self.options, ended)

    def _suite(self) -> str:
        name, version = self.metadata.get("dataset_name", ""), self.metadata.get("dataset_version", "")
        return (f"{name}@{version}" if version else name) or self.options.suite


def _submission(folder: Path, top: Path, *, is_run: bool) -> str:
    """Return the folder's name, or of one that `is_run` its parent's, where that lies below what was asked for."""
    shared = folder.parent if is_run else folder
    return shared.name if top in shared.parents else ""


def _compact(path: Path, options: Options) -> Iterator[Batch]:
    """Read the compact lines."""
    attempts: list[tuple[Rollout, Verdict | None]] = []
    skipped: list[Skipped] = []
    size, read_bytes = max(1, path.stat().st_size), 0
    with path.open("rb") as handle:
        for number, line in enumerate(handle, start=1):
            read_bytes += len(line)
            if line.isspace():
                continue
            try:
                attempts.append(_line(path, line, options))
            except FormatError as error:
                skipped.append(
                    Skipped(f"{path}:{number}", f"{error.field}: {error.what}" if error.field else error.what)
                )
            if len(attempts) == _TRIALS_A_BATCH:
                yield batch_of(attempts, skipped, done=read_bytes / size)
                attempts, skipped = [], []
    yield batch_of(attempts, skipped, done=1.0)


def _line(path: Path, line: bytes, options: Options) -> tuple[Rollout, Verdict]:
    try:
        content = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error}") from error
    if not isinstance(content, dict):
        raise FormatError("is not an object")
    trial = Fields(path, content)
    task, model, attempt = trial.text("task_id"), trial.text("submission") or options.model, trial.integer("trial")
    if not task or not model or attempt is None:
        raise FormatError("task_id, submission or trial is missing")
    mode = trial.text("failure_mode").lower()
    rollout = Rollout(
        task=task, model=model, suite=options.suite, attempt=attempt, stop=_STOPS.get(mode, mode), source=str(path),
        input_tokens=trial.integer("in_tok"), output_tokens=trial.integer("out_tok"),
    )  # fmt: skip
    return rollout, _verdict(rollout, trial, "resolved", _checks(trial, "tests"), options, "")


def _checks(trial: Fields, name: str) -> tuple[CheckResult, ...]:
    found = trial.inner(name)
    if found is None:
        return ()
    strange = next(
        (value for value in found.content.values() if isinstance(value, dict | list) or value not in _STATUS), 0
    )
    if strange != 0:
        raise trial.wrong(name, f"says {strange!r} of a test")
    return tuple(CheckResult(check, _STATUS[value]) for check, value in found.content.items())


def _verdict(
    rollout: Rollout, trial: Fields, field: str, checks: Sequence[CheckResult], options: Options, ended: str
) -> Verdict:
    """Return passed or failed, or ungraded where grader or harness broke, with what was recorded as evidence."""
    resolved = trial.content.get(field)
    if resolved is not None and not isinstance(resolved, bool):
        raise trial.wrong(field, "is not true, false or null")
    mode = trial.text("failure_mode").lower()
    recorded = "" if resolved is None else "passed" if resolved else "failed"
    reason = mode if mode in BROKEN else "" if recorded else "not_graded"
    if options.as_recorded and recorded:
        reason = ""
    graded: dict[str, Any] = {"outcome": "ungraded", "reason": reason} if reason else {
        "outcome": recorded, "score": float(bool(resolved))}  # fmt: skip
    evidence = {"as_recorded": recorded or None, "failure_mode": trial.text("failure_mode")}
    return Verdict(
        rollout=rollout.id, **graded, checks=tuple(checks), evidence=orjson.dumps(evidence).decode(),
        grader="terminal-bench/as-recorded" if options.as_recorded else "terminal-bench", recorded_at=ended,
    )  # fmt: skip
