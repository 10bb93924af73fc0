"""Prove tasks: run the schedule, ask the probes, judge what was seen, and say proven, refuted or inconclusive.

Refuted: at least one proof, under a runner that a user of the suite may have. Inconclusive: a required family could not
be measured. A probe of the catalogue that could not be tried is listed with the reason, and required of nobody.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairtrial.attack.reading import read_grader, unread_files
from fairtrial.prove.asking import label_of, probes_wanted
from fairtrial.prove.attacking import Attacked, Seen, attack_cases
from fairtrial.prove.judge import Claim, Observed, judge_crowd, judge_quiet, judge_rewards
from fairtrial.prove.judge_probes import judge_probes, surviving
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.oracles import ask_oracles
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.outcomes import outcome_in_crowd, outcomes_of
from fairtrial.prove.schedule import Case, OnTried, among_neighbours, case_of, in_crowd, in_quiet
from fairtrial.prove.static import judge_hits
from fairtrial.records import Finding, Proof, Status
from fairtrial.run import Engine
from fairtrial.sandbox import Sandbox, scratch_folder
from fairtrial.tasks import Suite

USUAL_SANDBOX = "bwrap"
ALWAYS_REQUIRED = ("null", "reference", "reference_repeat", "reference_concurrent")
DECLARED = ("defect", "alternative", "hack")
LIVE = (
    "forged_after_grading",
    "live = true: the agent's processes run while it is graded, as in Harbor's shared mode, and could write the reward",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenTask:
    """What proving one task came to."""

    proof: Proof
    findings: tuple[Finding, ...]
    outcomes: tuple[ProbeOutcome, ...] = ()
    """What the grader said of each candidate and submission, in numbers."""
    mutants: Mapping[str, int] = field(default_factory=dict)
    """How many mutants of the reference were graded, and how many of them the grader rejected."""
    held: bool = False
    """Taken from a ledger: the task had not changed, and was not tried."""

    def document(self) -> dict[str, Any]:
        """Return the task's part of CONTRACT's JSON document."""
        proof = self.proof
        return {
            "task": proof.task,
            "path": proof.path,
            "status": proof.status,
            "findings": [
                {
                    "probe": f.probe, "family": f.family, "severity": f.severity, "claim": f.claim,
                    "command": f.command, "evidence": f.evidence, "runner": f.runner,
                }
                for f in self.findings
            ],
            "required": list(proof.required),
            "measured": list(proof.measured),
            "not_applicable": list(proof.not_applicable),
            "not_measured": [{"probe": probe, "why": why} for probe, why in proof.not_measured],
            "gradings": proof.gradings,
            "mutants": dict(self.mutants),
            "held": self.held,
            "task_hash": proof.task_hash,
            "sandbox": proof.sandbox,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """All that was observed of one task."""

    quiet: Mapping[str, Observed]
    crowd: Observed | None
    neighbours: Observed | None
    company: Observed | None
    """The reference beside gradings of other candidates, where it wavered there and nowhere else."""
    attacked: Attacked


def unheard(more: int) -> None:
    """Take note of nothing: for callers that show no progress."""
    del more


def prove(
    suite: Suite, sandbox: Sandbox, engine: Engine, options: ProveOptions, *, tool: str, on_tried: OnTried,
    on_more: Callable[[int], None] = unheard,
) -> list[ProvenTask]:  # fmt: skip
    """Prove every task of `suite`; `on_tried` is called with each trial as it ends.

    `on_more` is told of trials that were not foreseen: what the probes hand in is known only once they were asked.
    """
    began = time.monotonic()
    cases = [case_of(task, suite.keys[task.name], sandbox, options) for task in suite.tasks]
    quiet, company = in_quiet(cases, engine, sandbox, options, on_tried)
    wants_crowd = options.only in ("", "reference_concurrent")
    crowds = [in_crowd(case, engine, sandbox, options, on_tried) if wants_crowd else None for case in cases]
    mixed = among_neighbours(cases, engine, sandbox, options, on_tried) if wants_crowd else {}
    by_case = [{label: one for (place, label), one in quiet.items() if place == n} for n in range(len(cases))]
    with scratch_folder() as scratch:
        attacked = [Attacked() for _ in cases]
        if not options.known_only and probes_wanted(options.only, options.probes):
            attacked = attack_cases(cases, by_case, engine, sandbox, options, scratch, on_tried, on_more)
            attacked = ask_oracles(cases, attacked, engine, sandbox, options, on_tried, on_more)
    seconds = (time.monotonic() - began) / max(1, len(cases))
    proven = []
    for index, case in enumerate(cases):
        seen = _Seen(
            quiet=by_case[index],
            crowd=crowds[index],
            neighbours=mixed.get(index),
            company=company.get((index, "reference")),
            attacked=attacked[index],
        )
        proven.append(_conclude(case, seen, sandbox, options, tool, seconds, suite.path))
    return proven


def _conclude(
    case: Case, seen: _Seen, sandbox: Sandbox, options: ProveOptions, tool: str, seconds: float, suite: Path
) -> ProvenTask:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    claims = _claims(seen, options)
    if not options.known_only:
        claims += judge_hits(read_grader(case.key), claims, options.only)
    required, not_applicable = _families(case)
    not_applicable += seen.attacked.answer.not_applicable
    measured, not_measured = _measured(case, seen, options)
    lacking = {probe.split(":")[0] for probe, _ in not_measured} & set(required)
    refuted = any(claim.severity == "proof" for claim in claims)
    status: Status = "refuted" if refuted else "inconclusive" if lacking else "proven"
    proof = Proof(
        task=case.task.name, status=status, suite=case.task.suite, task_hash=case.task.hash, path=str(case.key.path),
        sandbox=sandbox.name, tool=tool, required=required, measured=measured, not_applicable=not_applicable,
        not_measured=not_measured, gradings=_count(seen), seconds=seconds, recorded_at=now,
    )  # fmt: skip
    findings = tuple(
        claim.finding(
            suite=case.task.suite,
            task=case.task.name,
            task_hash=case.task.hash,
            command=_command(case, claim.shown_by or claim.probe, options, sandbox, _shown_on(claim, suite)),
            recorded_at=now,
            runner="harbor_shared" if case.task.live else "ours",
        )
        for claim in claims
    )
    crowd = outcome_in_crowd(case, (seen.crowd, seen.neighbours), _crowd_trouble(case, seen, options),
                             _command(case, "reference_concurrent", options, sandbox, suite))  # fmt: skip
    outcomes = outcomes_of(
        case, seen.quiet, crowd, seen.attacked, lambda probe: _command(case, probe, options, sandbox)
    )
    return ProvenTask(proof=proof, findings=findings, outcomes=outcomes, mutants=surviving(seen.attacked.seen))


def _shown_on(claim: Claim, suite: Path) -> Path | None:
    return suite if claim.needs_neighbours else None


def _claims(seen: _Seen, options: ProveOptions) -> list[Claim]:
    claims = [claim for observed in seen.quiet.values() for claim in judge_quiet(observed)]
    reference = seen.quiet.get("reference")
    if reference is not None:
        beside = {"beside gradings of other candidates": seen.company,
                  f"with {options.concurrency} of itself at once": seen.crowd,
                  f"with {options.concurrency} neighbours at once": seen.neighbours}  # fmt: skip
        for circumstance, observed in beside.items():
            if observed is not None:
                found = judge_crowd(observed, reference, circumstance)
                claims += [replace(claim, needs_neighbours=observed is seen.neighbours) for claim in found]
    return [*claims, *judge_rewards(list(seen.quiet.values())), *judge_probes(seen.attacked.seen)]


def _families(case: Case) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the families that must be measured, and those that the task gives no occasion for."""
    kinds = {known.kind for known in case.known}
    declared = [kind for kind in DECLARED if kind in kinds]
    required = [*ALWAYS_REQUIRED, *declared]
    if kinds & {"defect", "hack"}:
        required.append("wrong_repeat")
    absent = [family for family in (*DECLARED, "wrong_repeat") if family not in required]
    return tuple(required), tuple(absent)


