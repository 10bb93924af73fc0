"""The sort/reverse family: its recipes agree with each other, a model learns, and what ruins it is called a loss."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairtrial.grade.text import text_suite
from fairtrial.train.recipe import Recipe
from fairtrial.train.recipe.reading import read_recipe

ROOT = Path(__file__).resolve().parent.parent.parent
SORTING = ROOT / "examples" / "sorting"
ARMS = ("base", "sft", "sft-rl", "rl", "sft-random")


def called(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    quiet = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "PYTHONWARNINGS": "ignore"}
    return subprocess.run(words, cwd=folder, env=os.environ | quiet, capture_output=True, text=True, check=False)


def fairtrial(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return called(folder, sys.executable, "-c", "from fairtrial.cli.main import main; main()", *words)


def recipes() -> dict[str, Recipe]:
    return {path.stem: read_recipe(path).recipe for path in sorted(SORTING.glob("*.toml"))}


def test_arms_differ_in_their_stages_alone() -> None:
    read = recipes()
    assert set(ARMS) < set(read)
    first, *others = [read[arm] for arm in ARMS if arm != "base"]
    assert all(recipe.evaluation == first.evaluation.model_copy(update={"base": False}) for recipe in others)
    assert all(recipe.tasks == first.tasks for recipe in others)
    assert all(read[arm].seeds == [0, 1, 2] for arm in ARMS)
    assert read["sft-rl"].stages[0] == read["sft"].stages[0]
    assert read["sft-random"].stages[0].model_copy(update={"reward": "grade"}) == read["sft-rl"].stages[1]


def test_no_held_out_task_is_a_demonstration_or_trained_on(tmp_path: Path) -> None:
    sys.path.insert(0, str(SORTING))
    try:
        import make
    finally:
        sys.path.remove(str(SORTING))
    make.write_tasks(tmp_path, digits=4)
    held_out, train = (text_suite(tmp_path / "tasks" / f"{name}.jsonl") for name in ("held_out", "train"))
    shown = {
        json.loads(row)["prompt"] for path in (tmp_path / "sets").iterdir() for row in path.read_text().splitlines()
    }
    asked = {task.prompt for task in held_out.tasks}
    assert len(asked) == make.HELD_OUT
    assert asked.isdisjoint(shown | {task.prompt for task in train.tasks})


@pytest.mark.long
@pytest.mark.extra
@pytest.mark.timeout(400)
def test_a_model_learns_and_a_ruined_one_is_a_loss(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    assert called(tmp_path, sys.executable, str(SORTING / "make.py"), ".", "--seeds", "0").returncode == 0
    for path in SORTING.glob("*.toml"):
        shutil.copy(path, tmp_path)
    for arm in ("base", "sft", "collapse"):
        done = fairtrial(tmp_path, "train", f"{arm}.toml", "--out", f"runs/{arm}", "--ledger", "ledger", "--seed", "0")
        assert done.returncode == 0, done.stderr
    assert lifted(tmp_path, "base", "sft", code=0)["reading"] == "gain"
    ruined = lifted(tmp_path, "sft", "sft-collapsed", code=1)
    assert ruined["reading"] == "loss"
    assert ruined["gain"]["high"] < 0


def lifted(folder: Path, base: str, trained: str, *, code: int) -> dict[str, Any]:
    done = fairtrial(folder, "lift", "ledger", "--base", base, "--trained", trained, "--json")
    assert done.returncode == code, done.stderr
    comparison: dict[str, Any] = json.loads(done.stdout)["comparisons"][0]
    return comparison
