"""Train one stage with a trainer that TRL makes: start or resume it, and say how it ended."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from peft import LoraConfig, PeftModel
from transformers import set_seed

from fairtrial.records import InputError
from fairtrial.train.recipe import Stage
from fairtrial.train.recipe.rows import Row
from fairtrial.train.trainers.keeping import Keeper, Merge
from fairtrial.train.trainers.loading import load_policy, load_scorer, load_tokenizer
from fairtrial.train.trainers.protocol import STATE, Context, StageEnd
from fairtrial.train.trainers.settings import settle, work_folder


def start(context: Context) -> None:
    """Make ready for a trainer: quiet libraries, a seed for new weights, an empty folder to work in."""
    settle(context.recipe)
    set_seed(context.stage_seed)
    shutil.rmtree(work_folder(context), ignore_errors=True)
    work_folder(context).mkdir(parents=True)


def finish(trainer: Any, keeper: Keeper, context: Context, rows: int) -> StageEnd:
    """Run `trainer` to the end of the stage, or to a pause. Raise InputError where it comes to no step at all."""
    resume = str(context.resume / STATE) if context.resume is not None else None
    left = rows if context.stage.method == "grpo" else len(trainer.train_dataset)
    keeper.notes = refuse_unfit(context.stage, context.number, rows=rows, left=left)
    trainer.train(resume_from_checkpoint=resume)
    steps = trainer.state.global_step
    last = context.checkpoints / f"step-{context.offset + steps}"
    if not last.is_dir():
        raise InputError(f"the {context.stage.method} stage {context.number} made no step", path=context.stage.data,
                         hint="Its rows may all be longer than max_length.")  # fmt: skip
    shutil.rmtree(work_folder(context), ignore_errors=True)
    return StageEnd(steps=steps, last=last, paused=keeper.paused, tasks=rows)


def refuse_unfit(stage: Stage, number: int, *, rows: int, left: int) -> tuple[str, ...]:
    """Return what is to be said of the rows that the trainer left out. Raise InputError where it left none."""
    if not left:
        raise InputError(f"the {stage.method} stage {number} has no row that fits in `max_length`", path=stage.data,
                         hint="Raise `max_length`, or shorten the rows.")  # fmt: skip
    return (f"{rows - left} of {rows} rows do not fit in `max_length` and are left out",) if left < rows else ()


def dataset_of(rows: Sequence[Row]) -> Dataset:
    """Return rows as TRL takes them; arguments of tool calls stay as they are, where columns would fill in None."""
    return Dataset.from_list(list(rows), on_mixed_types="use_json")


def refuse_messages(context: Context, rows: Sequence[Row], tokenizer: Any) -> None:
    """Raise InputError where rows are messages and the model has no chat template to write them with."""
    if any(isinstance(value, list) for value in rows[0].values()) and not tokenizer.chat_template:
        raise InputError("holds messages, and the model has no chat template", path=context.stage.data,
                         hint="Write prompts and answers as text, or start from a chat model.")  # fmt: skip


def adapter(context: Context, task: str = "CAUSAL_LM") -> LoraConfig | None:
    """Return what LoRA is set to, on every linear layer; None where all weights are trained."""
    rank = context.stage.lora_rank
    kept = ["score"] if task == "SEQ_CLS" else None
    return LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type=task,
                      modules_to_save=kept) if rank else None  # fmt: skip


def merging(context: Context, *, scorer: bool = False) -> Merge | None:
    """Return what merges a checkpoint's adapter into the base of the stage; None where there is no adapter.

    The base is loaded anew: merging into the model in training, and out of it again, would round its weights.
    """
    if not context.stage.lora_rank:
        return None

    def merge(state: Path, top: Path) -> None:
        base = load_scorer(context.model) if scorer else load_policy(context.model)
        whole: Any = PeftModel.from_pretrained(base, str(state)).merge_and_unload()
        whole.save_pretrained(str(top))
        load_tokenizer(state).save_pretrained(str(top))

    return merge
