"""One run from wherever it is to its end: the agent's work, the evaluations, the checks; each part is kept as it ends.

What is kept is not done again, whoever was killed when. What a sandbox or harness broke is not kept: the next call
tries it again. Not covered: what comes of all runs together (`document`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from fairtrial.ledger import Ledger
from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.evaluating import Terms, evaluate, evaluate_decoys, record
from fairtrial.posttrain.folder import Attempted, RunFolder, RunState, read_state, write_state
from fairtrial.posttrain.judging import judge, nothing_handed_in
from fairtrial.posttrain.judging.judge import holds
from fairtrial.posttrain.running.results import Results
from fairtrial.records import InputError, SandboxError
from fairtrial.rules.checking.hashes import path_hash
from fairtrial.sandbox import Sandbox

Progress = Callable[[str], None]


class Attempter(Protocol):
    """Lets an agent work: `posttrain.attempt.attempt`, or a function of a test's."""

    def __call__(
        self, bench: Bench, cell: Cell, folder: RunFolder, sandbox: Sandbox, progress: Progress
    ) -> Attempted: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """All that one run is done with."""

    bench: Bench
    results: Path
    terms: Mapping[str, Terms]
    sandbox: Sandbox
    attempter: Attempter


def run_cell(work: Work, cell: Cell, items: tuple[str, ...], progress: Progress) -> RunState:
    """Do what is left of a run and return how far it came. Raise InputError where another run is kept in its place."""
    folder = RunFolder.of(work.results, cell)

    def say(what: str) -> None:
        progress(f"{cell.model}: {what}")

    stated = describe(work.bench, cell)
    state = read_state(folder) or RunState(cell=stated)
    _must_be(state, stated, folder)
    folder.path.mkdir(parents=True, exist_ok=True)
    state = replace(state, notes=())
    for part in (_attempt, _evaluate, _judge):
        state = part(work, cell, folder, state, items, say)
    write_state(folder, state)
    return state


def describe(bench: Bench, cell: Cell) -> dict[str, Any]:
    """Return what makes a run the run that it is."""
    files = path_hash(cell.agent.files) if cell.agent.files is not None else ""
    return {"agent": cell.agent.name, "command": cell.agent.command, "files": files, "base": cell.base,
            "track": cell.track, "repeat": cell.repeat, "bench": bench.hash, "rules": bench.rules.name}  # fmt: skip


def _must_be(state: RunState, stated: Mapping[str, Any], folder: RunFolder) -> None:
    if other := [name for name, value in stated.items() if state.cell.get(name) != value]:
        raise InputError(f"holds a run whose {', '.join(other)} was another", path=folder.path, field="--agent",
                         hint="Give the agent another name, or these results another folder.")  # fmt: skip


def _attempt(
    work: Work, cell: Cell, folder: RunFolder, state: RunState, items: tuple[str, ...], say: Progress
) -> RunState:
    del items
    if state.attempted is not None:
        return state
    attempted = work.attempter(work.bench, cell, folder, work.sandbox, say)
    if attempted.stop == "harness_error":
        return replace(state, notes=(attempted.why_no_model or "the harness broke while the agent worked",))
    state = replace(state, attempted=attempted.document())
    write_state(folder, state)
    return state


def _evaluate(
    work: Work, cell: Cell, folder: RunFolder, state: RunState, items: tuple[str, ...], say: Progress
) -> RunState:
    if state.attempted is None or state.evaluated is not None or not state.attempted["has_model"]:
        return state
    terms = work.terms[cell.track]
    try:
        found = evaluate(work.bench, cell.track, folder.model, folder.evaluations, work.sandbox, say, items)
        if found.graded and work.bench.benchmark(cell.track).decoys:
            evaluate_decoys(work.bench, cell.track, folder.model, folder.evaluations, work.sandbox, say)
    except SandboxError as error:
        return replace(state, notes=(*state.notes, f"the evaluation's sandbox failed: {error}"))
    record(_ledger(work), cell.model, terms, found, work.sandbox.name, items)
    state = replace(state, evaluated=terms.document() | {"broken": found.broken})
    write_state(folder, state)
    return state


def _judge(
    work: Work, cell: Cell, folder: RunFolder, state: RunState, items: tuple[str, ...], say: Progress
) -> RunState:
    del items
    if state.attempted is None or state.judged is not None:
        return state
    attempted = read_attempted(state.attempted)
    if not attempted.has_model:
        nothing_handed_in(work.bench, cell, attempted, _ledger(work))
        return replace(state, judged={"holds": {}})
    if state.evaluated is None and work.bench.benchmark(cell.track).decoys:
        return state  # its answers are part of what is checked
    base = Results(work.results).reference(cell.base, cell.track)
    try:
        document = judge(work.bench, cell, folder, attempted, base, _ledger(work), say)
    except InputError as error:  # what the agent left is its own matter; the rules' files are the user's
        if error.path is None or not Path(error.path).resolve().is_relative_to(folder.path.resolve()):
            raise
        return replace(state, notes=(*state.notes, f"it could not be checked: {error.what}"))
    return replace(state, judged={"holds": holds(document), "checked_at": document["checked_at"]})


def read_attempted(told: Mapping[str, Any]) -> Attempted:
    """Return what came of an agent's work, as it was kept."""
    held: dict[str, Any] = dict(told)
    held |= {name: tuple(held[name]) for name in ("declared", "not_recorded")}
    held["left_out"] = tuple((path, why) for path, why in held["left_out"])
    return Attempted(**held)


def _ledger(work: Work) -> Ledger:
    return Ledger.open(work.results / "ledger", create=True)
