"""What `audit judge` did, as the document `fairtrial.judged/1`: each rollout, what is ungraded and why, the cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.audit.judging.judge import Judged
from fairtrial.models import Spent
from fairtrial.records import Review

SCHEMA = "fairtrial.judged/1"


def status(judged: Judged) -> str:
    """Return what became of one rollout: `judged`, `void`, `ungraded` or `refused`."""
    if judged.refused:
        return "refused"
    if judged.blind is None:
        return "ungraded"
    return "void" if judged.blind.void else "judged"


def counts_of(all_judged: Sequence[Judged]) -> dict[str, int]:
    """Return how many there are of each status; `was_there` are those of them that were not asked again."""
    found = Counter(status(one) for one in all_judged)
    named = {name: found[name] for name in ("judged", "void", "ungraded", "refused")}
    without_key = sum(one.blind is not None and not one.has_key for one in all_judged)
    void = sum(one.informed is not None and bool(one.informed.void) for one in all_judged)
    return named | {
        "void_informed": void,
        "was_there": sum(one.was_there for one in all_judged),
        "without_key": without_key,
    }


def reasons_of(all_judged: Sequence[Judged]) -> dict[str, int]:
    """Return why there is no review, and how often."""
    found = Counter(one.ungraded.reason for one in all_judged if one.ungraded is not None)
    return dict(sorted(found.items()))


def labels_of(all_judged: Sequence[Judged]) -> dict[str, int]:
    """Return how often each of the four was said in the informed pass, void reviews left out."""
    said = [one.informed.label for one in all_judged if one.informed is not None and not one.informed.void]
    found = Counter(label or "cannot_tell" for label in said)
    return {name: found[name] for name in ("true_pass", "false_pass", "true_fail", "false_fail", "cannot_tell")}


def steadiness(all_judged: Sequence[Judged]) -> dict[str, int] | None:
    """Return how many rollouts got the same blind answer at every repeat; None where nothing was repeated."""
    answers: dict[str, list[bool | None]] = {}
    for one in all_judged:
        if one.blind is not None and not one.blind.void:
            answers.setdefault(one.case.work.rollout, []).append(one.blind.satisfied)
    repeated = [said for said in answers.values() if len(said) > 1]
    if not repeated:
        return None
    return {"repeated": len(repeated), "same": sum(len(set(said)) == 1 for said in repeated)}


def document_of(
    all_judged: Sequence[Judged], spent: Spent, about: Mapping[str, Any], *, is_priced: bool
) -> dict[str, Any]:
    """Return the JSON document; `about` says with what it was judged."""
    ordered = sorted(all_judged, key=lambda one: (one.case.work.rollout, one.repeat))
    return {
        "schema": SCHEMA,
        **about,
        "counts": counts_of(all_judged),
        "labels": labels_of(all_judged),
        "steady": steadiness(all_judged),
        "ungraded_reasons": reasons_of(all_judged),
        "rollouts": [_row(one) for one in ordered],
        "spent": {"calls": spent.calls, "input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens,
                  "cost_usd": spent.cost_usd if is_priced else None, "unmeasured": spent.unmeasured},
    }  # fmt: skip


def _row(one: Judged) -> dict[str, Any]:
    work, spoken = one.case.work, one.case.spoken
    return {
        "rollout": work.rollout,
        "task": work.task,
        "verdict": spoken.outcome if spoken is not None else "ungraded",
        "reviewer": one.reviewer,
        "status": status(one),
        "was_there": one.was_there,
        "why": one.refused or (one.ungraded.detail if one.ungraded is not None else ""),
        "reason": one.ungraded.reason if one.ungraded is not None else "",
        "has_key": one.has_key,
        "blind": _said(one.blind),
        "informed": _said(one.informed),
        "askings": one.askings,
        "parts": one.parts,
        "notes": list(one.notes),
    }


def _said(review: Review | None) -> dict[str, Any] | None:
    if review is None:
        return None
    told = {"id": review.id, "satisfied": review.satisfied, "hack": review.hack, "void": review.void,
            "failure_tags": list(review.failure_tags), "behaviour_tags": list(review.behaviour_tags),
            "citations": list(review.citations), "note": review.note}  # fmt: skip
    return told if review.stage == "blind" else told | {"label": review.label or None}
