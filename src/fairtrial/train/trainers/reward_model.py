"""The reward_model stage, on TRL's RewardTrainer: a score for an answer, from pairs of a chosen and a rejected one.

It starts from the policy with a new head of one score, and leaves the policy as it was. Source: Bradley and Terry 1952.
"""

from __future__ import annotations

from pathlib import Path

from trl import RewardConfig, RewardTrainer

from fairtrial.train.recipe.rows import read_rows
from fairtrial.train.trainers.keeping import Keeper
from fairtrial.train.trainers.loading import load_scorer, load_tokenizer
from fairtrial.train.trainers.protocol import Context, StageEnd
from fairtrial.train.trainers.settings import shared_arguments
from fairtrial.train.trainers.training import adapter, dataset_of, finish, merging, refuse_messages, start


def train_reward_model(context: Context) -> StageEnd:
    """Train a reward model."""
    start(context)
    rows = read_rows(Path(context.stage.data), "reward_model")
    tokenizer = load_tokenizer(context.model)
    refuse_messages(context, rows, tokenizer)
    model = load_scorer(context.model)
    model.config.pad_token_id = tokenizer.pad_token_id
    keeper = Keeper(context, merging(context, scorer=True))
    config = RewardConfig(**shared_arguments(context), max_length=context.stage.max_length)
    trainer = RewardTrainer(
        model=model, args=config, train_dataset=dataset_of(rows), processing_class=tokenizer,
        callbacks=[keeper], peft_config=adapter(context, "SEQ_CLS"),
    )  # fmt: skip
    return finish(trainer, keeper, context, len(rows))
