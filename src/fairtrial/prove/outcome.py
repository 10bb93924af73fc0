"""What one probe came to on one task, in numbers: what certificates, JUnit and exchanges with other tools are made of.

A noun and its judgement only. Whether a wrong verdict is a proof or a lead is the finding's word, not this one's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.records import Runner

Expects = Literal["fails", "passes"]
ProbeVerdict = Literal["ok", "wrong", "not measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOutcome:
    """Count what the grader said of one submission whose right score is known."""

    probe: str
    """Label as `--only` takes it: `null`, `defect:NAME`, `mutant:line_dropped:quotes.csv-3`."""
    family: str
    expects: Expects
    """What a sound grader does with it."""
    passed: int = 0
    failed: int = 0
    ungraded: int = 0
    """Gradings, or trials, that came to no verdict."""
    reasons: tuple[str, ...] = ()
    """Why it was not measured to the end; empty where it was."""
    runner: Runner = "ours"
    command: str = ""
    """Shows this outcome again."""
    candidate_hash: str = ""
    """Content address of what was handed in: files of a declared candidate, settings of a probe's agent."""

    @property
    def verdict(self) -> ProbeVerdict:
        """Say whether the grader was right each time; one wrong verdict outweighs all else.

        >>> ProbeOutcome(probe="null", family="null", expects="fails", failed=3).verdict
        'ok'
        >>> ProbeOutcome(probe="null", family="null", expects="fails", failed=2, passed=1).verdict
        'wrong'
        >>> ProbeOutcome(probe="null", family="null", expects="fails", failed=2, ungraded=1).verdict
        'not measured'
        """
        right, wrong = (self.failed, self.passed) if self.expects == "fails" else (self.passed, self.failed)
        if wrong:
            return "wrong"
        return "not measured" if self.ungraded or self.reasons or not right else "ok"

    @property
    def wavers(self) -> bool:
        """Say whether the grader said both of the same work."""
        return self.passed > 0 and self.failed > 0

    def document(self) -> dict[str, Any]:
        """Return the outcome as JSON."""
        return {
            "probe": self.probe,
            "family": self.family,
            "runner": self.runner,
            "expects": self.expects,
            "verdict": self.verdict,
            "passed": self.passed,
            "failed": self.failed,
            "ungraded": self.ungraded,
            "reasons": list(self.reasons),
            "command": self.command,
            "candidate_hash": self.candidate_hash,
        }


def speaks_of(finding: str, outcome: str) -> bool:
    """Say whether a finding of one label is about the outcome of another: a probe's finding speaks of its submissions.

    >>> [speaks_of("hack:x", label) for label in ("hack:x", "hack:x:a", "hack:xy", "null")]
    [True, True, False, False]
    >>> speaks_of("wrong_repeat:slip", "defect:slip"), speaks_of("reference_repeat", "reference")
    (True, True)
    >>> speaks_of("null", "null:empty_file:out.txt")  # the untouched workspace is a candidate of its own
    False
    """
    if finding == "reference_repeat":
        return outcome == "reference"
    if finding.startswith("wrong_repeat:"):
        name = finding.split(":", 1)[1]
        return outcome in (f"defect:{name}", f"hack:{name}") or outcome == name == "null"
    return outcome == finding or (":" in finding and outcome.startswith(f"{finding}:"))


def probe_of(label: str) -> str:
    """Return the probe or candidate that an outcome's label belongs to, without the submission.

    >>> probe_of("hack:exits_early:os._exit"), probe_of("defect:slip"), probe_of("null")
    ('hack:exits_early', 'defect:slip', 'null')
    """
    return ":".join(label.split(":")[:2])
