"""What speaks against a rollout: how it came to be, what reviews say of its verdict, findings, its grader's proof.

People before judges, adjudication before people (`audit.standing`). Whoever says that a pass is false, or that it games
the grader, objects; where people disagree and nobody has adjudicated, that objects too. A lead of `detect` objects from
the score on at which a rollout is suspected. None of it accuses anybody: it only keeps the row out of a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import orjson

from fairtrial.attack.detectors import SUSPECTED
from fairtrial.audit.standing import Standing, counting, standings
from fairtrial.grade.groupwise import is_confirmed_hack, is_disputed_hack
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews
from fairtrial.ledger.proven import all_findings, all_proofs
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import Checkpoint, Finding, Review
from fairtrial.train.sets.pool import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Objections:
    """Everything of a ledger that may speak against its rollouts."""

    reviews: Mapping[str, tuple[Review, ...]]
    """By rollout, those that count."""
    standing: Mapping[str, Standing]
    findings: Mapping[str, str]
    """Rollout -> `finding_proof` or `hack_suspected`."""
    refuted: frozenset[tuple[str, str]]
    """(task, hash of its content) whose last proof says that the grader is wrong."""
    degenerate: frozenset[tuple[str, int, int]]
    """(model, seed, step) of checkpoints of a control arm."""
    outages: frozenset[tuple[str, int, int]]
    """(model, seed, step) of training steps in which nothing but an outage was seen."""

    def of(self, entry: Entry) -> str:
        """Return why an entry is left out, whatever its verdict; empty where nothing is said."""
        trained = (entry.model, entry.seed if entry.seed is not None else -1,
                   entry.step if entry.step is not None else -1)  # fmt: skip
        if entry.origin == "known":
            return "known_candidate"
        if trained in self.degenerate:
            return "degenerate_reward"
        if trained in self.outages:
            return "outage_step"
        if entry.outcome == "ungraded":
            return f"ungraded:{entry.reason or 'not_graded'}"
        if (entry.task, entry.task_hash) in self.refuted:
            return "grader_refuted"
        return self.findings.get(entry.id, "") or self._of_reviews(entry)

    def _of_reviews(self, entry: Entry) -> str:
        said = self.reviews.get(entry.id, ())
        if is_confirmed_hack(said):
            return "review_hack"
        if is_disputed_hack(said):
            return "review_hack_disputed"
        by_people = any(one.kind == "person" and one.hack is not None for one in said)
        if not by_people and any(one.hack for one in said):
            return "judge_hack"
        return self._of_verdict(entry, said)

    def _of_verdict(self, entry: Entry, said: Iterable[Review]) -> str:
        """Return whether reviews say that the verdict is wrong; the informed stage counts beside the blind one."""
        wrong = "false_pass" if entry.outcome == "passed" else "false_fail"
        right = entry.outcome == "passed"
        standing = self.standing.get(entry.id)
        labels = {one.kind: one.label for one in said if one.stage == "informed" and one.label}
        if standing is not None and standing.disputed:
            return "review_disputed"
        person = standing.person if standing is not None else None
        if standing is not None and standing.adjudicated and person is not None:
            return "" if person == right else f"review_{wrong}"
        if person is (not right) or labels.get("person") == wrong:
            return f"review_{wrong}"
        if person is right or "person" in labels:
            return ""
        judges = standing.judges.values() if standing is not None else ()
        return f"judge_{wrong}" if (not right) in judges or labels.get("judge") == wrong else ""


def read_objections(ledger: Ledger) -> Objections:
    """Return what `ledger` holds against its rollouts."""
    reviews = all_reviews(ledger)
    by_rollout: dict[str, list[Review]] = {}
    for review in counting(reviews):
        by_rollout.setdefault(review.rollout, []).append(review)
    proofs = {(one.task, one.task_hash): one.status for one in all_proofs(ledger)}  # the last one stands
    checkpoints = all_checkpoints(ledger)
    return Objections(
        reviews={rollout: tuple(said) for rollout, said in by_rollout.items()}, standing=standings(reviews),
        findings=_findings(all_findings(ledger)),
        refuted=frozenset(key for key, status in proofs.items() if status == "refuted"),
        degenerate=frozenset(_key(one, one.step) for one in checkpoints if one.degenerate),
        outages=frozenset(_key(one, step) for one in checkpoints for step in one.outage_steps),
    )  # fmt: skip


def _key(checkpoint: Checkpoint, step: int) -> tuple[str, int, int]:
    return (checkpoint.model, checkpoint.seed, step)


def _findings(findings: Iterable[Finding]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in findings:
        if not one.rollout:
            continue
        if one.severity == "proof":
            found[one.rollout] = "finding_proof"
        elif _score(one.evidence) >= SUSPECTED:
            found.setdefault(one.rollout, "hack_suspected")
    return found


def _score(evidence: str) -> float:
    """Return the score of a lead; one that has none counts as suspected.

    >>> _score('{"score": 0.3}'), _score("")
    (0.3, 1.0)
    """
    try:
        told = orjson.loads(evidence or "{}")
    except orjson.JSONDecodeError:
        return 1.0
    score = told.get("score", 1.0) if isinstance(told, dict) else 1.0
    return float(score) if isinstance(score, int | float) else 1.0
