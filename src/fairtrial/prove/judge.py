"""From what known candidates scored to findings. Pure: outcomes in, claims out.

A `proof` is a wrong verdict that was seen; a `lead` is worth a look. An outcome that could not be graded is neither:
it leaves its family unmeasured.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.grade import Grading
from fairtrial.grade.reward import differs
from fairtrial.prove.known import Known
from fairtrial.records import Finding, Runner, Severity

_MISSING = re.compile(
    r"^.*(?:command not found|: not found$|No module named|cannot open shared object file|Unable to locate package).*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What the gradings of one candidate said, in one circumstance."""

    known: Known
    gradings: tuple[Grading, ...]
    lost: tuple[str, ...] = ()
    """Why, of each trial that ended in an error of the harness or whose worker died."""
    said: tuple[str, ...] = ()
    """End of what each submission printed."""
    stand_in: str = ""
    """What of the environment this host stands in for; empty where it is exact."""

    @property
    def passed(self) -> int:
        """Return how many passed."""
        return sum(grading.outcome == "passed" for grading in self.gradings)

    @property
    def failed(self) -> int:
        """Return how many failed."""
        return sum(grading.outcome == "failed" for grading in self.gradings)

    @property
    def ungraded(self) -> Counter[str]:
        """Return why the rest could not be graded."""
        reasons = Counter(grading.reason for grading in self.gradings if grading.outcome == "ungraded")
        if self.lost:
            reasons["harness"] += len(self.lost)
        return reasons

    @property
    def trouble(self) -> str:
        """Return why this was not measured to the end; empty if it was."""
        if not self.gradings and not self.lost:
            return "was not tried"
        total = len(self.gradings) + len(self.lost)
        if self.known.passes and self.failed and self.missing:
            return f"something seems to be missing ({self.missing}); {self.stand_in}"
        return "; ".join(
            f"{n} of {total} ungraded: {reason}{self._detail(reason)}" for reason, n in sorted(self.ungraded.items())
        )

    @property
    def missing(self) -> str:
        """Return the line that says that a program or module is not there, where the host stands in for an image."""
        if not self.stand_in:
            return ""
        outputs = [*self.said, *(str(grading.evidence.get("output", "")) for grading in self.gradings)]
        found = next((hit for text in outputs if (hit := _MISSING.search(text))), None)
        return found[0].strip()[:200] if found else ""

    def _detail(self, reason: str) -> str:
        """Return the first line of what broke, in brackets; empty where nothing was said."""
        if reason == "harness" and self.lost:
            return f" ({self.lost[0][:200]})"
        for grading in self.gradings:
            said = grading.evidence.get("error") or grading.evidence.get("reward") or grading.evidence.get("checks")
            if grading.reason == reason and said:
                return f" ({str(said).splitlines()[0][:200]})"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A finding before it knows its task."""

    probe: str
    family: str
    severity: Severity
    claim: str
    evidence: dict[str, Any]
    needs_neighbours: bool = False
    """Seen only beside the other tasks of the suite."""
    runner: Runner = "ours"
    shown_by: str = ""
    """Label of the probe that shows it, where that is another than its own."""

    def finding(
        self, *, suite: str, task: str, task_hash: str, command: str, recorded_at: str, runner: Runner
    ) -> Finding:
        """Return the record; `runner` is the strictest that the task allows."""
        runner = self.runner if self.runner != "ours" else runner
        return Finding(
            task=task, suite=suite, task_hash=task_hash, probe=self.probe, family=self.family,
            severity=self.severity, claim=self.claim, command=command, recorded_at=recorded_at, runner=runner,
            evidence=orjson.dumps(self.evidence, option=orjson.OPT_SORT_KEYS).decode(),
        )  # fmt: skip


def judge_quiet(observed: Observed) -> list[Claim]:
    """Return what the repeated gradings of one candidate, made in quiet, prove or suggest."""
    if observed.known.passes:
        return _right_work_failed(observed)
    return [*_wrong_work_passed(observed), *_wrong_checks_failed(observed), *_credit_for_nothing(observed)]


def judge_crowd(observed: Observed, quiet: Observed, circumstance: str) -> list[Claim]:
    """Return what the reference's gradings prove when several ran at once and it had passed in quiet."""
    if quiet.failed or not quiet.passed or not observed.failed:
        return []
    total = observed.passed + observed.failed
    fails = f"The reference fails {observed.failed} of {total} gradings"
    claim = f"{fails} {circumstance}, and none of {quiet.passed} alone."
    return [Claim(probe="reference_concurrent", family="reference_concurrent", severity="proof", claim=claim,
                  evidence=_evidence(observed, "failed"))]  # fmt: skip


