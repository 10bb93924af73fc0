"""The figures of a judge's trial, as JSON: σ, what it can see, and how often each probe flips it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairtrial.attack.judges import JudgeCase
from fairtrial.grade.judges import Judge, Judged
from fairtrial.models import Spent
from fairtrial.prove.judges.compared import Compared, accepting, share
from fairtrial.prove.judges.shifts import mean
from fairtrial.prove.judges.spread import Sight
from fairtrial.records import Estimate

FLIP_RATES = {"order_swapped": "flip_rate_order", "names_changed": "flip_rate_names", "reworded": "flip_rate_rewording",
              "rubric_rearranged": "flip_rate_rubric"}  # fmt: skip


def figures(
    judge: Judge, cases: Sequence[JudgeCase], frozen: Sequence[Sequence[float]], spread: Estimate, seen: Sight,
    compared: Sequence[Compared], *, spent: Spent,
) -> dict[str, Any]:  # fmt: skip
    """Return the figures."""
    return {
        "sigma": spread.document(),
        "gap": judge.gap,
        "votes": judge.votes,
        "gap_it_can_see": {"value": seen.needed, "low": seen.needed_low, "high": seen.needed_high},
        "votes_needed": seen.votes_needed,
        **{name: _flip_rate(compared, probe) for probe, name in FLIP_RATES.items()},
        "first_preferred": _first_preferred(compared, frozen) if judge.form == "pairwise" else None,
        **_known(judge, cases, frozen),
        "probes": {one.label: _probe(one) for one in compared},
        "tokens": spent.tokens,
        "cost_usd": spent.cost_usd,
    }


def ungraded_of(answers: Sequence[Judged]) -> dict[str, int]:
    """Return how many verdicts could not be read, by reason."""
    return dict(sorted(Counter(judged.reason for judged in answers if judged.value is None).items()))


def _probe(one: Compared) -> dict[str, Any]:
    return {
        "cases": one.tried, "flip_rate": one.flip_rate.document(), "shift": one.shift.size if one.shift.cases else None,
        "chance": one.shift.chance if one.shift.cases else None,
        "p_value": one.shift.p_value if one.shift.cases else None,
        "accepted": one.accepted, "verdicts": one.verdicts, "ungraded": dict(one.ungraded),
    }  # fmt: skip


def _flip_rate(compared: Sequence[Compared], probe: str) -> dict[str, Any] | None:
    """Return the share of showings in which a case was flipped; None where the probe was not asked."""
    of_it = [one for one in compared if one.card.id == probe]
    if not of_it:
        return None
    tried = sum(one.tried for one in of_it)
    return share(sum(len(one.flipped) for one in of_it), tried, "showings").document()


def _first_preferred(compared: Sequence[Compared], frozen: Sequence[Sequence[float]]) -> float | None:
    """Return the share of verdicts for the response in first place, both orders weighing the same, ties a half."""
    turned = next((one for one in compared if one.card.id == "order_swapped"), None)
    as_shown = [mean(found) for found in frozen if found]
    if turned is None or not as_shown or not turned.tried:
        return None
    # Both are counted for the better response, which stands second when turned.
    straight = mean(as_shown)
    return 0.5 + (straight - turned.mean_variant) / 4


def _known(judge: Judge, cases: Sequence[JudgeCase], frozen: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Return how often the majority of verdicts contradicts what is known, and how far scores lie off."""
    held = [(case, found) for case, found in zip(cases, frozen, strict=True) if found]
    if judge.form == "pairwise":
        wrong = sum(accepting(judge, found) for _, found in held)
        return {"worse_preferred": share(wrong, len(held), "pairs").document()}
    wrongs = [found for case, found in held if case.right is False]
    rights = [found for case, found in held if case.right]
    scored = [mean(found) - case.score for case, found in held if case.score is not None]
    return {
        "false_pass_rate": share(sum(accepting(judge, found) for found in wrongs), len(wrongs)).document(),
        "false_fail_rate": share(sum(not accepting(judge, found) for found in rights), len(rights)).document(),
        "score_error": {"bias": mean(scored), "mean_absolute": mean([abs(one) for one in scored]), "n": len(scored)}
        if scored else None,
    }  # fmt: skip
