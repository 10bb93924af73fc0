"""Prove a text grader: gold first, then everything the probes hand in, again in other processes; then the conclusion.

Refuted: at least one proof. Inconclusive: no gold completion passes, gold ties with silence, or a required family could
not be graded. Not covered: graders that need a model, a sandbox or the network of their own; their calls are ungraded.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from fairtrial.attack import catalogue_version
from fairtrial.attack.text import PROBES
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.proof import ProvenTask
from fairtrial.prove.steadiness import UNSTEADY_REPEATS, draws_or_times
from fairtrial.prove.text.asking import (
    DECLARED_RIGHT,
    DECLARED_WRONG,
    FIGURE_ONLY,
    REFERENCE,
    Asked,
    chosen_probe,
    everything,
    probe_ids,
    text_cases,
)
from fairtrial.prove.text.cases import GraderCase, hash_of
from fairtrial.prove.text.figures import figures
from fairtrial.prove.text.gold import Calibration, calibrate
from fairtrial.prove.text.harness import Form, Harness, Loaded
from fairtrial.prove.text.judge import Seen, TextClaim, judge
from fairtrial.prove.text.paid_for import LABELS as PAID_FOR
from fairtrial.prove.text.paid_for import paid_for
from fairtrial.prove.text.repeating import grade_all
from fairtrial.records import Finding, Proof, Severity, Status, canonical_json, digest

JUDGED_OVER_ALL = (
    "reference_repeat", "wrong_repeat", "tie", "reward_range", "breaks_grader", "flat_credit", *PAID_FOR
)  # fmt: skip
"""Labels read off all gradings, rather than off one probe's."""
REQUIRED = ("null", "reference", "reference_repeat", "wrong_repeat", "hack")
ABSENT = ("reference_concurrent", "mutant", "leak", "static")
FORMS: Mapping[str, tuple[Form, ...]] = {"inspect": ("text",), "verifiers": ("chat",)}
NO_GOLD = "no gold completion passes, so nothing can be compared"
NO_ISOLATION = ("isolation", "the grader ran as a process of this user, with the network and all files in its reach")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """How hard to try."""

    repeats: int = 3
    """Gradings of each completion: one apart, the rest in company; more of them for graders that draw or time."""
    only: str = ""
    pass_at: float | None = None
    """Least reward that is a pass; None to go by what gold completions earn."""
    seed: int = 0
    most: int = 8
    """Submissions of one probe on one case, where it could make any number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A grader, its cases, and the words that bring them again."""

    harness: Harness
    cases: tuple[GraderCase, ...]
    loaded: Loaded
    path: str
    command: tuple[str, ...]
    """Of the proof, without `--only`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenText:
    """What proving a text grader came to."""

    task: ProvenTask
    figures: Mapping[str, Any]
    grader: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return its entry in the `fairtrial.proof/1` document."""
        return self.task.document() | {"figures": dict(self.figures), "grader": dict(self.grader)}


def prove_text(
    brought: Brought, options: TextOptions, *, tool: str, on_graded: Callable[[int], None],
    on_more: Callable[[int], None],
) -> ProvenText:  # fmt: skip
    """Prove the grader; `on_more` is told how many gradings are to come, `on_graded` how many were made."""
    began = time.monotonic()
    probe = chosen_probe(options.only, JUDGED_OVER_ALL)
    forms = FORMS.get(brought.loaded.framework, _forms(brought))

    def on_tried(count: int) -> None:  # how many tries gold takes is known only when it is found
        on_more(count)
        on_graded(count)

    calibration = calibrate(brought.harness, brought.cases, forms, options.pass_at, on_tried)
    cases = text_cases(brought.cases, calibration, brought.loaded.source, options.seed, options.most)
    asked = _worth_asking(everything(cases, probe), calibration)
    unsteady = draws_or_times(brought.loaded.source.encode("utf-8", "replace"))
    repeats = max(options.repeats, UNSTEADY_REPEATS) if unsteady and options.repeats > 1 else options.repeats
    on_more(len(asked) * repeats)
    seen = grade_all(brought.harness, brought.cases, asked, calibration.form, repeats, on_graded, on_more)
    ranged: Severity = "lead" if options.pass_at is not None or brought.loaded.framework in FORMS else "proof"
    ranged = "lead" if brought.loaded.framework == "trl" else ranged
    claims = [*judge(seen, calibration, ranged=ranged), *paid_for(seen, calibration)]
    if options.only in JUDGED_OVER_ALL:
        claims = [claim for claim in claims if claim.probe == options.only]
    measured = _measured(seen, calibration, probe, repeats)
    return _concluded(brought, options, tool, seen, claims, calibration, measured, time.monotonic() - began)


