"""Figures of the cases: action space and base rates, outcomes by who recorded them, agreement among experts, costs.

Not measured, and said so: whether recorders knew of the decision; whether a fact would have been found whatever was
chosen (RECORDS.toml says so; that outcomes are recorded more often after some actions is a sign against it, and is
tested).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.stats import chi2_contingency

from fairtrial.authoring.records.decisions import Decision
from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.schema import Declared
from fairtrial.authoring.records.visible import values_of
from fairtrial.measure.agreement import krippendorff_alpha
from fairtrial.measure.intervals.wilson import wilson
from fairtrial.records import Estimate, canonical_json

LEAST_LIKE = 10
"""Pairs of like cases from which agreement among experts is told."""
NEVER_DISAGREES = 20
"""Independent outcomes of which none speaks against the choice: enough to wonder."""
COPIES = 0.001
RELATED = 0.01
"""p-value below which outcomes are said to be recorded more often after some actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """The action space of the cases that are graded by one thing."""

    graded_by: str
    cases: int
    offered: int
    right: dict[str, int]
    """Action -> cases in which it is the right one, of several the reference's."""
    majority: str
    majority_rate: Estimate
    """What a policy passes that always takes the commonest right action."""
    entropy_bits: float
    with_parameters: int
    """Cases in which a parameter is graded too."""


def spaces(cases: Sequence[Case]) -> list[Space]:
    """Return the action space for each kind of grading, in the order of how many there are."""
    found = []
    for by, _ in Counter(case.graded_by for case in cases).most_common():
        mine = [case for case in cases if case.graded_by == by]
        right = Counter(case.reference for case in mine)
        passes = Counter(name for case in mine for name in case.right)
        majority, count = max(passes.items(), key=lambda one: (one[1], one[0]))
        shares = [value / len(mine) for value in right.values()]
        found.append(Space(graded_by=by, cases=len(mine), offered=max(len(case.offered) for case in mine),
                           right=dict(right.most_common()), majority=majority, majority_rate=share(count, len(mine)),
                           entropy_bits=-sum(one * math.log2(one) for one in shares) + 0.0,
                           with_parameters=sum(bool(case.parameters) for case in mine)))  # fmt: skip
    return found


