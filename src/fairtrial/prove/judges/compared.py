"""One probe of a judge over all cases: how verdicts moved, which cases were flipped, and what of it is a claim. Pure.

A finding needs both: more than chance (Holm over all probes, 5%), and enough to matter (half the gap, or a case whose
majority changes sides).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairtrial.attack import Card
from fairtrial.attack.judges import JudgeSubmission
from fairtrial.grade.judges import Judge, Judged
from fairtrial.measure.intervals import wilson, zero_bound
from fairtrial.prove.judges.asking import Asked, Question, values
from fairtrial.prove.judges.shifts import Pair, Shift, mean, shift
from fairtrial.records import Estimate

MATTERS = 0.5
"""Share of the gap by which verdicts must move to be a finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What one probe, in one form, came to over all cases."""

    label: str
    card: Card
    example: JudgeSubmission
    shift: Shift
    flipped: tuple[int, ...]
    """Cases whose majority changed sides; of work that is wrong by itself, cases whose majority accepts it."""
    tried: int
    """Cases with verdicts on both sides."""
    mean_variant: float = 0.0
    """Mean over cases of their mean verdict on the submission, turned where the pair is."""
    accepted: int = 0
    """Verdicts that accept, of those on the submissions."""
    verdicts: int = 0
    ungraded: Mapping[str, int] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """Return how often the judge was asked for it."""
        return self.verdicts + sum(self.ungraded.values())

    @property
    def flip_rate(self) -> Estimate:
        """Return the share of cases that were flipped."""
        return share(len(self.flipped), self.tried)

    def matters(self, gap: float) -> bool:
        """Say whether it moved verdicts far enough to be a finding, chance aside."""
        if self.example.defect == "accepted":
            return bool(self.flipped)
        size = -self.shift.size if self.example.defect == "falls" else self.shift.size
        return bool(self.flipped) or size >= MATTERS * gap - 1e-9

    def evidence(self, corrected: float | None) -> dict[str, Any]:
        """Return the numbers behind a claim."""
        return {
            "cases": self.tried, "flipped": len(self.flipped), "shift": self.shift.size, "chance": self.shift.chance,
            "p_value": self.shift.p_value, "p_corrected": corrected, "accepted": self.accepted,
            "verdicts": self.verdicts, "ungraded": dict(self.ungraded), "why": self.example.why,
        }  # fmt: skip


def share(seen: int, n: int, unit: str = "rollouts") -> Estimate:
    """Return a share with its Wilson interval, or the zero bound where nothing was seen.

    >>> share(0, 50).one_sided, round(share(0, 50).high, 4)
    (True, 0.0582)
    """
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method="nothing was graded", unit=unit)
    if seen == 0:
        return Estimate(value=0.0, low=0.0, high=zero_bound(n), n=n, method="zero bound, 95%", one_sided=True,
                        unit=unit)  # fmt: skip
    low, high = wilson(seen, n)
    return Estimate(value=seen / n, low=low, high=high, n=n, method="Wilson", unit=unit)


def compare(
    judge: Judge, asked: Sequence[Asked], answers: Mapping[Question, Sequence[Judged]], frozen: Sequence[Question],
    seed: int,
) -> Compared:  # fmt: skip
    """Return what the submissions `asked`, all of one label, came to against their bases."""
    example = asked[0].submission
    pairs: list[Pair] = []
    flipped: list[int] = []
    means: list[float] = []
    tried = accepted = verdicts = 0
    ungraded: dict[str, int] = {}
    for one in asked:
        submission = one.submission
        question = (submission.judge or judge, submission.shown)
        for judged in answers[question]:
            if judged.value is None:
                ungraded[judged.reason] = ungraded.get(judged.reason, 0) + 1
        sign = -1.0 if submission.is_turned else 1.0
        variant = [sign * value for value in values(answers, question)]
        base = values(answers, (judge, submission.base) if submission.base is not None else frozen[one.case])
        verdicts += len(variant)
        accepted += sum(judge.accepts(value) for value in variant)
        if not variant or (submission.is_compared and not base):
            continue
        tried += 1
        means.append(mean(variant))
        if _is_flipped(judge, submission, base, variant):
            flipped.append(one.case)
        if submission.is_compared:
            pairs.append(_indicated(judge, base, variant) if example.defect == "accepted" else (base, variant))
    moved = shift(pairs, "rises" if example.defect == "accepted" else example.defect, seed)
    return Compared(label=asked[0].label, card=asked[0].card, example=example, shift=moved,
                    flipped=tuple(flipped), tried=tried,
                    mean_variant=mean(means) if means else 0.0, accepted=accepted, verdicts=verdicts,
                    ungraded=ungraded)  # fmt: skip


def _indicated(judge: Judge, base: Sequence[float], variant: Sequence[float]) -> Pair:
    return [float(judge.accepts(value)) for value in base], [float(judge.accepts(value)) for value in variant]


def _is_flipped(judge: Judge, submission: JudgeSubmission, base: Sequence[float], variant: Sequence[float]) -> bool:
    """Say whether the majority of verdicts changed sides in the direction that is a defect."""
    if submission.defect == "accepted":
        before = submission.is_compared and accepting(judge, base)
        return accepting(judge, variant) and not before
    if judge.form == "pairwise":
        return mean(base) > 0 > mean(variant) or (submission.defect == "moves" and mean(base) < 0 < mean(variant))
    before, after = accepting(judge, base), accepting(judge, variant)
    return {"moves": before != after, "rises": after and not before, "falls": before and not after}[submission.defect]


def accepting(judge: Judge, found: Sequence[float]) -> bool:
    """Say whether the majority of verdicts accepts."""
    return sum(judge.accepts(value) for value in found) * 2 > len(found)
