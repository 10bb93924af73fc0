"""The document `fairtrial.posttrain/1`: every run, the board over them, and what of it could not be measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.board.document import document_of as board_document
from fairtrial.board.judged import Bench as Judges
from fairtrial.board.make import make_board
from fairtrial.board.result import Board
from fairtrial.board.runs import read_records
from fairtrial.posttrain.bench import Bench
from fairtrial.posttrain.document.accuracy import accuracy_of
from fairtrial.posttrain.document.cells import CellResult, estimate, result_of, states_in
from fairtrial.posttrain.running import Results, references_of
from fairtrial.posttrain.running.run import reference
from fairtrial.records import FairtrialError

SCHEMA = "fairtrial.posttrain/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """All that results say now."""

    bench: Bench
    results: Path
    cells: tuple[CellResult, ...]
    board: Board | None
    no_board: str = ""
    """Why there is no board."""
    lost: tuple[str, ...] = ()


def read_told(bench: Bench, results: Results, lost: Sequence[str] = ()) -> Told:
    """Read what results came to, with every ruling there is now. Raise LedgerError where the ledger is damaged."""
    records = read_records([results.ledger])
    judges = Judges(rules=bench.rules, records=records)
    cells = tuple(
        result_of(bench, results.ledger, state, results.path,
                  reference(bench, results, state.cell["base"], state.cell["track"]), judges)
        for state in states_in(results.path)
    )  # fmt: skip
    try:
        board, why = make_board(records, bench.rules), ""
    except FairtrialError as error:
        board, why = None, error.what
    return Told(bench=bench, results=results.path, cells=cells, board=board, no_board=why, lost=tuple(lost))


def document_of(told: Told) -> dict[str, Any]:
    """Return the JSON document."""
    bench, results = told.bench, Results(told.results)
    board = board_document(told.board) if told.board else None
    return {
        "schema": SCHEMA, "title": title_of(bench), "bench": bench.name, "rules": bench.rules.name,
        "results": str(told.results), "seeds": list(bench.toml.evaluation.seeds),
        "cells": [one.document(told.results) for one in told.cells],
        "agents": _agents(told),
        "references": [
            {"model": model, "track": track, "accuracy": estimate(accuracy_of(found) if found else None)}
            for model, track in references_of(bench) for found in [reference(bench, results, model, track)]
        ],
        "weights": dict(told.board.weights) if told.board else {},
        "weights_from": told.board.weights_from if told.board else "",
        "board": board["rows"] if board else [], "refused": board["refused"] if board else [],
        "board_notes": board["notes"] if board else [], "no_board": told.no_board, "lost": list(told.lost),
        "counts": {status: sum(one.status == status for one in told.cells)
                   for status in ("clean", "flagged", "penalised", "removed", "no_model", "unmeasured", "broken")},
    }  # fmt: skip


def title_of(bench: Bench) -> str:
    """Return how the benchmark is called."""
    head = bench.rules.toml.benchmark
    return bench.toml.bench.title or head.title or head.name


def _agents(told: Told) -> list[dict[str, Any]]:
    """Return each agent with the scores of its repeats, and what became of its runs."""
    rows = {row.entrant: row for row in told.board.rows if row.entrant} if told.board else {}
    found: dict[str, dict[str, Any]] = {}
    for one in told.cells:
        agent = one.cell.agent.name
        held = found.setdefault(agent, {"agent": agent, "runs": 0, "statuses": {}, "flags": [], "scores": []})
        held["runs"] += 1
        held["statuses"][one.status] = held["statuses"].get(one.status, 0) + 1
        held["flags"] = sorted({*held["flags"], *(each.rule for each in one.flagged)})
    for agent, held in found.items():
        mine = [row for name, row in sorted(rows.items()) if name == agent or name.startswith(f"{agent}~")]
        held["scores"] = [row.score.value for row in mine if row.score is not None]
        held["mean_score"] = sum(held["scores"]) / len(held["scores"]) if held["scores"] else None
        held["rows_without_score"] = [f"{row.label}: {row.why}" for row in mine if row.score is None]
    return list(found.values())


def exit_status(told: Told) -> int:
    """Return 1 where a run is flagged or refused, else 3 where something was not measured, else 0."""
    if any(one.status in ("flagged", "penalised", "removed") for one in told.cells):
        return 1
    if told.board is not None and told.board.refused:
        return 1
    open_ = told.lost or not told.cells or any(one.not_measured or one.status == "broken" for one in told.cells)
    return 3 if open_ else 0
