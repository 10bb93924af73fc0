"""Attacks: whatever is no score in [0, 1] must be ungraded, never a pass and never a zero."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.grade import read_reward


@pytest.mark.parametrize(("text", "score"), [("1", 1.0), ("0", 0.0), (" 0.25\n", 0.25), ("1e-3", 0.001), ("1.0", 1.0)])
def test_numbers_in_the_unit_interval_are_scores(tmp_path: Path, text: str, score: float) -> None:
    (tmp_path / "reward.txt").write_text(text)
    assert read_reward(tmp_path).score == score


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1000000", "reward_out_of_range"),
        ("-0.1", "reward_out_of_range"),
        ("1.0000001", "reward_out_of_range"),
        ("inf", "reward_out_of_range"),
        ("nan", "reward_not_a_number"),
        ("", "reward_unparsable"),
        ("passed", "reward_unparsable"),
        ("1 1", "reward_unparsable"),
    ],
)
def test_other_text_is_ungraded_with_its_reason(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "reward.txt").write_text(text)
    reward = read_reward(tmp_path)
    assert (reward.score, reward.reason) == (None, reason)


@pytest.mark.parametrize(
    ("content", "score", "reason"),
    [
        ('{"reward": 0.5}', 0.5, ""),
        ('{"reward": 1, "style": 0.2}', 1.0, ""),
        ('{"accuracy": 0.75}', 0.75, ""),
        ('{"a": 1, "b": 0}', None, "reward_unparsable"),
        ('{"reward": true}', None, "reward_not_a_number"),
        ('{"reward": "1"}', None, "reward_not_a_number"),
        ('{"reward": NaN}', None, "reward_not_a_number"),
        ('{"reward": Infinity}', None, "reward_out_of_range"),
        ('{"reward": 1e6}', None, "reward_out_of_range"),
        ('{"reward": 1' + "0" * 400 + "}", None, "reward_out_of_range"),
        ('{"reward": null}', None, "reward_not_a_number"),
        ("{}", None, "reward_unparsable"),
        ("[1]", None, "reward_unparsable"),
        ('{"reward": 1', None, "reward_unparsable"),
        ("[" * 100_000, None, "reward_unparsable"),
    ],
)
def test_reward_json_is_a_flat_object_with_a_number(
    tmp_path: Path, content: str, score: float | None, reason: str
) -> None:
    (tmp_path / "reward.json").write_text(content)
    reward = read_reward(tmp_path)
    assert (reward.score, reward.reason) == (score, reason)


def test_json_comes_before_text(tmp_path: Path) -> None:
    (tmp_path / "reward.json").write_text('{"reward": 0}')
    (tmp_path / "reward.txt").write_text("1")
    assert read_reward(tmp_path).score == 0.0


def test_a_folder_in_the_place_of_json_hides_no_text(tmp_path: Path) -> None:
    (tmp_path / "reward.json").mkdir()
    (tmp_path / "reward.txt").write_text("1")
    assert read_reward(tmp_path).reason == "reward_unparsable"


def test_a_folder_in_the_place_of_text_changes_nothing_for_json(tmp_path: Path) -> None:
    (tmp_path / "reward.txt").mkdir()
    assert read_reward(tmp_path).reason == "reward_missing"
    (tmp_path / "reward.json").write_text('{"reward": 1}')
    assert read_reward(tmp_path).score == 1.0


def test_no_file_is_missing_and_a_link_is_no_file(tmp_path: Path) -> None:
    assert read_reward(tmp_path).reason == "reward_missing"
    (tmp_path / "elsewhere").write_text("1")
    (tmp_path / "reward.txt").symlink_to(tmp_path / "elsewhere")
    assert read_reward(tmp_path).reason == "reward_missing"


def test_bytes_that_are_not_text_are_ungraded(tmp_path: Path) -> None:
    (tmp_path / "reward.txt").write_bytes(b"\xff\xfe1")
    assert read_reward(tmp_path).reason == "reward_unparsable"
