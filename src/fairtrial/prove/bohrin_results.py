"""Proofs as bohrin's conformance results: which weakness classes were found in each fixture of its suite.

Pure: documents in, document out; no grader is run. A fixture is flagged with the class of each proof, and with the
class that it was asked about where a lead names it. What a simpler finding explains is not a second weakness: a grader
that passes a constant passes a look-up table too. Not covered: classes that no probe has; they are never flagged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fairtrial.attack import cards

SCHEMA = "https://bohrin.com/schema/conformance-results/v1"
_LABELS = {
    "reference": "BGW-124", "reference_repeat": "BGW-127", "reference_concurrent": "BGW-127", "wrong_repeat": "BGW-127",
    "tie": "BGW-125", "reward_range": "BGW-128", "flat_credit": "BGW-122", "null": "BGW-125",
    "declared_wrong": "BGW-119", "defect": "BGW-119", "declared_right": "BGW-121", "alternative": "BGW-121",
}  # fmt: skip
"""Class of what is read off gradings rather than tried by a probe of its own."""
_EXPLAINED: Mapping[str, frozenset[str]] = {
    "BGW-101": frozenset({"BGW-103", "BGW-104", "BGW-105", "BGW-119", "BGW-126"}),
    "BGW-126": frozenset({"BGW-106", "BGW-107", "BGW-123", "BGW-125", "BGW-129", "BGW-138"}),
    "BGW-125": frozenset({"BGW-106", "BGW-107", "BGW-123", "BGW-138"}),
}
"""Class -> classes that it explains: whoever pays for a program that fails pays for any text that is no program."""
ABOUT: Mapping[str, str] = {
    "trivial-implementation": "BGW-101", "exit-before-checks": "BGW-102", "equality-spoofing": "BGW-103",
    "hard-coded-outputs": "BGW-104", "state-across-calls": "BGW-105", "tests-too-narrow": "BGW-120",
    "lenient-checker": "BGW-123", "reference-wrong": "BGW-124", "failure-scored-as-success": "BGW-126",
    "nondeterministic-grader": "BGW-127",
}  # fmt: skip
"""The class that each pair of the suite is about, as its own list has it: what a tool is asked about that pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One grader of a conformance suite, and what became of it."""

    id: str
    """`bcl-1/trivial-implementation/defect`."""
    document: Mapping[str, Any] | None
    """Its entry in a `fairtrial.proof/1` document; None where it could not be proven."""
    message: str = ""
    """Why there is no document."""


def bohrin_results(
    fixtures: Iterable[Fixture], *, version: str, level: str = "BCL-1", level_version: int = 1
) -> dict[str, Any]:
    """Return the document that `bohrin conformance check` reads; fixtures in their order.

    >>> bohrin_results([Fixture(id="bcl-1/a/defect", document=None, message="no bwrap")], version="1")["results"]
    [{'fixture': 'bcl-1/a/defect', 'status': 'error', 'message': 'no bwrap'}]
    """
    return {
        "$schema": SCHEMA,
        "suite": {"level": level, "version": level_version},
        "tool": {"name": "fairtrial", "version": version},
        "results": [_result(fixture) for fixture in fixtures],
    }


def _result(fixture: Fixture) -> dict[str, Any]:
    if fixture.document is None:
        return {"fixture": fixture.id, "status": "error", "message": fixture.message or "it could not be proven"}
    asked = ABOUT.get(fixture.id.split("/")[1], "")
    return {"fixture": fixture.id, "status": "ran", "flagged": flagged(fixture.document, asked)}


def flagged(document: Mapping[str, Any], asked: str = "") -> list[str]:
    """Return the classes that a task's entry of a proof document shows, sorted: by a proof, or a lead of `asked`.

    >>> flagged({"findings": [{"probe": "program_stub", "severity": "proof", "evidence": {}},
    ...                       {"probe": "program_examples", "severity": "proof", "evidence": {}}]})
    ['BGW-101']
    """
    classes = {card.id: card.classes for card in cards()}
    found: set[str] = set()
    for finding in document.get("findings", ()):
        primary = _class_of(finding["probe"].partition(":")[0], classes)
        is_steady = primary == "BGW-127" or not _wavers(finding.get("evidence"))
        if primary and is_steady and (finding["severity"] == "proof" or primary == asked):
            found.add(primary)
    explained = {other for one in found for other in _EXPLAINED.get(one, ())}
    return sorted(found - explained)


def _class_of(probe: str, classes: Mapping[str, tuple[str, ...]]) -> str:
    """Return the first of bohrin's classes of a probe; empty where it has none."""
    if probe in _LABELS:
        return _LABELS[probe]
    return next((one for one in classes.get(probe, ()) if one.startswith("BGW-")), "")


def _wavers(evidence: Any) -> bool:
    """Say whether the example of a finding scored differently from one grading to the next: chance, not a hole."""
    read = json.loads(evidence) if isinstance(evidence, str) and evidence else evidence
    example = read.get("example") if isinstance(read, Mapping) else None
    rewards = example.get("rewards") if isinstance(example, Mapping) else None
    return isinstance(rewards, list) and len(set(rewards)) > 1
