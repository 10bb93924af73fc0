"""Provenance: files, hashes, versions, seed, sandbox, the method of every figure, and the commands to make it again."""

from __future__ import annotations

from fairtrial.report.data import Block, Cell, Column, Fact, Row, Section, Table
from fairtrial.report.subject import Subject, number_cell
from fairtrial.report.words import visible

_FORMULAS = (
    ("pass@k, pass^k", "1 − C(n−c, k)/C(n, k); C(c, k)/C(n, k); mean over tasks with n ≥ k"),
    ("Informative share", "E[1 − p^G − (1−p)^G] under the posterior of each task"),
    ("Shares of tasks", "Wilson score, z = 1.959964"),
    ("Strong and weak", "rates over graded rollouts; Fisher one-sided; Benjamini–Hochberg"),
)


def provenance_section(subject: Subject) -> Section:
    """Return the section on where everything comes from."""
    context, measurement = subject.context, subject.measurement
    tables = [_sources(subject)] if context.sources else []
    tables.append(_methods(subject))
    side = [
        Fact("Tool", context.tool or "fairtrial"),
        Fact("Report schema", "fairtrial.report/1"),
        Fact("Seed", str(measurement.seed)),
        Fact("Sandbox", sandbox_words(subject)),
    ]
    if context.versions:
        side.append(Fact("Numbers", ", ".join(f"{name} {version}" for name, version in context.versions)))
    block = Block(
        claim="The same ledger, seed and version give the same numbers",
        tables=tuple(tables),
        commands=tuple(visible(command) for command in context.commands),
    )
    return Section(key="provenance", title="Provenance", side=tuple(side), blocks=(block,))


def sandbox_words(subject: Subject) -> str:
    """Say which sandbox ran what, and whether it isolates."""
    names = ", ".join(visible(name) for name in subject.context.sandboxes)
    if subject.context.isolated is None:
        return f"{names}: isolation not recorded" if names else "nothing was run here; the records are another's"
    return f"{names or 'not recorded'}: {'isolated' if subject.context.isolated else 'no isolation promised'}"


def _sources(subject: Subject) -> Table:
    columns = (
        Column(key="source", title="source"),
        Column(key="file", title="file", kind="code"),
        Column(key="hash", title="sha256", kind="code"),
        Column(key="rows", title="rows", kind="number"),
    )
    rows = tuple(
        Row(
            (
                Cell(text=visible(s.name)),
                Cell(text=visible(s.file), value=s.file),
                Cell(text=s.hash, value=s.hash),
                number_cell(s.rows),
            )
        )
        for s in subject.context.sources
    )
    return Table(
        key="sources", caption="What the figures rest on, by content.", columns=columns, rows=rows, layout="stack"
    )


def _methods(subject: Subject) -> Table:
    named = []
    if subject.chosen is not None:
        chosen = subject.chosen
        named = [
            ("Pass rate", chosen.pass_rate.method),
            ("pass@k and pass^k bands", chosen.pass_at_k.method),
            ("Informative share, interval", chosen.gradient.posterior.method),
            ("Training band, share", chosen.band.share.method),
        ]
    named.append(("Suspects", subject.measurement.suspects_method))
    rows = tuple(Row((Cell(text=figure), Cell(text=method))) for figure, method in (*named, *_FORMULAS) if method)
    columns = (Column(key="figure", title="figure"), Column(key="method", title="method"))
    return Table(key="methods", caption="The method of each figure.", columns=columns, rows=rows, layout="stack")
