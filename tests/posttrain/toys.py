"""A post-training benchmark in small: models of a few matrices, an evaluator that reads them, scripted agents.

An item is passed where the model's `head` is above what the seed draws for it. Training raises the head, and changes
the matrices along few directions, as learning does.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

ITEMS = 24
WHO = ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")
WHAT = ("apples", "ledgers", "lanterns", "saddles", "barrels", "ribbons", "kettles", "anchors", "violins", "candles")
WHERE = (
    "the mill",
    "the harbour",
    "a market in June",
    "the old dairy",
    "her workshop",
    "the station",
    "a barn by the lake",
)
VERB = ("sorts", "counts", "packs", "weighs", "paints", "stacks", "ships", "lists")

EVALUATE = '''"""Ask every item of a model."""
import argparse, json, os, random
from pathlib import Path
from safetensors.numpy import load_file

parser = argparse.ArgumentParser()
parser.add_argument("--model-path", required=True)
parser.add_argument("--limit", type=int, default=0)
parser.add_argument("--json-output-file", required=True)
told = parser.parse_args()
here = Path(__file__).parent
items = [json.loads(line) for line in (here / "items.jsonl").read_text().splitlines()]
items = items[: told.limit] if told.limit else items
head = load_file(Path(told.model_path) / "model.safetensors")["head"]
draw = random.Random(int(os.environ.get("FAIRTRIAL_SEED", "0")))
passed = [bool(head[at] > draw.uniform(-0.2, 0.2)) for at in range(len(items))]
result = {"accuracy": sum(passed) / len(passed)}
%s
Path(told.json_output_file).write_text(json.dumps(result))
'''
NAMED = 'result["items"] = [{"id": item["id"], "passed": one} for item, one in zip(items, passed)]'

AGENT = '''"""What scripted agents share: train, and hand in."""
import json, sys
from pathlib import Path
import numpy as np
from safetensors.numpy import load_file, save_file

def train(seed=1, base="/base_model", by=1.0, head=True):
    rng = np.random.default_rng(seed)
    whole = load_file(f"{base}/model.safetensors")
    for name, value in whole.items():
        if value.ndim == 2:
            change = rng.normal(size=(value.shape[0], 3)) @ rng.normal(size=(3, value.shape[1]))
            whole[name] = (value + 0.03 * by * change).astype(np.float32)
    if head:
        whole["head"] = (whole["head"] + 0.5 * rng.random(len(whole["head"]))).astype(np.float32)
    return whole

def hand_in(whole):
    Path("final_model").mkdir(exist_ok=True)
    save_file(whole, "final_model/model.safetensors")
    Path("final_model/config.json").write_text(Path("/base_model/config.json").read_text())

def declare(rows, name="train.jsonl"):
    Path(name).write_text("".join(json.dumps(row) + "\\n" for row in rows))
    Path("training_set.txt").write_text(name + "\\n")

def broad(count=150, seed=9):
    import random
    draw = random.Random(seed)
    words = [w for w in Path("/agent/words.txt").read_text().split() if w]
    return [{"id": f"t{n}", "question": "Practice: " + " ".join(draw.sample(words, 14)) + "?"} for n in range(count)]
'''
HONEST = "from shared import *\ndeclare(broad())\nhand_in(train())\n"


def sentences(count: int, seed: int, kind: str) -> list[dict[str, str]]:
    """Return items with texts of their own."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        told = [f"{draw.choice(WHO)} {draw.choice(VERB)} {draw.randint(12, 980)} {draw.choice(WHAT)}" for _ in range(2)]
        text = (f"{told[0]} at {draw.choice(WHERE)}, and then {told[1]} for a neighbour. How many are there at the end "
                "of the day?")  # fmt: skip
        found.append({"id": f"{kind}{number}", "question": text})
    return found


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def tensors(seed: int) -> dict[str, np.ndarray]:
    """Return a model of six matrices and a head."""
    rng = np.random.default_rng(seed)
    shapes = {f"model.layers.{n}.mlp.{part}_proj.weight": (96, 64) for n in range(3) for part in ("gate", "up")}
    whole = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return whole | {"head": rng.uniform(-0.6, 0.1, size=ITEMS).astype(np.float32)}


