"""Graders: what was proven of each, and what was not measured of it."""

from __future__ import annotations

from collections import Counter

from fairtrial.attack import workspace_probes
from fairtrial.records import Proof
from fairtrial.report.claims import proof_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, State, Table
from fairtrial.report.numbers import count, of
from fairtrial.report.subject import Subject, number_cell
from fairtrial.report.words import listed, plural, visible

MOST_ROWS = 200
PROBES = {probe.card.id: probe.card.family for probe in workspace_probes()}
"""Id of each probe of workspaces -> its family."""
_ORDER = ("refuted", "inconclusive", "proven")
_STATES: dict[str, State] = {"refuted": "refuted", "inconclusive": "none", "proven": "holds"}


def proofs_section(subject: Subject) -> Section:
    """Return the section on graders, refuted first."""
    graders = subject.graders
    claim = proof_claim(graders.proven, graders.refuted, graders.inconclusive)
    gradings = sum(proof.gradings for proof in subject.proofs)
    side = [
        Fact(
            "Proven",
            "0 for nothing, 1 for the reference, again and concurrently, and every known wrong candidate rejected",
        )
    ]
    if subject.proofs:
        side += [
            Fact("n", f"{count(graders.total)} graders, {count(gradings)} gradings"),
            Fact("Inconclusive", "a required family could not be measured; no statement that it is sound"),
        ]
        block = Block(claim=claim, tables=(_table(subject),))
    else:
        block = Block(
            claim=claim,
            empty=Scope(
                "The status of each task's grader would be here",
                "no task folder was proven",
                f"fairtrial prove {subject.context.suite_path}",
            ),
        )
    return Section(key="graders", title="Graders", side=tuple(side), blocks=(block,))


def _table(subject: Subject) -> Table:
    raised = Counter((f.task, f.severity) for f in subject.findings)
    ordered = sorted(subject.proofs, key=lambda proof: (_ORDER.index(proof.status), proof.task))
    rows = tuple(_row(proof, raised[proof.task, "proof"], raised[proof.task, "lead"]) for proof in ordered[:MOST_ROWS])
    caption = "Refuted first, then inconclusive, then proven; by name within."
    if len(ordered) > MOST_ROWS:
        caption += f" {of(MOST_ROWS, len(ordered))} shown; report.json and `fairtrial sql` have them all."
    columns = (
        Column(key="task", title="task", kind="name"),
        Column(key="status", title="status", kind="state"),
        Column(key="measured", title="measured"),
        Column(key="proofs", title="proofs", kind="number"),
        Column(key="leads", title="leads", kind="number"),
        Column(key="gradings", title="gradings", kind="number"),
        Column(key="not_measured", title="not measured, and why"),
    )
    return Table(key="proofs", caption=caption, columns=columns, rows=rows, layout="stack")


def _row(proof: Proof, proofs: int, leads: int) -> Row:
    missing = Counter(why for _, why in proof.not_measured)
    reasons = [f"{listed([p for p, w in proof.not_measured if w == why], most=4)}: {why}" for why in missing]
    return Row(
        (
            Cell(text=visible(proof.task), value=proof.task),
            Cell(text=proof.status, value=proof.status, state=_STATES[proof.status]),
            Cell(text=visible(", ".join(_families(proof.measured))) or "nothing"),
            number_cell(proofs),
            number_cell(leads),
            number_cell(proof.gradings),
            Cell(text=visible("; ".join(reasons)) or "all that applies was measured"),
        )
    )


def _families(measured: tuple[str, ...]) -> list[str]:
    """Return the families of known candidates that were graded, each once, then how many probes of each family ran.

    >>> _families(("null", "defect:a", "defect:b", "deliverable_missing", "hollow_blank", "links_out"))
    ['null', 'defect', '3 probes (1 null, 1 mutant, 1 hack)']
    """
    probes = Counter(PROBES[probe] for probe in measured if probe in PROBES)
    known = [probe for probe in measured if probe not in PROBES]
    named = list(dict.fromkeys(probe.split(":")[0].split("/")[0].replace("_", " ") for probe in known))
    total = sum(probes.values())
    said = ", ".join(f"{number} {family}" for family, number in probes.most_common())
    return [*named, f"{plural(total, 'probe')} ({said})"] if total else named
