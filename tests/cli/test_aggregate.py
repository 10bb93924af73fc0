"""Attacks `fairtrial aggregate`: what is not measured is never 0, lines are named, a lying reward is a lead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run

GRADING = """quality_weight = 0.5
[[check]]
name = "a"
[[check]]
name = "[b]"
[[check]]
name = "tidy"
role = "quality"
"""
MEASURED = GRADING + '[[efficiency]]\nmeasure = "tokens"\n'
ALL = {"a": True, "[b]": True, "tidy": True}


@pytest.fixture
def called(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Any:
    def call(checks: str, *options: str, grading: str = GRADING) -> tuple[int, str, str]:
        (tmp_path / "grading.toml").write_text(grading)
        (tmp_path / "checks").write_text(checks)
        words = ["--grading", str(tmp_path / "grading.toml"), "--checks", str(tmp_path / "checks")]
        code = run(["aggregate", *words, *options])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def rows(*each: dict[str, Any]) -> str:
    return "".join(json.dumps({"task": "t", "checks": ALL} | one) + "\n" for one in each)


def test_a_check_without_result_is_not_measured(called: Any) -> None:
    code, out, err = called(json.dumps(ALL | {"a": None}), "--json")
    document = json.loads(out)
    assert (code, document["score"], document["correct"], document["not_measured"]) == (3, None, None, ["a"])
    assert "no result of a" in err


def test_another_axis_without_result_leaves_correct(called: Any) -> None:
    code, out, _ = called(json.dumps(ALL | {"tidy": None}), "--json")
    document = json.loads(out)
    assert (code, document["score"], document["correct"]) == (3, None, True)
    code, out, _ = called(json.dumps(ALL | {"tidy": None, "a": False}), "--json")
    assert (code, json.loads(out)["score"]) == (0, 0.5)


@pytest.mark.parametrize(("reward", "code"), [("1", 0), ("0.9999", 0), ("0.5", 1), ("nan", 2), ("inf", 2)])
def test_a_reward_that_differs_does_not_hold(called: Any, reward: str, code: int) -> None:
    assert called(json.dumps(ALL), "--reward", reward)[0] == code


@pytest.mark.parametrize("result", [{}, {"a": None}, {"a": False}, {"a": False, "tidy": None}])
@pytest.mark.parametrize("grading", [GRADING, MEASURED, '[[check]]\nname = "a"\nrole = "gate"\n'])
def test_every_score_can_be_explained(called: Any, result: dict[str, bool | None], grading: str) -> None:
    checks = ALL | result if grading != '[[check]]\nname = "a"\nrole = "gate"\n' else {"a": True} | result
    checks = {name: holds for name, holds in checks.items() if f'"{name}"' in grading}
    code, out, err = called(json.dumps(checks), "--explain", grading=grading)
    assert code in (0, 3)
    assert "fairtrial itself failed" not in err
    assert all(name in out for name in checks)


def test_a_measure_separates_the_correct_rollouts_of_one_task_and_group(called: Any) -> None:
    lines = rows(
        {"rollout": "cheap", "tokens": 10}, {"rollout": "dear", "input_tokens": 20, "output_tokens": 30},
        {"rollout": "wrong", "tokens": 1, "checks": ALL | {"a": False}},
        {"rollout": "alone", "group": "2", "tokens": 9}, {"rollout": "unknown"},
        {"rollout": "other", "task": "u", "values": {"tokens": 7}},
    )  # fmt: skip
    code, out, _ = called(lines, "--json", grading=MEASURED)
    document = json.loads(out)
    scores = {row["rollout"]: row["score"] for row in document["rows"]}
    assert code == 0
    assert scores == {"cheap": 1, "dear": 0.75, "wrong": 0.5, "alone": 1, "unknown": None, "other": 1}
    assert (document["schema"], document["groups"], document["not_measured"]) == ("fairtrial.scores/1", 3, 1)


def test_many_none_of_them_measured_is_exit_3_and_a_lie_is_exit_1(called: Any) -> None:
    assert called(rows({"checks": ALL | {"a": None}}))[0] == 3
    assert called(rows({"reward": 0}, {"reward": 1}))[0] == 1
    assert called(rows({"reward": 1}, {"reward": None}))[0] == 0


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"task": "t"}', "checks"), ('{"task": "t", "checks": {"a": 1}}', "checks.a"), ("[1]", ""),
        ("{", ""), ('{"task": "t", "checks": {"a": true}}', "checks"), (rows({"values": 3}), "values"),
        ('{"task": 3, "checks": {}}', "task"), ('{"checks": {}}', "task"),
        (rows({"reward": "1"}), "reward"), (rows({"values": {"tokens": "9"}}), "values.tokens"),
        (rows({"input_tokens": 1, "output_tokens": True}), "output_tokens"), (rows({"group": 7}), "group"),
        (rows({"checks": ALL | {"c": True}}), "checks"), ('{"task": "t", "checks": {"a": NaN}}', ""),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(called: Any, line: str, field: str) -> None:
    code, out, err = called(rows({}) + "\n" + line, "--json", grading=MEASURED)
    assert (code, out) == (2, "")
    assert "checks:3" in err
    assert not field or f"field `{field}`" in err


@pytest.mark.parametrize("text", ["", "[]", "3", '{"a": 1}', '{"a": true', "\x00", '{"a": "true"}'])
def test_what_is_no_check_results_is_refused(called: Any, text: str) -> None:
    code, _, err = called(text)
    assert code == 2
    assert "fairtrial itself failed" not in err


def test_options_of_one_rollout_are_refused_for_many(called: Any) -> None:
    assert called(rows({}), "--explain")[0] == 2
    assert called(rows({}), "--reward", "1")[0] == 2


@pytest.mark.parametrize(
    "text",
    ['{"a": false, "a": true, "[b]": true, "tidy": true}',
     rows({}) + '{"task": "t", "checks": {}, "checks": ' + json.dumps(ALL) + "}",
     rows({}) + json.dumps({"task": "t", "rollout": "x:1", "checks": ALL}).replace('"tidy"', '"a": false, "tidy"')],
)  # fmt: skip
def test_a_result_that_is_stated_twice_is_refused_by_name(called: Any, text: str) -> None:
    code, out, err = called(text, "--json")
    assert (code, out) == (2, "")
    assert "twice" in err
    assert "`a`" in err or "`checks`" in err


def test_colons_in_names_are_no_second_key(called: Any) -> None:
    assert (
        called('{"a:b": true, "c": {"d": 1}}'.replace(', "c": {"d": 1}', ""), grading='[[check]]\nname = "a:b"\n')[0]
        == 0
    )
    assert called(rows({"rollout": "x:1"}, {"more": {"deep": {"a": 1}}}))[0] == 0


@pytest.mark.parametrize("text", ["{}", '{"a": true}', '{"a": true, "[b]": true, "tidy": true, "other": true}'])
def test_results_that_lack_a_check_or_have_another_are_refused(called: Any, text: str) -> None:
    code, _, err = called(text)
    assert code == 2
    assert "checks that grading.toml" in err


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(called: Any) -> None:
    marked = "\ufeff" + GRADING.replace("\n", "\r\n")
    code, out, _ = called("\ufeff" + json.dumps(ALL) + "\r\n", "--json", grading=marked)
    assert (code, json.loads(out)["score"]) == (0, 1.0)
    assert called("\ufeff" + rows({}, {}).replace("\n", "\r\n"), grading=marked)[0] == 0


def test_a_grading_that_is_nested_too_deep_is_refused(called: Any) -> None:
    code, _, err = called("{}", grading="x = " + "[" * 3000)
    assert (code, "nested too deep" in err) == (2, True)


def test_a_share_of_no_checks_is_not_zero(called: Any) -> None:
    code, out, _ = called('{"a": true}', "--json", grading='[[check]]\nname = "a"\nrole = "gate"\n')
    assert (code, json.loads(out)["per_check"], json.loads(out)["score"]) == (0, None, 1.0)
