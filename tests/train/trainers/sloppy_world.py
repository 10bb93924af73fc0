"""A small world for the grpo stage: two-digit sorts, and a policy that answers them right, wrong, and right but twice.

Tasks take the first word for the answer, so `13 13` is a pass that uses more tokens than `13`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from examples.sorting.make import answer, write_model

from fairtrial.grade.text import text_suite
from fairtrial.tasks.text import TextSuite
from fairtrial.train.log import GroupLine, LogWriter, StepLine
from fairtrial.train.recipe import Recipe, Stage
from fairtrial.train.trainers.protocol import Context

PAIRS = [f"{number:02d}" for number in range(100)]
STEPS, ROWS = 120, 50


@dataclass(slots=True)
class FolderRecorder:
    """Writes the log, and pauses where it is told to."""

    folder: Path
    pause_at: int = 0
    keep_through: int = 0
    steps: list[StepLine] = field(default_factory=list)

    def record(self, step: StepLine, groups: Sequence[GroupLine] = ()) -> str:
        """Write one step."""
        with LogWriter(self.folder, keep_through=self.keep_through if not self.steps else step.step) as log:
            log.write(step, groups)
        self.steps.append(step)
        return "told to" if step.step == self.pause_at else ""


def write_tasks(path: Path, families: Sequence[str] = ("sort", "rev")) -> TextSuite:
    """Write the tasks of these families and read them."""
    rows = [
        {"name": f"{family}-{pair}", "prompt": f"{family} {pair}=", "answer": answer(family, pair), "family": family,
         "part": "first_word"}
        for family in families for pair in PAIRS
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return text_suite(path)


def demonstrations(*, wrong: float, twice: float) -> list[tuple[str, str]]:
    """Return (prompt, completion), of which a share is wrong, and of all a share says its answer twice."""
    drawn = random.Random(0)
    rows = []
    for family in ("sort", "rev"):
        for pair in PAIRS:
            said = answer(family, pair) if drawn.random() >= wrong else f"{drawn.randrange(100):02d}"
            rows += [(f"{family} {pair}=", f"{said} {said}" if drawn.random() < twice else said) for _ in range(4)]
    drawn.shuffle(rows)
    return rows


def context(out: Path, model: Path, stage: Stage, tasks: TextSuite | None = None, **changes: Any) -> Context:
    """Return what a stage is given."""
    recipe = Recipe(name="small", base=str(model), stages=[stage], save_steps=changes.pop("save_steps", 1000))
    made = Context(
        recipe=recipe, stage=stage, number=1, seed=0, offset=0, model=model, checkpoints=out / "checkpoints",
        recorder=FolderRecorder(out), tasks=tasks,
    )  # fmt: skip
    return replace(made, **changes)


def write_policy(folder: Path) -> Path:
    """Train the policy from nothing, in the plainest way; return its folder."""
    import torch

    from fairtrial.train.trainers.loading import load_policy, load_tokenizer

    torch.set_num_threads(1)  # of a model this small, more are slower
    write_model(folder / "untrained", 0)
    tokenizer, model = load_tokenizer(folder / "untrained"), load_policy(folder / "untrained")
    rows = demonstrations(wrong=0.3, twice=0.5)
    ids = tokenizer([f"{prompt}{said}{tokenizer.eos_token}" for prompt, said in rows], padding=True,
                    return_tensors="pt", return_token_type_ids=False)  # fmt: skip
    asked = torch.tensor([len(tokenizer(prompt)["input_ids"]) for prompt, _ in rows])
    said_by_model = torch.arange(ids["input_ids"].shape[1]) >= asked[:, None]
    labels = ids["input_ids"].masked_fill(~(said_by_model & ids["attention_mask"].bool()), -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for start in range(0, STEPS * ROWS, ROWS):
        batch = slice(start % len(rows), start % len(rows) + ROWS)
        loss = model(**{name: values[batch] for name, values in ids.items()}, labels=labels[batch]).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder / "policy")
    tokenizer.save_pretrained(folder / "policy")
    return folder / "policy"
