"""Attacks: two processes at one seed, two trainings of one name in one ledger, a base that changed between calls."""

from __future__ import annotations

import select
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from fairtrial.ledger import Ledger
from fairtrial.records import Checkpoint, InputError
from fairtrial.train.log import StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.recipe.resolving import ResolvedRecipe
from fairtrial.train.running.child import line_of
from fairtrial.train.running.folder import RunFolder
from fairtrial.train.running.recorder import SeedRecorder
from fairtrial.train.running.sharing import refuse_taken
from fairtrial.train.watch import Known
from train import tiny

RECIPE = """name = "m"
base = "base-{seed}"
seeds = [0, 1]
[[stages]]
method = "sft"
data = "sft.jsonl"
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    for seed in (0, 1):
        tiny.fake_model(tmp_path / f"base-{seed}")
    tiny.write_files(tmp_path)
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path / "recipe.toml"


def test_a_seed_that_a_process_holds_is_held_by_no_other(recipe: Path) -> None:
    run = RunFolder(recipe.parent / "run")
    with run.seed(0).held():
        with pytest.raises(InputError, match="another process"), run.seed(0).held():
            pass
        with run.seed(1).held():
            pass
    with run.seed(0).held():
        pass


@pytest.mark.parametrize("seeds", [(), (1,)])
def test_a_base_of_one_seed_that_changed_is_refused(recipe: Path, seeds: tuple[int, ...]) -> None:
    run = RunFolder(recipe.parent / "run")
    run.settle(recipe)
    run.settle(recipe, seeds)
    (recipe.parent / "base-1/config.json").write_text('{"a": 1}', encoding="utf-8")
    run.settle(recipe, (0,))
    with pytest.raises(InputError, match="another content of `base seed 1`"):
        run.settle(recipe, seeds)


def test_a_file_is_no_folder_of_a_run(recipe: Path) -> None:
    with pytest.raises(InputError, match="is a file"):
        RunFolder(recipe).settle(recipe)


def _kept(resolved: ResolvedRecipe, seed: int) -> Checkpoint:
    return Checkpoint(model="m", seed=seed, step=1, recipe=resolved.hash, base="base",
                      base_hash=resolved.file_hash("base", seed), data_hash=resolved.data_hash(seed))  # fmt: skip


def test_a_ledger_takes_one_training_of_a_name_and_seed(recipe: Path) -> None:
    run = RunFolder(recipe.parent / "run")
    resolved = run.settle(recipe)
    ledger = Ledger.open(recipe.parent / "ledger", create=True)
    ledger.append("checkpoints", [_kept(resolved, 0), replace(_kept(resolved, 1), recipe="another")])
    refuse_taken(ledger, run, resolved, [0])
    with pytest.raises(InputError, match="another training of `m` with seed 1"):
        refuse_taken(ledger, run, resolved, [0, 1])


def test_a_ledger_takes_one_base_of_a_name_and_seed(recipe: Path) -> None:
    run = RunFolder(recipe.parent / "run")
    resolved = run.settle(recipe)
    ledger = Ledger.open(recipe.parent / "ledger", create=True)
    ledger.append("checkpoints", [replace(_kept(resolved, 0), model="arm", base_hash="another")])
    refuse_taken(ledger, run, resolved, [1])
    with pytest.raises(InputError, match="another model as the base `base` of seed 0"):
        refuse_taken(ledger, run, resolved, [0])


@pytest.mark.parametrize("text", ["a", "\u4e2d", "\n", "\U0001f600"])
def test_a_line_is_what_a_pipe_takes_in_one_piece(text: str) -> None:
    document = {"seed": 0, "end": {"paused": text * 9000, "steps": 3}, "note": text * 9000}
    line = line_of(document)
    assert len(line) <= select.PIPE_BUF
    read = orjson.loads(line)
    assert read["note"].startswith(text * 100)
    assert (read["seed"], read["end"]["steps"]) == (0, 3)
    assert line_of({"note": text}) == orjson.dumps({"note": text}) + b"\n"


def test_what_a_stage_notes_is_told_once(tmp_path: Path) -> None:
    told: list[str] = []
    with SeedRecorder(tmp_path, Watch(), Known(), lambda one: told.append(one.get("note", "")), through=0,
                      go_on=0) as recorder:  # fmt: skip
        for step in (1, 2):
            recorder.record(StepLine(step=step, stage=1, method="sft", loss=1.0, notes=("7 rows are left out",)))
    assert [note for note in told if note] == ["step 1: 7 rows are left out"]
