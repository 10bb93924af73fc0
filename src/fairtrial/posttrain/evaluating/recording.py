"""Evaluations as rollouts and verdicts: an item is a task, a seed an attempt, so that a board reads them as any other.

An evaluation that failed is an ungraded attempt at every item that the base model's evaluation names. Where an
evaluator names no items there is one task, `accuracy`, ungraded with the reason `no_items`: a share is neither passed
nor failed, so no board can rank it; the accuracy itself is its score's evidence, and stands in our own document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fairtrial.ledger import Ledger
from fairtrial.posttrain.evaluating.outcome import Evaluated, Evaluation
from fairtrial.posttrain.evaluating.terms import Terms
from fairtrial.records import Outcome, Rollout, Verdict, canonical_json

WHOLE = "accuracy"
NO_ITEMS = "no_items"


def record(
    ledger: Ledger, model: str, terms: Terms, evaluated: Evaluated, sandbox: str, items: Iterable[str] = ()
) -> None:
    """Append the rollouts of a model on one track, and their verdicts first; what is there already changes nothing."""
    named = tuple(items)
    rollouts, verdicts = [], []
    for attempt, one in enumerate(evaluated.seeds):
        for task, outcome, reason in _outcomes(one, named):
            rollout = Rollout(
                task=task, model=model, attempt=attempt, suite=terms.suite, settings=terms.settings,
                environment=terms.environment, seed=one.seed, domain=terms.track, sandbox=sandbox, stop="finished",
                recorded_at=one.evaluated_at,
            )  # fmt: skip
            rollouts.append(rollout)
            verdicts.append(Verdict(
                rollout=rollout.id, outcome=outcome, reason=reason,
                score=None if outcome == "ungraded" else float(outcome == "passed"), grader=f"evaluate {terms.suite}",
                evidence=canonical_json(_evidence(one)).decode(), recorded_at=one.evaluated_at,
            ))  # fmt: skip
    ledger.append("verdicts", verdicts)
    ledger.append("rollouts", rollouts)


def _outcomes(one: Evaluation, named: tuple[str, ...]) -> Iterator[tuple[str, Outcome, str]]:
    """Yield (task, outcome, reason) of one evaluation."""
    if one.accuracy is None:
        for task in named or (WHOLE,):
            yield task, "ungraded", one.reason
    elif one.items is None:
        yield WHOLE, "ungraded", NO_ITEMS
    else:
        yield from _of_items(one.items)


def _of_items(items: Mapping[str, bool | None]) -> Iterator[tuple[str, Outcome, str]]:
    for task, passed in items.items():
        if passed is None:
            yield task, "ungraded", "item_ungraded"
        else:
            yield task, "passed" if passed else "failed", ""


def _evidence(one: Evaluation) -> dict[str, object]:
    told: dict[str, object] = {"seed": one.seed, "accuracy": one.accuracy}
    return told | ({"why": one.why, "exit_code": one.exit_code} if one.reason else {})
