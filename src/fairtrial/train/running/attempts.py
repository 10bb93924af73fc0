"""Which attempts an evaluation wants, and which of them a ledger holds. No torch here.

Not covered: making them (`evaluating`, `boxed`).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from fairtrial.ledger import Ledger, connect
from fairtrial.records import record_id
from fairtrial.tasks import Task
from fairtrial.tasks.text import TextSuite, TextTask
from fairtrial.train.boxed import HandedIn, Sampler, assignment_of
from fairtrial.train.recipe import Evaluation, Recipe
from fairtrial.train.recipe.suites import AnySuite
from fairtrial.train.running.chain import sandbox_of

Asked = TypeVar("Asked", TextTask, Task)

AGENT, HELD_OUT = "completion", "held_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A model to be evaluated, named as its rollouts name it."""

    model: str
    seed: int | None
    step: int | None
    folder: Path


def settings_hash(evaluation: Evaluation) -> str:
    """Return the content address of all that shapes what is sampled."""
    return record_id("completion/1", {"temperature": evaluation.temperature,
                                      "max_new_tokens": evaluation.max_new_tokens})  # fmt: skip


def sampler_of(subject: Subject, asked: Evaluation) -> Sampler:
    """Return the policy that completions of task folders come from."""
    return Sampler(model=subject.model, seed=subject.seed, step=subject.step, split=HELD_OUT,
                   sampling={"temperature": asked.temperature, "max_new_tokens": asked.max_new_tokens})  # fmt: skip


def held_of(ledger: Ledger, subject: Subject, suite: AnySuite, recipe: Recipe) -> set[tuple[str, int]]:
    """Return (task, attempt) of all that the ledger holds a grade of, as the recipe asks for it."""
    if isinstance(suite, TextSuite):
        return held_attempts(ledger, subject, suite.identity, settings_hash(recipe.evaluation))
    first = HandedIn(task=suite.tasks[0], completion="", attempt=0)
    settings = assignment_of(sampler_of(subject, recipe.evaluation), first, sandbox_of(recipe)).settings
    return held_attempts(ledger, subject, suite.identity, settings)


def is_whole(ledger: Ledger, subject: Subject, suite: AnySuite, recipe: Recipe) -> bool:
    """Say whether the ledger holds every attempt that the recipe asks for."""
    held, runs = held_of(ledger, subject, suite, recipe), recipe.evaluation.runs
    return all((task.name, attempt) in held for task in suite.tasks for attempt in range(runs))


def held_attempts(ledger: Ledger, subject: Subject, suite: str, settings: str) -> set[tuple[str, int]]:
    """Return (task, attempt) of all that the ledger holds a grade of, for this model under these settings."""
    rows = (
        connect(ledger)
        .execute(
            "select task, attempt from outcomes where model = ? and seed is not distinct from ? and "
            "step is not distinct from ? and suite = ? and settings = ? and agent = ? and outcome <> 'ungraded'",
            [subject.model, subject.seed, subject.step, suite, settings, AGENT],
        )
        .fetchall()
    )
    return {(str(task), int(attempt)) for task, attempt in rows}


def batches_of(
    tasks: Sequence[Asked], recipe: Recipe, held: Container[tuple[str, int]]
) -> list[list[tuple[int, Asked]]]:
    """Return (attempt, task) batch by batch, without the batches that are there whole.

    A batch that is there in part is sampled again as a whole, so that each attempt comes out as it would have.
    """
    size = recipe.evaluation.batch_size
    wanted = [(attempt, task) for attempt in range(recipe.evaluation.runs) for task in tasks]
    batches = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    return [batch for batch in batches if any((task.name, attempt) not in held for attempt, task in batch)]
