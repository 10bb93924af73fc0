"""From what a judge said to claims about it. Pure: numbers in, findings out, each with the numbers behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.judges import JudgeCase
from fairtrial.grade.judges import Judge
from fairtrial.prove.judges.compared import Compared, accepting
from fairtrial.prove.judges.shifts import ALPHA, holm, mean
from fairtrial.prove.judges.spread import WELL_ABOVE, Sight
from fairtrial.records import Estimate, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeClaim:
    """A finding about a judge before it is a record."""

    probe: str
    family: str
    severity: Severity
    claim: str
    evidence: Mapping[str, Any]


def judge_spread(judge: Judge, found: Estimate, seen: Sight) -> tuple[list[JudgeClaim], str]:
    """Return what the spread proves, and why it settles nothing; empty where it settles the matter."""
    if seen.needed is None or seen.needed_low is None or seen.needed_high is None:
        return [], found.method
    numbers = {"sigma": found.document(), "gap": judge.gap, "votes": judge.votes, "gap_it_can_see": seen.needed,
               "gap_low": seen.needed_low, "gap_high": seen.needed_high, "votes_needed": seen.votes_needed}  # fmt: skip
    word = "verdict" if judge.votes == 1 else f"mean of {judge.votes} verdicts"
    if judge.gap < seen.needed_low:
        claim = (
            f"The gap it must see, {judge.gap:g}, is not well above σ: with one {word} a rollout it sees "
            f"{seen.needed:.3g} ({WELL_ABOVE:g} standard deviations of a difference), at best {seen.needed_low:.3g}. "
            f"{seen.votes_needed} verdicts averaged would do."
        )
        claims = [JudgeClaim(probe="repeat", family="reference_repeat", severity="proof", claim=claim,
                             evidence=numbers)]  # fmt: skip
        return claims, ""
    if judge.gap < seen.needed_high:
        return [], (f"σ is between {found.low:.3g} and {found.high:.3g}, so the gap it can see is between "
                    f"{seen.needed_low:.3g} and {seen.needed_high:.3g}, and {judge.gap:g} lies within: more rollouts "
                    "or repeats are needed")  # fmt: skip
    return [], ""


def judge_known(judge: Judge, cases: Sequence[JudgeCase], frozen: Sequence[Sequence[float]]) -> list[JudgeClaim]:
    """Return the cases whose known side the majority of verdicts contradicts."""
    claims = []
    for case, found in zip(cases, frozen, strict=True):
        accepted = bool(found) and accepting(judge, found)
        family, word = "defect", ""
        if accepted and judge.form == "pairwise":
            word = "prefers the worse response of"
        elif accepted and case.right is False:
            word = "passes, though it is declared wrong,"
        elif found and case.right and not accepted:
            family, word = "alternative", "fails, though it is declared right,"
        if word:
            claims.append(
                JudgeClaim(probe=f"known:{case.id}", family=family, severity="proof",
                           evidence={"case": case.id, "verdicts": list(found)},
                           claim=f"It {word} `{case.id}`: {_of(judge, found, not accepted)} verdicts.")
            )  # fmt: skip
    return claims


def _of(judge: Judge, found: Sequence[float], is_failed: bool) -> str:
    accepted = sum(judge.accepts(value) for value in found)
    return f"{len(found) - accepted if is_failed else accepted} of {len(found)}"


def judge_pairs(
    cases: Sequence[JudgeCase], pairs: Sequence[tuple[int, int]], frozen: Sequence[Sequence[float]]
) -> list[JudgeClaim]:
    """Return the pairs whose better response a pointwise judge does not score higher."""
    claims = []
    for better, worse in pairs:
        if not frozen[better] or not frozen[worse]:
            continue
        high, low = mean(frozen[better]), mean(frozen[worse])
        if high <= low:
            name = cases[better].id.removesuffix("/better")
            claim = f"It scores the better response of `{name}` {high:.3g} on average, and the worse {low:.3g}."
            numbers = {"better": list(frozen[better]), "worse": list(frozen[worse])}
            claims.append(JudgeClaim(probe=f"known:{name}", family="defect", severity="proof", claim=claim,
                                     evidence=numbers))  # fmt: skip
    return claims


def judge_compared(judge: Judge, compared: Sequence[Compared], cases: Sequence[JudgeCase]) -> list[JudgeClaim]:
    """Return what the probes prove or suggest; p-values are corrected over all of them."""
    corrected = holm({one.label: one.shift.p_value for one in compared if one.shift.cases})
    claims = []
    for one in compared:
        if not one.matters(judge.gap):
            continue
        p_value = corrected.get(one.label)
        severity: Severity = one.example.severity
        is_chance = p_value is not None and p_value > ALPHA
        if is_chance and one.example.defect != "accepted":
            continue
        if is_chance:
            severity = "lead"
        claim = _worded(judge, one, cases, is_chance=is_chance)
        claims.append(JudgeClaim(probe=one.label, family=one.card.family, severity=severity,
                                 claim=claim, evidence=one.evidence(p_value)))  # fmt: skip
    return claims


def _worded(judge: Judge, one: Compared, cases: Sequence[JudgeCase], *, is_chance: bool) -> str:
    what = one.example.what[0].upper() + one.example.what[1:]
    flipped = f"{len(one.flipped)} of {one.tried} {'pairs' if judge.form == 'pairwise' else 'rollouts'}"
    where = f" (`{cases[one.flipped[0]].id}` first)" if one.flipped else ""
    chance = f"; chance stays below {abs(one.shift.chance):.2g}" if one.shift.cases else ""
    if one.example.defect == "accepted":
        side = "makes it prefer the worse response" if judge.form == "pairwise" else "passes"
        doubt = ", and too few verdicts tell that from chance" if is_chance else ""
        raised = " that fail without it" if one.example.is_compared and judge.form == "pointwise" else ""
        return f"{what} {side} on {flipped}{raised}{where}{doubt}."
    if one.example.defect == "moves":
        return f"{what} flips the verdict on {flipped}{where}, and moves verdicts by {one.shift.size:.2g}{chance}."
    way = "raises" if one.shift.size > 0 else "lowers"
    return f"{what} {way} the verdict by {abs(one.shift.size):.2g} on average, and flips {flipped}{where}{chance}."