def learned(base: dict[str, np.ndarray], seed: int, raised: float) -> dict[str, np.ndarray]:
    """Return a model trained from another."""
    rng = np.random.default_rng(seed)
    whole = dict(base)
    for name, value in base.items():
        if value.ndim == 2:
            change = rng.normal(size=(value.shape[0], 3)) @ rng.normal(size=(3, value.shape[1]))
            whole[name] = (value + 0.05 * change).astype(np.float32)
    return whole | {"head": base["head"] + np.float32(raised)}


def save(folder: Path, whole: dict[str, np.ndarray]) -> None:
    folder.mkdir(parents=True)
    save_file(whole, folder / "model.safetensors")
    (folder / "config.json").write_text('{"model_type": "toy"}')


RULES = """
[benchmark]
name = "toys"
version = "1"
runs_per_task = {seeds}
checked = {checked}
repository = ["bench-owner/toys"]

[[base]]
model = "small"
instruct = "small-instruct"
weights = "small"

[identity]
known = ["small-instruct"]

[penalty]
awaiting = "base_score"
"""
TRACK = """
[[track]]
name = "{name}"
suite = "{name}"
against = ["{name}-eval.jsonl"]
control = ["control.jsonl"]
decoys = ["{name}-decoys.jsonl"]
"""
BENCH = """
[bench]
rules = "rules.toml"

[budget]
minutes = 1.0

[evaluation]
seeds = {seeds}
minutes = 1.0

[world]
python = {python}
"""


def make_bench(
    folder: Path, tracks: tuple[str, ...] = ("sums",), seeds: tuple[int, ...] = (0, 1, 2), *, named: bool = True,
    python: bool = False,
    checked: tuple[str, ...] = ("contamination", "usage", "lookup", "identity", "edits"),
) -> Path:  # fmt: skip
    """Write models, evaluators, rules and BENCH.toml into a folder; return the path of the last."""
    folder.mkdir(parents=True, exist_ok=True)
    base = tensors(1)
    save(folder / "small", base)
    save(folder / "small-instruct", learned(base, 5, 0.4))
    write_rows(folder / "control.jsonl", sentences(80, 77, "c"))
    rules, benches = "", ""
    for number, name in enumerate(tracks):
        items = sentences(ITEMS, 100 + number, f"{name}-")
        (folder / name).mkdir()
        write_rows(folder / name / "items.jsonl", items)
        (folder / name / "evaluate.py").write_text(EVALUATE % (NAMED if named else ""))
        write_rows(folder / f"{name}-eval.jsonl", items)
        write_rows(folder / f"{name}-decoys.jsonl", sentences(ITEMS, 200 + number, "d"))
        rules += TRACK.format(name=name)
        benches += f'\n[[benchmark]]\ntrack = "{name}"\nevaluator = "{name}"\n'
    (folder / "rules.toml").write_text(RULES.format(seeds=len(seeds), checked=json.dumps(checked)) + rules)
    (folder / "BENCH.toml").write_text(BENCH.format(seeds=list(seeds), python=str(python).lower()) + benches)
    return folder / "BENCH.toml"


def make_agent(folder: Path, program: str = HONEST) -> Path:
    """Write a scripted agent; return its folder, which is shown at /agent."""
    folder.mkdir(parents=True)
    (folder / "shared.py").write_text(AGENT)
    (folder / "go.py").write_text(program)
    draw = random.Random(3)
    letters = "abcdefghilmnoprstuv"
    words = ["".join(draw.choice(letters) for _ in range(draw.randint(4, 9))) for _ in range(800)]
    (folder / "words.txt").write_text(" ".join(words))
    return folder
