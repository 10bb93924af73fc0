"""Read from a ledger what people, judges and screenings said, for the report: error rates, examples, experts.

Not covered: whether a benchmark is flawed. That takes the sample that was inspected, which is `audit checklist`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.audit.estimating import Sources, estimate, read_material
from fairtrial.audit.pairs import Ranking, rank_pairs, read_pairs
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.audited import all_inspections, all_signoffs
from fairtrial.ledger.screened import all_screenings
from fairtrial.ledger.signed import SignedTask, signed_tasks
from fairtrial.records import Inspection, Proof, Screening
from fairtrial.report.examples import read_examples
from fairtrial.report.subject import Audited, Inspected


def read_audited(ledger: Ledger, proofs: Sequence[Proof] = ()) -> Audited:
    """Return what the audit of `ledger` came to; `proofs` say which content each task has now."""
    examples, answered = read_examples(ledger)
    rates = estimate(read_material(ledger, Sources())) if _holds(ledger, "reviews") else None
    return Audited(rates=rates, examples=examples, answered=answered, inspected=_inspected(all_inspections(ledger)),
                   signed=_signed(ledger, proofs), preferences=_preferences(ledger),
                   screened=_screened(ledger))  # fmt: skip


def _holds(ledger: Ledger, table: str) -> bool:
    return connect(ledger).execute(f"select 1 from {table} limit 1").fetchone() is not None


def _inspected(inspections: Sequence[Inspection]) -> tuple[Inspected, ...]:
    """Count by checklist the last answer of each inspector to each question."""
    last = {(one.checklist, one.task, one.item, one.reviewer): one for one in inspections}
    found = []
    for checklist in sorted({one.checklist for one in last.values()}):
        said = [one for one in last.values() if one.checklist == checklist]
        failing = [one for one in said if one.answer == "fails"]
        found.append(Inspected(
            checklist=checklist,
            inspectors=tuple(sorted({one.reviewer for one in said})),
            tasks=len({one.task for one in said if one.task}),
            failing=len({one.task for one in failing if one.task}),
            at_scale=tuple(sorted({one.item for one in failing if one.at_scale})),
        ))  # fmt: skip
    return tuple(found)


def _signed(ledger: Ledger, proofs: Sequence[Proof]) -> tuple[SignedTask, ...]:
    signoffs = all_signoffs(ledger)
    if not signoffs:
        return ()
    attempted = connect(ledger).execute(
        "select task, arg_max(task_hash, coalesce(recorded_at, '') || id) from rollouts "
        "where task_hash <> '' group by task"
    )
    hashes = dict(attempted.fetchall()) | {proof.task: proof.task_hash for proof in proofs if proof.task_hash}
    # A task that is neither attempted nor proven is known by its sign-offs alone: the last content that was signed.
    hashes = {one.task: one.task_hash for one in signoffs} | hashes
    tasks = signed_tasks(signoffs, hashes).values()
    return tuple(task for task in tasks if task.said or task.void or task.designs)


def _preferences(ledger: Ledger) -> Ranking | None:
    return rank_pairs(read_pairs(ledger)) if _holds(ledger, "preferences") else None


def _screened(ledger: Ledger) -> tuple[Screening, ...]:
    last = {(one.model, one.subject, one.kind, one.against): one for one in all_screenings(ledger)}
    return tuple(last[key] for key in sorted(last))
