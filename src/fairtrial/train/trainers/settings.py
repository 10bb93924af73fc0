"""From a recipe to the arguments of a trainer, in one place: what every TRL config shares.

A stage adds its own: `SFTConfig(**shared_arguments(context), max_length=...)`. Nothing is reported anywhere, nothing is
saved but by `keeping`, every step is logged to the callbacks and none to the terminal.
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers

from fairtrial.records import InputError
from fairtrial.train.recipe import Recipe
from fairtrial.train.trainers.protocol import Context

WORK = "work"
"""Folder beside the checkpoints in which a trainer writes before a checkpoint is whole."""
_NEVER = 1 << 30
_NEARLY_ALL = 1 - 1e-9
"""The trainer reads 1 as one step; a share is rounded up to whole steps."""


def on_cuda(recipe: Recipe) -> bool:
    """Say whether this recipe runs on a GPU here. Raise InputError where it asks for one that is not there."""
    available = torch.cuda.is_available()
    if recipe.device == "cuda" and not available:
        raise InputError("asks for a GPU, and torch finds none here", field="device", hint='Set device = "auto".')
    return available and recipe.device != "cpu"


def settle(recipe: Recipe) -> None:
    """Set threads, and keep every library from writing to the terminal."""
    torch.set_num_threads(recipe.threads)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger().setLevel(logging.ERROR)
    warnings.simplefilter("ignore")


def shared_arguments(context: Context) -> dict[str, Any]:
    """Return the arguments that all of TRL's configs take alike."""
    recipe, stage = context.recipe, context.stage
    cuda = on_cuda(recipe)
    return {
        "output_dir": str(work_folder(context)),
        "seed": context.stage_seed,
        "data_seed": context.stage_seed,
        "max_steps": stage.steps if stage.steps is not None else -1,
        "num_train_epochs": stage.epochs,
        "learning_rate": stage.learning_rate,
        "lr_scheduler_type": {"constant": "constant_with_warmup"}.get(stage.schedule, stage.schedule),
        "warmup_steps": min(stage.warmup_share, _NEARLY_ALL),
        "logging_steps": 1,
        "logging_first_step": True,
        "logging_nan_inf_filter": False,
        "save_strategy": "steps",
        "save_steps": _NEVER,
        "report_to": "none",
        "disable_tqdm": True,
        "use_cpu": not cuda,
        "bf16": recipe.precision == "bfloat16",
        "gradient_checkpointing": False,
        "dataloader_pin_memory": cuda,
        "per_device_train_batch_size": stage.batch_size,
    }


def work_folder(context: Context) -> Path:
    """Return the folder in which the trainer of this stage writes."""
    return context.checkpoints.parent / WORK / f"stage-{context.number}"
