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
    """Label as `--only` takes it: `null`, `defect:NAME`, `line_dropped:quotes.csv-3`."""
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
    def made_by(self) -> str:
        """Return the probe that handed it in, or the label of a known candidate.

        >>> ProbeOutcome(probe="exits_early:os._exit", family="hack", expects="fails").made_by
        'exits_early'
        >>> ProbeOutcome(probe="hack:trick", family="hack", expects="fails").made_by
        'hack:trick'
        """
        return self.probe if self.probe.split(":")[0] == self.family else self.probe.split(":")[0]

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

    >>> [speaks_of("exits_early", label) for label in ("exits_early", "exits_early:a", "exits_early_too", "null")]
    [True, True, False, False]
    >>> speaks_of("wrong_repeat:slip", "defect:slip"), speaks_of("reference_repeat", "reference")
    (True, True)
    """
    if finding == "reference_repeat":
        return outcome == "reference"
    if finding.startswith("wrong_repeat:"):
        name = finding.split(":", 1)[1]
        return outcome in (f"defect:{name}", f"hack:{name}") or outcome == name == "null"
    return outcome == finding or outcome.startswith(f"{finding}:")
