"""fairtrial train: what is wrong is said before anything is trained; one document on stdout, no library's chatter."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import InputError
from fairtrial.train.recipe.resolving import require_extra
from train import tiny

RECIPE = """name = "m"
base = "base-{seed}"
seeds = [0, 1]
save_steps = 2
[tasks]
held_out = "held_out.jsonl"
[[stages]]
method = "sft"
data = "sft.jsonl"
steps = 3
[evaluation]
runs = 2
max_new_tokens = 4
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    for seed in (0, 1):
        tiny.fake_model(tmp_path / f"base-{seed}")
    tiny.write_files(tmp_path)
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path / "recipe.toml"


def _has_extra() -> bool:
    try:
        require_extra()
    except InputError:
        return False
    return True


needs_extra = pytest.mark.skipif(not _has_extra(), reason="the extra train is not installed")


def _said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str]:
    code = run(["train", *map(str, words)])
    return code, capsys.readouterr().err


@needs_extra
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("none.toml", "--out", "run"), "none.toml: cannot be read"),
        (("recipe.toml", "--out", "full"), "full: is not empty, and no run"),
        (("recipe.toml", "--out", "run", "--seed", "7"), "recipe.toml:3, field `seeds`: does not name the seed 7"),
        (("recipe.toml", "--out", "sft.jsonl/run"), "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_trained(
    words: tuple[str, ...], what: str, recipe: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(recipe.parent)
    (recipe.parent / "full").mkdir()
    (recipe.parent / "full/file").touch()
    code, said = _said(capsys, *words)
    assert code == 2
    assert what in said
    assert not (recipe.parent / "run").exists()


@needs_extra
def test_a_folder_that_holds_another_recipe_is_left_alone(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from fairtrial.train.running.folder import RunFolder

    out = RunFolder(recipe.parent / "run")
    out.settle(recipe)
    before = out.recipe.read_bytes()
    recipe.write_text(RECIPE.replace("runs = 2", "runs = 3"), encoding="utf-8")
    code, said = _said(capsys, recipe, "--out", out.path)
    assert (code, "another recipe" in said) == (2, True)
    recipe.write_text(RECIPE, encoding="utf-8")
    code, said = _said(capsys, recipe, "--out", out.path, "--no-resume")
    assert (code, "holds a run already" in said) == (2, True)
    assert out.recipe.read_bytes() == before


def test_the_command_line_and_the_recipe_load_no_torch() -> None:
    code = "import sys, fairtrial.cli.train; sys.exit(any(n in sys.modules for n in ('torch', 'trl', 'transformers')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.extra
@pytest.mark.timeout(300)
def test_a_seed_that_fails_does_not_end_the_others(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    tiny.write_model(tmp_path / "base-0")
    tiny.fake_model(tmp_path / "base-1")
    tiny.write_files(tmp_path)
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    first = _train(tmp_path, "--at-once", "2")
    assert first.returncode == 2, first.stderr
    seeds = json.loads(first.stdout)["seeds"]
    assert [(s["steps"], s["whole"], s["attempts_added"]) for s in seeds] == [(3, True, 8), (0, False, 0)]
    assert "cannot be loaded" in seeds[1]["error"]
    chatter = [line for line in first.stderr.splitlines() if not line.startswith(("{", "error: ", "  "))]
    assert chatter == []
    (kept,) = all_checkpoints(Ledger.open(tmp_path / "run/ledger"))
    assert (kept.step, kept.planned, kept.seed, kept.stage, kept.tasks) == (3, True, 0, "sft", len(tiny.NUMBERS))


def _train(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("fairtrial", path=str(Path(sys.executable).parent))
    assert program is not None
    command = [program, "train", "recipe.toml", "--out", "run", "--json", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
