"""What a ledger holds of a task that has not changed, so that `--changed` need not prove it again.

A proof is held where it is the last of this very content, was made under the same circumstances, and came to a verdict;
of several, one that refutes outweighs. Neighbours are not part of a task: a held one was tried beside those of its day.
Not covered: single trials, whose answers are kept by content (`remembered`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import orjson
from pydantic import TypeAdapter, ValidationError

from fairtrial.ledger import Ledger
from fairtrial.ledger.proven import all_findings, all_proofs
from fairtrial.prove.certificate.candidates import kept_hash
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.proof import ProvenTask
from fairtrial.records import Finding, LedgerError, Proof, canonical_json, digest
from fairtrial.tasks import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """What a ledger keeps of a proof besides its row."""

    outcomes: tuple[ProbeOutcome, ...]
    mutants: Mapping[str, int]
    findings: tuple[str, ...] = field(default=())
    """Ids."""


_ADAPTER = TypeAdapter(_Kept)


def keep(ledger: Ledger, suite: Suite, proven: Sequence[ProvenTask], settings: str) -> list[ProvenTask]:
    """Append what was proven of `suite` to `ledger`, and return it as it stands there.

    `settings` is `Circumstances.hash`; attacks kept beside a task are part of its own circumstances.
    """
    kept = []
    for one in proven:
        content = {
            "outcomes": [outcome.document() for outcome in one.outcomes],
            "mutants": dict(one.mutants),
            "findings": [finding.id for finding in one.findings],
        }
        own = _own(suite, one.proof.task, settings)
        proof = replace(one.proof, settings=own, outcomes=ledger.put_blob(canonical_json(content)))
        kept.append(replace(one, proof=proof))
    ledger.append("findings", [finding for one in kept for finding in one.findings])
    ledger.append("proofs", [one.proof for one in kept])
    return kept


def held(ledger: Ledger, suite: Suite, settings: str) -> dict[str, ProvenTask]:
    """Return task name -> what the ledger holds of it, as part of `suite`; tasks to be proven anew are left out."""
    by_content: dict[tuple[str, str], list[Proof]] = {}
    for proof in all_proofs(ledger):
        by_content.setdefault((proof.task, proof.task_hash), []).append(proof)
    found = {
        task.name: _standing(by_content.get((task.name, task.hash), ()), _own(suite, task.name, settings))
        for task in suite.tasks
    }
    standing = {name: proof for name, proof in found.items() if proof is not None}
    if not standing:
        return {}
    findings = {finding.id: finding for finding in all_findings(ledger)}
    return {
        name: _in_suite(_as_proven(ledger, proof, findings), suite, ledger, settings)
        for name, proof in standing.items()
    }


def _own(suite: Suite, task: str, settings: str) -> str:
    """Return the circumstances of one task: `settings`, and the attacks that are kept on it."""
    attacks = kept_hash(suite.keys[task])
    return digest(canonical_json([settings, attacks])) if attacks else settings


def _standing(proofs: Sequence[Proof], settings: str) -> Proof | None:
    """Return the proof that stands, of those of one content in the order of time; None where none does."""
    if not proofs or proofs[-1].settings != settings:
        return None
    alike = [proof for proof in proofs if proof.settings == settings and proof.outcomes]
    for status in ("refuted", "proven"):
        if chosen := [proof for proof in alike if proof.status == status]:
            return chosen[-1]
    return None


def _as_proven(ledger: Ledger, proof: Proof, findings: Mapping[str, Finding]) -> ProvenTask:
    try:
        kept = _ADAPTER.validate_json(ledger.get_blob(proof.outcomes), strict=True)
        found = tuple(findings[name] for name in kept.findings)
    except (ValidationError, orjson.JSONDecodeError, KeyError) as error:
        raise LedgerError(f"what it keeps of the proof of `{proof.task}` cannot be read", path=ledger.path,
                          hint="Leave --changed out: the task is proven anew.") from error  # fmt: skip
    return ProvenTask(proof=proof, findings=found, outcomes=kept.outcomes, mutants=kept.mutants, held=True)


def _in_suite(one: ProvenTask, suite: Suite, ledger: Ledger, settings: str) -> ProvenTask:
    """Say the same of the task as a part of `suite`, whose other tasks may have changed; append it where it is new."""
    path = str(suite.keys[one.proof.task].path)
    identity = next(task.suite for task in suite.tasks if task.name == one.proof.task)
    if identity == one.proof.suite:
        return replace(one, proof=replace(one.proof, path=path))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    findings = tuple(replace(finding, suite=identity) for finding in one.findings)
    here = replace(one, findings=findings, proof=replace(one.proof, suite=identity, path=path, recorded_at=now))
    return keep(ledger, suite, [here], settings)[0]
