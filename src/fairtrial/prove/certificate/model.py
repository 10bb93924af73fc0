"""The certificate of a suite: what was asked of every grader, under which circumstances, and what each answered.

Its bytes are the same for the same outcome; times stand apart, outside the content hash. The hash shows that somebody
edited a certificate by hand or by accident. It is no signature: who edits can write a new hash too. What settles the
matter is `fairtrial verify`, which grades again. Not covered: evidence (a finding's command shows that).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from fairtrial.ledger.signed import SignedTask
from fairtrial.prove.certificate.candidates import candidate_hashes
from fairtrial.prove.certificate.circumstances import Circumstances
from fairtrial.prove.certificate.signed import CertifiedSignoff, certified_signoffs
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.proof import ProvenTask
from fairtrial.records import InputError, Runner, Severity, Status, canonical_json, digest
from fairtrial.tasks import Suite
from fairtrial.tasks.hashes import suite_hash

SCHEMA = "fairtrial.certificate/1"
NOT_HASHED = ("hash", "times")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hashes:
    """Content addresses of what was certified."""

    task: str
    grader: str
    environment: str
    candidates: dict[str, str] = field(default_factory=dict)
    """Label of the reference or of a declared candidate -> content address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedFinding:
    """One finding, and why it was accepted where it was."""

    id: str
    probe: str
    family: str
    severity: Severity
    claim: str
    runner: Runner = "ours"
    command: str = ""
    accepted: str = ""
    """The baseline's reason; empty where nobody accepted it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotMeasured:
    """A probe that came to nothing, and why."""

    probe: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedTask:
    """What is certified of one task."""

    task: str
    status: Status
    hashes: Hashes
    path: str = ""
    stand_in: str = ""
    """What of the environment the host stood in for; empty where it was exact."""
    required: tuple[str, ...] = ()
    not_applicable: tuple[str, ...] = ()
    not_measured: tuple[NotMeasured, ...] = ()
    gradings: int = 0
    outcomes: tuple[ProbeOutcome, ...] = ()
    findings: tuple[CertifiedFinding, ...] = ()
    signoffs: tuple[CertifiedSignoff, ...] = ()
    """What experts said of this content; left out of the document where nobody did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What is certified of a suite."""

    suite: str
    """Name of the suite; several are joined by a plus sign."""
    suite_hash: str
    """Content address of all tasks together."""
    circumstances: Circumstances
    tasks: tuple[CertifiedTask, ...] = ()

    def content(self) -> dict[str, Any]:
        """Return all that the hash covers, as JSON."""
        content: dict[str, Any] = asdict(self)
        for table, task in zip(content["tasks"], self.tasks, strict=True):
            table["outcomes"] = [outcome.document() for outcome in task.outcomes]
            if not task.signoffs:
                del table["signoffs"]  # a certificate without them has the bytes, and the hash, that it always had
        return {"schema": SCHEMA} | content


def certificate(
    suites: Sequence[Suite],
    proven: Sequence[ProvenTask],
    made_in: Circumstances,
    accepted: Mapping[str, str],
    signed: Mapping[str, SignedTask] | None = None,
) -> Certificate:
    """Return the certificate of `proven`, the tasks of `suites`; `accepted` maps ids of findings to reasons.

    `signed` maps tasks to what experts say of them.

    Raise InputError where two tasks have one name: a certificate names each once.
    """
    keys = {name: key for suite in suites for name, key in suite.keys.items()}
    tasks = {task.name: task for suite in suites for task in suite.tasks}
    if len(tasks) < sum(len(suite.tasks) for suite in suites):
        names = [task.name for suite in suites for task in suite.tasks]
        twin = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two tasks are named `{twin}`, and a certificate names each once", field="--certificate",
                         hint="Write one certificate a suite.")  # fmt: skip
    certified = [
        _certified(one, Hashes(task=task.hash, grader=key.grader_hash, environment=task.environment.hash,
                               candidates=candidate_hashes(key)), accepted,
                   certified_signoffs((signed or {}).get(one.proof.task)))
        for one in proven
        if (task := tasks[one.proof.task]) and (key := keys[one.proof.task])
    ]  # fmt: skip
    return Certificate(
        suite="+".join(sorted({suite.name for suite in suites})),
        suite_hash=suite_hash((task.name, task.hash) for task in tasks.values()),
        circumstances=made_in,
        tasks=tuple(sorted(certified, key=lambda task: task.task)),
    )


def _certified(
    one: ProvenTask, hashes: Hashes, accepted: Mapping[str, str], signoffs: tuple[CertifiedSignoff, ...]
) -> CertifiedTask:
    proof = one.proof
    findings = [
        CertifiedFinding(id=f.id, probe=f.probe, family=f.family, severity=f.severity, claim=f.claim,
                         runner=f.runner, command=f.command, accepted=accepted.get(f.id, ""))
        for f in one.findings
    ]  # fmt: skip
    return CertifiedTask(
        task=proof.task, status=proof.status, hashes=hashes, path=proof.path,
        stand_in=next((why for probe, why in proof.not_measured if probe == "exact_environment"), ""),
        required=proof.required, not_applicable=proof.not_applicable, gradings=proof.gradings,
        not_measured=tuple(NotMeasured(probe=probe, why=why) for probe, why in sorted(set(proof.not_measured))),
        outcomes=tuple(sorted(one.outcomes, key=lambda outcome: (outcome.probe, outcome.runner))),
        signoffs=signoffs,
        findings=tuple(sorted(findings, key=lambda finding: (finding.severity != "proof", finding.probe, finding.id))),
    )  # fmt: skip


def content_address(document: Mapping[str, Any]) -> str:
    """Return the address of all of a certificate but its times and the address itself.

    >>> content_address({"schema": SCHEMA}) == content_address({"schema": SCHEMA, "times": {}, "hash": "?"})
    True
    """
    return digest(canonical_json({name: value for name, value in document.items() if name not in NOT_HASHED}))


def certificate_document(whole: Certificate, proven: Sequence[ProvenTask]) -> dict[str, Any]:
    """Return the certificate as JSON: the hash first, times last and outside of it."""
    content = whole.content()
    times = {
        "recorded_at": max((one.proof.recorded_at for one in proven), default=""),
        "seconds": {one.proof.task: round(one.proof.seconds or 0.0, 3) for one in proven},
    }
    return {"schema": SCHEMA, "hash": content_address(content)} | content | {"times": times}
