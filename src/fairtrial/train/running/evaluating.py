"""Evaluate a model on the held-out tasks into a ledger: sample, grade, record; what is there already is left alone.

Each attempt draws from a seed made of the training seed, the task and the attempt. Not covered: which models are
evaluated (`planned`), which attempts are wanted (`attempts`), and tasks with a box (`boxed`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from fairtrial.grade.text import grade_text, text_grader_hash
from fairtrial.ledger import Ledger, Writer
from fairtrial.records import Rollout, Verdict, storable
from fairtrial.run.seeds import attempt_seed
from fairtrial.tasks.text import TextSuite, TextTask
from fairtrial.train.policy import Completion
from fairtrial.train.recipe import Recipe
from fairtrial.train.running.attempts import AGENT, HELD_OUT, Subject, batches_of, held_of, settings_hash
from fairtrial.train.running.recorder import Tell
from fairtrial.train.trainers.loading import sampling_dtype
from fairtrial.train.trainers.sampling import SampledModel
from fairtrial.train.trainers.settings import on_cuda

ENVIRONMENT, TRAIN = "text", "train"
_TRAINED = ("train", "training")


def evaluate_text(subject: Subject, suite: TextSuite, recipe: Recipe, ledger: Ledger, tell: Tell) -> int:
    """Attempt each text task `runs` times; return how many attempts were added."""
    held = held_of(ledger, subject, suite, recipe)
    batches = batches_of(suite.tasks, recipe, held)
    if not batches:
        return 0
    model = loaded(subject, recipe)
    added = 0
    with Writer(ledger) as writer:
        for number, batch in enumerate(batches, 1):
            for attempt, task, rollout, completion in _sampled(model, subject, batch, recipe):
                if (task.name, attempt) not in held:
                    writer.add(rollout, _verdict(rollout, task, suite, completion))
                    added += 1
            tell({"evaluating": subject.model, "at": subject.step, "done": number, "of": len(batches)})
    return added


def loaded(subject: Subject, recipe: Recipe) -> SampledModel:
    """Return the model, ready to be sampled. Raise InputError where it cannot be loaded."""
    return SampledModel.load(subject.folder, cuda=on_cuda(recipe), dtype=sampling_dtype(recipe),
                             batch_size=recipe.evaluation.batch_size)  # fmt: skip


def _sampled(
    model: SampledModel, subject: Subject, batch: Sequence[tuple[int, TextTask]], recipe: Recipe
) -> Iterator[tuple[int, TextTask, Rollout, Completion]]:
    began = time.monotonic()
    seeds = [attempt_seed(subject.seed or 0, task.name, attempt) for attempt, task in batch]
    asked = recipe.evaluation
    completions = model.complete_each([task.prompt for _, task in batch], seeds, temperature=asked.temperature,
                                      max_new_tokens=asked.max_new_tokens)  # fmt: skip
    seconds = (time.monotonic() - began) / len(batch)
    for (attempt, task), completion in zip(batch, completions, strict=True):
        yield attempt, task, _rollout(subject, task, attempt, completion, recipe, seconds), completion


def _rollout(
    subject: Subject, task: TextTask, attempt: int, completion: Completion, recipe: Recipe, seconds: float
) -> Rollout:
    per_hour = recipe.price.usd_per_hour
    return Rollout(
        task=task.name, model=subject.model, attempt=attempt, suite=task.suite, agent=AGENT,
        settings=settings_hash(recipe.evaluation), environment=ENVIRONMENT, seed=subject.seed, step=subject.step,
        answer=storable(completion.text), split=_side(task), domain=task.domain, family=task.family,
        cluster=task.cluster, task_hash=task.hash, stop="finished" if completion.finished else "output_limit",
        input_tokens=completion.input_tokens, output_tokens=completion.tokens, seconds=seconds,
        cost_usd=None if per_hour is None else seconds / 3600 * per_hour,
        recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )  # fmt: skip


def _side(task: TextTask) -> str:
    """Return the side of a task that is evaluated: held out, but for one that says itself that it is trained on."""
    return TRAIN if task.split.strip().lower() in _TRAINED else HELD_OUT


def _verdict(rollout: Rollout, task: TextTask, suite: TextSuite, completion: Completion) -> Verdict:
    key = suite.keys[task.name]
    grading = grade_text(key, completion.text)
    return Verdict(
        rollout=rollout.id, outcome=grading.outcome, reason=grading.reason, score=grading.score,
        grader=text_grader_hash(key), expected=key.answer, task_hash=task.hash,
        recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )  # fmt: skip
