"""What a ledger holds of a suite's tasks: attempts by model and task, and the proof that stands.

Only attempts of policies at this content of a task count: known candidates are not somebody who solved it, and what
ran on another content says nothing of this one. Not covered: statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairtrial.authoring.synthetic.material import Material
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.proven import all_findings, all_proofs
from fairtrial.records import Proof

_QUERY = """
select suite, task, coalesce(task_hash, ''), agent, model, coalesce(effort, ''), origin, outcome, count(*)
from outcomes group by all order by all
"""
NOTHING = "null"
"""The agent that does nothing: its passes are a fault of the grader, not a solution."""


@dataclass(slots=True)
class Tally:
    """Attempts of one model at one task."""

    passed: int = 0
    failed: int = 0
    ungraded: int = 0

    @property
    def graded(self) -> int:
        """Return how many have a verdict."""
        return self.passed + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """All that counts."""

    by_model: Mapping[str, Mapping[str, Tally]]
    """Model, or MODEL@EFFORT -> task -> tally."""
    proof: Mapping[str, str]
    """Task -> status of the latest proof of its content, or what it says of the reference: `reference_refuted` where
    that fell, `reference_passes` where it passed though the proof is inconclusive; `inconclusive` where it was not
    graded."""
    passed_by_nothing: tuple[str, ...] = ()
    other_content: int = 0
    """Attempts at tasks of these names in another content, which were left out."""
    proofs_of_other_content: int = 0
    known: int = 0
    """Attempts of known candidates, which were left out."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Label -> name of the model."""


def read_attempts(ledger: Ledger, suite: Material) -> Attempts:
    """Return what `ledger` holds of the tasks of `suite`."""
    hashes = {item.name: item.hash for item in suite.items}
    rows = connect(ledger).execute(_QUERY).fetchall()
    found: dict[str, dict[str, Tally]] = {}
    names: dict[str, str] = {}
    nothing: set[str] = set()
    other = known = 0
    for suite_name, task, content, agent, model, effort, origin, outcome, count in rows:
        if task not in hashes or not _is_of(suite_name or "", content, suite):
            continue
        if content and content != hashes[task]:
            other += count
        elif origin != "policy":
            known += count
        elif agent == NOTHING:
            nothing |= {task} if outcome == "passed" else set()
        else:
            label = f"{model}@{effort}" if effort else model
            names[label] = model
            tally = found.setdefault(label, {}).setdefault(task, Tally())
            setattr(tally, outcome, getattr(tally, outcome) + count)
    proof, for_nothing, elsewhere = _proofs(ledger, hashes)
    return Attempts(by_model=found, proof=proof, passed_by_nothing=tuple(sorted(nothing | for_nothing)),
                    other_content=other, proofs_of_other_content=elsewhere, known=known, models=names)  # fmt: skip


def _is_of(name: str, content: str, suite: Material) -> bool:
    """Say whether a rollout may be of this suite: its content says so, else its suite's name does not contradict."""
    return bool(content) or not name or (name.rpartition("@")[0] or name) == suite.stem


def _proofs(ledger: Ledger, hashes: Mapping[str, str]) -> tuple[dict[str, str], set[str], int]:
    """Return what stands by task, the tasks whose grader was seen to pass no work, and proofs of another content."""
    seen = [each for each in all_findings(ledger) if each.severity == "proof"]
    fallen = {(each.task, each.task_hash) for each in seen if each.family.startswith("reference")}
    for_nothing = {each.task for each in seen if each.family == "null" and hashes.get(each.task) == each.task_hash}
    standing: dict[str, str] = {}
    elsewhere = 0
    for proof in all_proofs(ledger):  # in the order recorded: the last of this content stands
        if proof.task not in hashes:
            continue
        if proof.task_hash != hashes[proof.task]:
            elsewhere += 1
            continue
        standing[proof.task] = _of_reference(proof, (proof.task, proof.task_hash) in fallen)
    return standing, for_nothing, elsewhere


def _of_reference(proof: Proof, has_fallen: bool) -> str:
    if proof.status == "proven":
        return "proven"
    if has_fallen:
        return "reference_refuted"
    if "reference" not in proof.measured:  # a proof of other probes alone (`prove --only`) says nothing of it
        return "inconclusive"
    return "refuted" if proof.status == "refuted" else "reference_passes"
