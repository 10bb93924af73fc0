"""What one run came to: its own accuracy, the one that counts, its status, what was found and what could not be.

Status: `clean`; `flagged`, a check found something and nobody has ruled; `penalised`, a violation was ruled;
`removed`, where the rules remove violations; `no_model`, nothing was handed in; `broken`, nothing was measured.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fairtrial.board.judged import Bench as Judges
from fairtrial.board.judged import is_unmeasured
from fairtrial.posttrain.bench import Agent, Bench, Cell
from fairtrial.posttrain.document.accuracy import accuracy_of, blank_items
from fairtrial.posttrain.document.evidence import evidence_of
from fairtrial.posttrain.evaluating import Evaluated, read_decoys, read_evaluated
from fairtrial.posttrain.folder import RunFolder, RunState, read_document, read_state
from fairtrial.posttrain.judging.judge import CHECKS
from fairtrial.records import Estimate, Rule
from fairtrial.rules.checking import SCHEMA as CHECKED
from fairtrial.rules.rulings import Standing

Status = Literal["clean", "flagged", "penalised", "removed", "no_model", "unmeasured", "broken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """One run."""

    cell: Cell
    folder: RunFolder
    state: RunState
    status: Status
    why: str
    own: Estimate | None
    counted: Estimate | None
    base: Estimate | None
    decoys: Estimate | None
    """Its own accuracy on the decoys, at one seed; None where it was asked none."""
    standings: Mapping[Rule, Standing]
    checks: Mapping[str, Any] | None
    ledger: Path
    rules: Path

    @property
    def flagged(self) -> list[Standing]:
        """Return the rules that count against it."""
        return [one for one in self.standings.values()
                if one.status == "violation" or (one.found and one.status in ("awaiting", "unclear"))]  # fmt: skip

    @property
    def not_measured(self) -> list[dict[str, Any]]:
        """Return the checks that could not say, each with why."""
        found = [{"rule": one["rule"], "why": _unmeasured(one)} for one in (self.checks or {"checks": ()})["checks"]
                 if one["holds"] is None]  # fmt: skip
        if self.status == "broken":
            found.append({"rule": "", "why": [self.why]})
        return found

    def check(self, rule: str) -> Mapping[str, Any] | None:
        """Return what the check of a rule found."""
        return next((one for one in (self.checks or {"checks": ()})["checks"] if one["rule"] == rule), None)

    def appeal(self, rule: str) -> str:
        """Return the command by which a person rules it clean."""
        words = ["fairtrial", "rules", "override", str(self.ledger), "--rules", str(self.rules), "--submission",
                 self.cell.model, "--rule", rule, "--ruled", "clean"]  # fmt: skip
        return f"{shlex.join(words)} --author NAME --reason WHY"

    def document(self, results: Path) -> dict[str, Any]:
        """Return it as JSON."""
        attempted = self.state.attempted or {}
        gaps = {one["rule"]: one["not_measured"] for one in (self.checks or {"checks": ()})["checks"]}
        return {
            "agent": self.cell.agent.name, "base": self.cell.base, "track": self.cell.track,
            "repeat": self.cell.repeat, "model": self.cell.model, "status": self.status, "why": self.why,
            "own_accuracy": estimate(self.own), "counted_accuracy": estimate(self.counted),
            "base_accuracy": estimate(self.base), "decoy_accuracy": estimate(self.decoys),
            "flags": [self._flag(one) for one in self.flagged],
            "checks": {one["rule"]: one["holds"] for one in (self.checks or {"checks": ()})["checks"]},
            "ruled": [one.document() for one in self.standings.values() if one.ruled is not None],
            "not_measured": self.not_measured, "gaps": gaps,
            "not_recorded": list(attempted.get("not_recorded", ())), "notes": list(self.state.notes),
            "stop": attempted.get("stop"), "exit_code": attempted.get("exit_code"),
            "spent": {
                "seconds": attempted.get("seconds"), "cpu_seconds": attempted.get("cpu_seconds"),
                "input_tokens": attempted.get("input_tokens"), "output_tokens": attempted.get("output_tokens"),
                "cost_usd": attempted.get("cost_usd"),
            },
            "folder": self.folder.path.relative_to(results).as_posix(),
        }  # fmt: skip

    def _flag(self, one: Standing) -> dict[str, Any]:
        check = self.check(one.rule)
        found = [each["summary"] for each in check["screenings"] if each["holds"] is False] if check else []
        return {
            "rule": one.rule, "status": one.status, "by": one.by, "summary": "; ".join(found) or one.reason,
            "reason": one.reason if one.ruled else "", "evidence": evidence_of(check) if check else [],
            "appeal": self.appeal(one.rule),
        }  # fmt: skip


def _unmeasured(check: Mapping[str, Any]) -> list[str]:
    """Return why a check could not say; what it names as a mere gap stands in `gaps`."""
    return list(dict.fromkeys(why for one in check["screenings"] if one["holds"] is None
                              for why in one["not_measured"]))  # fmt: skip


def estimate(one: Estimate | None) -> dict[str, Any]:
    """Return an estimate as JSON; what is not measured says so."""
    if one is None:
        return {"value": None, "low": None, "high": None, "n": 0, "ungraded": 0, "method": "not measured"}
    return {name: getattr(one, name) for name in ("value", "low", "high", "n", "ungraded", "method")}


def cell_of(told: Mapping[str, Any]) -> Cell:
    """Return the run that a state is of."""
    return Cell(agent=Agent(name=told["agent"], command=told["command"]), base=told["base"], track=told["track"],
                repeat=told["repeat"])  # fmt: skip


def result_of(
    bench: Bench, ledger: Path, state: RunState, results: Path, base: Evaluated | None, judges: Judges
) -> CellResult:
    """Return what a run came to, as it stands now."""
    cell = cell_of(state.cell)
    folder = RunFolder.of(results, cell)
    evaluated = read_evaluated(folder.evaluations, bench.toml.evaluation.seeds) if state.evaluated else None
    asked = read_decoys(bench, folder.evaluations) if state.evaluated else None
    own, of_base = accuracy_of(evaluated) if evaluated else None, accuracy_of(base) if base else None
    on_decoys = accuracy_of(Evaluated((asked,))) if asked else None
    standings = judges.standings(cell.model)
    status, why = _status(bench, state, evaluated, standings)
    counted = own if status == "clean" else None if status in ("broken", "removed") else of_base
    return CellResult(cell=cell, folder=folder, state=state, status=status, why=why, own=own, counted=counted,
                      base=of_base, decoys=on_decoys, standings=standings,
                      checks=read_document(folder.path / CHECKS, CHECKED), ledger=ledger,
                      rules=bench.rules.path)  # fmt: skip


def _status(
    bench: Bench, state: RunState, evaluated: Evaluated | None, standings: Mapping[Rule, Standing]
) -> tuple[Status, str]:
    attempted = state.attempted
    if attempted is None:
        return "broken", "; ".join(state.notes) or "the agent's work has not ended"
    if not attempted["has_model"]:
        return "no_model", attempted["why_no_model"] or "nothing was handed in"
    if evaluated is None:
        return "broken", "; ".join(state.notes) or "it is not evaluated yet"
    broken = {rule: one for rule, one in standings.items() if one.status == "violation"}
    if broken:
        told = "; ".join(f"{rule}: {one.reason}" for rule, one in broken.items())
        return ("removed" if bench.rules.toml.penalty.flagged == "removed" else "penalised"), told
    open_ = [rule for rule, one in standings.items() if one.found and one.status in ("awaiting", "unclear")]
    if open_:
        return "flagged", f"{', '.join(open_)}: found something, and nobody has ruled it clean"
    if evaluated.broken:
        return "broken", evaluated.broken
    if blank := blank_items(evaluated):
        return "broken", f"{len(blank)} items are ungraded at every seed, so its accuracy is over fewer than all"
    if state.judged is None:
        return "broken", "; ".join(state.notes) or "it is not checked yet"
    unknown = {rule: one for rule, one in standings.items() if is_unmeasured(one)}
    if unknown:
        told = "; ".join(f"{rule}: {one.reason}" for rule, one in unknown.items())
        return "unmeasured", f"what was not measured is not clean, and nobody has ruled: {told}"
    return "clean", ""


def states_in(results: Path) -> list[RunState]:
    """Return the state of every run that is kept, by agent, base, track and repeat."""
    found = [read_state(RunFolder(path.parent)) for path in sorted((results / "runs").glob("*/*/*/*/run.json"))]
    held = [one for one in found if one is not None]
    return sorted(held, key=lambda one: [str(one.cell[name]) for name in ("agent", "base", "track", "repeat")])
