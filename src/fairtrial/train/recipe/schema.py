"""recipe.toml: what is trained, from what, on what, how, and which checkpoints are evaluated; fixed before training.

    name = "sorter"
    base = "models/base"

    [tasks]
    train = "tasks/train.jsonl"
    held_out = "tasks/held_out.jsonl"

    [[stages]]
    method = "grpo"
    steps = 300

That is a whole file. An unknown key is an error. `{seed}` in a path stands for the seed. Paths lie beside the file.
docs/train.md describes every field.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

SCHEMA = "fairtrial.recipe/1"

Text = Annotated[str, Field(min_length=1, max_length=400)]
Count = Annotated[int, Field(ge=1, le=10_000_000)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Tasks(_Table):
    """[tasks]: text tasks (a JSONL file), or a folder of task folders; for those, how they are run."""

    train: str = ""
    held_out: str = ""
    sandbox: Literal["", "bwrap", "container", "local"] = ""
    """For task folders; empty: the best that this machine has."""
    left_out_family: str = ""
    """Tasks of this family are not trained on: an arm that asks what the family taught."""


class Credit(_Table):
    """[stages.credit] of a grpo stage: how rewards become advantages."""

    convention: Literal["population", "sample", "none"] = "sample"
    epsilon: NotNegative = 1e-4
    gar: bool = False
    """Shift positive advantage from weaker to stronger passes by rank; confirmed hacks get none."""
    rank_by: Literal["short", "quality", "criteria"] = "short"
    """`short`: fewer tokens rank higher. `quality`: by the grader's score. `criteria`: by a criteria file."""
    criteria: str = ""
    """Criteria file of `rank` or of `fairtrial criteria`, where `rank_by` or the reward asks for one."""
    strength: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Share of the passes' credit that is dealt out by rank; 0 leaves every pass alike."""
    judge_usd: NotNegative | None = None
    """The most that the judge of `criteria` may cost in this stage, for each seed, over all restarts."""
    judge_tokens: Count | None = None
    """The most tokens, in and out, that it may take."""


class Sampling(_Table):
    """[stages.sampling] of a grpo stage: which prompts a step gets."""

    prompts_per_step: Count = 16
    group_size: Annotated[int, Field(ge=2, le=1024)] = 8
    temperature: Positive = 1.0
    max_new_tokens: Count = 256
    rate_low: Share = 0.0
    """With `rate_high`: only tasks whose measured pass rate lies between are drawn; rates come from `rates`."""
    rate_high: Share = 1.0
    rates: str = ""
    """Ledger in which the base's pass rates were measured."""
    dynamic: bool = False
    """Leave out, for a while, tasks whose last groups all passed or all failed."""
    rows_at_once: Count | None = None
    """Completions in one pass through the model; None: all of a step. Fewer need less memory and more time."""


class Stage(_Table):
    """[[stages]]: one method on one set."""

    method: Literal["sft", "dpo", "reward_model", "grpo"]
    data: str = ""
    """Set written by `fairtrial export`, or any file of the form that TRL takes; for grpo the tasks are the data."""
    steps: Count | None = None
    """Optimiser steps; None for sft, dpo and reward_model: `epochs` over the data."""
    epochs: Positive = 1.0
    batch_size: Count = 16
    learning_rate: Positive = 1e-4
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    warmup_share: Share = 0.0
    max_length: Count = 2048
    beta: NotNegative | None = None
    """Weight of the KL to the reference model (dpo .1, grpo 0 where not set)."""
    lora_rank: Annotated[int, Field(ge=0, le=1024)] = 0
    """0: all weights are trained."""
    reward: Literal["grade", "random", "constant", "format", "length", "criteria", "reward_model"] = "grade"
    """`grade`: the task's own grader. `random`, `constant`, `format`, `length`: degenerate, for a control arm."""
    reward_model: str = ""
    """Folder of a reward model; empty: the one that an earlier stage made."""
    clip: Positive = 0.2
    updates_per_batch: Count = 1
    credit: Credit = Credit()
    sampling: Sampling = Sampling()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.method == "grpo" and self.steps is None:
            raise ValueError("a grpo stage needs `steps`")
        if self.method != "grpo" and not self.data:
            raise ValueError(f"a {self.method} stage needs `data`")
        if self.method == "grpo":
            self._divides()
        return self

    def _divides(self) -> None:
        rows = self.sampling.prompts_per_step * self.sampling.group_size
        if rows % (self.sampling.rows_at_once or rows):
            raise ValueError(f"`rows_at_once` does not divide the {rows} completions of a step")
        if (self.steps or 0) % self.updates_per_batch:
            raise ValueError("`updates_per_batch` does not divide `steps`: a batch is not left half-way")


class Watch(_Table):
    """[watch]: when a run is paused."""

    pause: bool = True
    """Stop, with checkpoint and reason, where steps fail silently; False: mark the steps and go on."""
    silent_steps: Annotated[int, Field(ge=1, le=1000)] = 2
    """How many steps in a row in which every attempt fails make an outage, where they are that unlikely."""
    hack_line: Share = 0.02
    """Share of rollouts that hack the grader above which the run is paused."""
    collapse_share: Share = 0.5
    """A pass rate below this share of the best so far is a collapse: marked, not paused."""


class Evaluation(_Table):
    """[evaluation]: which checkpoints are evaluated on the held-out tasks, and how. Fixed before training."""

    steps: list[Annotated[int, Field(ge=0)]] = []
    """Besides the last one. 0: the base itself, as `base_name`."""
    runs: Count = 8
    temperature: NotNegative = 1.0
    max_new_tokens: Count = 256
    batch_size: Count = 256
    base: bool = False
    """Evaluate the base too, under `base_name`."""


class Price(_Table):
    """[price]: what the machine costs; without it gain per dollar is not stated."""

    usd_per_hour: NotNegative | None = None
    usd_per_grading: NotNegative | None = None


class Resolved(_Table):
    """[resolved]: written by `train`, read back to see that nothing has changed; nobody writes it by hand."""

    recipe: Text
    """Content address of the recipe: all that shapes it, its files by content, without the seeds."""
    files: dict[str, str] = {}
    """Content address of each file and folder, by the field that names it; one a seed where that holds `{seed}`."""
    versions: dict[str, str] = {}
    """Of the packages that train."""


class Recipe(_Table):
    """A whole recipe."""

    name: Text
    """Name of the model that it makes, as rollouts will name it."""
    base: Text
    """Folder of the model to start from (safetensors and tokenizer)."""
    base_name: str = "base"
    seeds: Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(min_length=1)] = [0]
    tasks: Tasks = Tasks()
    stages: list[Stage] = []
    """None: nothing is trained; the base alone is evaluated."""
    watch: Watch = Watch()
    evaluation: Evaluation = Evaluation()
    price: Price = Price()
    save_steps: Count = 50
    """A checkpoint to resume from is kept every so many steps."""
    threads: Count = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"
    precision: Literal["float32", "bfloat16"] = "float32"
    resolved: Resolved | None = None
