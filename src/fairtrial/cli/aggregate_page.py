"""The tree that `fairtrial aggregate --explain` prints: what weighs how much, what does not count, and the sum."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rich.text import Text
from rich.tree import Tree

from fairtrial.checks.aggregation import CheckRule, Rules, Score
from fairtrial.checks.aggregation.scorer import OTHER_AXES

_MARKS = {True: "● passes", False: "◆ fails ", None: "▢ not measured"}


def tree(rules: Rules, score: Score) -> Tree:
    """Return the tree of one rollout's score."""
    top = Tree(Text(f"score {_figure(score.score)}{_sum(rules, score)}"))
    _add_correctness(top, rules, score)
    _add_gates(top, rules, score)
    _add_other_axes(top, rules, score)
    least = _least_unit(rules)
    if 0 < least < rules.quality_weight:
        top.add(Text(f"λ {rules.quality_weight:g} is more than the smallest unit ({least:.4f}): correct work of poor "
                     "quality may earn less than work that misses that unit"))  # fmt: skip
    return top


def _sum(rules: Rules, score: Score) -> str:
    """Say by which line of the rule the score came about."""
    if score.correct is None:
        return f": no result of {', '.join(score.not_measured)}"
    if score.gates_broken:
        return f", as a gate is broken: {', '.join(score.gates_broken)}"
    if score.blockers_failed:
        return f", as a blocker failed: {', '.join(score.blockers_failed)}"
    if not score.correct:
        return " = C, which is below 1"
    if rules.quality_weight == 0:
        return ", as C is 1 and λ is 0"
    if score.quality is None:
        return ": 1 − λ(1 − Q), and Q is not measured"
    return f" = 1 − λ(1 − Q) = 1 − {rules.quality_weight:g} × (1 − {score.quality:.4f})"


def _add_correctness(top: Tree, rules: Rules, score: Score) -> None:
    loose = [check for check in rules.checks if check.is_unit and not check.workflow]
    whole = math.fsum([*rules.workflows.values(), *(check.weight for check in loose)])
    branch = top.add(Text(f"correctness C {_figure(score.correctness)}"))
    for name, weight in rules.workflows.items():
        share = f"  {_portion(weight, whole)}"
        flow = branch.add(Text(f"{_MARKS[score.workflows[name]]} workflow {name}{share}"))
        for check in rules.checks:
            if check.workflow == name and (check.is_unit or check.role == "gate"):
                flow.add(_line(check, score, ""))
    for check in loose:
        branch.add(_line(check, score, f"  {_portion(check.weight, whole)}"))


def _add_gates(top: Tree, rules: Rules, score: Score) -> None:
    gates = [check for check in rules.checks if check.role == "gate" and not check.workflow]
    if gates:
        branch = top.add(Text("gates: they stop, and earn nothing"))
        for check in gates:
            branch.add(_line(check, score, ""))


def _add_other_axes(top: Tree, rules: Rules, score: Score) -> None:
    others = [check for check in rules.checks if check.counts_on in OTHER_AXES]
    whole = math.fsum([*(c.weight for c in others), *(m.weight for m in rules.efficiency)])
    if not others and not rules.efficiency:
        return
    total = f"Q {_figure(score.quality)}" if score.correct else "do not count, as they only separate correct work"
    branch = top.add(Text(f"other axes: {total}; λ {rules.quality_weight:g}"))
    for axis in OTHER_AXES:
        inside = [check for check in others if check.counts_on == axis]
        measures = rules.efficiency if axis == "efficiency" else ()
        if not inside and not measures:
            continue
        part = branch.add(Text(f"{axis} {_figure(score.axes[axis])}"))
        for check in inside:
            part.add(_line(check, score, f"  {_portion(check.weight, whole)}"))
        for measure in measures:
            part.add(Text(f"○ {measure.direction} {measure.name}  {_portion(measure.weight, whole)}  told among the "
                          "correct rollouts of a group"))  # fmt: skip


def _line(check: CheckRule, score: Score, share: str) -> Text:
    parents = check.depends_on
    needs = f"  builds on {', '.join(parents)}" if parents else ""
    unmet = _named(parents, lambda name: score.effective[name] is False, "not met")
    open_ = _named(parents, lambda name: score.effective[name] is None, "not measured")
    return Text(f"{_MARKS[score.effective[check.name]]} {check.name}  {check.role}{share}{needs}{unmet}{open_}")


def _named(names: Sequence[str], is_so: Callable[[str], bool], what: str) -> str:
    found = [name for name in names if is_so(name)]
    return f" ({what}: {', '.join(found)})" if found else ""


def _portion(weight: float, whole: float) -> str:
    """Return a weight as the share that it is, once weights are normalised."""
    return f"weight {weight / whole:.4f}" if whole > 0 else "weight 0"


def _least_unit(rules: Rules) -> float:
    weights = [*rules.workflows.values(), *(c.weight for c in rules.checks if c.is_unit and not c.workflow)]
    whole = math.fsum(weights)
    return min((weight for weight in weights if weight > 0), default=0.0) / whole if whole > 0 else 0.0


def _figure(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.4f}"
