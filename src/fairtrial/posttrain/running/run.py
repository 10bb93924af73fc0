"""All runs of a bench, each agent on each base model and track: references first, then cells, several at once if asked.

Ctrl-C and kills lose what was being done, and no more. Not covered: more than one machine.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from fairtrial.ledger import Ledger
from fairtrial.posttrain.bench import Agent, Bench, Cell, cells_of
from fairtrial.posttrain.evaluating import Evaluated, evaluate, evaluate_decoys, read_evaluated, record
from fairtrial.posttrain.folder import RunState
from fairtrial.posttrain.judging.needs import sibling_weights
from fairtrial.posttrain.running.cell import Progress, Work, run_cell
from fairtrial.posttrain.running.results import Results
from fairtrial.records import FairtrialError
from fairtrial.run.engine import Done, Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which runs are wanted."""

    agents: Sequence[Agent]
    repeats: int = 1
    bases: Sequence[str] = ()
    """Only these base models; all of them where empty."""
    tracks: Sequence[str] = ()
    """Only these tracks; all of them where empty."""

    def cells(self, bench: Bench) -> list[Cell]:
        """Return the runs, agent by agent."""
        every = [cell for agent in self.agents for cell in cells_of(bench, agent, self.repeats)]
        of_base = [cell for cell in every if not self.bases or cell.base in self.bases]
        return [cell for cell in of_base if not self.tracks or cell.track in self.tracks]


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a call."""

    states: dict[str, RunState] = field(default_factory=dict)
    """By the model of the run."""
    lost: tuple[str, ...] = ()
    """What was lost to an error that nobody foresaw."""


def references_of(bench: Bench) -> Iterator[tuple[str, str]]:
    """Yield (model, track) of what is evaluated as a scale: base models, and their siblings whose weights are known."""
    for base in bench.rules.toml.base:
        names = [base.model]
        if base.instruct and sibling_weights(bench, base.instruct) is not None:
            names.append(base.instruct)
        yield from ((name, one.track) for name in names for one in bench.toml.benchmark)


def run_all(
    work: Work, wanted: Wanted, engine: Engine, progress: Progress, tick: Callable[[], None] = lambda: None
) -> Ran:
    """Do what is left of all that is wanted, keeping each part; no agent works before the bases are measured.

    Raise FairtrialError where a base model or sibling cannot be evaluated: nothing could be told of any run then.
    """
    references = list(references_of(work.bench))
    jobs = [partial(_refer, work, model, track, progress) for model, track in references]
    for one in engine.map(jobs):
        model, track = references[one.index]
        why = one.value if isinstance(one, Done) else one.why
        if why:
            raise FairtrialError(f"`{model}` could not be evaluated on `{track}`, so no agent was let work: {why}",
                                 hint="The same command tries it again.")  # fmt: skip
        tick()
    cells = wanted.cells(work.bench)
    items = {(cell.base, cell.track): _items(work, cell) for cell in cells}
    runs = [partial(run_cell, work, cell, items[cell.base, cell.track], progress) for cell in cells]
    states: dict[str, RunState] = {}
    lost: list[str] = []
    for ended in engine.map(runs):
        if isinstance(ended, Done):
            states[cells[ended.index].model] = ended.value
        else:
            lost.append(f"{cells[ended.index].model}: {ended.why}")
        tick()
    return Ran(states, tuple(lost))


def _refer(work: Work, model: str, track: str, progress: Progress) -> str:
    """Evaluate a base model or sibling on a track and keep it; return why nothing was measured, empty where it was."""
    bench, results = work.bench, Results(work.results)
    folder = results.reference(model, track)
    weights = _weights(bench, model)

    def say(what: str) -> None:
        progress(f"{model}: {what}")

    found = evaluate(bench, track, weights, folder, work.sandbox, say)
    why = found.broken
    if not why and bench.benchmark(track).decoys and model in [base.model for base in bench.rules.toml.base]:
        asked = evaluate_decoys(bench, track, weights, folder, work.sandbox, say)
        why = f"on the decoys, {asked.why}" if asked.accuracy is None else ""
    if why:  # kept nowhere: it is the bench's fault or the machine's, and is tried again
        shutil.rmtree(folder, ignore_errors=True)
        return why
    record(Ledger.open(results.ledger, create=True), model, work.terms[track], found, work.sandbox.name)
    return ""


def _weights(bench: Bench, model: str) -> Path:
    if model in [base.model for base in bench.rules.toml.base]:
        return bench.base_weights(model)
    folder = sibling_weights(bench, model)
    assert folder is not None  # `references_of` names no other
    return folder


def _items(work: Work, cell: Cell) -> tuple[str, ...]:
    """Return the items of a track, as the base model's evaluation names them."""
    held = reference(work.bench, Results(work.results), cell.base, cell.track)
    named = next((one.items for one in held.seeds if one.items is not None), None) if held else None
    return tuple(named or ())


def reference(bench: Bench, results: Results, model: str, track: str) -> Evaluated | None:
    """Return the evaluation of a base model or sibling, None where it has none."""
    return read_evaluated(results.reference(model, track), bench.toml.evaluation.seeds)
