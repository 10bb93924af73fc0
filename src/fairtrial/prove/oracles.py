"""Ask the second grader that a task declares about work that got past its own: a lead becomes a proof, or falls.

An oracle that rejects the reference is believed in nothing. Only wrong work that passed is asked about: what an oracle
says of the rest changes no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fairtrial.grade import HarborGrader
from fairtrial.prove.attacking import Attacked, Seen
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.remembered import remembered
from fairtrial.prove.schedule import Case, OnTried
from fairtrial.run import Agent, Assignment, Done, Engine, Trial, Tried, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Key

REJECTS = "The oracle that the task declares rejects it."
REJECTS_REFERENCE = ("oracle", "the oracle that the task declares does not pass the reference")
REFERENCE = -1


@dataclass(frozen=True, slots=True)
class _Place:
    case: int
    number: int
    """Of the submission; REFERENCE for the reference."""


def ask_oracles(
    cases: Sequence[Case], attacked: Sequence[Attacked], engine: Engine, sandbox: Sandbox, options: ProveOptions,
    on_tried: OnTried, on_more: Callable[[int], None],
) -> list[Attacked]:  # fmt: skip
    """Return what the probes came to, with leads that an oracle rejects made proofs and those it accepts left out."""
    places: list[_Place] = []
    for index, (case, all_seen) in enumerate(zip(cases, attacked, strict=True)):
        doubted = [n for n, one in enumerate(all_seen.seen) if _is_doubted(one)]
        if case.key.under_oracle is not None and case.reference is not None and doubted:
            places += [_Place(index, number) for number in (REFERENCE, *doubted)]
    on_more(len(places))
    jobs = [remembered(_trial(cases[p.case], attacked[p.case], p.number, sandbox, options), is_fresh=options.fresh)
            for p in places]  # fmt: skip
    said: dict[_Place, str] = {}
    for ended in engine.map(jobs):
        if isinstance(ended, Done):
            on_tried(ended.value)
            said[places[ended.index]] = _outcome(ended.value)
    return [_told(index, all_seen, said) for index, all_seen in enumerate(attacked)]


def _is_doubted(seen: Seen) -> bool:
    submission = seen.asked.submission
    passed = any(seen.wrong(runner) for runner in seen.gradings)
    return passed and submission.expects == "fails" and submission.severity == "lead" and submission.grader is None


def _trial(case: Case, attacked: Attacked, number: int, sandbox: Sandbox, options: ProveOptions) -> Trial:
    oracle, reference = case.key.under_oracle, case.reference
    assert isinstance(oracle, Key)
    assert reference is not None
    agent: Agent = reference.agent if number == REFERENCE else attacked.seen[number].asked.submission.agent
    assignment = Assignment(task=case.task, agent=agent, attempt=0, sandbox=sandbox, origin="known",
                            seed=attempt_seed(options.seed, case.task.name, 0))  # fmt: skip
    grader = HarborGrader(key=oracle, sandbox=sandbox, pass_at=options.pass_at, stands_in=True)
    return Trial(assignment=assignment, grader=grader, keep=False)


def _outcome(tried: Tried) -> str:
    return tried.gradings[0].outcome


def _told(index: int, attacked: Attacked, said: dict[_Place, str]) -> Attacked:
    reference = said.get(_Place(index, REFERENCE))
    if reference is None:
        return attacked
    if reference != "passed":
        lacking = (*attacked.answer.not_measured, REJECTS_REFERENCE)
        return replace(attacked, answer=replace(attacked.answer, not_measured=lacking))
    seen = [_judged(one, said.get(_Place(index, n), "")) for n, one in enumerate(attacked.seen)]
    return replace(attacked, seen=tuple(one for one in seen if one is not None))


def _judged(seen: Seen, outcome: str) -> Seen | None:
    """Return `seen` as a proof where the oracle rejects it; None where the oracle accepts it as right work."""
    if outcome == "failed":
        submission = replace(seen.asked.submission, severity="proof", why=REJECTS)
        return replace(seen, asked=replace(seen.asked, submission=submission))
    return None if outcome == "passed" else seen