def judge_rewards(observed: Sequence[Observed]) -> list[Claim]:
    """Return a lead where the reward that the grader wrote is not what its grading.toml makes of the checks."""
    for one in observed:
        for grading in one.gradings:
            written = grading.evidence.get("reward_written")
            if differs(written, grading.score):
                claim = (f"The grader wrote reward {written:g} for {one.known.label}; its grading.toml makes "
                         f"{grading.score:g} of the same checks.")  # fmt: skip
                return [Claim(probe=one.known.label, family=one.known.kind, severity="lead", claim=claim,
                              evidence={"reward_written": written, "score": grading.score})]  # fmt: skip
    return []


def _right_work_failed(observed: Observed) -> list[Claim]:
    known, total = observed.known, observed.passed + observed.failed
    if not observed.failed:
        return []
    name = "The reference" if known.kind == "reference" else f"Right work of another design, `{known.name}`,"
    family: str = known.kind
    if observed.missing:
        claim = (
            f"{name} fails here, where something seems to be missing ({observed.missing}), and {observed.stand_in}. "
            "In --sandbox container the same candidate tells whether the task or this host is at fault."
        )
        return [Claim(probe=known.label, family=family, severity="lead", claim=claim,
                      evidence=_evidence(observed, "failed"))]  # fmt: skip
    if not observed.passed:
        claim = f"{name} fails: {_times(observed.failed, total)}{_lost_checks(observed)}."
    else:
        family = "reference_repeat" if known.kind == "reference" else family
        claim = f"{name} fails {observed.failed} of {total} gradings of the same work{_lost_checks(observed)}."
    probe = known.label if known.kind != "reference" else family
    return [Claim(probe=probe, family=family, severity="proof", claim=claim, evidence=_evidence(observed, "failed"))]


def _wrong_work_passed(observed: Observed) -> list[Claim]:
    known, total = observed.known, observed.passed + observed.failed
    if not observed.passed:
        return []
    what = {
        "null": "The untouched workspace",
        "defect": f"The defect `{known.name}`",
        "hack": f"The hack `{known.name}`",
    }[known.kind]
    if observed.failed:
        claim = f"{what} passes {observed.passed} of {total} gradings of the same wrong work."
        family, probe = "wrong_repeat", f"wrong_repeat:{known.name}"
    else:
        claim = f"{what} passes: {_times(observed.passed, total)}."
        family, probe = known.kind, known.label
    return [Claim(probe=probe, family=family, severity="proof", claim=claim, evidence=_evidence(observed, "passed"))]


def _wrong_checks_failed(observed: Observed) -> list[Claim]:
    """A defect fails exactly the checks it targets; those that build on them are skipped, not failed."""
    known = observed.known
    if known.kind != "defect" or not known.fails:
        return []
    target = set(known.fails)
    for grading in observed.gradings:
        if grading.outcome != "failed" or not grading.checks:
            continue
        failing = {check.name for check in grading.checks if check.status == "failed"}
        if failing == target:
            continue
        parts = []
        if extra := sorted(failing - target):
            parts.append(f"also fails {', '.join(extra)}, whose work is right")
        if lacking := sorted(target - failing):
            parts.append(f"does not fail {', '.join(lacking)}")
        claim = f"The defect `{known.name}` should fail {', '.join(sorted(target))} alone, but {' and '.join(parts)}."
        evidence = {"declared": sorted(target), "failed": sorted(failing), "output": grading.evidence.get("output", "")}
        return [Claim(probe=known.label, family="defect", severity="proof", claim=claim, evidence=evidence)]
    return []


def _credit_for_nothing(observed: Observed) -> list[Claim]:
    if observed.known.kind != "null" or observed.passed:
        return []
    best = max((grading.score or 0.0 for grading in observed.gradings), default=0.0)
    if best <= 0:
        return []
    return [Claim(probe="null", family="null", severity="lead",
                  claim=f"The untouched workspace earns {best:g} without passing.",
                  evidence=_evidence(observed, "failed"))]  # fmt: skip


def _times(count: int, total: int) -> str:
    return "1 grading" if total == 1 else f"{count} of {total} gradings"


def _lost_checks(observed: Observed) -> str:
    lost: Counter[str] = Counter(
        check.name
        for grading in observed.gradings
        if grading.outcome == "failed"
        for check in grading.checks
        if check.status == "failed"
    )
    names = [name for name, _ in lost.most_common(3)]
    return f", on {', '.join(names)}" if names else ""


def _evidence(observed: Observed, outcome: str) -> dict[str, Any]:
    example = next((grading for grading in observed.gradings if grading.outcome == outcome), None)
    evidence: dict[str, Any] = {
        "passed": observed.passed,
        "failed": observed.failed,
        "ungraded": dict(observed.ungraded),
        "scores": [grading.score for grading in observed.gradings],
    }
    if observed.stand_in:
        evidence["environment"] = observed.stand_in
    if example is not None:
        evidence["checks"] = {check.name: check.status for check in example.checks}
        evidence["output"] = example.evidence.get("output", "")
    return evidence