def _measured(case: Case, seen: _Seen, options: ProveOptions) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    measured: list[str] = []
    lacking: list[tuple[str, str]] = []
    for known in case.known:
        observed = seen.quiet.get(known.label)
        trouble = case.cannot or (observed.trouble if observed is not None else f"left out by --only {options.only}")
        probes = [known.label]
        if known.kind == "reference":
            probes.append("reference_repeat")
        elif known.kind in ("defect", "hack"):
            probes.append(f"wrong_repeat:{known.name}")
        for probe in probes:
            repeated = probe.startswith(("reference_repeat", "wrong_repeat"))
            why = trouble or ("needs --repeats of 2 or more" if repeated and case.repeats < 2 else "")
            measured += [] if why else [probe]
            lacking += [(probe, why)] if why else []
    if case.reference is None:
        lacking += [(family, "the task has no solution/solve.sh") for family in ("reference", "reference_repeat")]
    why = _crowd_trouble(case, seen, options)
    measured += [] if why else ["reference_concurrent"]
    lacking += [("reference_concurrent", why)] if why else []
    answer = seen.attacked.answer
    measured += sorted({label_of(one.asked.card) for one in seen.attacked.seen if _was_graded(one)})
    lacking += answer.not_measured
    lacking += sorted({(label_of(one.asked.card), _trouble(one)) for one in seen.attacked.seen
                       if not _was_graded(one) and label_of(one.asked.card) not in measured})  # fmt: skip
    lacking += sorted({(one.asked.label, whys[0]) for one in seen.attacked.seen if one.asked.submission.races
                       for whys in one.lost.values() if whys})  # fmt: skip
    unread = unread_files(case.key)
    measured += [] if unread or options.known_only else ["static"]
    lacking += [("static", f"{name}: {why}") for name, why in unread]
    if options.known_only:
        lacking += [("probes", "left out by --known-only")]
    lacking += [LIVE] if case.task.live else []
    lacking += [("exact_environment", case.stand_in)] if case.stand_in else []
    return tuple(measured), tuple(lacking)


