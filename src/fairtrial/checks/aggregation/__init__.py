"""From check results to a score, by the roles, workflows, weights and dependencies of a `grading.toml`.

The rule (docs/aggregate.md): a unit is a workflow, or a check in no workflow. A check is effective if it and all that
it builds on, transitively, pass. A workflow passes if all its checks are effective. Correctness C is the weighted share
of units that pass. A broken gate or a failed blocker makes the score 0; else it is C where C < 1, and 1 - w (1 - Q)
where C = 1, with Q the weighted share of the other axes and w `quality_weight` (0 unless set). Pure, standard library.
"""

from fairtrial.checks.aggregation.rules import OWN_MEASURES, Axis, CheckRule, Measure, Role, Rules, dependency_order
from fairtrial.checks.aggregation.score import Score
from fairtrial.checks.aggregation.scorer import Row, Scorer, aggregate, aggregate_group
from fairtrial.checks.aggregation.shares import ranks, shares

__all__ = [
    "OWN_MEASURES",
    "Axis",
    "CheckRule",
    "Measure",
    "Role",
    "Row",
    "Rules",
    "Score",
    "Scorer",
    "aggregate",
    "aggregate_group",
    "dependency_order",
    "ranks",
    "shares",
]
