"""What pass rates are known of the tasks of a run, and the chance that a set of attempts all fail at them.

Each family has a mean m and a concentration s; its tasks have rates from Beta(m s, (1 - m) s). (m, s) has its
posterior on a grid, from the tasks of the family that were attempted. The chance is its mean over the grid of
prod_t B(a + c, b + n - c + k) / B(a + c, b + n - c), k attempts at task t that all fail, n attempts and c passes known.
A family of which nothing is known says nothing: chance 1. Attempts lose half of their weight in 20 steps, for the
policy changes. What they say of (m, s) counts for 200 attempts at most (the likelihood is tempered), for the rates of
one day are not those of the next; what they say of a task beside its family counts in full, or a few easy tasks would
lend their rate to all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HALF_LIFE = 20.0
"""Steps after which an attempt counts half."""
MOST = 200.0
"""Attempts that a family counts for at most."""
_LEAST = 1e-3
"""Attempts below which a task is forgotten."""
_MEANS = 1 / (1 + np.exp(-np.linspace(-9.0, 7.0, 33)))
_CONCENTRATIONS = np.array([0.5, 2.0, 8.0, 32.0])
_MEAN, _CONCENTRATION = (grid.ravel() for grid in np.meshgrid(_MEANS, _CONCENTRATIONS, indexing="ij"))
_A, _B = _MEAN * _CONCENTRATION, (1 - _MEAN) * _CONCENTRATION
_LOG_PRIOR = 0.5 * np.log(_MEAN * (1 - _MEAN))
"""Jeffreys' prior of the mean, on a grid that is even in the logit; the concentration even in its log."""


@dataclass(slots=True)
class _Held:
    """Attempts and passes of one task, worth what they were at `step`."""

    graded: float
    passed: float
    step: int

    def at(self, step: int) -> tuple[float, float]:
        weight = 0.5 ** ((step - self.step) / HALF_LIFE)
        return self.graded * weight, self.passed * weight


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyChance:
    """What one family says of attempts that all failed."""

    family: str
    failed: int
    tasks: int
    known: float
    """Attempts that its rate rests on, old ones counting less; 0: nothing is known of it."""
    rate: float | None
    """Pass rate before; None where nothing is known."""
    log_chance: float
    """Natural logarithm of the chance that they all fail."""


class Rates:
    """Pass rates by task and family, learned as the steps go by."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._families: dict[str, dict[str, _Held]] = {}
        self._asked: dict[tuple[str, int], _Posterior] = {}
        self.passes_ever = 0
        self.graded_ever = 0

    def learn(self, step: int, family: str, task: str, graded: int, passed: int) -> None:
        """Take in `graded` attempts at a task in `step`, of which `passed` passed."""
        if graded == 0:
            return
        self._asked.clear()
        self.graded_ever += graded
        self.passes_ever += passed
        tasks = self._families.setdefault(family, {})
        before = tasks.get(task)
        old = before.at(step) if before else (0.0, 0.0)
        tasks[task] = _Held(old[0] + graded, old[1] + passed, step)

    def rate(self, family: str, step: int) -> tuple[float | None, float]:
        """Return the pass rate of a family as of `step`, None where nothing is known, and the attempts it rests on."""
        held = [one.at(step) for one in self._families.get(family, {}).values()]
        graded = math.fsum(one[0] for one in held)
        if graded < _LEAST:
            return None, 0.0
        return math.fsum(one[1] for one in held) / graded, graded

    def chances(self, step: int, failed: Mapping[str, Mapping[str, int]]) -> tuple[FamilyChance, ...]:
        """Return for each family the chance that so many attempts at its tasks all fail, as of `step`.

        `failed`: by family, by task.
        """
        return tuple(self._chance(step, family, tasks) for family, tasks in failed.items())

    def _chance(self, step: int, family: str, failed: Mapping[str, int]) -> FamilyChance:
        rate, known = self.rate(family, step)
        total = sum(failed.values())
        if rate is None:
            return FamilyChance(family=family, failed=total, tasks=len(failed), known=0.0, rate=None, log_chance=0.0)
        return FamilyChance(family=family, failed=total, tasks=len(failed), known=known, rate=rate,
                            log_chance=self._posterior(family, step).all_fail(failed))  # fmt: skip

    def _posterior(self, family: str, step: int) -> _Posterior:
        """Return what is known of a family as of `step`; a streak that goes on asks for the same one again."""
        found = self._asked.get((family, step))
        if found is None:
            held = {name: one.at(step) for name, one in self._families[family].items()}
            found = self._asked[(family, step)] = _posterior({n: c for n, c in held.items() if c[0] >= _LEAST})
        return found


@dataclass(frozen=True, slots=True)
class _Posterior:
    """Log weights on the grid, and (attempts, passes) of each task."""

    weight: Floats
    held: Mapping[str, tuple[float, float]]

    def all_fail(self, failed: Mapping[str, int]) -> float:
        rows = [(*self.held.get(task, (0.0, 0.0)), float(k)) for task, k in failed.items()]
        n, c, k = (np.array(column)[:, None] for column in zip(*rows, strict=True))
        a, b = _A + c, _B + n - c
        inside = (_log_beta(a, b + k) - _log_beta(a, b)).sum(0)
        return min(0.0, _log_sum(self.weight + inside) - _log_sum(self.weight))


def _posterior(held: Mapping[str, tuple[float, float]]) -> _Posterior:
    share = min(1.0, MOST / math.fsum(graded for graded, _ in held.values()))
    return _Posterior(weight=_LOG_PRIOR + share * _likelihood(held.values()), held=held)


def all_fail(held: Mapping[str, tuple[float, float]], failed: Mapping[str, int]) -> float:
    """Return the log chance that `failed` attempts a task all fail, given (attempts, passes) `held` of tasks.

    >>> round(all_fail({"a": (50.0, 25.0)}, {"a": 4}), 1), round(all_fail({"a": (50.0, 0.0)}, {"a": 4}), 1)
    (-2.7, -0.0)
    """
    return _posterior(held).all_fail(failed)


def _likelihood(held: Iterable[tuple[float, float]]) -> Floats:
    n, c = (np.array(column)[:, None] for column in zip(*held, strict=True))
    total: Floats = (_log_beta(_A + c, _B + n - c) - _log_beta(_A, _B)).sum(0)
    return total


def _log_beta(a: Floats, b: Floats) -> Floats:
    from scipy.special import betaln

    found: Floats = betaln(a, b)
    return found


def _log_sum(values: Floats) -> float:
    top = float(values.max())
    return top + math.log(float(np.exp(values - top).sum()))
