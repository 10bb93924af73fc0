"""A ledger as training leaves it: base, arms and a control over three seeds, arms without a family, checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson

from fairtrial.ledger import Ledger
from fairtrial.records import Checkpoint, Rollout, Verdict
from fairtrial.train.log import GROUPS, GroupLine

FAMILIES = ("sort", "reverse", "spell")
"""`spell` is evaluated and never trained on."""
SEEDS = (0, 1, 2)
TASKS, RUNS = 12, 8
BASE = {"sort": -1.6, "reverse": -1.0, "spell": -1.2}
ARMS: Mapping[str, Mapping[str, float]] = {
    "sft-rl": {"sort": 3.4, "reverse": 2.6, "spell": 0.3},
    "sft": {"sort": 2.0, "reverse": 1.9, "spell": 0.2},
    "rl": {"sort": 0.9, "reverse": 0.4, "spell": 0.0},
    "sft-random": {"sort": 0.0, "reverse": 0.05, "spell": 0.0},
    "sft-rl-without-sort": {"sort": 0.4, "reverse": 2.8, "spell": 0.2},
    "sft-rl-without-reverse": {"sort": 3.5, "reverse": 0.3, "spell": 0.2},
}
LUCK = (-0.15, 0.0, 0.15)


def make_ledger(folder: Path, *, tasks: int = TASKS) -> Ledger:
    """Return a ledger of rollouts that were drawn at known rates."""
    ledger = Ledger.open(folder, create=True)
    models: dict[str, Mapping[str, float]] = {"base": dict.fromkeys(FAMILIES, 0.0), **ARMS}
    rows = [row for number, (model, gain) in enumerate(models.items()) for row in _attempts(model, number, gain, tasks)]
    ledger.append("rollouts", [rollout for rollout, _ in rows])
    ledger.append("verdicts", [verdict for _, verdict in rows])
    for model in ARMS:
        address = ledger.put_blob(recipe(model).encode())
        ledger.append("checkpoints", [replace(one, document=address) for one in checkpoints(model)])
    return ledger


def _attempts(model: str, number: int, gain: Mapping[str, float], tasks: int) -> Iterator[tuple[Rollout, Verdict]]:
    for seed in SEEDS:
        generator = np.random.default_rng([number, seed])
        for family in FAMILIES:
            hard = np.random.default_rng([5, FAMILIES.index(family)]).normal(0, 0.8, size=tasks)
            for task, hardness in enumerate(hard):
                shift = gain[family] * (1 + LUCK[seed])
                rate = 1 / (1 + np.exp(-(BASE[family] + hardness + shift + LUCK[seed])))
                for attempt in range(RUNS):
                    rollout = Rollout(
                        suite="letters@1f2e3d", task=f"{family}-{task:02}", model=model, attempt=attempt,
                        agent="completion", settings="sha256:settings", environment="text", seed=seed,
                        step=None if model == "base" else 200, split="held_out", family=family, stop="finished",
                        answer=f"{attempt}", output_tokens=5, input_tokens=11,
                    )  # fmt: skip
                    broken = model == "rl" and attempt == 0 and task == 3
                    passed = generator.random() < rate
                    yield (
                        rollout,
                        Verdict(
                            rollout=rollout.id,
                            grader="exact",
                            outcome="ungraded" if broken else "passed" if passed else "failed",
                            reason="grader_timeout" if broken else "",
                            score=None if broken else float(passed),
                        ),
                    )


def recipe(model: str) -> str:
    """Return the resolved recipe of a model, as far as it tells how the model was trained."""
    stages = [part for part in ("sft", "rl") if part in model.split("-")] or ["rl"]
    return f'name = "{model}"\n' + "".join(f'[[stages]]\nmethod = "{stage}"\ndata = "{model}"\n' for stage in stages)


def checkpoints(model: str) -> list[Checkpoint]:
    """Return one checkpoint a seed."""
    control, stage = model == "sft-random", "sft" if model == "sft" else "grpo"
    made = [
        Checkpoint(
            model=model, seed=seed, step=200, recipe=f"sha256:{model}", stage=stage, base="base",
            base_hash=f"sha256:base{seed}", weights_hash=f"sha256:{model}{seed}", data_hash="sha256:data", tasks=120,
            input_tokens=90_000, output_tokens=0 if stage == "sft" else 160_000,
            cost_usd=0.004 if stage == "sft" else 0.02,
            degenerate="random" if control else "", versions='{"torch":"2.13.0","trl":"1.16.0"}',
        )
        for seed in SEEDS
    ]  # fmt: skip
    left_out = model.partition("-without-")[2]
    return [replace(one, left_out_family=left_out) for one in made]


def make_run(folder: Path, name: str = "sft-rl", steps: int = 20) -> Path:
    """Write the folder of a run as `fairtrial train --out` does, its recipe and its logs; return it."""
    folder.mkdir(parents=True)
    (folder / "recipe.toml").write_text(RECIPE.format(name=name), encoding="utf-8")
    for seed in SEEDS:
        seed_folder = folder / f"seed-{seed}"
        seed_folder.mkdir()
        generator = np.random.default_rng(seed)
        lines = [_group(step, family, generator) for step in range(1, steps + 1) for family in ("sort", "reverse")]
        (seed_folder / GROUPS).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    return folder


RECIPE = """name = "{name}"
base = "models/base"
seeds = [0, 1, 2]

[tasks]
train = "train.jsonl"
held_out = "held_out.jsonl"

[[stages]]
method = "grpo"
steps = 20
"""


def _group(step: int, family: str, generator: np.random.Generator) -> GroupLine:
    passed = int(generator.binomial(8, 0.3 + 0.02 * step))
    mean = passed / 8
    return GroupLine(step=step, stage=0, task=f"train-{family}-{int(generator.integers(30))}", family=family,
                     completions=("x",) * 8, tokens=(5,) * 8, finished=(True,) * 8, reasons=("",) * 8,
                     outcomes=("passed",) * passed + ("failed",) * (8 - passed), convention="none",
                     rewards=(1.0,) * passed + (0.0,) * (8 - passed),
                     advantages=(1 - mean,) * passed + (-mean,) * (8 - passed))  # fmt: skip
