"""Proofs and findings of a ledger as records, every one that was ever kept.

Which of several proofs of a task stands is the reader's question, and is answered where it is asked.
"""

from __future__ import annotations

from typing import Any

from fairtrial.ledger.store import Ledger
from fairtrial.ledger.views import connect
from fairtrial.records import Finding, Proof


def all_proofs(ledger: Ledger) -> tuple[Proof, ...]:
    """Return every proof, in the order in which they were recorded."""
    if not ledger.parts("proofs"):  # to connect reads every table
        return ()
    proofs = []
    for row in _rows(ledger, "select * from proofs order by recorded_at, id"):
        row["not_measured"] = tuple((entry["probe"], entry["why"]) for entry in row["not_measured"] or ())
        for name in ("required", "measured", "not_applicable"):
            row[name] = tuple(row[name] or ())
        proofs.append(Proof(**_known(row, Proof)))
    return tuple(proofs)


def all_findings(ledger: Ledger) -> tuple[Finding, ...]:
    """Return every finding, by task and probe."""
    if not ledger.parts("findings"):
        return ()
    rows = _rows(ledger, "select * from findings order by task, family, probe, runner, id")
    return tuple(Finding(**_known(row, Finding)) for row in rows)


def _rows(ledger: Ledger, query: str) -> list[dict[str, Any]]:
    result = connect(ledger).execute(query)
    columns = [column[0] for column in result.description or []]
    return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]


def _known(row: dict[str, Any], kind: type[Proof] | type[Finding]) -> dict[str, Any]:
    """Return the fields that the record has and the row fills; a null is the field's own default."""
    return {name: row[name] for name in kind.__dataclass_fields__ if row.get(name) is not None}
