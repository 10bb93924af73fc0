"""Attacks: a held-out prompt in another form is the same prompt; a system message or a blank does not hide it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairtrial.grade.text import text_suite
from fairtrial.train.recipe.leaks import Asked
from fairtrial.train.recipe.suites import shared
from train import tiny

USER = {"role": "user", "content": "sort 5310="}
SYSTEM = {"role": "system", "content": "You sort."}
SAID = {"role": "assistant", "content": "0135"}


def asked(folder: Path, *prompts: Any) -> Asked:
    rows = [{"name": f"t{number}", "prompt": prompt, "answer": "a"} for number, prompt in enumerate(prompts)]
    return Asked(text_suite(tiny.write_lines(folder / "held_out.jsonl", rows)).tasks)


@pytest.mark.parametrize("held", ["sort 5310=", [USER], [SYSTEM, USER]])
@pytest.mark.parametrize(
    "row",
    [
        {"prompt": " sort 5310=\n", "completion": "0135"},
        {"prompt": [USER], "completion": [SAID]},
        {"prompt": [SYSTEM, USER], "completion": [SAID]},
        {"chosen": [SYSTEM, USER, SAID], "rejected": [USER, SAID]},
    ],
)
def test_the_same_words_are_found_in_any_form(held: Any, row: dict[str, Any], tmp_path: Path) -> None:
    assert asked(tmp_path, "sort 7742=", held).in_row(row) == "t1"


@pytest.mark.parametrize("row", [{"text": "sort 5310=0135"}, {"chosen": "sort 5310=0135", "rejected": "sort 5310=1"}])
def test_a_text_that_begins_with_a_held_out_prompt_holds_it(row: dict[str, Any], tmp_path: Path) -> None:
    assert asked(tmp_path, "sort 7742=", "sort 5310=").in_row(row) == "t1"


def test_tasks_that_only_their_system_message_tells_apart_are_told_apart_by_it(tmp_path: Path) -> None:
    held = asked(tmp_path, [SYSTEM, USER], [{"role": "system", "content": "You reverse."}, USER])
    assert held.in_row({"prompt": [{"role": "system", "content": "You add."}, USER]}) == ""
    assert held.in_row({"prompt": [SYSTEM, USER]}) == "t0"


def test_other_words_are_not_found(tmp_path: Path) -> None:
    held = asked(tmp_path, "sort 5310=")
    rows: tuple[dict[str, Any], ...] = ({"prompt": "sort 531="}, {"text": "resort 5310="}, {"prompt": [SYSTEM, SAID]})
    assert [held.in_row(row) for row in rows] == ["", "", ""]


def test_a_training_task_that_asks_the_same_and_is_graded_otherwise_is_refused(tmp_path: Path) -> None:
    train = text_suite(tiny.write_lines(tmp_path / "train.jsonl", [tiny.text_task("4193", name="x", part="last_line")]))
    held_out = text_suite(tiny.write_lines(tmp_path / "held_out.jsonl", [tiny.text_task("4193")]))
    assert shared(train, held_out) == "the training task `x` and the held-out task `sort-4193` ask the same"
