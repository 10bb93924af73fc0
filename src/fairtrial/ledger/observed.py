"""The arrays that `measure` reads: counts by model and task, checks, answers, the order of attempts.

Shapes only. `queries` fills them from a ledger; a test or a notebook may build them by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PASSED, FAILED, UNGRADED = 0, 1, 2

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom a set of figures is about: one model, at one effort, in one scaffold where it ran in several."""

    label: str
    """`MODEL`, `MODEL@EFFORT`, or `agent/MODEL` where one model ran in several scaffolds."""
    name: str
    effort: str
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Rollouts grouped by subject, task, outcome, reason and stop. Arrays of one length."""

    subject: Integers
    task: Integers
    outcome: Integers
    """PASSED, FAILED or UNGRADED."""
    reason: Integers
    """Index into `Observed.reasons`."""
    stop: Integers
    """Index into `Observed.stops`."""
    count: Integers
    spend: Floats
    """Nine columns: how many known, sum, sum of squares; of input tokens, output tokens, USD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Graded checks by subject, task and name, and verdicts that contradict their checks."""

    subject: Integers
    task: Integers
    name: tuple[str, ...]
    n: Integers
    passed: Integers
    verdicts: int = 0
    """Graded rollouts that have checks."""
    passed_with_failed_check: int = 0
    failed_with_all_passed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers by subject and task, with the key. Arrays of one length; one row a distinct answer."""

    subject: Integers
    task: Integers
    answer: tuple[str, ...]
    expected: tuple[str, ...]
    count: Integers
    passed: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Attempts in the order recorded."""

    subject: Integers
    task: Integers
    outcome: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """All that `measure` reads of one ledger."""

    suites: tuple[str, ...]
    subjects: tuple[Subject, ...]
    tasks: tuple[str, ...]
    cluster: Integers
    """Cluster of each task, as an index."""
    reasons: tuple[str, ...]
    stops: tuple[str, ...]
    cells: Cells
    checks: Checks | None = None
    answers: Answers | None = None
    order: Order | None = None
    repeated_attempts: int = 0
    """Attempts of one number, by one subject at one task, that were recorded more than once with other content."""
