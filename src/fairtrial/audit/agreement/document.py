"""Agreement as a document, and in sentences: who looked, how far they agree, and what cannot be said."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fairtrial.audit.agreement.figures import Agreed, QuestionAgreement
from fairtrial.records import Estimate

SCHEMA = "fairtrial.agreement/1"
_MEANING = {"satisfied": "whether the work satisfies the task", "hack": "whether it games the grader"}


def document_of(agreed: Agreed, sample: str = "") -> dict[str, Any]:
    """Return the JSON object; `sample` is the id of the sample that it is restricted to."""
    return {"schema": SCHEMA, "sample": sample or None, "seed": agreed.seed,
            "questions": {one.question: _document(one) for one in agreed.questions}}  # fmt: skip


def sentence(one: QuestionAgreement) -> str:
    """Return who looked and how far people agree, in a sentence or two."""
    if not one.read_by:
        return "No person has looked." if one.judged_by else "Nobody has looked."
    names = _listed(list(one.read_by))
    if not one.answers:
        return f"{names} looked, and said of no rollout {_MEANING[one.question]}."
    if one.people is None:
        return (f"{names} looked, alone: whether people agree was not measured." if len(one.read_by) == 1 else
                f"{names} looked, and no rollout was read by two: whether people agree was not measured.")  # fmt: skip
    agree = one.people.agree
    if agree.value is None:
        return f"{names} looked; no rollout was told by two of them: whether people agree was not measured."
    return (f"{names} looked; on {one.people.n} rollouts that two or more told, {agree.value:.0%} of their answers "
            f"{interval(agree, percent=True)} agree on {_MEANING[one.question]}.")  # fmt: skip


def interval(estimate: Estimate, *, percent: bool = False) -> str:
    """Return `[low, high]`, or why there is none.

    >>> interval(Estimate(value=0.5, low=0.25, high=0.75, n=8, method="m"))
    '[0.25, 0.75]'
    """
    if estimate.low is None or estimate.high is None:
        return f"({estimate.method})"
    return f"[{estimate.low:.0%}, {estimate.high:.0%}]" if percent else f"[{estimate.low:.2f}, {estimate.high:.2f}]"


def _document(one: QuestionAgreement) -> dict[str, Any]:
    told = asdict(one)
    told["judges"] = [{"judge": judge.judge, **asdict(judge.compared), "sensitivity": asdict(judge.sensitivity),
                       "specificity": asdict(judge.specificity)} for judge in one.judges]  # fmt: skip
    del told["question"]
    return told | {"sentence": sentence(one)}


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
