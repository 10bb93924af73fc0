"""From what completions scored to claims. Pure: scores in, claims out.

One claim a probe: in how many cases the grader was wrong, with an example. A score that is missing accuses nobody of a
wrong verdict; that the grader breaks on such a completion is a lead of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.text import Completion
from fairtrial.prove.text.asking import FIGURE_ONLY, REFERENCE, Asked
from fairtrial.prove.text.gold import SAME, Calibration
from fairtrial.prove.text.harness import Graded
from fairtrial.records import Severity

MOST_SHOWN = 300
SILENT_COMPLETIONS = ("", " \n\t\n ")
"""What any policy may hand in: a grader that gives it no score cannot be trained on, or is scored 0 without a word."""
FLAT_POLICIES = 3
"""So many unlike policies must earn one and the same in every case before it is called flat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One completion with all that its gradings came to."""

    asked: Asked
    apart: tuple[Graded, ...]
    """Each in a process of its own."""
    company: tuple[Graded, ...] = ()
    """Among all others, in one process."""

    @property
    def scores(self) -> tuple[float, ...]:
        """Return the scores of gradings apart, by which verdicts are judged."""
        return tuple(run.score for run in self.apart if run.score is not None)

    @property
    def every_score(self) -> tuple[float, ...]:
        """Return the scores of all gradings."""
        return tuple(run.score for run in (*self.apart, *self.company) if run.score is not None)

    @property
    def ungraded(self) -> tuple[Graded, ...]:
        """Return the gradings apart that came to no score."""
        return tuple(run for run in self.apart if run.score is None)

    def passes(self, calibration: Calibration) -> int:
        """Return how many gradings apart are passes."""
        return sum(calibration.passes(self.asked.case, score) for score in self.scores)

    def is_wrong(self, calibration: Calibration) -> bool:
        """Say whether any verdict contradicts what is known."""
        passes = self.passes(calibration)
        return passes > 0 if self.asked.submission.expects == "fails" else passes < len(self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextClaim:
    """A finding before it knows its grader."""

    probe: str
    family: str
    severity: Severity
    claim: str
    evidence: dict[str, Any]


def judge(seen: Sequence[Seen], calibration: Calibration, *, ranged: Severity) -> list[TextClaim]:
    """Return what all gradings prove or suggest; `ranged` is what a score outside [0, 1] is worth."""
    judged = [one for one in seen if one.asked.probe != FIGURE_ONLY[0]]
    by_probe: dict[str, list[Seen]] = {}
    for one in judged:
        by_probe.setdefault(one.asked.probe, []).append(one)
    claims = [*_declared_reference(calibration)]
    for probe, ones in by_probe.items():
        claims += _gold_fails(ones, calibration) if probe == REFERENCE[0] else _wrong_verdicts(ones, calibration)
    return [*claims, *_tied(seen, calibration), *_wavering(judged, calibration), *_out_of_range(judged, ranged),
            *_breaking(judged), *_flat(seen, calibration)]  # fmt: skip


def _gold_fails(ones: Sequence[Seen], calibration: Calibration) -> list[TextClaim]:
    wrong = [one for one in ones if one.is_wrong(calibration)]
    graded = [one for one in ones if one.scores]
    golds = calibration.golds
    if not wrong or (len(wrong) == len(graded) and not any(golds[one.asked.case].is_declared for one in wrong)):
        return []  # no made-up completion passes: how this grader wants its answers is not known
    declared = [one for one in wrong if golds[one.asked.case].is_declared]
    example = (declared or wrong)[0]
    severity: Severity = "proof" if declared else "lead"
    made = f"the right answer, in the format that passes elsewhere ({calibration.format}),"
    how = "the declared reference" if declared else made
    text = f"In {len(declared or wrong)} of {len(graded)} cases {how} does not pass: it scores {_least(example)}."
    return [TextClaim(probe=REFERENCE[0], family=REFERENCE[1], severity=severity, claim=text,
                      evidence=_evidence(declared or wrong, len(graded), example, calibration))]  # fmt: skip


def _declared_reference(calibration: Calibration) -> list[TextClaim]:
    """Claim that declared references fail where the bare answer passes."""
    if not calibration.failing:
        return []
    place, gold = calibration.failing[0]
    silence = [one for _, one in calibration.failing if not one.beats_silence]
    text = (f"In {len(calibration.failing)} cases the declared reference does not pass and the answer alone does: "
            f"it scores {_number(gold.score)}.")  # fmt: skip
    evidence = {"cases": len(calibration.failing), "example": {"case": place, "reward": gold.score}}
    return [TextClaim(probe=REFERENCE[0], family=REFERENCE[1], severity="proof" if silence else "lead", claim=text,
                      evidence=evidence)]  # fmt: skip


def _wrong_verdicts(ones: Sequence[Seen], calibration: Calibration) -> list[TextClaim]:
    """Return the claim of one probe: its proofs where there are any, else its leads."""
    passing = [one for one in ones if calibration.gold_passes(one.asked.case)]
    wrong = [one for one in passing if one.is_wrong(calibration)]
    proofs = [one for one in wrong if _severity(one, calibration) == "proof"]
    shown = proofs or wrong
    if not shown:
        return []
    names = Counter(one.asked.submission.name for one in shown)
    name = max(names, key=lambda one: (names[one], -list(names).index(one)))
    of_name = [one for one in shown if one.asked.submission.name == name]
    example, submission = of_name[0], of_name[0].asked.submission
    tried = {one.asked.case for one in passing if one.asked.submission.name == name and one.scores}
    verb = "passes" if submission.expects == "fails" else "fails"
    more = f"; {len(names) - 1} more of this probe too" if len(names) > 1 else ""
    count, subject = len({one.asked.case for one in of_name}), submission.what
    earned = _least(example) if verb == "fails" else _most(example)
    text = (f"{subject[:1].upper()}{subject[1:]} {verb} in {count} of {len(tried)} cases: it scores {earned}, "
            f"the gold completion {_number(calibration.golds[example.asked.case].score)}{more}.")  # fmt: skip
    return [TextClaim(probe=example.asked.probe, family=example.asked.family, claim=text,
                      severity="proof" if proofs else "lead",
                      evidence=_evidence(shown, len(passing), example, calibration))]  # fmt: skip


def _severity(one: Seen, calibration: Calibration) -> Severity:
    """Return the submission's severity; a lead where gold ties with silence below full marks."""
    if calibration.is_tied and not calibration.golds[one.asked.case].is_declared and max(one.scores) < 1 - SAME:
        return "lead"
    return one.asked.submission.severity