def _worth_asking(asked: list[Asked], calibration: Calibration) -> list[Asked]:
    """Leave out what says nothing where no gold completion passes: all but gold and the policies that have figures."""
    cases = range(len(calibration.golds))
    if any(calibration.gold_passes(case) or calibration.golds[case].is_declared for case in cases):
        return asked
    can_be_graded = any(gold.score is not None for gold in calibration.golds)
    return [one for one in asked if one.probe == REFERENCE[0] or (can_be_graded and one.submission.is_lazy)]


def _forms(brought: Brought) -> tuple[Form, ...]:
    """Return in which forms completions are tried: as text first, unless the prompts are chats that TRL hands on."""
    is_chat = brought.loaded.framework == "trl" and not isinstance(brought.cases[0].prompt, str)
    return ("chat", "text") if is_chat else ("text", "chat")


@dataclass(frozen=True, slots=True)
class _Measured:
    required: tuple[str, ...]
    measured: tuple[str, ...]
    not_applicable: tuple[str, ...]
    not_measured: tuple[tuple[str, str], ...]
    is_inconclusive: bool


def _measured(seen: Sequence[Seen], calibration: Calibration, probe: str, repeats: int) -> _Measured:
    """Say which probes came to a verdict, and why the others did not."""
    declared = [family for name, family in (DECLARED_WRONG, DECLARED_RIGHT)
                if any(one.asked.probe == name for one in seen)]  # fmt: skip
    required = (*REQUIRED, *declared)
    measured: list[str] = []
    lacking: list[tuple[str, str]] = []
    not_applicable: list[str] = [*ABSENT]
    done: set[str] = set()
    for name, family in probe_ids().items():
        ones = [one for one in seen if one.asked.probe == name]
        why = _why_not(ones, name, probe, calibration)
        if not ones and not why:
            not_applicable.append(name)
        elif why:
            lacking.append((name, why))
        else:
            measured.append(name)
            done.add(family)
    for label in ("reference_repeat", "wrong_repeat"):
        is_gold = label == "reference_repeat"
        twice = any(len(one.every_score) > 1 for one in seen if (one.asked.probe == REFERENCE[0]) == is_gold)
        why = "" if twice else "needs --repeats of 2 or more" if repeats < 2 else "nothing was graded twice"
        measured += [] if why else [label]
        lacking += [(label, why)] if why else []
        done |= set() if why else {label}
    why = f"left out by --only {probe}" if probe else "no probe of this family was graded"
    lacking += [(family, why) for family in required if family not in done
                and not any(name == family for name, _ in lacking)]  # fmt: skip
    is_inconclusive = bool(set(required) - done)
    return _Measured(required, tuple(measured), tuple(not_applicable), tuple(lacking), is_inconclusive)