def share(count: int, n: int, unit: str = "decisions") -> Estimate:
    """Return a share with its Wilson interval; not measured of none."""
    if not n:
        return Estimate(value=None, low=None, high=None, n=0, method="not measured: there are none", unit=unit)
    low, high = wilson(count, n)
    return Estimate(value=count / n, low=low, high=high, n=n, method="Wilson", unit=unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Who recorded the outcomes, and what they say of the choices."""

    recorded_by: dict[str, int]
    """Independence -> decisions."""
    none: dict[str, int]
    """Why there is none -> decisions."""
    speaks_for: dict[str, Estimate]
    """Independence -> share of the outcomes that speak for the choice."""
    by_action: dict[str, Estimate]
    """Action -> share of decisions with an independent outcome."""
    p_value: float | None
    """Of no relation between the action and whether an independent outcome was recorded."""
    notes: tuple[str, ...]


def outcomes(decisions: Sequence[Decision], declared: Declared) -> Outcomes:
    """Return the figures of the outcomes, of decisions that an outcome may judge."""
    judged = [one for one in decisions if _may_be_judged(one, declared)]
    by = Counter(one.outcome.independence for one in judged if one.outcome)
    speaks: dict[str, list[bool]] = {}
    for one in judged:
        if one.outcome and (says := _speaks_for(one, declared)) is not None:
            speaks.setdefault(one.outcome.independence, []).append(says)
    independent = {action: [one.outcome is not None and one.outcome.independence == "independent"
                            for one in judged if one.action == action]
                   for action in sorted({one.action for one in judged})}  # fmt: skip
    p_value = _p_value([[sum(held), len(held) - sum(held)] for held in independent.values()])
    return Outcomes(
        recorded_by=dict(by.most_common()),
        none=dict(Counter(one.why_no_outcome for one in judged if not one.outcome).most_common()),
        speaks_for={name: share(sum(held), len(held)) for name, held in sorted(speaks.items())},
        by_action={name: share(sum(held), len(held)) for name, held in independent.items()},
        p_value=p_value,
        notes=tuple(_notes(speaks, p_value)),
    )


def _may_be_judged(decision: Decision, declared: Declared) -> bool:
    table = declared.toml.outcome
    return table is not None and (table.reveals == "choice" or decision.action in declared.judged)


def _speaks_for(decision: Decision, declared: Declared) -> bool | None:
    table, outcome = declared.toml.outcome, decision.outcome
    if table is None or outcome is None:
        return None
    if table.reveals == "choice":
        return True if outcome.value in table.good else False if outcome.value in table.bad else None
    return decision.action in table.right[outcome.value] if outcome.value in table.right else None


def _p_value(table: list[list[int]]) -> float | None:
    """Return chi-squared's p-value; None where a row or column is empty or there is one row."""
    if (
        len(table) < 2
        or any(sum(row) == 0 for row in table)
        or not all(sum(column) for column in zip(*table, strict=True))
    ):
        return None
    return float(chi2_contingency(table).pvalue)


def _notes(speaks: dict[str, list[bool]], p_value: float | None) -> Iterable[str]:
    alone, own = speaks.get("independent", []), speaks.get("self_recorded", [])
    if len(alone) >= NEVER_DISAGREES and all(alone):
        yield f"None of {len(alone)} independent outcomes speaks against the choice: they may follow from it."
    if alone and own:
        p = _p_value([[sum(alone), len(alone) - sum(alone)], [sum(own), len(own) - sum(own)]])
        if p is not None and p < COPIES and sum(own) / len(own) > sum(alone) / len(alone):
            yield (f"Who decided speaks for the choice in {sum(own) / len(own):.0%} of their own outcomes; others in "
                   f"{sum(alone) / len(alone):.0%}.")  # fmt: skip
    if p_value is not None and p_value < RELATED:
        yield "Independent outcomes are recorded more often after some actions: the cases graded by them are no sample."


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far experts agree who decided like cases, each once."""

    groups: int
    pairs: Estimate
    """Share of pairs of different experts that took the same action; the interval takes each group as one draw."""
    alpha: float | None
    why: str
    """Why it was not measured; empty where it was."""


def agreement(decisions: Sequence[Decision], declared: Declared) -> Agreement:
    """Return the agreement among experts on cases that are equal in the fields of `fields.like`."""
    like = declared.toml.fields.like
    nothing = Estimate(value=None, low=None, high=None, n=0, method="not measured", unit="pairs")
    if not like:
        return Agreement(groups=0, pairs=nothing, alpha=None, why="`fields.like` names no fields")
    groups: dict[bytes, dict[str, str]] = {}
    for one in decisions:
        values = values_of(one.visible.shown)
        acted = sorted({shown.event.action for shown in one.visible.shown})
        if all(name in values for name in like):
            key = canonical_json([[str(values[name]) for name in like], acted])
            groups.setdefault(key, {}).setdefault(one.actor, one.action)
    units = [list(held.values()) for held in groups.values() if len(held) > 1]
    agree = pairs = 0
    for unit in units:
        counts = Counter(unit)
        agree += sum(count * (count - 1) // 2 for count in counts.values())
        pairs += len(unit) * (len(unit) - 1) // 2
    if pairs < LEAST_LIKE:
        return Agreement(groups=len(units), pairs=nothing, alpha=None,
                         why=f"{pairs} pairs of experts decided like cases, fewer than {LEAST_LIKE}")  # fmt: skip
    low, high = _widened(agree / pairs, len(units))
    found = Estimate(value=agree / pairs, low=low, high=high, n=pairs, method="Wilson, a group a draw", unit="pairs")
    return Agreement(groups=len(units), pairs=found, alpha=krippendorff_alpha(units), why="")


def _widened(value: float, draws: int) -> tuple[float, float]:
    low, high = wilson(round(value * draws), draws)
    return min(low, value), max(high, value)


def costs(cases: Sequence[Case], declared: Declared) -> dict[str, float]:
    """Return the mean cost of a decision, of cases graded by outcome: of the experts, and of always one action.

    Empty where RECORDS.toml states no costs, or no case is graded by outcome.
    """
    stated = {(one.chosen, one.right): one.cost for one in declared.toml.cost}
    mine = [case for case in cases if case.graded_by == "outcome"]
    if not stated or not mine:
        return {}

    def mean(choices: Iterable[str]) -> float:
        paid = [0.0 if name in case.right else min(stated.get((name, right), 0.0) for right in case.right)
                for name, case in zip(choices, mine, strict=True)]  # fmt: skip
        return sum(paid) / len(paid)

    found = {"experts": mean(case.decision.action for case in mine)}
    for name in mine[0].offered:
        found[f"always {name}"] = mean([name] * len(mine))
    return found


def experts(cases: Sequence[Case]) -> dict[str, Estimate]:
    """Return how often each expert's action was right, of cases graded by an independent outcome."""
    held: dict[str, list[bool]] = {}
    for case in cases:
        if case.graded_by == "outcome":
            held.setdefault(case.decision.actor, []).append(case.decision.action in case.right)
    return {name: share(sum(right), len(right)) for name, right in sorted(held.items())}


def documents(estimates: dict[str, Estimate]) -> dict[str, Any]:
    """Return estimates as JSON objects."""
    return {name: one.document() for name, one in estimates.items()}