def _tied(seen: Sequence[Seen], calibration: Calibration) -> list[TextClaim]:
    """Claim that gold earns no more than silence: a proof where it is declared, or nothing earns anything else."""
    graded = [gold for gold in calibration.golds if gold.score is not None]
    if not graded or not calibration.is_tied or max(gold.score or 0.0 for gold in graded) <= SAME:
        return []
    declared = [gold for gold in graded if gold.is_declared]
    by_case: dict[int, set[float]] = {}
    for one in seen:
        by_case.setdefault(one.asked.case, set()).update(round(score, 9) for score in one.scores)
    is_blind = len(seen) > len(graded) and all(len(scores) == 1 and min(scores) > SAME for scores in by_case.values())
    count = sum(len(one.scores) for one in seen)
    example = f"{_number(graded[0].score)} against {_number(graded[0].silence)}"
    text = f"In all {len(graded)} cases the gold completion earns no more than saying nothing: {example}."
    if is_blind:
        text = (
            f"The score does not depend on the completion: {count} gradings of {len(graded)} cases, one score a case."
        )
    return [TextClaim(probe="tie", family="reference", severity="proof" if declared or is_blind else "lead", claim=text,
                      evidence={"cases": len(graded), "declared": len(declared), "gradings": count})]  # fmt: skip


def _wavering(seen: Sequence[Seen], calibration: Calibration) -> list[TextClaim]:
    """Return claims about completions that scored differently from one grading to the next."""
    claims = []
    for label, is_gold in (("reference_repeat", True), ("wrong_repeat", False)):
        ones = [one for one in seen if (one.asked.probe == REFERENCE[0]) == is_gold and len(one.every_score) > 1
                and (is_gold or one.asked.submission.expects == "fails")]  # fmt: skip
        moved = [one for one in ones if _spread(one.every_score) > SAME]
        flipped = [one for one in moved if _flips(one, calibration)]
        if not moved:
            continue
        shown_ones = flipped or moved
        by_chance = [one for one in shown_ones if _spread(one.scores) > SAME]
        example = (by_chance or shown_ones)[0]
        how = "from one process to the next" if by_chance else "with what was graded before it"
        what = "verdict on" if flipped else "score of"
        text = (f"The {what} the same completion changes {how}, for {len(shown_ones)} of {len(ones)} completions: "
                f"{example.asked.submission.what} scored {_each(example)}.")  # fmt: skip
        claims.append(TextClaim(probe=label, family=label, severity="proof" if flipped else "lead", claim=text,
                                evidence=_evidence(shown_ones, len(ones), example, calibration)))  # fmt: skip
    return claims


def _spread(scores: Sequence[float]) -> float:
    return max(scores, default=0.0) - min(scores, default=0.0)


def _flips(one: Seen, calibration: Calibration) -> bool:
    verdicts = {calibration.passes(one.asked.case, score) for score in one.every_score}
    return len(verdicts) > 1


