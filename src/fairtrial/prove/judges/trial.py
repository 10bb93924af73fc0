"""The trial of a judge: ask, compare, conclude. Proven, refuted or inconclusive, as for every grader.

Refuted: σ too large for the gap it must see, a known case misjudged, or a probe that proves. Inconclusive: σ settles
nothing, or fewer than four in five verdicts of a required probe could be read. What is refused, cut, unreadable or not
reached is ungraded and counted.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from fairtrial.attack.judges import PROBES, JudgeCases
from fairtrial.grade.judges import Judge, Judged
from fairtrial.models import LanguageModel
from fairtrial.prove.judges.asking import (
    Asked,
    JudgeOptions,
    Question,
    ask_all,
    probe_label,
    questions,
    submissions,
    values,
)
from fairtrial.prove.judges.claims import JudgeClaim, judge_compared, judge_known, judge_pairs, judge_spread
from fairtrial.prove.judges.compared import Compared, compare
from fairtrial.prove.judges.figures import figures, ungraded_of
from fairtrial.prove.judges.spread import sight, sigma
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.proof import ProvenTask
from fairtrial.records import Finding, Proof, Status, canonical_json, digest

READ_AT_LEAST = 0.8
"""Share of verdicts that must be readable for a probe to count as measured."""
ALWAYS_REQUIRED = ("injection", "nothing_said")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenJudge:
    """What the trial of a judge came to."""

    task: ProvenTask
    figures: Mapping[str, Any]
    ungraded: Mapping[str, int]
    asked: int

    def document(self) -> dict[str, Any]:
        """Return its entry in the `fairtrial.proof/1` document."""
        return self.task.document() | {"figures": dict(self.figures), "asked": self.asked,
                                       "ungraded": dict(self.ungraded)}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A judge, its cases, and the words that bring them again."""

    judge: Judge
    cases: JudgeCases
    path: Path
    """JUDGE.toml."""
    command: tuple[str, ...]
    """Of the proof, without `--only`."""


def questions_wanted(brought: Brought, options: JudgeOptions) -> int:
    """Return how often the judge will be asked."""
    asked = submissions(brought.judge, brought.cases.cases, options.only)
    return sum(questions(brought.judge, brought.cases.cases, asked, options).values())


def prove_judge(
    brought: Brought, model: LanguageModel, options: JudgeOptions, *, tool: str, on_asked: Callable[[], None]
) -> ProvenJudge:
    """Try the judge that `model` plays; `on_asked` is called after each question."""
    judge, cases = brought.judge, brought.cases.cases
    asked = submissions(judge, cases, options.only)
    answers = ask_all(model, questions(judge, cases, asked, options), options.workers, on_asked)
    frozen_questions = [(judge, case.shown()) for case in cases]
    frozen = [values(answers, question) for question in frozen_questions]
    by_label: dict[str, list[Asked]] = {}
    for one in asked:
        by_label.setdefault(one.label, []).append(one)
    compared = [compare(judge, ones, answers, frozen_questions, options.seed) for ones in by_label.values()]
    found = sigma(frozen, judge.gap)
    seen = sight(found, judge.gap, judge.votes, is_difference=judge.form == "pairwise")
    spread_claims, unsettled = judge_spread(judge, found, seen)
    claims = [*(spread_claims if options.only in ("", "repeat") else []),
              *([*judge_known(judge, cases, frozen), *judge_pairs(cases, brought.cases.pairs, frozen)]
                if options.only in ("", "known") else []),
              *judge_compared(judge, compared, cases)]  # fmt: skip
    flat = [judged for ones in answers.values() for judged in ones]
    task = _concluded(brought, claims, _lacking(brought, compared, answers, options, unsettled), options, tool,
                      gradings=sum(judged.value is not None for judged in flat), compared=compared)  # fmt: skip
    numbers = figures(judge, cases, frozen, found, seen, compared, spent=model.budget.spent)
    return ProvenJudge(task=task, figures=numbers, ungraded=ungraded_of(flat), asked=len(flat))


@dataclass(frozen=True, slots=True)
class _Families:
    required: tuple[str, ...]
    is_inconclusive: bool
    measured: tuple[str, ...]
    not_applicable: tuple[str, ...]
    not_measured: tuple[tuple[str, str], ...]


