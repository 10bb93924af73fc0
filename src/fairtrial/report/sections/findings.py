"""Findings: every claim about a record. A proof shows its command; a lead says so and accuses nobody."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from fairtrial.records import Finding
from fairtrial.report.claims import findings_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Table
from fairtrial.report.numbers import of
from fairtrial.report.sections.proofs import PROBES
from fairtrial.report.subject import Subject
from fairtrial.report.words import listed, plural, verb, visible

MOST_LEADS = 60
_EVIDENCE_LENGTH = 200


def findings_section(subject: Subject) -> Section:
    """Return the section on findings: proofs first, then leads."""
    proofs = [finding for finding in subject.findings if finding.severity == "proof"]
    leads = [finding for finding in subject.findings if finding.severity == "lead"]
    rows = [_row(finding) for finding in proofs + leads[:MOST_LEADS]] + _measured_leads(subject)
    total_leads = len(leads) + len(_measured_leads(subject))
    claim = findings_claim(len(proofs), total_leads, probed=_is_probed(subject))
    side = (
        Fact("Base", f"{plural(subject.measurement.tasks, 'task')}, {plural(subject.measurement.rollouts, 'rollout')}"),
        Fact("Severity", "proof: reproduced, its command shows it again; lead: worth a look"),
    )
    if not rows:
        block = Block(claim=claim, empty=_empty(subject))
    else:
        block = Block(
            claim=claim,
            say="A proof can be shown again by its command. A lead accuses nobody.",
            tables=(_table(rows, len(leads)),),
        )
    return Section(key="findings", title="Findings", side=side, blocks=(block,))


def _is_probed(subject: Subject) -> bool:
    """Say whether any probe was asked; grading known candidates alone looks for nothing else."""
    return any(probe in PROBES for proof in subject.proofs for probe in proof.measured)


def _table(rows: list[Row], leads: int) -> Table:
    caption = "Proofs first, then leads, by task."
    if leads > MOST_LEADS:
        caption += f" {of(MOST_LEADS, leads)} recorded leads shown; `fairtrial sql` has them all."
    columns = (
        Column(key="severity", title="severity", kind="state"),
        Column(key="claim", title="claim, and the command that shows it again", kind="claim"),
        Column(key="record", title="record", kind="name"),
    )
    return Table(key="findings", caption=caption, columns=columns, rows=tuple(rows), layout="stack")


def _row(finding: Finding) -> Row:
    state = "proof" if finding.severity == "proof" else "lead"
    seen_by = {
        "ours": "",
        "harbor_shared": "seen by Harbor's shared runner",
        "legacy": "seen by a runner that keeps the agent's log folder",
    }[finding.runner]
    note = "; ".join(part for part in (seen_by, evidence_words(finding.evidence)) if part)
    return Row(
        (
            Cell(text=state, value=state, state="proof" if state == "proof" else "lead"),
            Cell(text=visible(finding.claim), note=note, command=visible(finding.command)),
            Cell(text=visible(finding.task), value=finding.task, note=visible(_probe_words(finding))),
        )
    )


def _probe_words(finding: Finding) -> str:
    same = finding.probe.startswith(finding.family)
    return finding.probe if same else f"{finding.family}: {finding.probe}"


def evidence_words(evidence: str) -> str:
    """Return the plain values of a finding's evidence as `name value, name value`; empty where there are none.

    >>> evidence_words('{"score": 1.0, "tail": ["x"], "checks_failed": "a"}')
    'score 1.0, checks failed a'
    """
    try:
        content = orjson.loads(evidence) if evidence else None
    except orjson.JSONDecodeError:
        return visible(evidence[:_EVIDENCE_LENGTH])
    if not isinstance(content, Mapping):
        return ""
    plain = [
        f"{name.replace('_', ' ')} {value}"
        for name, value in content.items()
        if isinstance(value, str | int | float) and value != "" and len(str(value)) <= 80
    ]
    return visible(", ".join(plain)[:_EVIDENCE_LENGTH])


def _measured_leads(subject: Subject) -> list[Row]:
    """Return the leads that the figures themselves raise: tasks nobody passed, and runs that look like an outage."""
    measurement, rows = subject.measurement, []
    never, models = measurement.never_passed, len(measurement.models)
    if never and models > 1:
        rows.append(
            _lead(
                f"No model ever passed {verb(len(never), 'it', 'them')}: unsolvable, or too hard for "
                f"each of {models} models; a reference run decides.",
                f"fairtrial prove {subject.context.suite_path}",
                listed([visible(t) for t in never], most=6),
            )
        )
    for figures in measurement.models:
        if figures.outages:
            longest = max(outage.length for outage in figures.outages)
            runs = "A run of" if len(figures.outages) == 1 else f"{len(figures.outages)} runs of up to"
            claim = f"{runs} {longest} failures in a row across unrelated tasks"
            command = f"fairtrial measure {subject.context.ledger} --json"
            rows.append(_lead(f"{claim}: an outage would look like this.", command, visible(figures.model)))
    return rows


def _lead(claim: str, command: str, record: str) -> Row:
    return Row((Cell(text="lead", value="lead", state="lead"), Cell(text=claim, command=command), Cell(text=record)))


def _empty(subject: Subject) -> Scope:
    if subject.proofs:
        suite = subject.context.suite_path
        return Scope("Findings of attacks would be here", "no attack was run", f"fairtrial attack {suite} --agent hack")
    return Scope(
        "What probes show about each grader would be here",
        "no grader was put to the proof",
        f"fairtrial prove {subject.context.suite_path}",
    )
