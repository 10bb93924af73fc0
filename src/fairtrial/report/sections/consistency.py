"""Consistency: whether the records agree with themselves. Arithmetic that needs no opinion."""

from __future__ import annotations

from fairtrial.report.claims import consistency_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Table
from fairtrial.report.numbers import of
from fairtrial.report.subject import Subject
from fairtrial.report.words import visible


def consistency_section(subject: Subject) -> Section:
    """Return the section on consistency, what does not hold first."""
    statements = subject.measurement.consistency
    if not statements:
        empty = Scope(
            "Statements about the records, each with how many bear it out, would be here",
            "the ledger holds no rollout",
            f"fairtrial measure {subject.context.ledger}",
        )
        return Section(
            key="consistency",
            title="Consistency",
            side=(),
            blocks=(Block(claim="Consistency was not measured", empty=empty),),
        )
    rows = tuple(
        Row(
            (
                Cell(
                    text="holds" if s.holds else "does not hold",
                    value=str(s.holds).lower(),
                    state="holds" if s.holds else "refuted",
                ),
                Cell(text=visible(s.claim), value=s.name),
                Cell(text=of(s.count, s.of) + (f"; {visible(s.detail)}" if s.detail else "")),
            )
        )
        for s in sorted(statements, key=lambda s: s.holds)
    )
    columns = (
        Column(key="result", title="result", kind="state"),
        Column(key="statement", title="statement"),
        Column(key="evidence", title="counter-examples"),
    )
    table = Table(key="consistency", caption="What does not hold first.", columns=columns, rows=rows, layout="stack")
    side = (Fact("n", "each statement names its own"), Fact("Method", "recount"))
    return Section(
        key="consistency",
        title="Consistency",
        side=side,
        blocks=(Block(claim=consistency_claim(statements), tables=(table,)),),
    )