def _each(one: Seen) -> str:
    """Return the scores as counts: "1 in 3 gradings, 0 in 4"."""
    counted = Counter(map(_number, one.every_score)).most_common(4)
    return ", ".join(f"{score} in {count}{' gradings' if not place else ''}" for place, (score, count) in
                     enumerate(counted))  # fmt: skip


def _out_of_range(seen: Sequence[Seen], severity: Severity) -> list[TextClaim]:
    outside = [one for one in seen if any(score < -SAME or score > 1 + SAME for score in one.scores)]
    if not outside:
        return []
    example = max(outside, key=lambda one: max(abs(score) for score in one.scores))
    scores = [score for one in outside for score in one.scores]
    text = (f"Scores leave [0, 1], from {_number(min(scores))} to {_number(max(scores))}: "
            f"{example.asked.submission.what} scores {_most(example)}.")  # fmt: skip
    return [TextClaim(probe="reward_range", family="reference", severity=severity, claim=text,
                      evidence={"completions": len(outside), "least": min(scores), "most": max(scores)})]  # fmt: skip


def _breaking(seen: Sequence[Seen]) -> list[TextClaim]:
    """Claim that the grader breaks: a proof where it never scores a completion that says nothing, which it is owed."""
    broken = [one for one in seen if one.ungraded]
    if not broken or len(broken) == len(seen):
        return []
    reasons = Counter(one.ungraded[0].ungraded for one in broken)
    silent = [one for one in broken if one.asked.submission.completion in SILENT_COMPLETIONS and not one.scores]
    example = (silent or broken)[0]
    text = (f"It breaks on {len(broken)} of {len(seen)} completions ({_counted(reasons)}): "
            f"{example.asked.submission.what} is not graded: {example.ungraded[0].detail}.")  # fmt: skip
    evidence = {"reasons": dict(reasons), "completions": len(broken), "of": len(seen),
                "probes": dict(Counter(one.asked.probe for one in broken)),
                "example": {"completion": shown(example.asked.submission.completion),
                            "detail": example.ungraded[0].detail, "output": example.ungraded[0].output}}  # fmt: skip
    severity: Severity = "proof" if silent else "lead"
    return [TextClaim(probe="breaks_grader", family="hack", severity=severity, claim=text, evidence=evidence)]


def _flat(seen: Sequence[Seen], calibration: Calibration) -> list[TextClaim]:
    """Claim that unlike policies that know nothing earn one and the same part of the marks in every case."""
    earned: dict[str, list[Seen]] = {}
    for one in seen:
        if one.asked.policy and one.scores:
            earned.setdefault(one.asked.policy, []).append(one)
    flat: dict[float, dict[str, Seen]] = {}
    for policy, ones in earned.items():
        scores = {round(score, 9) for one in ones for score in one.scores}
        level = next(iter(scores))
        is_part = len(scores) == 1 and level > SAME and not any(one.passes(calibration) for one in ones)
        if is_part and 2 * len(ones) >= len(calibration.golds):
            flat.setdefault(level, {})[policy] = ones[0]
    unlike = {level: found for level, found in flat.items() if _lengths(found.values()) >= FLAT_POLICIES}
    if not unlike:
        return []
    level = max(unlike)
    example = next(iter(unlike[level].values()))
    text = (f"{len(unlike[level])} policies that know nothing of the answer earn {_number(level)} in every case: "
            f"{example.asked.submission.what}, for one.")  # fmt: skip
    return [TextClaim(probe="flat_credit", family="null", severity="lead", claim=text,
                      evidence={"reward": level, "policies": sorted(unlike[level])})]  # fmt: skip


def _lengths(ones: Iterable[Seen]) -> int:
    """Return how many lengths the completions have: unlike texts rarely share one."""
    return len({len(str(one.asked.submission.completion)) for one in ones})


def _evidence(ones: Sequence[Seen], of: int, example: Seen, calibration: Calibration) -> dict[str, Any]:
    submission = example.asked.submission
    return {
        "cases": len({one.asked.case for one in ones}), "submissions": len(ones), "of": of, "why": submission.why,
        "names": dict(Counter(one.asked.submission.name for one in ones)),
        "pass_at": calibration.threshold(example.asked.case),
        "example": {"case": example.asked.case, "completion": shown(submission.completion),
                    "rewards": list(example.every_score)[:32], "name": submission.name},
    }  # fmt: skip


def shown(completion: Completion) -> str:
    """Return a completion cut to what a reader needs, odd characters as escapes.

    >>> shown("a" * 400)[-21:]
    ' ... (400 characters)'
    """
    text = completion if isinstance(completion, str) else str(list(completion))
    text = text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} ... ({len(text):,} characters)"


def _counted(reasons: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())


def _number(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.4g}"


def _most(one: Seen) -> str:
    return _number(max(one.scores))


def _least(one: Seen) -> str:
    return _number(min(one.scores, default=None))