def _why_not(ones: Sequence[Seen], name: str, probe: str, calibration: Calibration) -> str:
    """Return why a probe came to no verdict; empty where it did, or had no occasion."""
    cases = range(len(calibration.golds))
    if not ones and probe:
        return f"left out by --only {probe}"
    if not ones:
        return "" if any(calibration.gold_passes(case) for case in cases) else NO_GOLD
    if name == REFERENCE[0]:
        if not any(gold.score is not None for gold in calibration.golds):
            said = calibration.golds[0].graded
            return f"no gold completion could be graded: {said.ungraded}: {said.detail}"
        if not any(calibration.gold_passes(case) for case in cases):
            return "no gold completion passes, in any format: give the cases a `reference` that does"
        return "the gold completion earns no more than saying nothing" if calibration.is_tied else ""
    graded = [one for one in ones if one.scores]
    if not graded:
        said = ones[0].apart[0]
        return f"none of {len(ones)} completions could be graded: {said.ungraded}: {said.detail}"
    usable = any(calibration.gold_passes(one.asked.case) for one in graded)
    return "" if usable else NO_GOLD


def _concluded(
    brought: Brought, options: TextOptions, tool: str, seen: Sequence[Seen], claims: Sequence[TextClaim],
    calibration: Calibration, measured: _Measured, seconds: float,
) -> ProvenText:  # fmt: skip
    now = datetime.now(UTC).isoformat(timespec="seconds")
    place, loaded = brought.harness.place, brought.loaded
    refuted = any(claim.severity == "proof" for claim in claims)
    status: Status = "refuted" if refuted else "inconclusive" if measured.is_inconclusive else "proven"
    suite, task_hash = hash_of(brought.cases), digest(loaded.source.encode("utf-8", "backslashreplace"))
    name = brought.harness.target.name
    lacking = measured.not_measured if place.is_isolated else (*measured.not_measured, NO_ISOLATION)
    settings = [list(brought.command), options.repeats, options.seed, options.pass_at,
                catalogue_version(tuple(probe.card for probe in PROBES))]  # fmt: skip
    proof = Proof(
        task=name, status=status, suite=suite, task_hash=task_hash, path=brought.path, tool=tool,
        sandbox="bwrap" if place.is_isolated else "local", required=measured.required, measured=measured.measured,
        not_applicable=measured.not_applicable, not_measured=lacking, seconds=seconds, recorded_at=now,
        gradings=sum(len(one.apart) + len(one.company) for one in seen), settings=digest(canonical_json(settings)),
    )  # fmt: skip
    findings = tuple(
        Finding(task=name, suite=suite, task_hash=task_hash, probe=claim.probe, family=claim.family,
                severity=claim.severity, claim=claim.claim, recorded_at=now,
                command=shlex.join((*brought.command, "--only", claim.probe)),
                evidence=orjson.dumps(claim.evidence, option=orjson.OPT_SORT_KEYS, default=str).decode())
        for claim in claims
    )  # fmt: skip
    task = ProvenTask(proof=proof, findings=findings, outcomes=tuple(_outcomes(brought, seen, calibration)))
    grader = {"framework": loaded.framework, "parameters": dict(loaded.parameters), "form": calibration.form,
              "format": calibration.format, "isolated": place.is_isolated}  # fmt: skip
    return ProvenText(task=task, figures=figures(seen, calibration), grader=grader)


def _outcomes(brought: Brought, seen: Sequence[Seen], calibration: Calibration) -> list[ProbeOutcome]:
    """Return one outcome a probe and expectation, its completions over all cases counted."""
    grouped: dict[tuple[str, str], list[Seen]] = {}
    for one in seen:
        if one.asked.probe != FIGURE_ONLY[0] and one.asked.submission.severity == "proof":
            grouped.setdefault((one.asked.probe, one.asked.submission.expects), []).append(one)
    return [
        ProbeOutcome(
            probe=probe, family=ones[0].asked.family, expects=ones[0].asked.submission.expects,
            passed=sum(one.passes(calibration) for one in ones),
            failed=sum(len(one.scores) - one.passes(calibration) for one in ones),
            ungraded=sum(len(one.ungraded) for one in ones),
            reasons=tuple(sorted({run.ungraded for one in ones for run in one.ungraded})),
            command=shlex.join((*brought.command, "--only", probe)),
        )
        for (probe, _), ones in grouped.items()
    ]  # fmt: skip