def _lacking(
    brought: Brought, compared: Sequence[Compared], answers: Mapping[Question, Sequence[Judged]],
    options: JudgeOptions, unsettled: str,
) -> _Families:  # fmt: skip
    """Return which probes were measured, and why the others were not."""
    judge = brought.judge
    frozen = [judged for case in brought.cases.cases for judged in answers[judge, case.shown()]]
    why = _unread(len(frozen), ungraded_of(frozen)) or (unsettled if options.only in ("", "repeat") else "")
    measured = [] if why else ["reference_repeat"]
    lacking = [("reference_repeat", why)] if why else []
    not_applicable: list[str] = []
    needed = {"repeat", *ALWAYS_REQUIRED, *(("order_swapped",) if judge.form == "pairwise" else ())}
    unmeasured = {"repeat"} if why else set()
    for probe in PROBES:
        name, label = probe.card.id, probe_label(probe.card)
        of_it = [one for one in compared if one.card.id == name]
        if of_it:
            lost = sum((Counter(one.ungraded) for one in of_it), Counter[str]())
            bad = _unread(sum(one.asked for one in of_it), lost)
        else:
            bad = f"left out by --only {options.only}" if options.only else _no_occasion(judge, name)
        measured += [label] if of_it and not bad else []
        not_applicable += [] if of_it or bad else [label]
        lacking += [(label, bad)] if bad else []
        unmeasured |= {name} if bad else set()
    required = ("reference_repeat", *sorted({probe.card.family for probe in PROBES if probe.card.id in needed}))
    return _Families(required, bool(needed & unmeasured), tuple(measured), tuple(not_applicable), tuple(lacking))


def _no_occasion(judge: Judge, probe: str) -> str:
    """Return why a probe found no occasion, where the author could give it one; empty where it does not apply."""
    if probe in ("injection", "polished_wrong"):
        return "no case has a response that is known to be wrong: add `right = false` or a `reference`"
    if probe == "badly_written_right":
        return "no case has a response that is known to be right: add `right = true` or a `reference`"
    if probe == "reworded":
        return "JUDGE.toml declares no `paraphrases`"
    if probe == "names_changed" and judge.form == "pairwise":
        return "the prompt writes the names of the responses out: use {name_1} and {name_2}"
    if probe == "names_changed" and judge.labels:
        return "the prompt writes its labels out: use {labels} and {label:NAME}"
    return ""


def _unread(asked: int, ungraded: Mapping[str, int]) -> str:
    """Return why too few verdicts of a probe could be read; empty where enough could."""
    lost = sum(ungraded.values())
    if asked and (asked - lost) / asked >= READ_AT_LEAST:
        return ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(ungraded.items()))
    return f"{lost} of {asked} verdicts are ungraded: {reasons}" if asked else "was not asked"


def _concluded(
    brought: Brought, claims: Sequence[JudgeClaim], families: _Families, options: JudgeOptions, tool: str, *,
    gradings: int, compared: Sequence[Compared],
) -> ProvenTask:  # fmt: skip
    now = datetime.now(UTC).isoformat(timespec="seconds")
    judge = brought.judge
    refuted = any(claim.severity == "proof" for claim in claims)
    status: Status = "refuted" if refuted else "inconclusive" if families.is_inconclusive else "proven"
    suite, task_hash = brought.cases.hash, digest(canonical_json(_content(judge)))
    proof = Proof(
        task=judge.name, status=status, suite=suite, task_hash=task_hash, path=str(brought.path), tool=tool,
        required=families.required, measured=families.measured, not_applicable=families.not_applicable,
        not_measured=families.not_measured, gradings=gradings, recorded_at=now,
        settings=digest(canonical_json([list(brought.command), options.repeats, options.seed])),
    )  # fmt: skip
    findings = tuple(
        Finding(task=judge.name, suite=suite, task_hash=task_hash, probe=claim.probe, family=claim.family,
                severity=claim.severity, claim=claim.claim, command=_command(brought, claim), recorded_at=now,
                evidence=orjson.dumps(claim.evidence, option=orjson.OPT_SORT_KEYS).decode())
        for claim in claims
    )  # fmt: skip
    return ProvenTask(proof=proof, findings=findings, outcomes=tuple(_outcome(brought, one) for one in compared
                                                                    if one.example.defect == "accepted"))  # fmt: skip


def _outcome(brought: Brought, one: Compared) -> ProbeOutcome:
    return ProbeOutcome(
        probe=one.label, family=one.card.family, expects="fails", passed=one.accepted,
        failed=one.verdicts - one.accepted, ungraded=sum(one.ungraded.values()), reasons=tuple(one.ungraded),
        command=shlex.join((*brought.command, "--only", one.label)),
    )  # fmt: skip


def _command(brought: Brought, claim: JudgeClaim) -> str:
    only = "known" if claim.probe.startswith("known:") else claim.probe
    return shlex.join((*brought.command, "--only", only))


def _content(judge: Judge) -> dict[str, Any]:
    """Return all of the judge's definition, as JSON."""
    return {name: getattr(judge, name) for name in judge.__dataclass_fields__}
