"""Findings as SARIF 2.1.0, which code review shows beside the lines: a proof is an error, a lead a note.

A result stands at the line that a static reading names, else at the first line of the task's grader. An accepted
finding is suppressed with its reason, and what was not measured is a notification: neither is silence. Not covered:
fixes, code flows, and the evidence, which a finding's command shows again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from fairtrial.attack import Card, cards
from fairtrial.prove.certificate.baseline import Accepted
from fairtrial.prove.proof import ProvenTask
from fairtrial.records import Finding, record_id
from fairtrial.tasks import Key

SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(
    proven: Sequence[ProvenTask],
    keys: Mapping[str, Key],
    accepted: Mapping[str, Accepted],
    tool: str,
    root: Path,
) -> dict[str, Any]:
    """Return the SARIF log of one run; places are relative to `root`, the checkout, where they lie in it.

    `keys` has the tasks; a grader that is no task folder's stands at the path of its proof.
    """
    known = {card.id: card for card in cards()}
    findings = [(finding, Path(one.proof.path)) for one in proven for finding in one.findings]
    names = sorted({rule_id(finding, known) for finding, _ in findings})
    results = [
        _result(finding, names, known, accepted.get(finding.id), place_of(finding, keys.get(finding.task), path), root)
        for finding, path in findings
    ]
    driver = {
        "name": "fairtrial",
        "version": tool,
        "rules": [_rule(name, known.get(name)) for name in names],
    }
    notifications = [
        {
            "level": "warning" if probe.split(":")[0] in one.proof.required else "note",
            "message": {"text": f"not measured: {probe} of {one.proof.task}: {why}"},
        }
        for one in proven
        for probe, why in one.proof.not_measured
    ]
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def rule_id(finding: Finding, known: Mapping[str, Card]) -> str:
    """Return the id of the probe that made a finding, else its family."""
    return next((part for part in finding.probe.split(":") if part in known), finding.family)


def _rule(name: str, card: Card | None) -> dict[str, Any]:
    if card is None:
        text = {"text": f"A probe of the family {name}, brought from outside the catalogue."}
        return {"id": name, "shortDescription": text, "fullDescription": text}
    return {
        "id": name,
        "shortDescription": {"text": f"Hands in {card.submits}; a sound grader {card.sound}."},
        "fullDescription": {"text": card.proof},
        "properties": {"tags": [card.family, *card.classes], "version": card.version},
    }


def _result(
    finding: Finding,
    rules: Sequence[str],
    known: Mapping[str, Card],
    accepted: Accepted | None,
    place: tuple[Path, int],
    root: Path,
) -> dict[str, Any]:
    name = rule_id(finding, known)
    shown = f"\n\nShow it again: {finding.command}" if finding.command else ""
    path, line = place
    result: dict[str, Any] = {
        "ruleId": name,
        "ruleIndex": rules.index(name),
        "level": "error" if finding.severity == "proof" else "note",
        "message": {"text": f"{finding.task}: {finding.claim}{shown}"},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(path, root), "region": {"startLine": line}}}],
        "fingerprints": {"finding/1": finding.id},
        # The same finding after an edit elsewhere in the task: its id is new, this is not.
        "partialFingerprints": {"primaryLocationLineHash": _lasting(finding)},
        "properties": {"task": finding.task, "probe": finding.probe, "family": finding.family,
                       "severity": finding.severity, "runner": finding.runner},
    }  # fmt: skip
    if accepted is not None:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": accepted.reason}]
    return result


def _lasting(finding: Finding) -> str:
    parts = {"task": finding.task, "probe": finding.probe, "severity": finding.severity, "runner": finding.runner}
    return f"{record_id('sarif/1', parts)}:1"


def place_of(finding: Finding, key: Key | None, path: Path) -> tuple[Path, int]:
    """Return the file and line of a finding: what its evidence names, else the last step's test.sh, else task.toml.

    `path` is where what has no key lies.
    """
    if key is None:
        return path, 1
    evidence = orjson.loads(finding.evidence) if finding.evidence else {}
    folders = [step.tests for step in reversed(key.steps)]
    name, line = (evidence.get("file"), evidence.get("line")) if isinstance(evidence, dict) else (None, None)
    if isinstance(name, str) and isinstance(line, int) and line > 0:
        named = [folder / name for folder in (*folders, key.path)]
        own = key.path.resolve()
        found = next((path for path in named if path.is_file() and path.resolve().is_relative_to(own)), None)
        if found is not None:
            return found, line
    graders = [folder / "test.sh" for folder in folders]
    return next((path for path in graders if path.is_file()), key.path / "task.toml"), 1


def _artifact(path: Path, root: Path) -> dict[str, str]:
    whole = path.resolve()
    if whole.is_relative_to(root.resolve()):
        relative = whole.relative_to(root.resolve())
        return {"uri": Path("/", relative).as_uri().removeprefix("file:///"), "uriBaseId": "%SRCROOT%"}
    return {"uri": whole.as_uri()}
