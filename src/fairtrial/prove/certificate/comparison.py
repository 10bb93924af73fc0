"""Hold what a certificate recorded against what is there now: hashes, and outcomes of probes that were tried again.

Pure. A verdict that was seen and is seen again agrees, however often. A grader that wavered and did not waver this time
agrees as long as chance explains it: what came up once in twenty need not come up in three.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Literal

import numpy as np

from fairtrial.measure.fisher import fisher_greater
from fairtrial.prove.certificate.model import CertifiedTask, Hashes
from fairtrial.prove.certificate.signed import VoidSignoff
from fairtrial.prove.outcome import ProbeOutcome, speaks_of

ALWAYS = ("null", "reference")
CHANCE = 0.05
"""Below it, a wavering that stays out is no longer put down to chance."""

Moved = Literal["same", "moved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """One recorded outcome, and what came of trying the same again."""

    recorded: ProbeOutcome
    now: ProbeOutcome | None
    agrees: bool | None
    """None where trying again came to no verdict."""
    note: str = ""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "probe": self.recorded.probe,
            "runner": self.recorded.runner,
            "recorded": _counts(self.recorded),
            "now": _counts(self.now) if self.now is not None else None,
            "agrees": self.agrees,
            "note": self.note,
            "command": self.recorded.command,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedTask:
    """What verification came to on one task."""

    task: str
    hashes: dict[str, Moved]
    reruns: tuple[Rerun, ...] = ()
    why: str = ""
    """Why nothing was tried again; empty where something was."""
    void: tuple[VoidSignoff, ...] = ()
    """Sign-offs on the certificate that are of another content."""

    @property
    def holds(self) -> bool | None:
        """Say whether all that was compared is as recorded; None where no difference was seen, but not all measured."""
        if (
            self.why
            or self.void
            or "moved" in self.hashes.values()
            or any(rerun.agrees is False for rerun in self.reruns)
        ):
            return False
        return None if any(rerun.agrees is None for rerun in self.reruns) else True

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        reruns = [rerun.document() for rerun in self.reruns]
        void = [asdict(one) for one in self.void]
        return {"task": self.task, "hashes": self.hashes, "reruns": reruns, "void_signoffs": void, "holds": self.holds,
                "why": self.why}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What verification of a certificate came to."""

    is_edited: bool
    """The certificate's content no longer has the address that it names."""
    suite: Moved
    uncovered: tuple[str, ...] = ()
    """Tasks of the suite of which the certificate says nothing."""
    host: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Fact -> (recorded, now), where they differ; they are told, and alone do not break a certificate."""
    tasks: tuple[VerifiedTask, ...] = ()

    @property
    def holds(self) -> bool | None:
        """Say whether the certificate holds; None where no difference was seen, but not all could be measured."""
        told = [task.holds for task in self.tasks]
        if self.is_edited or self.suite == "moved" or self.uncovered or False in told:
            return False
        return None if None in told else True

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "schema": "fairtrial.verification/1",
            "content": "edited" if self.is_edited else "same",
            "suite": self.suite,
            "uncovered": list(self.uncovered),
            "host": {name: {"recorded": then, "now": now} for name, (then, now) in self.host.items()},
            "tasks": [task.document() for task in self.tasks],
            "holds": self.holds,
        }


def compared_hashes(recorded: Hashes, now: Hashes) -> dict[str, Moved]:
    """Return which of a task's addresses are those that were recorded."""
    pairs = {
        "task": recorded.task == now.task,
        "grader": recorded.grader == now.grader,
        "candidates": recorded.candidates == now.candidates,
        "environment": recorded.environment == now.environment,
    }
    return {name: moved(is_same) for name, is_same in pairs.items()}


def moved(is_same: bool) -> Moved:
    """Return the word for it."""
    return "same" if is_same else "moved"


def sampled(certified: CertifiedTask, count: int, seed: int) -> tuple[str, ...]:
    """Return the labels to try again: null and reference, then up to `count`, those behind proofs first."""
    measured = sorted({one.probe for one in certified.outcomes if one.verdict != "not measured"})
    always = [label for label in ALWAYS if label in measured]
    behind = [
        [one.probe for one in certified.outcomes if one.verdict == "wrong" and speaks_of(finding.probe, one.probe)]
        for finding in certified.findings
        if finding.severity == "proof"
    ]
    deepest = max((len(labels) for labels in behind), default=0)
    first = dict.fromkeys(labels[n] for n in range(deepest) for labels in behind if n < len(labels))
    proofs = [label for label in first if label not in always][:count]
    rest = [label for label in measured if label not in always and label not in proofs]
    drawn = Random(f"{seed}:{certified.task}").sample(rest, min(len(rest), count - len(proofs)))
    return (*always, *proofs, *sorted(drawn))


def compared(recorded: ProbeOutcome, now: ProbeOutcome | None, trouble: str = "") -> Rerun:
    """Return whether trying again came to what was recorded; `trouble` says why it could not be tried."""
    agrees, note = _agreement(recorded, now) if now is not None or not trouble else (None, trouble)
    return Rerun(recorded=recorded, now=now, agrees=agrees, note=note)


def _agreement(recorded: ProbeOutcome, now: ProbeOutcome | None) -> tuple[bool | None, str]:
    if now is None:
        return False, "nothing of this name is handed in any more"
    if recorded.candidate_hash and now.candidate_hash != recorded.candidate_hash:
        return False, "another submission is handed in under this name"
    if now.verdict == "not measured":
        return None, "; ".join(now.reasons) or "no grading came to a verdict"
    flaky = ""
    if recorded.wavers or now.wavers:
        flaky = f"flaky: passed {_share(recorded)} when recorded, {_share(now)} now"
    if now.verdict == recorded.verdict:
        return True, flaky
    if recorded.wavers and _may_be_chance(recorded, now):
        return True, f"{flaky}, which chance explains"
    return False, flaky or f"was {recorded.verdict}, is {now.verdict}"


def _may_be_chance(recorded: ProbeOutcome, now: ProbeOutcome) -> bool:
    """Say whether wrong verdicts that were recorded and did not show now may come from one and the same rate."""
    wrong = recorded.passed if recorded.expects == "fails" else recorded.failed
    cells = (wrong, recorded.passed + recorded.failed, 0, now.passed + now.failed)
    return float(fisher_greater(*(np.array([cell]) for cell in cells))[0]) >= CHANCE


def _share(outcome: ProbeOutcome) -> str:
    return f"{outcome.passed} of {outcome.passed + outcome.failed}"


def _counts(outcome: ProbeOutcome) -> dict[str, Any]:
    return {
        "verdict": outcome.verdict,
        "passed": outcome.passed,
        "failed": outcome.failed,
        "ungraded": outcome.ungraded,
    }
