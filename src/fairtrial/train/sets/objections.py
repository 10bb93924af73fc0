"""What speaks against a rollout: how it came to be, what reviews say of its verdict, findings, its grader's proof.

People before judges, adjudication before people (`audit.standing`). Whoever says that a pass is false, or that it games
the grader, objects; where people disagree and nobody has settled it, that objects too. A lead of `detect` objects from
the score on at which a rollout is suspected. None of it accuses anybody: it only keeps the row out of a set. Not
covered: rulings of a board, which are of a model and of no rollout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson

from fairtrial.attack.detectors import SUSPECTED
from fairtrial.audit.standing import Standing, counting, standings
from fairtrial.grade.groupwise import is_confirmed_hack, is_disputed_hack
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews
from fairtrial.ledger.proven import all_findings, all_proofs
from fairtrial.ledger.screened import all_withdrawals
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import Checkpoint, Finding, Review
from fairtrial.train.sets.pool import Entry
from fairtrial.train.sets.run_folder import read_run

_SATISFIED = {"true_pass": True, "false_fail": True, "false_pass": False, "true_fail": False}
"""What a label of the informed stage says of the work, whatever verdict was shown."""
_NO_STEP, _BEFORE_ALL = -1, -2


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
    withdrawn: frozenset[str]
    """Rollouts of which somebody recorded that they no longer count."""
    controls: Mapping[tuple[str, int], int]
    """(model, seed) -> step after which a reward that teaches nothing was trained on."""
    outages: frozenset[tuple[str, int | None, int | None]]
    """(model, seed, step) of training steps in which nothing but an outage was seen."""
    not_measured: tuple[str, ...] = ()

    def of(self, entry: Entry) -> str:
        """Return why an entry is left out, whatever its verdict; empty where nothing is said."""
        if entry.origin == "known":
            return "known_candidate"
        if entry.id in self.withdrawn:
            return "withdrawn"
        if self._is_of_control(entry):
            return "degenerate_reward"
        if (entry.model, entry.seed, entry.step) in self.outages:
            return "outage_step"
        if entry.outcome == "ungraded":
            return f"ungraded:{entry.reason or 'not_graded'}"
        if (entry.task, entry.task_hash) in self.refuted:
            return "grader_refuted"
        return self.findings.get(entry.id, "") or self._of_reviews(entry)

    def _is_of_control(self, entry: Entry) -> bool:
        """Say whether a control arm made it; where no seed is recorded, whether any seed of that model is one."""
        step = _NO_STEP if entry.step is None else entry.step
        return any(
            step > after for (model, seed), after in self.controls.items()
            if model == entry.model and entry.seed in (None, seed)
        )  # fmt: skip

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

    def _of_verdict(self, entry: Entry, said: Sequence[Review]) -> str:
        """Return whether reviews say that the verdict is wrong; the informed stage counts beside the blind one."""
        right = entry.outcome == "passed"
        wrong = "false_pass" if right else "false_fail"
        standing = self.standing.get(entry.id)
        if standing is not None and standing.adjudicated and standing.person is not None:
            return "" if standing.person == right else f"review_{wrong}"
        blind = {answer for answer in standing.people.values() if answer is not None} if standing is not None else set()
        informed = _informed(said, "person")
        if len(blind) > 1 or len(informed) > 1:
            return "review_disputed"
        if (not right) in blind | informed:
            return f"review_{wrong}"
        if blind | informed:
            return ""
        judges = {*(standing.judges.values() if standing is not None else ()), *_informed(said, "judge")}
        return f"judge_{wrong}" if (not right) in judges else ""


def _informed(said: Sequence[Review], kind: str) -> set[bool]:
    """Return what the labels of the informed stage say of the work: who adjudicated there speaks for all."""
    labelled = [one for one in said if one.kind == kind and one.stage == "informed" and one.label]
    settled = [one for one in labelled if one.adjudicates]
    return {_SATISFIED[one.label] for one in settled[-1:] or labelled}


def read_objections(ledger: Ledger) -> Objections:
    """Return what `ledger` holds against its rollouts."""
    reviews = all_reviews(ledger)
    by_rollout: dict[str, list[Review]] = {}
    for review in counting(reviews):
        by_rollout.setdefault(review.rollout, []).append(review)
    proofs = {(one.task, one.task_hash): one.status for one in all_proofs(ledger)}  # the last one stands
    checkpoints, run = all_checkpoints(ledger), read_run(ledger.path)
    return Objections(
        reviews={rollout: tuple(said) for rollout, said in by_rollout.items()}, standing=standings(reviews),
        findings=_findings(all_findings(ledger)),
        refuted=frozenset(key for key, status in proofs.items() if status == "refuted"),
        withdrawn=frozenset(rollout for one in all_withdrawals(ledger) for rollout in one.rollouts),
        controls=_controls(checkpoints) | dict.fromkeys(run.controls, _BEFORE_ALL),
        outages=frozenset((one.model, one.seed, step) for one in checkpoints for step in one.outage_steps)
        | run.outages,
        not_measured=run.not_measured,
    )  # fmt: skip


def _controls(checkpoints: Iterable[Checkpoint]) -> dict[tuple[str, int], int]:
    """Return (model, seed) -> the last checkpoint before the first one that a degenerate reward had a part in."""
    by_policy: dict[tuple[str, int], list[Checkpoint]] = {}
    for one in checkpoints:
        by_policy.setdefault((one.model, one.seed), []).append(one)
    found = {}
    for policy, made in by_policy.items():
        if control := [one.step for one in made if one.degenerate]:
            found[policy] = max((one.step for one in made if one.step < min(control)), default=_BEFORE_ALL)
    return found


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
