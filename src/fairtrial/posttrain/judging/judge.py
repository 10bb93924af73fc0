"""Judge one run by the rules of its bench: SUBMISSION.toml is written for it, and the rules' own checks are run.

What they find is kept in the ledger as screenings, each with its document; whether it breaks a rule is for a ruling to
say. Not covered: what follows from it (`board`).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.folder import Attempted, RunFolder, write_document
from fairtrial.posttrain.judging.answers import with_answers
from fairtrial.posttrain.judging.needs import rules_of
from fairtrial.posttrain.judging.training import Gathered, gather
from fairtrial.posttrain.judging.versions import lay_out_versions
from fairtrial.records import Submission, canonical_json
from fairtrial.rules import BenchmarkRules
from fairtrial.rules.checking import Checked, check_submission, document_of, keep
from fairtrial.rules.checking.result import not_run
from fairtrial.rules.checking.trajectories import gaps_in
from fairtrial.rules.current import NOTHING
from fairtrial.rules.submission import HandedIn, read_submission

SUBMISSION = "submission.toml"
CHECKS = "checks.json"
MOST_NAMED = 5
RECORDED, OWN = "recorded.json", "trajectory.json"


def judge(
    bench: Bench, cell: Cell, folder: RunFolder, attempted: Attempted, base: Path, ledger: Ledger,
    progress: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """Check one run, keep what was found in the ledger and in checks.json, and return the latter.

    `base` is the folder of evaluations of its base model on its track.

    Raise InputError where a file of the rules cannot be read. What the agent left and cannot be read is not measured.
    """
    rules = rules_of(bench)
    progress("gathering what it may have been trained on")
    gathered = gather(bench, cell, folder, attempted)
    handed_in = _submission(bench, cell, folder, attempted, gathered, rules)
    checked = check_submission(rules, handed_in, lambda rule: progress(f"checking {rule}"))
    told = tuple(with_answers(_with_gaps(one, cell, gathered), bench, cell, folder, attempted, base) for one in checked)
    began = max(finding.screening.recorded_at for one in told for finding in one.findings)
    document = document_of(rules, handed_in, told) | {
        "gathered": gathered.document(), "not_recorded": list(attempted.not_recorded), "checked_at": began,
    }  # fmt: skip
    write_document(folder.path / CHECKS, document)
    # Its own time is that of the first screening: a submission is handed in before it is checked.
    first = min(finding.screening.recorded_at for one in told for finding in one.findings)
    keep(ledger, rules, handed_in, told, first)
    return document


def nothing_handed_in(bench: Bench, cell: Cell, attempted: Attempted, ledger: Ledger) -> None:
    """Record that there is no model: it has its base's score on the board, which is no reproach."""
    artifacts = {NOTHING: [{"path": "", "hash": "", "why": attempted.why_no_model}]}
    ledger.append("submissions", [replace(
        _bare(bench, cell), artifacts=canonical_json(artifacts).decode(), input_tokens=attempted.input_tokens,
        output_tokens=attempted.output_tokens, cost_usd=attempted.cost_usd, recorded_at=attempted.began,
    )])  # fmt: skip


def entrant_of(cell: Cell) -> str:
    """Return the name under which the runs of one agent and repeat are one row of the board."""
    return f"{cell.agent.name}~{cell.repeat + 1}" if cell.repeat else cell.agent.name


def _bare(bench: Bench, cell: Cell) -> Submission:
    track = next(one for one in bench.rules.tracks if one.name == cell.track)
    return Submission(model=cell.model, base=cell.base, entrant=entrant_of(cell), benchmark=track.suite)


def _submission(
    bench: Bench, cell: Cell, folder: RunFolder, attempted: Attempted, gathered: Gathered, rules: BenchmarkRules
) -> HandedIn:
    """Write submission.toml and read it as anybody's. All paths in it are ours: none is named by the agent."""
    versions = lay_out_versions(bench, cell, folder)
    trajectories, artifacts = _trajectories(folder)
    named: dict[str, Any] = {
        "model": cell.model, "base": cell.base, "entrant": entrant_of(cell), "track": cell.track,
        "training_set": list(gathered.paths), "weights": "model",
        "evaluator": "evaluator" if folder.evaluator.is_dir() else "",
        "evaluator_versions": versions, "trajectories": trajectories,
        "artifacts": [*artifacts, *(["workspace"] if _holds_any(folder.workspace) else []), *_versions(folder)],
    }  # fmt: skip
    lines = [f"{name} = {_toml(value)}" for name, value in named.items() if value]
    cost = {"input_tokens": attempted.input_tokens, "output_tokens": attempted.output_tokens, "usd": attempted.cost_usd}
    lines += ["", "[cost]", *(f"{name} = {value}" for name, value in cost.items() if value is not None)]
    path = folder.path / SUBMISSION
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_submission(path, rules)


def _toml(value: str | Sequence[str]) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else f"[{', '.join(map(_toml, value))}]"


def _holds_any(folder: Path) -> bool:
    return folder.is_dir() and any(one.is_file() for one in folder.rglob("*"))


def _versions(folder: RunFolder) -> list[str]:
    """Return the recorded versions of files, less programs that no Python can have run: some were half written."""
    files = sorted(one for one in folder.written.iterdir() if one.is_file()) if folder.written.is_dir() else []
    torn = {one for one in files if one.suffix == ".py" and not _is_python(one)}
    if not torn:
        return ["written"] if files else []
    return [f"written/{one.name}" for one in files if one not in torn]


def _is_python(file: Path) -> bool:
    try:
        ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _trajectories(folder: RunFolder) -> tuple[list[str], list[str]]:
    """Return what was recorded, with the agent's own trajectory where it is one; else that is an artifact."""
    found = [RECORDED] if (folder.path / RECORDED).is_file() else []
    own = folder.path / OWN
    if not own.is_file():
        return found, []
    return (found, [OWN]) if gaps_in([own]) else ([*found, OWN], [])


def _with_gaps(one: Checked, cell: Cell, gathered: Gathered) -> Checked:
    """Add to the check of the training data why nobody can say that all of it was compared, and what was not read."""
    if one.rule != "contamination":
        return one
    if gathered.not_read:
        names = list(dict.fromkeys(name for name, _ in gathered.not_read))
        told = f"{len(names)} files that were left or written, not read or not whole: {', '.join(names[:MOST_NAMED])}"
        one = replace(one, findings=tuple(
            replace(each, screening=replace(each.screening, not_measured=(*each.screening.not_measured, told)))
            for each in one.findings
        ))  # fmt: skip
    missing = tuple(not_run(one.rule, cell.model, f"training data ({number})", why)
                    for number, why in enumerate(gathered.gaps, 1))  # fmt: skip
    return replace(one, findings=(*one.findings, *missing))


def holds(document: Mapping[str, Any]) -> dict[str, bool | None]:
    """Return what each check says: True nothing found, False something, None not measured."""
    return {one["rule"]: one["holds"] for one in document["checks"]}