def _was_graded(one: Seen) -> bool:
    return any(one.count(runner, outcome) for runner in one.gradings for outcome in ("passed", "failed"))


def _trouble(one: Seen) -> str:
    """Return why nothing that a probe handed in came to a verdict."""
    reasons = [why for whys in one.lost.values() for why in whys]
    reasons += [grading.reason for gradings in one.gradings.values() for grading in gradings]
    return f"no submission came to a verdict ({reasons[0] if reasons else 'none was tried'})"


def _crowd_trouble(case: Case, seen: _Seen, options: ProveOptions) -> str:
    if case.reference is None:
        return "the task has no solution/solve.sh"
    if case.cannot:
        return case.cannot
    if seen.crowd is None:
        return "left out by --only" if options.only else "needs --concurrency of 2 or more"
    quiet = seen.quiet.get("reference")
    if quiet is None or quiet.failed or not quiet.passed:
        return "the reference does not pass alone"
    return seen.crowd.trouble or (seen.neighbours.trouble if seen.neighbours is not None else "")


def _count(seen: _Seen) -> int:
    crowds = [observed for observed in (seen.crowd, seen.neighbours) if observed is not None]
    probed = sum(len(gradings) for one in seen.attacked.seen for gradings in one.gradings.values())
    return probed + sum(len(observed.gradings) for observed in (*seen.quiet.values(), *crowds))


def _command(case: Case, probe: str, options: ProveOptions, sandbox: Sandbox, path: Path | None = None) -> str:
    """Return the command that shows what a probe came to, under the settings under which it was seen."""
    words = ["fairtrial", "prove", str(path or case.key.path), "--only", probe, "--repeats", str(case.repeats)]
    usual = ProveOptions()
    if options.pass_at != usual.pass_at:
        words += ["--pass-at", str(options.pass_at)]
    if options.seed != usual.seed:
        words += ["--seed", str(options.seed)]
    if sandbox.name != USUAL_SANDBOX:
        words += ["--sandbox", sandbox.name]
    if options.mutants != usual.mutants:
        words += ["--mutants", str(options.mutants)]
    if options.runners != usual.runners:
        words += ["--runners", ",".join(options.runners)]
    if probe == "reference_concurrent":
        words += ["--concurrency", str(options.concurrency)]
    return shlex.join(words)
