"""A board as one JSON document, which is also what is kept of each version. No times, no paths: same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairtrial.board.locking import FIELDS, Lock
from fairtrial.board.result import SCHEMA, Board, Part, Reference, Refused, Row
from fairtrial.board.runs import Attempt
from fairtrial.records import Estimate, record_id


def document_of(board: Board) -> dict[str, Any]:
    """Return the JSON document."""
    return {
        "schema": SCHEMA,
        "title": board.title,
        "rules": board.rules,
        "checked": list(board.checked),
        "locked": _locked(board),
        "rows": [_row(row) for row in board.rows],
        "references": [_reference(each) for each in board.references],
        "refused": [_refused(each) for each in board.refused],
        "ranks": {
            "method": "1 + rows separated above; paired by task, bootstrap over clusters, t",
            "confidence": board.options.confidence, "pairs": board.pairs, "separated": board.separated,
            "seed": board.options.seed, "replicates": board.options.replicates,
        },
        "notes": list(board.notes),
    }  # fmt: skip


def _locked(board: Board) -> dict[str, Any]:
    """Return what rows are locked to; of several tracks, what they have in common, and each."""
    common = {name: {getattr(lock.where, name) for lock in board.locks} for name in FIELDS}
    return {name: next(iter(values)) if len(values) == 1 else None for name, values in common.items()} | {
        "tracks": [_lock(lock, board.weights.get(lock.track)) for lock in board.locks],
        "weights_from": board.weights_from,
    }


def _lock(lock: Lock, weight: float | None) -> dict[str, Any]:
    return {
        "track": lock.track, **lock.where._asdict(), "stated": list(lock.stated), "weight": weight,
        "runs_per_task": lock.runs_per_task, "tasks": list(lock.tasks), "runs": lock.runs,
        "clusters": len(set(lock.clusters)), "clustered": _clustered(lock), "notes": [*lock.notes, *lock.warnings],
    }  # fmt: skip


def _clustered(lock: Lock) -> str:
    """Return a short name for which tasks are one cluster: two versions of a board had the same ones, or not."""
    each: dict[str, list[str]] = {}
    for task, cluster in zip(lock.tasks, lock.clusters, strict=True):
        each.setdefault(cluster, []).append(task)
    return record_id("clusters/1", {"tasks": sorted(each.values())})[:12]


def _row(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank, "last_rank": row.last_rank, "model": row.label, "key": row.key, "entrant": row.entrant,
        "models": list(row.models), "agent": row.who.agent if row.who else "",
        "effort": row.who.effort if row.who else "",
        "score": _estimate(row.score),
        "bounds": None if row.bounds is None else {"low": row.bounds[0], "high": row.bounds[1]},
        "status": row.status, "why": row.why, "judged": row.judged,
        "standings": {model: {rule: one.document() for rule, one in each.items()}
                      for model, each in row.standings.items()},
        "tracks": [_part(part) for part in row.parts],
        "spent": row.spent.document(), "making": row.making.document(),
        "submissions": [each.id for each in row.submissions],
        "screenings": [{"id": each.id, "kind": each.kind, "model": each.model, "holds": each.holds,
                        "summary": each.summary} for each in row.screenings],
        "withdrawals": [{"id": each.id, "author": each.author, "reason": each.reason, "rollouts": len(each.rollouts)}
                        for each in row.withdrawals],
    }  # fmt: skip


def _part(part: Part) -> dict[str, Any]:
    return {
        "track": part.track, "model": part.model, "label": part.label, "base": part.base, "scored_by": part.scored_by,
        "accuracy": _estimate(part.accuracy), "own_accuracy": _estimate(part.own_accuracy), "why": part.why,
        "tasks": {one.task: {"passed": one.passed, "failed": one.failed, "ungraded": one.ungraded,
                             "runs": runs_digest(one.attempts)} for one in part.tasks},
        "withdrawn": [one.id for one in part.withdrawn],
    }  # fmt: skip


def runs_digest(attempts: Sequence[Attempt]) -> str:
    """Return a short name for a set of rollouts: two versions of a board had the same ones, or not."""
    return record_id("runs/1", {"ids": sorted(one.id for one in attempts)})[:12]


def _reference(reference: Reference) -> dict[str, Any]:
    return {"role": reference.role, "models": list(reference.models), "score": _estimate(reference.score),
            "why": reference.why}  # fmt: skip


def _refused(refused: Refused) -> dict[str, Any]:
    return {
        "run": refused.run, "why": refused.why, "track": refused.track, **refused.who._asdict(),
        **refused.where._asdict(), "rollouts": refused.rollouts,
        "problems": [{"field": each.field, "got": each.got, "wants": each.wants, "names": list(each.names)}
                     for each in refused.problems],
    }  # fmt: skip


def _estimate(estimate: Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"value": None, "low": None, "high": None, "n": 0, "ungraded": 0, "method": "not measured"}
    return {name: getattr(estimate, name) for name in ("value", "low", "high", "n", "ungraded", "method")}
