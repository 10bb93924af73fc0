"""The grpo stage, on TRL's GRPOTrainer: prompts drawn, groups sampled, advantages dealt by `credit`, all of it logged.

Completions of one step are sampled at once and updated on at once, unless `rows_at_once` says less. The loss is TRL's
default (`dapo`: the mean over the tokens of the batch), clipped at `clip`; dropout is off. Not covered: several
processes, for groups and log are kept by one; and a server that samples.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from trl import GRPOConfig, GRPOTrainer

from fairtrial.records import InputError
from fairtrial.run import LocalEngine
from fairtrial.tasks.text import TextSuite
from fairtrial.train.boxed import Sampler
from fairtrial.train.credit import Drawer
from fairtrial.train.log import read_groups
from fairtrial.train.rewards.boxes import BoxTruth
from fairtrial.train.rewards.choosing import Asked, chosen_ranker, drawn_from, reward_of
from fairtrial.train.rewards.measured import reviewed_hacks
from fairtrial.train.rewards.protocol import Truth
from fairtrial.train.rewards.records import SPLIT, TrainingRecords
from fairtrial.train.rewards.scored import Score
from fairtrial.train.rewards.scoring import Scoring
from fairtrial.train.rewards.texts import TextTruth
from fairtrial.train.trainers.grpo_steps import GroupKeeper, Slots, Stepper
from fairtrial.train.trainers.loading import load_policy, load_tokenizer
from fairtrial.train.trainers.protocol import Context, StageEnd
from fairtrial.train.trainers.reward_scores import scores_of
from fairtrial.train.trainers.settings import on_cuda, shared_arguments
from fairtrial.train.trainers.training import adapter, finish, merging, start

JUDGED = "judged"
"""Folder beside the checkpoints that keeps what judges said of a completion: the same is asked once."""


def train_grpo(context: Context) -> StageEnd:
    """Train on rewards."""
    start(context)
    tokenizer = load_tokenizer(context.model, side="left")
    model = load_policy(context.model)
    with ExitStack() as stack:
        slots = _slots(context, chats=bool(tokenizer.chat_template))
        stepper = Stepper(context=context, slots=slots, scoring=_scoring(context, stack),
                          ends=ends_of(model, tokenizer), records=_records(context))  # fmt: skip
        keeper = GroupKeeper(context, stepper, merging(context))
        trainer = GRPOTrainer(
            model=model, args=GRPOConfig(**grpo_arguments(context)), reward_funcs=stepper.reward,
            train_dataset=slots.dataset(), processing_class=tokenizer, callbacks=[keeper], peft_config=adapter(context),
        )  # fmt: skip
        if trainer.accelerator.num_processes > 1:
            raise InputError("a grpo stage trains in one process", hint="Start it without a launcher.")
        return finish(trainer, keeper, context, len(slots.tasks))


def grpo_arguments(context: Context) -> dict[str, Any]:
    """Return the arguments of TRL's config."""
    stage, sampling = context.stage, context.stage.sampling
    rows = sampling.prompts_per_step * sampling.group_size
    at_once = sampling.rows_at_once or rows
    return {
        **shared_arguments(context),
        "per_device_train_batch_size": at_once, "gradient_accumulation_steps": rows // at_once,
        "steps_per_generation": rows // at_once, "num_generations": sampling.group_size,
        "num_iterations": stage.updates_per_batch, "max_completion_length": sampling.max_new_tokens,
        "temperature": sampling.temperature, "beta": stage.beta or 0.0, "epsilon": stage.clip, "scale_rewards": "none",
        "disable_dropout": True, "shuffle_dataset": False, "remove_unused_columns": False,
    }  # fmt: skip


def ends_of(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return the tokens that end a completion: the tokenizer's, and those that the model's settings name."""
    named = model.generation_config.eos_token_id
    more = named if isinstance(named, list) else [] if named is None else [named]
    return frozenset((tokenizer.eos_token_id, *more))


def _slots(context: Context, *, chats: bool) -> Slots:
    """Return the prompts; a resumed stage takes in again what its log says of the steps before."""
    stage = context.stage
    assert context.tasks is not None
    assert stage.steps is not None
    tasks, _ = drawn_from(stage, context.tasks, context.recipe.base_name, context.seed)
    drawer = Drawer(tasks=len(tasks), prompts=stage.sampling.prompts_per_step, seed=context.stage_seed,
                    dynamic=stage.sampling.dynamic)  # fmt: skip
    if context.resume is not None and drawer.dynamic:
        at = {task.name: index for index, task in enumerate(tasks)}
        for line in read_groups(context.checkpoints.parent):
            if line.stage == context.number:
                batch = (line.step - context.offset - 1) // stage.updates_per_batch + 1
                drawer.saw(batch, at[line.task], line.rewards)
    return Slots(drawer, tasks, -(-stage.steps // stage.updates_per_batch), chats=chats)


def _scoring(context: Context, stack: ExitStack) -> Scoring:
    assert context.tasks is not None
    asked = Asked(stage=context.stage, tasks=context.tasks, seed=context.stage_seed, function=context.function,
                  score=_score(context), cache=context.checkpoints.parent / JUDGED,
                  number=context.number)  # fmt: skip
    reward = reward_of(asked, stack)
    return Scoring(truth=_truth(context, stack), reward=reward, credit=context.stage.credit, stage=context.number,
                   ranker=chosen_ranker(asked, stack, reward), hacks=_hacks(context))  # fmt: skip


def _score(context: Context) -> Score | None:
    """Return the scores of the reward model that the stage pays by; None where it pays by another thing."""
    if context.stage.reward != "reward_model":
        return None
    folder = Path(context.stage.reward_model) if context.stage.reward_model else context.reward_model
    return None if folder is None else scores_of(folder, cuda=on_cuda(context.recipe))


def _truth(context: Context, stack: ExitStack) -> Truth:
    if isinstance(context.tasks, TextSuite):
        return TextTruth(context.tasks)
    assert context.tasks is not None
    assert context.sandbox is not None
    sampler = Sampler(model=context.recipe.name, seed=context.seed, step=None, split=SPLIT, sampling=_settings(context))
    engine = stack.enter_context(LocalEngine())
    return BoxTruth(suite=context.tasks, sandbox=context.sandbox, engine=engine, sampler=sampler,
                    first_step=context.offset + 1)  # fmt: skip


def _settings(context: Context) -> dict[str, object]:
    sampling = context.stage.sampling
    return {"temperature": sampling.temperature, "max_new_tokens": sampling.max_new_tokens}


def _hacks(context: Context) -> dict[tuple[str, str], bool]:
    """Return what reviews say: in the ledger of rates, and in that of this run, where a pause let people look."""
    if not context.stage.credit.gar:
        return {}
    paths = [path for path in (context.stage.sampling.rates, context.ledger) if path]
    return reviewed_hacks([path for path in map(Path, paths) if (path / "ledger.json").exists()])


def _records(context: Context) -> TrainingRecords | None:
    if context.ledger is None:
        return None
    keys = context.tasks.keys if isinstance(context.tasks, TextSuite) else {}
    return TrainingRecords(ledger=context.ledger, model=context.recipe.name, seed=context.seed, keys=keys,
                           settings=_settings(context))  # fmt: skip
