"""Attacks: a task that is held out, or a twin of one, must not be trained on, whoever says so, however it is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.formats.exports import Question
from fairtrial.ledger import Ledger
from fairtrial.records import FormatError, InputError, Outcome, Rollout
from fairtrial.train.sets import Chosen, Options, Source, choose
from fairtrial.train.sets.sides import Placed, read_split, sides_of
from train.sets.ledgers import ledger_at, put_all, tasks_at, text_rollout


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """Return a ledger that no test adds to."""
    made = ledger_at(tmp_path_factory.mktemp("sides"))
    right, wrong = ("four", "passed"), ("five", "failed")
    told = [(task, attempt, *(right if attempt < 2 else wrong)) for task in "abcd" for attempt in range(4)]
    put_all(made, [(text_rollout(task, attempt, said), outcome) for task, attempt, said, outcome in told])  # type: ignore[misc]
    return made


def prompts(ledger: Ledger, tasks: Path, **options: Any) -> Chosen:
    return choose(Source.of(ledger, Options(kind="prompts", text_tasks=tasks, **options)))


def names(found: Chosen) -> list[str]:
    return [row.origin.task for row in found.rows]


ALL = tuple({"name": name} for name in "abcd")


def test_a_split_in_the_tasks_is_kept_to_and_its_cluster_goes_whole(ledger: Ledger, tmp_path: Path) -> None:
    rows = (
        {"name": "a", "split": "held_out", "cluster": "k"},
        {"name": "b", "cluster": "k"},
        {"name": "c"},
        {"name": "d"},
    )
    found = prompts(ledger, tasks_at(tmp_path, *rows))
    assert names(found) == ["c", "d"]
    assert found.left_out == {"held_out": 1, "near_copy_of_held_out": 1}
    assert found.found.sides.groups == 1


def test_a_document_of_a_split_is_kept_to(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text(json.dumps({"train": ["a", "b"], "held_out": ["c"]}))
    found = prompts(ledger, tasks_at(tmp_path, *ALL), split=tmp_path / "split.json")
    assert (names(found), found.left_out) == (["a", "b"], {"held_out": 1, "not_in_split": 1})


def test_a_twin_in_the_held_out_file_is_found_by_its_text_whatever_its_name(ledger: Ledger, tmp_path: Path) -> None:
    tasks = tasks_at(tmp_path, {"name": "a", "prompt": "Sort  these"}, *ALL[1:])
    held_out = tasks_at(tmp_path, {"name": "z", "prompt": "Sort these"}, {"name": "b"}, name="held_out.jsonl")
    found = prompts(ledger, tasks, held_out=held_out)
    assert names(found) == ["c", "d"]
    assert found.left_out == {"near_copy_of_held_out": 1, "held_out": 1}


def test_a_rewording_is_found_where_near_copies_are_measured(ledger: Ledger, tmp_path: Path) -> None:
    story = (
        "A baker sells {} loaves in the morning and twice as many in the afternoon; how many loaves are sold that day?"
    )
    tasks = tasks_at(tmp_path, {"name": "a", "prompt": story.format(12)}, *ALL[1:])
    held_out = tasks_at(tmp_path, {"name": "z", "prompt": story.format(31)}, name="held_out.jsonl")
    assert "a" in names(prompts(ledger, tasks, held_out=held_out))
    found = prompts(ledger, tasks, held_out=held_out, near_copies="measured")
    assert "a" not in names(found)
    assert found.left_out["near_copy_of_held_out"] >= 1


def test_what_is_held_out_is_known_by_rollouts_that_are_not_asked_for(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    placed = (("a", "m", ""), ("a", "n", "test"), ("b1", "m", ""), ("b2", "m", "Held-out"), ("c", "m", "train"))
    put_all(ledger, [(text_rollout(task, at, f"{task}{at}", cluster=task[0], model=model, split=split), outcome)
                     for task, model, split in placed
                     for at, outcome in enumerate(("passed", "failed"))])  # type: ignore[misc]  # fmt: skip
    listed = tasks_at(tmp_path, *({"name": name} for name in ("a", "b1", "b2", "c")))
    for tasks in ((), ("a", "b1", "c")):
        options = Options(kind="prompts", text_tasks=listed, models=("m",), tasks=tasks, band=(0.1, 0.9))
        assert names(choose(Source.of(ledger, options))) == ["c"]


def test_a_name_in_another_suite_is_another_task_and_in_another_version_the_same() -> None:
    tasks = [Placed(name="1", suite="air", text="fly"), Placed(name="1", suite="air", text="fly!", is_held_out=True),
             Placed(name="1", suite="shop", text="buy"), Placed(name="2", suite="shop", text="fly"),
             Placed(name="3", text="x"), Placed(name="3", suite="shop", text="y", is_held_out=True)]  # fmt: skip
    found = sides_of(tasks, None, None, "declared")
    assert (found.of("air@1", "1"), found.of("shop@2", "1"), found.of("shop", "2")) == (
        "held_out", "", "near_copy_of_held_out"
    )  # fmt: skip
    assert found.of("any", "3") == "held_out"


def test_a_model_with_and_without_a_step_is_two(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put_all(ledger, [(text_rollout("a", step=step), "failed") for step in (None, 3)])
    with pytest.raises(InputError, match="several"):
        prompts(ledger, tasks_at(tmp_path, *ALL))


def test_what_is_not_known_of_sides_is_said() -> None:
    told = sides_of([Placed(name="a", text="x")], None, None, "declared").not_measured
    assert len(told) == 2
    assert sides_of([Placed(name="a", text="x", is_held_out=True)], None, None, "measured").not_measured == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"train": ["a"]}', '{"train": ["a"], "held_out": ["a"]}'])
def test_a_split_that_is_none_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text(text)
    with pytest.raises(FormatError):
        read_split(tmp_path / "split.json")


def test_a_split_of_other_tasks_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text('{"train": ["x"], "held_out": []}')
    with pytest.raises(InputError, match="none of the tasks"):
        prompts(ledger, tasks_at(tmp_path, *ALL), split=tmp_path / "split.json")


def test_the_band_is_of_graded_attempts_and_its_ends_are_in_it(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    told: list[tuple[Rollout, Outcome]] = [(text_rollout("once"), "failed")]
    for task, passes in (("never", 0), ("low", 1), ("high", 7), ("always", 10), ("broken", 5)):
        rest: Outcome = "ungraded" if task == "broken" else "failed"
        told += [(text_rollout(task, at, str(at)), "passed" if at < passes else rest) for at in range(10)]
    put_all(ledger, told)
    tasks = tasks_at(
        tmp_path, *({"name": name} for name in ("never", "low", "high", "always", "broken", "once", "new"))
    )
    found = prompts(ledger, tasks, band=(0.1, 0.7))
    rates = {row.origin.task: (row.rate, row.graded) for row in found.rows if isinstance(row, Question)}
    assert rates == {"high": (0.7, 10), "low": (0.1, 10)}
    assert found.left_out == {"never_passed": 1, "always_passed": 2, "too_few_attempts": 1, "not_measured": 1}
    assert found.also["rollouts_in_no_rate"] == {"ungraded:not_graded": 5}


def test_a_band_of_two_models_or_steps_is_refused(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put_all(ledger, [(text_rollout("a", at, model="m"), outcome) for at, outcome in enumerate(("passed", "failed"))])  # type: ignore[misc]
    put_all(ledger, [(text_rollout("a", model="n", step=step), "passed") for step in (3, 4)])
    tasks = tasks_at(tmp_path, *ALL)
    with pytest.raises(InputError, match="several"):
        prompts(ledger, tasks)
    with pytest.raises(InputError, match="several"):
        prompts(ledger, tasks, models=("n",))
    assert names(prompts(ledger, tasks, models=("m",))) == ["a"]
