"""Suspects: tasks whose key or grader the models contradict. Every row is a lead until a probe proves it."""

from __future__ import annotations

from fairtrial.report.claims import suspects_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Span, Table
from fairtrial.report.numbers import count, of, rounded
from fairtrial.report.sections.difficulty import side_facts
from fairtrial.report.subject import Subject
from fairtrial.report.words import visible

MOST_SUSPECTS = 20


def suspects_section(subject: Subject) -> Section:
    """Return the section on suspects."""
    measurement = subject.measurement
    side = side_facts(subject, measurement.suspects_method)
    if not measurement.suspects:
        measured = measurement.suspects_measured
        why = "it takes answers with keys, checks, or two models"
        empty = Scope(
            "Tasks whose key or grader the models contradict would be here",
            measurement.suspects_method if measured else why,
            f"fairtrial measure {subject.context.ledger} --suspects",
        )
        return Section(
            key="suspects",
            title="Suspects",
            side=(),
            blocks=(Block(claim=suspects_claim((), measured=measured), empty=empty),),
        )
    shown = measurement.suspects[:MOST_SUSPECTS]
    columns = (
        Column(key="rank", title="no.", kind="number"),
        Column(key="task", title="task", kind="name"),
        Column(key="reasons", title="reasons"),
        Column(key="score", title="score", kind="number"),
        Column(key="score_glyph", title="0 to 1", kind="glyph"),
    )
    rows = tuple(
        Row(
            (
                Cell(text=count(rank), value=rank),
                Cell(text=visible(suspect.task), value=suspect.task),
                Cell(text=visible("; ".join(suspect.reasons))),
                Cell(text=rounded(suspect.score, 2), value=suspect.score),
                Cell(span=Span(suspect.score), text=f"score {rounded(suspect.score, 2)}"),
            )
        )
        for rank, suspect in enumerate(shown, 1)
    )
    caption = f"{of(len(shown), len(measurement.suspects))} shown, most suspicious first."
    table = Table(key="suspects", caption=caption, columns=columns, rows=rows, layout="stack")
    block = Block(
        claim=suspects_claim(measurement.suspects),
        tables=(table,),
        say="A score ranks and has no interval. Every row is a lead until a probe or a reader proves it.",
    )
    return Section(key="suspects", title="Suspects", side=(*side, Fact("Severity", "lead")), blocks=(block,))
