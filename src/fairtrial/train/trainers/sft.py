"""The sft stage, on TRL's SFTTrainer: loss on the completion alone where rows have a prompt, else on the whole row."""

from __future__ import annotations

from pathlib import Path

from trl import SFTConfig, SFTTrainer

from fairtrial.train.recipe.rows import read_rows
from fairtrial.train.trainers.keeping import Keeper
from fairtrial.train.trainers.loading import load_policy, load_tokenizer
from fairtrial.train.trainers.protocol import Context, StageEnd
from fairtrial.train.trainers.settings import shared_arguments
from fairtrial.train.trainers.training import adapter, dataset_of, finish, merging, refuse_messages, start


def train_sft(context: Context) -> StageEnd:
    """Train on demonstrations."""
    start(context)
    rows = read_rows(Path(context.stage.data), "sft")
    tokenizer = load_tokenizer(context.model)
    refuse_messages(context, rows, tokenizer)
    keeper = Keeper(context, merging(context))
    config = SFTConfig(
        **shared_arguments(context),
        max_length=context.stage.max_length,
        completion_only_loss="prompt" in rows[0],
        packing=False,
    )
    trainer = SFTTrainer(
        model=load_policy(context.model), args=config, train_dataset=dataset_of(rows),
        processing_class=tokenizer, callbacks=[keeper], peft_config=adapter(context),
    )  # fmt: skip
    return finish(trainer, keeper, context, len(rows))
