"""A run that a function pays: it is remembered, held against, and never loaded from the folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import InputError
from fairtrial.train.log import read_groups
from fairtrial.train.recipe import Recipe, Stage
from fairtrial.train.running.paying import PAID_BY, paid_by, recipe_of, settle_function
from fairtrial.train.running.run import RunOptions, run_recipe
from train import tiny

RECIPE = Recipe(name="m", base="base", stages=[Stage(method="grpo", steps=1)])


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that pays, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.delitem(sys.modules, "pays_here", raising=False)
    path = tmp_path / "pays_here.py"
    path.write_text("def by_length(completion):\n    return float(len(completion))\n")
    return path


def test_the_function_is_remembered_and_makes_another_recipe(tmp_path: Path, module: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    assert settle_function(run, RECIPE, "") is None
    assert recipe_of(run, "r") == "r"
    function = settle_function(run, RECIPE, "pays_here:by_length")
    assert function is not None
    assert function("abc") == 3.0
    assert recipe_of(run, "r") != "r"
    assert settle_function(run, RECIPE, "pays_here:by_length") is not None
    assert module.exists()


def test_a_run_goes_on_with_no_other_function(tmp_path: Path, module: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    settle_function(run, RECIPE, "pays_here:by_length")
    with pytest.raises(InputError, match="not named"):
        settle_function(run, RECIPE, "")
    module.write_text(module.read_text() + "# changed\n")
    with pytest.raises(InputError, match="before"):
        settle_function(run, RECIPE, "pays_here:by_length")


def test_what_was_paid_by_the_grader_is_not_paid_by_a_function_later(tmp_path: Path, module: Path) -> None:
    (tmp_path / "run" / "training").mkdir(parents=True)
    with pytest.raises(InputError, match="own grader"):
        settle_function(tmp_path / "run", RECIPE, "pays_here:by_length")
    assert module.exists()


def test_a_function_that_would_pay_nothing_is_refused(tmp_path: Path, module: Path) -> None:
    random = Recipe(name="m", base="base", stages=[Stage(method="grpo", steps=1, reward="random")])
    with pytest.raises(InputError, match="nothing"):
        settle_function(tmp_path, random, "pays_here:by_length")
    assert module.exists()


def test_a_memory_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / PAID_BY).write_text("[]")
    with pytest.raises(InputError) as error:
        paid_by(tmp_path)
    assert error.value.path == str(tmp_path / PAID_BY)


@pytest.mark.extra
def test_a_function_pays_a_whole_run_and_the_verdict_stands_beside_it(tmp_path: Path, module: Path) -> None:
    pytest.importorskip("trl")
    tiny.write_model(tmp_path / "base")
    tiny.write_files(tmp_path)
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        'name = "m"\nbase = "base"\n[tasks]\ntrain = "train.jsonl"\n[[stages]]\nmethod = "grpo"\nsteps = 1\n'
        "[stages.sampling]\nprompts_per_step = 2\ngroup_size = 4\nmax_new_tokens = 5\n"
    )
    options = RunOptions(grader="pays_here:by_length")
    done = run_recipe(recipe, tmp_path / "run", options, lambda *_: None, lambda _: None)
    assert [end.error for end in done.seeds] == [""]
    lines = list(read_groups(tmp_path / "run" / "seed-0"))
    assert [line.rewards for line in lines] == [tuple(float(len(c)) for c in line.completions) for line in lines]
    assert {outcome for line in lines for outcome in line.outcomes} <= {"passed", "failed"}
    (checkpoint,) = all_checkpoints(Ledger.open(done.ledger))
    assert checkpoint.recipe == recipe_of(tmp_path / "run", done.resolved.hash) != done.resolved.hash
    with pytest.raises(InputError, match="not named"):
        run_recipe(recipe, tmp_path / "run", RunOptions(), lambda *_: None, lambda _: None)
    assert module.exists()
