"""From what the probes' submissions scored to findings. Pure: gradings in, claims out.

One finding a probe, severity and runner: it names what got the wrong verdict, and keeps all of it as evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairtrial.prove.asking import label_of
from fairtrial.prove.attacking import Seen
from fairtrial.prove.judge import Claim
from fairtrial.records import Runner, Severity

STRICTEST_FIRST: tuple[Runner, ...] = ("ours", "harbor_shared", "legacy")
UNDER: dict[Runner, str] = {
    "ours": "",
    "harbor_shared": ", where the agent's processes live on while it is graded",
    "legacy": ", where the log folder is left as the agent left it",
}
NAMED = 3
FEWEST_MUTANTS = 8
"""Below it, a check that rejected nothing may only have had no occasion."""
_TAIL = 600


def judge_probes(seen: Sequence[Seen]) -> list[Claim]:
    """Return a claim for each probe, severity and runner with a wrong verdict, and one for what breaks the grader."""
    groups: dict[tuple[str, Severity, Runner], list[Seen]] = {}
    for one in seen:
        runner = next((r for r in STRICTEST_FIRST if r in one.gradings and one.wrong(r)), None)
        if runner is not None:
            groups.setdefault((label_of(one.asked.card), one.asked.submission.severity, runner), []).append(one)
    wrong = [_wrong_verdicts(ones, label, severity, runner) for (label, severity, runner), ones in groups.items()]
    return [*wrong, *_breaks(seen), *_idle_checks(seen)]


def _wrong_verdicts(ones: Sequence[Seen], label: str, severity: Severity, runner: Runner) -> Claim:
    first = ones[0]
    submission = first.asked.submission
    verb = "passes" if submission.expects == "fails" else "fails"
    count = first.wrong(runner)
    total = count + first.count(runner, "failed" if verb == "passes" else "passed")
    times = f"{count} of {total} gradings" if total > 1 else "1 grading"
    others = "" if len(ones) == 1 else f" So do {len(ones) - 1} more: {_names(ones[1:])}."
    claim = f"{_sentence(submission.what)} {verb}{UNDER[runner]}: {times}.{others} {submission.why}".strip()
    return Claim(
        probe=label if len(ones) > 1 else first.asked.label,
        family=first.asked.card.family, severity=severity, claim=claim, runner=runner,
        evidence={"submissions": [_evidence(one, runner) for one in ones], "classes": list(first.asked.card.classes)},
    )  # fmt: skip


def _names(ones: Sequence[Seen]) -> str:
    names = [one.asked.submission.what for one in ones[:NAMED]]
    return "; ".join(names) + ("; …" if len(ones) > NAMED else "")


def _sentence(what: str) -> str:
    """Return `what` with a capital, unless it begins with the name of a file."""
    word = what.split(" ", 1)[0]
    return what if any(mark in word for mark in "./_`") else what[:1].upper() + what[1:]


def _evidence(one: Seen, runner: Runner) -> dict[str, Any]:
    wrong = "passed" if one.asked.submission.expects == "fails" else "failed"
    example = next((grading for grading in one.gradings[runner] if grading.outcome == wrong), None)
    evidence: dict[str, Any] = {
        "name": one.asked.submission.name,
        "what": one.asked.submission.what,
        "under": {r: {o: one.count(r, o) for o in ("passed", "failed", "ungraded")} for r in one.gradings},
    }
    if example is not None:
        evidence["score"] = example.score
        evidence["failed_checks"] = [check.name for check in example.checks if check.status == "failed"]
        evidence["output"] = str(example.evidence.get("output", ""))[-_TAIL:]
    return evidence


def _breaks(seen: Sequence[Seen]) -> list[Claim]:
    """Return a lead for each probe that leaves the grader without a verdict: a policy can ungrade itself with it."""
    groups: dict[str, list[tuple[Seen, str]]] = {}
    for one in seen:
        reasons = [g.reason for r in one.gradings for g in one.gradings[r] if g.outcome == "ungraded"]
        is_ours = reasons[:1] == ["sandbox"] or (one.is_hurried and reasons[:1] == ["grader_timeout"])
        if reasons and not is_ours:
            groups.setdefault(label_of(one.asked.card), []).append((one, reasons[0]))
    claims = []
    for label, ones in groups.items():
        first, reason = ones[0]
        others = f", and {len(ones) - 1} more like it" if len(ones) > 1 else ""
        claim = (f"{_sentence(first.asked.submission.what)} leaves the grader without a verdict ({reason}){others}: "
                 "a policy can hand that in instead of failing.")  # fmt: skip
        evidence = {"submissions": [one.asked.submission.name for one, _ in ones],
                    "reasons": dict(Counter(why for _, why in ones))}  # fmt: skip
        claims.append(Claim(probe=label, family=first.asked.card.family, severity="lead", claim=claim,
                            evidence=evidence))  # fmt: skip
    return claims


def _idle_checks(seen: Sequence[Seen]) -> list[Claim]:
    """Return a lead that names the checks which rejected no mutant of the reference."""
    mutants = [one for one in seen if one.asked.card.family == "mutant" and one.asked.submission.grader is None]
    gradings = [g for one in mutants for g in one.gradings.get("ours", ()) if g.outcome != "ungraded" and g.checks]
    if len(mutants) < FEWEST_MUTANTS or not gradings:
        return []
    names = {check.name for grading in gradings for check in grading.checks}
    killing = Counter(check.name for g in gradings for check in g.checks if check.status == "failed")
    idle = sorted(names - set(killing))
    if not idle:
        return []
    claim = f"Of {len(names)} checks {len(idle)} rejected none of {len(mutants)} mutants: {', '.join(idle[:6])}."
    return [Claim(probe="mutant", family="mutant", severity="lead", claim=claim,
                  evidence={"idle": idle, "kills": dict(killing)})]  # fmt: skip


def surviving(seen: Sequence[Seen]) -> dict[str, int]:
    """Return how many mutants were graded, and how many of them the grader rejected."""
    mutants = [one for one in seen if one.asked.card.family == "mutant" and one.asked.submission.grader is None]
    graded = [one for one in mutants if one.count("ours", "passed") + one.count("ours", "failed")]
    return {"graded": len(graded), "rejected": sum(not one.wrong("ours") for one in graded)}
