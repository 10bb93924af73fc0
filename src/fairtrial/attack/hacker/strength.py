"""How strong the attacker is: what it passes on the suite's own tasks by honest work, next to the policies.

A probe is only as strong as the model that runs it: that a weak model found nothing says little of what a strong one
would find. Rates are over graded attempts, with the interval clustered by task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fairtrial.attack.hacker.rounds import Attack, reason_ungraded
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.ledger import Ledger, connect
from fairtrial.measure.intervals import clustered_ratio, wilson, zero_bound
from fairtrial.records import Estimate
from fairtrial.run import Assignment, Done, Trial, attempt_seed
from fairtrial.tasks import Suite, Task

Cells = Mapping[str, tuple[int, int]]
"""Task -> passed, graded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """Pass rates of honest work on the suite's own tasks."""

    attacker: Estimate
    policies: Mapping[str, Estimate] = field(default_factory=dict)


def rate(cells: Cells, ungraded: int = 0, why: str = "not measured") -> Estimate:
    """Return the pass rate over tasks.

    >>> rate({"a": (0, 3)}).high < 0.64, rate({}).value is None
    (True, True)
    """
    held = {task: cell for task, cell in sorted(cells.items()) if cell[1]}
    if not held:
        return Estimate(value=None, low=None, high=None, n=0, ungraded=ungraded, method=why, unit="attempts")
    passed, graded = np.array([cell[0] for cell in held.values()]), np.array([cell[1] for cell in held.values()])
    total, n = int(passed.sum()), int(graded.sum())
    if total == 0:
        return Estimate(value=0.0, low=0.0, high=zero_bound(n), n=n, ungraded=ungraded, unit="attempts",
                        method="zero bound, 95%", one_sided=True)  # fmt: skip
    if len(held) == 1:
        low, high = wilson(total, n)
        return Estimate(value=total / n, low=low, high=high, n=n, ungraded=ungraded, method="Wilson", unit="attempts")
    found = clustered_ratio(passed, graded, np.arange(len(held)))
    return Estimate(value=found.value, low=found.low, high=found.high, n=n, ungraded=ungraded, method=found.method,
                    unit="attempts")  # fmt: skip


def own_attempts(attack: Attack, attempts: int) -> Estimate:
    """Let the attacker do the suite's tasks honestly, `attempts` times each, and return its pass rate.

    Its tasks, sandbox, engine and what is left of its budget are those of `attack`.
    """
    plays = [(task, attempt) for attempt in range(attempts) for task in attack.suite.tasks]
    cells: dict[str, tuple[int, int]] = {}
    ungraded = 0
    while plays and not attack.purse.is_empty:
        size = attack.purse.wave(attack.options.at_once)
        wave, plays = plays[:size], plays[size:]
        for ended in attack.engine.map([_honest(attack, *play, len(wave)) for play in wave]):
            name = wave[ended.index][0].name
            tried = ended.value if isinstance(ended, Done) else None
            if tried is None or reason_ungraded(tried):
                ungraded += 1
            else:
                passed, graded = cells.get(name, (0, 0))
                cells[name] = (passed + (tried.gradings[0].outcome == "passed"), graded + 1)
            if tried is not None:
                attack.purse.count(tried, len(wave))
                attack.on_tried(tried)
    return rate(cells, ungraded, "no honest attempt was graded")


def _honest(attack: Attack, task: Task, attempt: int, shares: int) -> Trial:
    """Return an attempt as `run` would make it."""
    key = attack.suite.keys[task.name]
    rules = read_rules(key.grading) if key.grading is not None else None
    assignment = Assignment(
        task=task, agent=attack.purse.shared(attack.attacker, shares * len(task.steps)), attempt=attempt,
        sandbox=attack.sandbox, seed=attempt_seed(attack.options.seed, task.name, attempt),
    )  # fmt: skip
    grader = HarborGrader(key=key, sandbox=attack.sandbox, rules=rules, pass_at=attack.options.pass_at)
    return Trial(assignment=assignment, grader=grader)


def policies_in(ledger: Ledger, suite: Suite) -> dict[str, Estimate]:
    """Return the pass rate of each policy of `ledger` on the suite's tasks as they are now; others do not count."""
    hashes = [task.hash for task in suite.tasks]
    rows = (
        connect(ledger)
        .execute(
            "select case when effort = '' then model else model || '@' || effort end as policy, task, "
            "count(*) filter (outcome = 'passed'), count(*) filter (outcome <> 'ungraded'), "
            "count(*) filter (outcome = 'ungraded') from outcomes "
            "where origin = 'policy' and task_hash in (select unnest(?)) group by all order by all",
            [hashes],
        )
        .fetchall()
    )
    cells: dict[str, dict[str, tuple[int, int]]] = {}
    lost: dict[str, int] = {}
    for policy, task, passed, graded, ungraded in rows:
        cells.setdefault(policy, {})[task] = (passed, graded)
        lost[policy] = lost.get(policy, 0) + ungraded
    return {policy: rate(found, lost[policy]) for policy, found in cells.items()}


def listed(strength: Strength) -> Sequence[tuple[str, Estimate]]:
    """Return the policies, strongest first."""
    return sorted(strength.policies.items(), key=lambda item: (-(item[1].value or 0.0), item[0]))
