"""An outage is told apart from hard tasks and from chance."""

from __future__ import annotations

import numpy as np
from tests.measure.observing import integers

from fairtrial.ledger.observed import FAILED, PASSED, UNGRADED, Order
from fairtrial.measure.outages import outages_of


def order_of(outcome: np.ndarray, task: np.ndarray) -> Order:  # type: ignore[type-arg]
    return Order(subject=integers([0] * len(task)), task=task.astype(np.int64), outcome=outcome.astype(np.int64))


def attempts(seed: int, tasks: int = 20, rounds: int = 20, hard: int = 5) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Return outcomes and tasks in rounds; the first `hard` tasks always fail, the others pass at 0.7."""
    generator = np.random.default_rng(seed)
    task = np.tile(np.arange(tasks), rounds)
    passed = (generator.random(len(task)) < 0.7) & (task >= hard)
    return np.where(passed, PASSED, FAILED), task


def test_a_planted_outage_is_found_where_it_was_planted() -> None:
    outcome, task = attempts(1)
    outcome[100:130] = FAILED
    found = outages_of(order_of(outcome, task), 0, (0.5, 0.5))
    assert len(found) == 1
    assert found[0].first <= 100
    assert found[0].first + found[0].length >= 130
    assert found[0].tasks >= 15
    assert found[0].probability < 1e-6


def test_ungraded_attempts_belong_to_an_outage() -> None:
    outcome, task = attempts(2)
    outcome[200:230] = UNGRADED
    assert len(outages_of(order_of(outcome, task), 0, (0.5, 0.5))) == 1


def test_hard_tasks_next_to_each_other_are_no_outage() -> None:
    for seed in range(10):
        outcome, task = attempts(seed, hard=12)
        assert outages_of(order_of(outcome, task), 0, (0.5, 0.5)) == ()


def test_tasks_attempted_nowhere_else_say_nothing() -> None:
    outcome, task = np.full(60, FAILED), np.repeat(np.arange(6), 10)
    assert outages_of(order_of(outcome, task), 0, (0.5, 0.5)) == ()


def test_chance_seldom_looks_like_an_outage() -> None:
    alarms = 0
    for seed in range(100):
        generator = np.random.default_rng(seed)
        task = np.tile(np.arange(10), 30)
        outcome = np.where(generator.random(300) < 0.4, PASSED, FAILED)
        alarms += bool(outages_of(order_of(outcome, task), 0, (1.0, 1.0)))
    assert alarms <= 4


def test_without_an_order_nothing_is_said() -> None:
    assert outages_of(None, 0, (0.5, 0.5)) == ()
