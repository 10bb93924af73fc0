"""What every probe came to as JUnit XML, which CI servers show as tests: a suite a task, a case a probe.

    failure    a proof: the grader was wrong
    error      nothing that the probe handed in came to a verdict: neither right nor wrong
    skipped    not measured, not applicable, or a proof that the baseline accepts
    a pass     the grader was right; a lead stands in its output

Not covered: what a case costs; a task's time is its suite's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from fairtrial.prove.certificate.baseline import Accepted
from fairtrial.prove.outcome import ProbeOutcome, speaks_of
from fairtrial.prove.proof import ProvenTask
from fairtrial.records import Finding

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(proven: Sequence[ProvenTask], accepted: Mapping[str, Accepted]) -> bytes:
    """Return the XML document."""
    top = ET.Element("testsuites", name="fairtrial")
    for one in proven:
        suite = ET.SubElement(top, "testsuite", name=_text(one.proof.task))
        _cases(suite, one, accepted)
        counted = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error",
                   "skipped": "testcase/skipped"}  # fmt: skip
        for name, path in counted.items():
            suite.set(name, str(len(suite.findall(path))))
        suite.set("time", f"{one.proof.seconds or 0.0:.3f}")
        if one.proof.recorded_at:
            suite.set("timestamp", one.proof.recorded_at)
    for name in ("tests", "failures", "errors", "skipped"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in top)))
    ET.indent(top)
    written: bytes = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _cases(suite: ET.Element, one: ProvenTask, accepted: Mapping[str, Accepted]) -> None:
    groups: dict[str, list[ProbeOutcome]] = {}
    for outcome in sorted(one.outcomes, key=lambda outcome: (outcome.probe, outcome.runner)):
        groups.setdefault(outcome.made_by, []).append(outcome)
    told: set[str] = set()
    for name, outcomes in groups.items():
        found = [f for f in one.findings if any(speaks_of(f.probe, outcome.probe) for outcome in outcomes)]
        told |= {finding.id for finding in found}
        _of_probe(_case(suite, one, name), outcomes, found, accepted)
    others: dict[str, list[Finding]] = {}
    for finding in one.findings:
        if finding.id not in told:
            others.setdefault(finding.probe, []).append(finding)
    for name, found in sorted(others.items()):
        _told(_case(suite, one, name), found, accepted)
    for probe, why in sorted(set(one.proof.not_measured)):
        if probe not in groups:
            _note(_case(suite, one, probe), "skipped", f"not measured: {why}")
    for probe in sorted(set(one.proof.not_applicable) - set(groups)):
        _note(_case(suite, one, probe), "skipped", "not applicable: the task gives no occasion")


def _of_probe(
    case: ET.Element,
    outcomes: Sequence[ProbeOutcome],
    found: Sequence[Finding],
    accepted: Mapping[str, Accepted],
) -> None:
    """Say what one probe's submissions came to; some that broke among others that did not are no error of the probe."""
    broken = [outcome for outcome in outcomes if outcome.verdict == "not measured"]
    lines = [
        f"not measured: {outcome.probe} [{outcome.runner}]: {'; '.join(outcome.reasons)}\n$ {outcome.command}"
        for outcome in broken
    ]
    if not any(finding.severity == "proof" for finding in found) and len(broken) == len(outcomes):
        kind = "error" if any(outcome.ungraded for outcome in broken) else "skipped"
        _note(case, kind, f"not measured: {'; '.join(broken[0].reasons) or 'no verdict'}", "\n\n".join(lines))
        lines = []
    _told(case, found, accepted, lines)


def _told(
    case: ET.Element, found: Sequence[Finding], accepted: Mapping[str, Accepted], notes: Sequence[str] = ()
) -> None:
    """Say what was found in a case: new proofs fail it, accepted ones skip it, leads stand in its output."""
    proofs = [finding for finding in found if finding.severity == "proof"]
    new = [finding for finding in proofs if finding.id not in accepted]
    if new:
        _note(case, "failure", new[0].claim, "\n\n".join(f"{finding.claim}\n$ {finding.command}" for finding in new))
    elif proofs:
        _note(case, "skipped", f"accepted: {accepted[proofs[0].id].reason}")
    lines = [f"{finding.severity}: {finding.claim}\n$ {finding.command}" for finding in found if finding not in new]
    if lines or notes:
        ET.SubElement(case, "system-out").text = _text("\n\n".join([*lines, *notes]))


def _case(suite: ET.Element, one: ProvenTask, probe: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_text(one.proof.task), name=_text(probe))


def _note(case: ET.Element, kind: str, message: str, text: str = "") -> None:
    note = ET.SubElement(case, kind, message=_text(message))
    if text:
        note.text = _text(text)


def _text(text: str) -> str:
    """Return `text` with what XML cannot hold as question marks.

    >>> _text("a" + chr(0) + "b")
    'a?b'
    """
    return _NOT_XML.sub("?", text)
