"""What a grpo stage costs over TRL's own GRPOTrainer: CPU seconds a step, one model, one set of prompts, sizes alike.

    .venv/bin/python bench/grpo.py [STEPS]

The stage does what TRL does and more: it grades, deals credit by rank, logs every attempt, keeps rollouts in a ledger,
and writes a checkpoint at the end. The plain trainer has an exact match as its reward and saves nothing. Both run in
turns in this process, on one thread, from loading the model to the end, each after a run of one step that is not
counted; the ratio is of the medians over turns. The bar is 1.3. It exits with 1 above it. Needs the extra `train`. Not
covered: a GPU, and models for which our part is next to nothing.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", HF_HUB_OFFLINE="1")
ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
BAR, TURNS = 1.3, 3
PROMPTS, SIZE, TOKENS, RATE = 16, 8, 8, 1e-4


def main(steps: int) -> int:
    """Print CPU seconds a step of both, and their ratio."""
    from fairtrial.train.recipe import Recipe
    from fairtrial.train.trainers.settings import settle
    from train.trainers.sloppy_world import write_policy, write_tasks

    settle(Recipe(name="bench", base="-"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, tasks = write_policy(folder), write_tasks(folder / "tasks.jsonl")
        ours: list[float] = []
        plain: list[float] = []
        for turn in range(TURNS + 1):
            for found, run in ((plain, plainly), (ours, as_a_stage)):
                seconds = timed(lambda out, run=run, turn=turn: run(out, model, tasks, steps if turn else 1), folder)
                found += [seconds / steps] if turn else []
    ratio = statistics.median(ours) / statistics.median(plain)
    print(
        f"{steps} steps of {PROMPTS} x {SIZE} completions of at most {TOKENS} tokens, {TURNS} turns, CPU seconds a step"
    )
    print(f"  TRL alone   {statistics.median(plain):.4f}  ({', '.join(f'{one:.4f}' for one in plain)})")
    print(f"  grpo stage  {statistics.median(ours):.4f}  ({', '.join(f'{one:.4f}' for one in ours)})")
    print(f"  ratio       {ratio:.3f}  (bar {BAR})")
    return int(ratio > BAR)


def timed(run: Callable[[Path], None], folder: Path) -> float:
    """Return the CPU seconds of this process that `run` took, in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=folder) as out, Path(os.devnull).open("w") as nowhere, \
            contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):  # fmt: skip
        began = time.process_time()
        run(Path(out))
        return time.process_time() - began


def as_a_stage(out: Path, model: Path, tasks: Any, steps: int) -> None:
    """Train by a stage, with credit by rank and the rollouts kept."""
    from fairtrial.train.recipe import Credit, Sampling, Stage
    from fairtrial.train.trainers.grpo import train_grpo
    from train.trainers.sloppy_world import context

    sampling = Sampling(prompts_per_step=PROMPTS, group_size=SIZE, max_new_tokens=TOKENS)
    stage = Stage(method="grpo", steps=steps, learning_rate=RATE, credit=Credit(gar=True), sampling=sampling)
    train_grpo(context(out, model, stage, tasks, ledger=out / "training"))


def plainly(out: Path, model: Path, tasks: Any, steps: int) -> None:
    """Train by TRL alone: its own scaling, an exact match of the first word, nothing kept."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from fairtrial.train.trainers.loading import load_policy, load_tokenizer

    def matches(completions: list[str], answer: list[str], **more: Any) -> list[float]:
        del more
        return [float(one.split()[:1] == [key]) for one, key in zip(completions, answer, strict=True)]

    rows = [{"prompt": task.prompt, "answer": tasks.keys[task.name].answer} for task in tasks.tasks]
    config = GRPOConfig(
        output_dir=str(out), max_steps=steps, learning_rate=RATE, lr_scheduler_type="constant", logging_steps=1,
        save_strategy="no", report_to="none", disable_tqdm=True, use_cpu=True, bf16=False, gradient_checkpointing=False,
        dataloader_pin_memory=False, per_device_train_batch_size=PROMPTS * SIZE, num_generations=SIZE,
        max_completion_length=TOKENS, temperature=1.0, beta=0.0, disable_dropout=True,
    )  # fmt: skip
    tokenizer = load_tokenizer(model, side="left")
    GRPOTrainer(model=load_policy(model), args=config, reward_funcs=matches, train_dataset=Dataset.from_list(rows),
                processing_class=tokenizer).train()  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
