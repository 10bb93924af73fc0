"""SWE-bench's files as rollouts: an instance's report first, and of a summary what no report tells.

Attempts have no numbers: `attempt` is derived from the run's name, and runs are groups, so that two runs of one model
stay apart. The patch is the rollout's answer, where it is beside. Not covered: trajectories of agents, which each
writes in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.json_files import attempt_number, read_fields
from fairtrial.formats.swebench.finding import REPORT, find
from fairtrial.formats.swebench.named import MOST_PATCH, attempted, predictions
from fairtrial.formats.swebench.outcomes import RESULTS, SUMMARY, Told, names_in, of_folder, of_lists
from fairtrial.formats.swebench.runs import Run, folder_of_results, runs_of
from fairtrial.records import FormatError, Rollout, Verdict, storable

_INSTANCES_A_BATCH = 500
_AGENT = "swebench"
_LISTS_ALONE = ("harness_error", "not_run", "conflict", "not_evaluated", "no_logs")
"""Reasons that a summary has for want of a report: where one is there, it counts."""

Record = tuple[Rollout, Verdict | None]


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the instances at `path`: a report, a summary, a submission's results, or a folder of any of them."""
    found = find(path)
    if not found:
        raise FormatError("has no report.json, summary or results.json of SWE-bench", path=path)
    top = path if path.is_dir() else path.parent
    reading = _Reading(top, options, runs_of(found, top, options.model))
    files = [*found.summaries, *found.results]
    for file in files:
        reading.take_lists(file, is_summary=file in found.summaries)
    total = max(1, len(found.instances) + len(files))
    for start in range(0, len(found.instances), _INSTANCES_A_BATCH):
        chosen = found.instances[start : start + _INSTANCES_A_BATCH]
        attempts = [record for folder in chosen for record in reading.of_instance(folder)]
        yield batch_of(attempts, reading.told(), done=(start + len(chosen)) / total)
    yield batch_of(list(reading.of_lists()), reading.told(), done=1.0)


@dataclass(slots=True)
class _Reading:
    """What is known of every run, while its files are read."""

    top: Path
    options: Options
    runs: Mapping[Path, Run]
    """Of each file and folder."""
    listed: dict[Run, tuple[Path, dict[str, Told]]] = field(default_factory=dict)
    """What summaries and submissions list."""
    reported: set[tuple[Run, str]] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)

    def told(self) -> list[Skipped]:
        """Return what is to be told since this was last asked."""
        said, self.skipped = self.skipped, []
        return said

    def take_lists(self, file: Path, is_summary: bool) -> None:
        """Take a summary or a submission's results."""
        try:
            self.listed[self.runs[file]] = (file, _of_summary(file) if is_summary else self._of_results(file))
        except FormatError as error:
            self.skipped.append(Skipped(error.where, error.what))

    def _of_results(self, file: Path) -> dict[str, Told]:
        """Return a submission's lists, and as failed what it attempted and does not list."""
        results = read_fields(file)
        told = of_lists(results, RESULTS)
        names = attempted(results, self.top)
        if not names:
            raise FormatError(f"lists what was resolved ({len(told)} instances in all) and not what was not: read "
                              "alone, nearly all would have passed. Put the predictions (all_preds.jsonl) beside, or "
                              "the names of the split above, as instances.txt", path=file)  # fmt: skip
        empty = {name for name, patch in predictions(folder_of_results(file)).items() if not patch.strip()}
        return told | {name: Told(outcome="failed", recorded="failed", ending="no_patch" if name in empty else "",
                                  evidence={"listed": None}) for name in sorted(names - told.keys())}  # fmt: skip

    def of_instance(self, folder: Path) -> Iterator[Record]:
        """Yield the record of an instance's folder; say where a summary counts it otherwise."""
        run = self.runs[folder]
        try:
            found = of_folder(folder)
        except FormatError as error:
            self.skipped.append(Skipped(error.where, error.what))  # what the summary says of it, if any, counts
            return
        for name, told in found.items():
            self.reported.add((run, name))
            yield self._record(run, name, self._beside(run, name, told, folder), _source(folder), _patch(folder))

    def _beside(self, run: Run, name: str, told: Told, folder: Path) -> Told:
        """Return what a folder tells, completed by what the run's summary says of it."""
        file, lists = self.listed.get(run, (folder, {}))
        counted = lists.get(name)
        if counted is None:
            return told
        if told.recorded is None:  # no report
            return counted if told.reason == "no_report" else replace(told, recorded=counted.recorded)
        if counted.recorded != told.recorded:
            self.skipped.append(Skipped(f"{file}: {name}", f"counts it as {counted.recorded}, its report as "
                                        f"{told.recorded}; the report counts"))  # fmt: skip
        if counted.outcome == "ungraded" and told.outcome == "failed" and counted.reason not in _LISTS_ALONE:
            return replace(told, outcome="ungraded", reason=counted.reason)
        return told

    def of_lists(self) -> Iterator[Record]:
        """Yield what is listed and was not reported."""
        for run, (file, lists) in self.listed.items():
            patches = predictions(folder_of_results(file))
            for name, told in lists.items():
                if (run, name) not in self.reported:
                    yield self._record(run, name, told, file, patches.get(name) or None)

    def _record(self, run: Run, name: str, told: Told, source: Path, patch: str | None) -> Record:
        rollout = Rollout(
            task=storable(name), model=run.model or self.options.model or "unknown", agent=_AGENT, group=run.name,
            suite=run.split or self.options.suite, attempt=attempt_number(run.name) if run.name else 0,
            answer=storable(patch) if patch and len(patch) <= MOST_PATCH else None, stop=told.ending,
            label=run.stem, source=str(source),
        )  # fmt: skip
        kept = self.options.as_recorded and told.recorded is not None
        outcome = told.recorded if kept and told.recorded else told.outcome
        evidence = {"as_recorded": told.recorded, **told.evidence}
        return rollout, Verdict(
            rollout=rollout.id, outcome=outcome, reason="" if kept else told.reason, checks=told.checks,
            score=None if outcome == "ungraded" else float(outcome == "passed"),
            grader="swebench/as-recorded" if self.options.as_recorded else "swebench",
            evidence=orjson.dumps(evidence).decode(),
        )  # fmt: skip


def _of_summary(file: Path) -> dict[str, Told]:
    """Return what a run's summary lists; what the harness calls a failure of its environment is ungraded."""
    summary = read_fields(file)
    told = of_lists(summary, SUMMARY)
    why = summary.inner("failure_reasons")
    reasons: Mapping[str, object] = why.content if why else {}
    infra = names_in(summary, "infra_failure_ids")
    for name, entry in told.items():
        reason = reasons.get(name)
        if name in infra or (entry.reason == "harness_error" and reason):
            told[name] = Told(outcome="ungraded", reason=str(reason or "infra_failure"), recorded=entry.recorded,
                              evidence=entry.evidence)  # fmt: skip
    lost = names_in(summary, "submitted_ids") - told.keys()
    return told | {name: Told(outcome="ungraded", reason="not_evaluated", evidence={"listed": "submitted_ids"})
                   for name in sorted(lost)}  # fmt: skip


def _source(folder: Path) -> Path:
    return folder / REPORT if (folder / REPORT).is_file() else folder


def _patch(folder: Path) -> str | None:
    file = folder / "patch.diff"
    if not file.is_file() or file.is_symlink() or file.stat().st_size > MOST_PATCH:
        return None
    return file.read_bytes().decode(errors="replace") or None
