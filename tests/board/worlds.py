"""Small boards by hand: runs as texts of outcomes (`p` passed, `f` failed, `u` ungraded), rules as TOML, no ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.board.make import make_board
from fairtrial.board.result import Board, Options, Row
from fairtrial.board.runs import Attempt, Records, Run, Where, Who
from fairtrial.ledger import Ledger
from fairtrial.records import Outcome, Rollout, Ruling, Screening, Submission, Verdict, canonical_json
from fairtrial.rules.current import seen_in
from fairtrial.rules.schema import BenchmarkRules, read_rules

OUTCOMES: Mapping[str, Outcome] = {"p": "passed", "f": "failed", "u": "ungraded"}
SMALL = '[benchmark]\nname = "books"\nversion = "1"\nruns_per_task = 2\nchecked = []\n'
QUICK = Options(replicates=200)


def run(model: str, outcomes: Mapping[str, str], **more: Any) -> Run:
    """Return a run; `outcomes` by task. Every attempt has a hash, cluster, time or spend where `more` names one."""
    who = Who(model, more.pop("agent", ""), more.pop("effort", ""))
    where = Where(more.pop("suite", "books@1"), more.pop("settings", "s"), more.pop("environment", "e"))
    clusters = more.pop("clusters", {})
    attempts = [
        attempt(f"{'/'.join((*who, *where))}/{task}/{number}", task, number, letter,
                **{"cluster": clusters.get(task, "")} | more)
        for task, letters in outcomes.items() for number, letter in enumerate(letters)
    ]  # fmt: skip
    return Run(who, where, tuple(attempts))


def attempt(name: str, task: str, number: int, letter: str, **more: Any) -> Attempt:
    """Return one attempt."""
    stated: dict[str, Any] = {
        "id": name, "task": task, "attempt": number, "outcome": OUTCOMES[letter],
        "reason": "grader_timeout" if letter == "u" else "", "task_hash": "", "cluster": "", "input_tokens": None,
        "output_tokens": None, "cost_usd": None, "trajectory": "", "recorded_at": "",
    }  # fmt: skip
    return Attempt(**stated | more)


def rules(folder: Path, text: str = SMALL) -> BenchmarkRules:
    """Write and read a rules file."""
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return read_rules(path)


def board(folder: Path, runs: Sequence[Run], text: str = SMALL, **records: Any) -> Board:
    """Return the board of `runs`."""
    return make_board(Records(runs=tuple(runs), **records), rules(folder, text), QUICK)


def row(made: Board, label: str) -> Row:
    """Return the row of that label."""
    (found,) = (each for each in made.rows if each.label == label)
    return found


def override(model: str, ruled: str, named: BenchmarkRules, seen: Sequence[Screening] = (), **more: Any) -> Ruling:
    """Return a person's word on what the checks say now."""
    stated: dict[str, Any] = {
        "model": model, "rule": "contamination", "ruled": ruled, "kind": "override", "by": "ada", "reason": "looked",
        "rules": named.name, "settings": canonical_json({"screenings": seen_in(seen)}).decode(),
        "recorded_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    return Ruling(**stated | more)


def votes(model: str, said: str, named: BenchmarkRules, **more: Any) -> tuple[Ruling, ...]:
    """Return the runs of one judge: `c` clean, `v` violation, `?` unclear."""
    words = {"c": "clean", "v": "violation", "?": "unclear"}
    told = canonical_json({"judge": "j", "screenings": seen_in(())}).decode()
    return tuple(override(model, words[letter], named, kind="judge", by="j", run=number, settings=told, **more)
                 for number, letter in enumerate(said))  # fmt: skip


def screening(model: str, *, holds: bool | None, **more: Any) -> Screening:
    """Return what a scan of the training set found."""
    return Screening(**{"kind": "scan", "subject": "train.jsonl", "subject_hash": "h", "holds": holds, "model": model,
                        "summary": "12 rows near 3 items", "recorded_at": "2025-12-02T00:00:00Z"} | more)  # fmt: skip


def handed_in(model: str, base: str = "", **more: Any) -> Submission:
    """Return a submission."""
    return Submission(**{"model": model, "base": base, "recorded_at": "2025-12-01T00:00:00Z"} | more)


def ledger(path: Path, model: str, outcomes: Mapping[str, str], **more: Any) -> Ledger:
    """Append a run to the ledger at `path`, made if absent."""
    held = Ledger.open(path, create=True)
    trajectory = more.pop("content", None)
    if trajectory is not None:
        more["trajectory"] = held.put_blob(trajectory)
    rollouts, verdicts = [], []
    for task, letters in outcomes.items():
        for number, letter in enumerate(letters):
            stated = {"suite": "books@1", "settings": "s", "environment": "e", "task": task, "attempt": number}
            rollout = Rollout(**stated | {"model": model} | more)
            reason = "grader_timeout" if letter == "u" else ""
            verdicts.append(Verdict(rollout=rollout.id, outcome=OUTCOMES[letter], reason=reason))
            rollouts.append(rollout)
    held.append("verdicts", verdicts)
    held.append("rollouts", rollouts)
    return held
