"""The dpo stage, on TRL's DPOTrainer: from pairs of a chosen and a rejected answer to one prompt.

The reference is the model that the stage starts from (with an adapter: the model without it). Source: Rafailov et al.
2023, "Direct Preference Optimization".
"""

from __future__ import annotations

from pathlib import Path

from trl import DPOConfig, DPOTrainer

from fairtrial.train.recipe.rows import read_rows
from fairtrial.train.trainers.keeping import Keeper
from fairtrial.train.trainers.loading import load_policy, load_tokenizer
from fairtrial.train.trainers.protocol import Context, StageEnd
from fairtrial.train.trainers.settings import shared_arguments
from fairtrial.train.trainers.training import adapter, dataset_of, finish, merging, refuse_messages, start

BETA = 0.1
"""Weight of the KL to the reference where the recipe sets none."""


def train_dpo(context: Context) -> StageEnd:
    """Train on preference pairs."""
    start(context)
    rows = read_rows(Path(context.stage.data), "dpo")
    tokenizer = load_tokenizer(context.model, side="left")
    refuse_messages(context, rows, tokenizer)
    keeper = Keeper(context, merging(context))
    config = DPOConfig(
        **shared_arguments(context),
        max_length=context.stage.max_length,
        beta=BETA if context.stage.beta is None else context.stage.beta,
    )
    trainer = DPOTrainer(
        model=load_policy(context.model), args=config, train_dataset=dataset_of(rows),
        processing_class=tokenizer, callbacks=[keeper],
        peft_config=adapter(context),
    )  # fmt: skip
    return finish(trainer, keeper, context, len(rows))
