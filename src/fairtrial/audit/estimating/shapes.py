"""How work fails: whose fault by the tags of reviewed failures, and the tags of each model, strong beside weak.

A rollout's tags are those of the people who read it, adjudicators too; of judges where no person gave any. Behaviours
are of all that was reviewed, failure tags of failures alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from fairtrial.audit import taxonomy
from fairtrial.audit.estimating.drawn import Row, scaled
from fairtrial.audit.estimating.options import Options
from fairtrial.audit.estimating.result import FailureShares, ShapeRow, Shapes, counted
from fairtrial.audit.estimating.shares import Frame, estimate_of, found
from fairtrial.audit.sampling import Unit
from fairtrial.measure.intervals import difference
from fairtrial.records import Estimate, InputError

Group = Literal["capability", "environment", "behaviour", "other"]
_METHOD = "MOVER from two clustered shares, correlation over shared tasks"


def failure_tags(row: Row) -> frozenset[str]:
    """Return the failure tags of `row`."""
    return _tags(row, "failure_tags")


def behaviour_tags(row: Row) -> frozenset[str]:
    """Return the behaviour tags of `row`."""
    return _tags(row, "behaviour_tags")


def _tags(row: Row, field: str) -> frozenset[str]:
    for kind in ("person", "judge"):
        told = {tag for review in row.reviews if review.kind == kind for tag in getattr(review, field)}
        if told:
            return frozenset(told)
    return frozenset()


def fault(tags: frozenset[str]) -> str:
    """Return whose fault `tags` say it is.

    >>> fault(frozenset({"wrong_logic", "infrastructure"})), fault(frozenset({"late"}))
    ('both', 'untagged')
    """
    task, agent = bool(tags & taxonomy.ENVIRONMENT.keys()), bool(tags & taxonomy.CAPABILITY.keys())
    return "both" if task and agent else "environment" if task else "capability" if agent else "untagged"


def failure_shares(frame: Frame, rows: Sequence[Row]) -> FailureShares:
    """Return the four shares of reviewed failures."""
    failed = [row for row in rows if not row.passed]

    def share(name: str) -> Estimate:
        return _share(frame, failed, lambda row: fault(failure_tags(row)) == name)

    return FailureShares(reviewed=sum(bool(row.reviews) for row in failed), environment=share("environment"),
                         capability=share("capability"), both=share("both"), untagged=share("untagged"))  # fmt: skip


def shapes(frame: Frame, rows: Sequence[Row], units: Sequence[Unit], options: Options) -> Shapes:
    """Return the tags of each model. Raise InputError for a strong or weak model that the ledger does not hold."""
    strong, weak = _pair(units, options)
    reviewed = [row for row in rows if row.reviews]
    seen: dict[str, None] = {}
    for tag in (*taxonomy.CAPABILITY, *taxonomy.ENVIRONMENT, *taxonomy.BEHAVIOUR):
        seen[tag] = None
    given = {tag for row in reviewed for tag in _counted(row)}
    order = [tag for tag in seen if tag in given] + sorted(given - seen.keys())
    models = sorted({row.unit.label for row in reviewed})
    if strong not in models or weak not in models:
        strong = weak = ""
    tasks = [
        {row.unit.group for row in reviewed if not row.passed and row.unit.label == name} for name in (strong, weak)
    ]
    told = []
    for tag in order:
        of_behaviour = tag in taxonomy.BEHAVIOUR
        inside = [row for row in rows if of_behaviour or not row.passed]
        by_model = {model: _share(frame, [row for row in inside if row.unit.label == model], _carries(tag))
                    for model in models}  # fmt: skip
        told.append(ShapeRow(tag=tag, group=group_of(tag), by_model=by_model,
                             difference=_difference(frame, inside, tag, strong, weak)))  # fmt: skip
    return Shapes(strong=strong, weak=weak, shared_tasks=len(tasks[0] & tasks[1]) if strong else 0, rows=tuple(told))


def group_of(tag: str) -> Group:
    """Return the group of `tag`; `other` for one that is not of the taxonomy."""
    if tag in taxonomy.CAPABILITY:
        return "capability"
    if tag in taxonomy.ENVIRONMENT:
        return "environment"
    return "behaviour" if tag in taxonomy.BEHAVIOUR else "other"


def _counted(row: Row) -> frozenset[str]:
    return behaviour_tags(row) | (frozenset() if row.passed else failure_tags(row))


def _carries(tag: str) -> Callable[[Row], bool]:
    return lambda row: tag in failure_tags(row) or tag in behaviour_tags(row)


def _answer(holds: Callable[[Row], bool]) -> Callable[[Row], bool | None]:
    return lambda row: holds(row) if row.reviews else None


def _share(frame: Frame, rows: Sequence[Row], holds: Callable[[Row], bool]) -> Estimate:
    one = found(frame, rows, _answer(holds))
    return estimate_of(one)


def _difference(frame: Frame, rows: Sequence[Row], tag: str, strong: str, weak: str) -> Estimate | None:
    """Return strong minus weak; None where there is no pair, or one of them has nothing reviewed."""
    if not strong:
        return None
    sides = []
    for model in (strong, weak):
        mine = [row for row in rows if row.unit.label == model]
        weights, _ = scaled(mine, lambda row: bool(row.reviews))
        told = [row for row in mine if row.unit.rollout in weights]
        if not told:
            return None
        sides.append(frame.weighted(told, [_carries(tag)(row) for row in told], weights))
    found_one = difference(sides[0], sides[1])
    return Estimate(value=found_one.value, low=found_one.low, high=found_one.high,
                    n=len(sides[0].hit) + len(sides[1].hit), unit="rollouts",
                    method=f"{_METHOD} ({counted(found_one.shared, 'task')})")  # fmt: skip


def _pair(units: Sequence[Unit], options: Options) -> tuple[str, str]:
    """Return the models with the highest and the lowest pass rate, or as asked; equal texts where there is one."""
    rates = pass_rates(units)
    for option, name in (("--strong", options.strong), ("--weak", options.weak)):
        if name and name not in rates:
            raise InputError(f"no model `{name}` in the ledger", field=option,
                             hint=f"It holds: {', '.join(sorted(rates))}")  # fmt: skip
    order = sorted(rates, key=lambda name: (-rates[name], name))
    if not order:
        return "", ""
    strong, weak = options.strong or order[0], options.weak or order[-1]
    return (strong, weak) if strong != weak else ("", "")


def pass_rates(units: Sequence[Unit]) -> Mapping[str, float]:
    """Return the share of passes of each model, over its graded rollouts."""
    counts: dict[str, list[int]] = {}
    for unit in units:
        if unit.outcome in ("passed", "failed"):
            counts.setdefault(unit.label, []).append(unit.outcome == "passed")
    return {model: sum(passes) / len(passes) for model, passes in counts.items()}
