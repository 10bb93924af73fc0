"""Evaluate a model on held-out task folders: each completion is run in a box of its own, and graded as `run` grades.

What cannot be tried (a worker that died twice) is left out and told; what the grader could not grade is `ungraded`, and
is tried again on the next call.
"""

from __future__ import annotations

from fairtrial.ledger import Ledger, Writer
from fairtrial.run import LocalEngine, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, Task
from fairtrial.train.boxed import HandedIn, prompt_of, try_all
from fairtrial.train.policy import Completion
from fairtrial.train.recipe import Recipe
from fairtrial.train.running.attempts import Subject, batches_of, held_of, sampler_of
from fairtrial.train.running.evaluating import loaded
from fairtrial.train.running.recorder import Tell


def evaluate_boxed(
    subject: Subject, suite: Suite, recipe: Recipe, sandbox: Sandbox, ledger: Ledger, tell: Tell
) -> tuple[int, tuple[str, ...]]:
    """Attempt each task `runs` times; return how many attempts were added, and why others were lost."""
    asked = recipe.evaluation
    sampler = sampler_of(subject, asked)
    held = held_of(ledger, subject, suite, recipe)
    batches = batches_of(suite.tasks, recipe, held)
    if not batches:
        return 0, ()
    model = loaded(subject, recipe)
    added, lost = 0, []
    with Writer(ledger) as writer, LocalEngine() as engine:
        for number, batch in enumerate(batches, 1):
            seeds = [attempt_seed(subject.seed or 0, task.name, attempt) for attempt, task in batch]
            completions = model.complete_each(
                [model.chat(prompt_of(task)) for _, task in batch], seeds, temperature=asked.temperature,
                max_new_tokens=asked.max_new_tokens,
            )  # fmt: skip
            handed = [_handed(task, attempt, one) for (attempt, task), one in zip(batch, completions, strict=True)
                      if (task.name, attempt) not in held]  # fmt: skip
            for _, tried in try_all(sampler, handed, suite, sandbox, engine):
                if isinstance(tried, str):
                    lost.append(tried)
                else:
                    tried.keep(writer)
                    added += 1
            tell({"evaluating": subject.model, "at": subject.step, "done": number, "of": len(batches)})
    return added, tuple(lost)


def _handed(task: Task, attempt: int, completion: Completion) -> HandedIn:
    return HandedIn(task=task, completion=completion.text, attempt=attempt, finished=completion.finished,
                    input_tokens=completion.input_tokens, output_tokens=completion.tokens)  # fmt: skip
