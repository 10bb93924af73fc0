"""How strong the attacker is: what it passes on the suite's own tasks by honest work, next to the policies.

A probe is only as strong as the model that runs it: that a weak model found nothing says little of what a strong one
would find. Rates are over graded attempts, with the interval clustered by task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fairtrial.attack.hacker.rounds import Purse, reason_ungraded
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.ledger import Ledger, connect
from fairtrial.measure.intervals import clustered_ratio, wilson, zero_bound
from fairtrial.records import Estimate
from fairtrial.run import Assignment, Done, Engine, Trial, Tried, attempt_seed
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite

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


def own_attempts(
    suite: Suite, attacker: TerminalAgent, attempts: int, sandbox: Sandbox, engine: Engine, purse: Purse,
    on_tried: Callable[[Tried], None], *, pass_at: float, seed: int, at_once: int,
) -> Estimate:  # fmt: skip
    """Let the attacker do the suite's tasks honestly, `attempts` times each, and return its pass rate."""
    plays = [(task, attempt) for attempt in range(attempts) for task in suite.tasks]
    cells: dict[str, tuple[int, int]] = {}
    ungraded = 0
    while plays and not purse.is_empty:
        size = purse.wave(at_once)
        wave, plays = plays[:size], plays[size:]
        trials = []
        for task, attempt in wave:
            key = suite.keys[task.name]
            rules = read_rules(key.grading) if key.grading is not None else None
            agent = purse.shared(attacker, len(wave) * len(task.steps))
            assignment = Assignment(task=task, agent=agent, attempt=attempt, sandbox=sandbox,
                                    seed=attempt_seed(seed, task.name, attempt))  # fmt: skip
            grader = HarborGrader(key=key, sandbox=sandbox, rules=rules, pass_at=pass_at)
            trials.append(Trial(assignment=assignment, grader=grader))
        for ended in engine.map(trials):
            name = wave[ended.index][0].name
            tried = ended.value if isinstance(ended, Done) else None
            if tried is None or reason_ungraded(tried):
                ungraded += 1
            else:
                passed, graded = cells.get(name, (0, 0))
                cells[name] = (passed + (tried.gradings[0].outcome == "passed"), graded + 1)
            if tried is not None:
                purse.count(tried, len(wave))
                on_tried(tried)
    return rate(cells, ungraded, "no honest attempt was asked for" if attempts == 0 else "no honest attempt was graded")


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
