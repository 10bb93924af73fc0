"""Where a seed stands, read from its checkpoints alone; what is published is whole, and only the latest is resumed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fairtrial.records import FormatError
from fairtrial.train.running.chain import standing
from fairtrial.train.running.folder import SeedFolder
from fairtrial.train.trainers.checkpoints import Marker, kept_steps, publish, read_marker
from fairtrial.train.trainers.protocol import STATE


def _keep(
    seed: SeedFolder, step: int, stage: int, method: str = "sft", *, ended: bool = False, paused: str = ""
) -> Path:
    making = seed.path / "work" / f"step-{step}"
    (making / STATE).mkdir(parents=True)
    (making / "model.safetensors").write_text(str(step))
    marker = Marker(stage=stage, method=method, own_step=step, ended=ended, paused=paused)
    publish(making, seed.checkpoints / making.name, marker)
    return seed.checkpoints / making.name


@pytest.fixture
def seed(tmp_path: Path) -> SeedFolder:
    (tmp_path / "seed-0").mkdir()
    return SeedFolder(tmp_path / "seed-0")


def test_nothing_kept_is_the_base_at_its_first_stage(seed: SeedFolder) -> None:
    at = standing(seed, Path("base"))
    assert (at.policy, at.next, at.resume, at.step) == (Path("base"), 0, None, 0)


def test_a_stage_under_way_is_resumed_from_its_last_checkpoint(seed: SeedFolder) -> None:
    _keep(seed, 9, 1)
    last = _keep(seed, 10, 1)
    at = standing(seed, Path("base"))
    assert (at.policy, at.next, at.offset, at.resume, at.step) == (Path("base"), 0, 0, last, 10)


def test_the_next_stage_starts_from_the_one_that_ended(seed: SeedFolder) -> None:
    done = _keep(seed, 100, 1, ended=True)
    assert standing(seed, Path("base")).resume is None
    going = _keep(seed, 120, 2, "grpo")
    at = standing(seed, Path("base"))
    assert (at.policy, at.next, at.offset, at.resume) == (done, 1, 100, going)


def test_a_reward_model_is_handed_on_beside_the_policy(seed: SeedFolder) -> None:
    policy, scorer = _keep(seed, 5, 1, ended=True), _keep(seed, 8, 2, "reward_model", ended=True)
    at = standing(seed, Path("base"))
    assert (at.policy, at.reward_model, at.offset, at.next) == (policy, scorer, 8, 2)


def test_a_pause_is_remembered_until_the_run_has_gone_on(seed: SeedFolder) -> None:
    _keep(seed, 7, 1, "grpo", paused="every attempt failed")
    assert standing(seed, Path("base")).paused == "every attempt failed"
    _keep(seed, 8, 1, "grpo")
    assert standing(seed, Path("base")).paused == ""


def test_only_the_latest_keeps_its_state_and_every_model_stays(seed: SeedFolder) -> None:
    for step in (9, 10, 11):
        _keep(seed, step, 1)
    kept = dict(kept_steps(seed.checkpoints))
    assert list(kept) == [9, 10, 11]
    assert [(folder / STATE).is_dir() for folder in kept.values()] == [False, False, True]
    assert [(folder / "model.safetensors").read_text() for folder in kept.values()] == ["9", "10", "11"]


def test_what_is_half_made_is_not_seen(seed: SeedFolder) -> None:
    _keep(seed, 3, 1)
    (seed.path / "work" / "step-4" / STATE).mkdir(parents=True)
    (seed.checkpoints / "step-x").mkdir()
    assert [step for step, _ in kept_steps(seed.checkpoints)] == [3]


def test_a_pause_with_any_words_comes_back(seed: SeedFolder) -> None:
    why = 'Steps 3–4: "all" failed\n\\ at 100%'
    assert read_marker(_keep(seed, 4, 1, paused=why)).paused == why


def test_a_stage_whose_last_checkpoint_was_removed_begins_anew(seed: SeedFolder) -> None:
    done = _keep(seed, 5, 1, ended=True)
    _keep(seed, 7, 2)
    shutil.rmtree(_keep(seed, 9, 2))
    at = standing(seed, Path("base"))
    assert (at.policy, at.next, at.offset, at.resume, at.step) == (done, 1, 5, None, 5)


def test_a_marker_that_cannot_be_read_is_said(seed: SeedFolder) -> None:
    (_keep(seed, 4, 1) / "stage.toml").write_text("stage = ")
    with pytest.raises(FormatError, match=r"stage\.toml"):
        standing(seed, Path("base"))
