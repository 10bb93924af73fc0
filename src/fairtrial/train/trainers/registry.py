"""Which function trains which kind of stage; each is loaded only when a stage asks for it, and torch with it."""

from __future__ import annotations

import importlib
from typing import cast

from fairtrial.train.trainers.protocol import StageTrainer

STAGES: dict[str, str] = {
    "sft": "fairtrial.train.trainers.sft:train_sft",
    "dpo": "fairtrial.train.trainers.dpo:train_dpo",
    "reward_model": "fairtrial.train.trainers.reward_model:train_reward_model",
    "grpo": "fairtrial.train.trainers.grpo:train_grpo",
}


def stage_trainer(method: str) -> StageTrainer:
    """Return the function that trains stages of `method`."""
    module, _, name = STAGES[method].partition(":")
    return cast(StageTrainer, getattr(importlib.import_module(module), name))
