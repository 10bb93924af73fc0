"""Compose one report, as data, from a measurement, proofs, findings and a context. Pure: no files, no clock."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.measure.result import Measurement
from fairtrial.records import Finding, Proof
from fairtrial.report.data import Report
from fairtrial.report.sections.audit import audit_section
from fairtrial.report.sections.bins import bins_section
from fairtrial.report.sections.consistency import consistency_section
from fairtrial.report.sections.contamination import contamination_section
from fairtrial.report.sections.difficulty import difficulty_section
from fairtrial.report.sections.examples import examples_section
from fairtrial.report.sections.experts import experts_section
from fairtrial.report.sections.findings import findings_section
from fairtrial.report.sections.gradient import gradient_section
from fairtrial.report.sections.lift import lift_section
from fairtrial.report.sections.proofs import proofs_section
from fairtrial.report.sections.provenance import provenance_section
from fairtrial.report.sections.reliability import reliability_section
from fairtrial.report.sections.scope import identity, measured, not_measured, notices
from fairtrial.report.sections.spend import spend_section
from fairtrial.report.sections.stops import stops_section
from fairtrial.report.sections.suspects import suspects_section
from fairtrial.report.sections.ungraded import ungraded_section
from fairtrial.report.sections.verdict import verdict_part
from fairtrial.report.subject import Audited, Context, Subject, subject_of
from fairtrial.report.trained import Trained
from fairtrial.report.words import visible

SECTIONS = (
    findings_section,
    proofs_section,
    audit_section,
    examples_section,
    experts_section,
    contamination_section,
    difficulty_section,
    reliability_section,
    gradient_section,
    lift_section,
    bins_section,
    spend_section,
    suspects_section,
    stops_section,
    ungraded_section,
    consistency_section,
    provenance_section,
)


def build(
    measurement: Measurement,
    proofs: Sequence[Proof],
    findings: Sequence[Finding],
    context: Context,
    audited: Audited | None = None,
    trained: Trained | None = None,
) -> Report:
    """Return the report. Raise InputError where the chosen model is not in the measurement."""
    subject = subject_of(measurement, proofs, findings, context, audited, trained)
    return Report(
        title=_title(subject),
        subtitle="What this suite is worth as post-training data, and how far the answer can be trusted.",
        tool=context.tool or "fairtrial",
        identity=identity(subject),
        notices=notices(subject),
        measured=measured(subject),
        not_measured=not_measured(subject),
        verdict=verdict_part(subject),
        sections=tuple(section(subject) for section in SECTIONS),
    )


def _title(subject: Subject) -> str:
    if subject.context.title:
        return visible(subject.context.title)
    suites = [suite for suite in (subject.context.suite, *subject.measurement.suites) if suite]
    return visible(suites[0].split("@")[0]) if suites else "Unnamed suite"
