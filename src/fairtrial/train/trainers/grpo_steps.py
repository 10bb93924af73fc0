"""A step of GRPO as TRL asks for it: prompts by slot, completions back as groups, final advantages out, the log kept.

TRL subtracts the mean of what a reward function returns over each group. Final advantages sum to zero in every group,
so what it then trains on are those advantages, to the last bit or two of 32; its own scaling is off. Nothing of TRL's
is replaced. Sampling is seeded anew in every step, so that a resumed run samples what an uninterrupted one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import torch
from datasets import Dataset
from transformers import TrainerControl, TrainerState, TrainingArguments

from fairtrial.records import storable
from fairtrial.run.seeds import attempt_seed
from fairtrial.tasks import Task
from fairtrial.tasks.text import TextTask
from fairtrial.train import boxed
from fairtrial.train.credit import Drawer
from fairtrial.train.log import GroupLine, StepLine, counts_of
from fairtrial.train.rewards.protocol import Sampled
from fairtrial.train.rewards.records import TrainingRecords
from fairtrial.train.rewards.scoring import Scoring
from fairtrial.train.trainers.keeping import Keeper
from fairtrial.train.trainers.protocol import Context


class Slots:
    """The prompts of a stage: slot k is place k % `prompts` of batch k // `prompts`, drawn when it is asked for."""

    def __init__(self, drawer: Drawer, tasks: Sequence[TextTask | Task], batches: int, *, chats: bool = False) -> None:
        """Take what is drawn from; `chats`: the model knows chats, and is told the instruction of a folder in one."""
        self.drawer, self.tasks, self._batches, self._chats = drawer, tasks, batches, chats

    def dataset(self) -> Dataset:
        """Return the slots as TRL takes them; a row gets its prompt when it is read, and holds nothing of a key."""
        rows = Dataset.from_dict({"slot": list(range(self.drawer.prompts * self._batches))})
        return rows.with_transform(self._read)

    def _read(self, rows: dict[str, list[int]]) -> dict[str, list[Any]]:
        tasks = [self.tasks[self.task_at(slot)] for slot in rows["slot"]]
        return {**rows, "prompt": [prompt_of(task, chats=self._chats) for task in tasks]}

    def task_at(self, slot: int) -> int:
        """Return the index of the task of a slot."""
        batch, place = divmod(slot, self.drawer.prompts)
        return self.drawer.draw(batch + 1)[place]


@dataclass(slots=True)
class Stepper:
    """Turns TRL's calls into groups and lines. `reward` is the reward function that TRL is given."""

    context: Context
    slots: Slots
    scoring: Scoring
    ends: frozenset[int]
    """Tokens that end a completion."""
    records: TrainingRecords | None = None
    lines: list[GroupLine] = field(default_factory=list)
    """Groups of the step that is under way."""

    def reward(
        self, completions: Sequence[Any], completion_ids: Sequence[Sequence[int]], slot: Sequence[int], **more: Any
    ) -> list[float]:
        """Return the final advantage of every completion, in order."""
        del more
        updates = self.context.stage.updates_per_batch
        rows = list(zip(slot, completions, completion_ids, strict=True))
        groups = []
        for at, members in groupby(rows, key=lambda row: row[0]):
            batch, place = divmod(at, self.slots.drawer.prompts)
            step = self.context.offset + batch * updates + 1
            task = self.slots.tasks[self.slots.task_at(at)]
            groups.append([self._sampled(task, step, place, n, row) for n, row in enumerate(members)])
        scored = self.scoring.score(groups)
        self.lines = [line for line, _ in scored]
        for (at, _), line in zip(groupby(slot), self.lines, strict=True):
            self.slots.drawer.saw(at // self.slots.drawer.prompts + 1, self.slots.task_at(at), line.rewards)
        if self.records is not None:
            for group, (_, graded) in zip(groups, scored, strict=True):
                self.records.add(group, graded)
        return [advantage for line in self.lines for advantage in line.advantages]

    def _sampled(
        self, task: TextTask | Task, step: int, place: int, number: int, row: tuple[int, Any, Sequence[int]]
    ) -> Sampled:
        _, completion, tokens = row
        text = completion if isinstance(completion, str) else completion[0]["content"]
        return Sampled(
            task=task, completion=storable(text), tokens=len(tokens), step=step, number=number,
            finished=bool(tokens) and tokens[-1] in self.ends,
            group=f"{self.context.recipe.name}/seed-{self.context.seed}/step-{step}/{place}",
        )  # fmt: skip


class GroupKeeper(Keeper):
    """Keeps the log of groups beside that of steps."""

    def __init__(self, context: Context, stepper: Stepper, merge: Any = None) -> None:
        super().__init__(context, merge)
        self._stepper = stepper
        self._said = ""

    def on_train_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Begin to count tokens where the trainer does: of a stage that goes on, at what it had counted before."""
        del args, control
        self._tokens = float(state.num_input_tokens_seen)

    def on_step_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Seed what the step samples."""
        super().on_step_begin(args, state, control)
        torch.manual_seed(attempt_seed(self.context.stage_seed, "grpo", state.global_step))

    def line(self, step: int, logs: dict[str, Any]) -> StepLine:
        """Return the line of a step: what the trainer logged, and what its groups come to."""
        line = super().line(step, logs)
        counts = counts_of(self._stepper.lines)
        checked = self._stepper.scoring.truth.references(step) or (None, None)
        kl = logs.get("kl")
        return replace(
            line, **counts, input_tokens=max(0, line.input_tokens - counts["output_tokens"]),
            kl=None if kl is None else float(kl), references_passed=checked[0], references=checked[1],
        )  # fmt: skip

    def record(self, line: StepLine, logs: dict[str, Any]) -> str:
        """Hand step and groups to the recorder; keep the rollouts where a checkpoint follows.

        A pause waits for the last update on a batch: what is resumed half-way would sample it again.
        """
        del logs
        groups, self._stepper.lines = self._stepper.lines, []
        self._said = self.context.recorder.record(line, groups) or self._said
        records, own = self._stepper.records, line.step - self.context.offset
        paused = "" if own % self.context.stage.updates_per_batch else self._said
        if records is not None and (paused or own == self.context.stage.steps or self.context.saves_at(line.step)):
            records.keep()
        return paused


def prompt_of(task: TextTask | Task, *, chats: bool = False) -> str | list[dict[str, str]]:
    """Return a task's prompt as TRL takes it, and as an evaluation asks it."""
    if not isinstance(task, TextTask):
        told = boxed.prompt_of(task)
        return [{"role": "user", "content": told}] if chats else told
    if isinstance(task.prompt, str):
        return task.prompt
    return [{"role": message.role, "content": message.content} for message in task.prompt]
