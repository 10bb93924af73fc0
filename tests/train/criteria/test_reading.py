"""What is read of a ledger: tasks that pass often, never a held-out split, and the work without its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats.atif import AtifStep, ToolCall, Trajectory, document
from fairtrial.grade.text import text_suite
from fairtrial.ledger import Ledger
from fairtrial.records import FairtrialError, InputError, Preference, Review, Rollout, Verdict
from fairtrial.train.criteria import Making, Material, Selection, read_instructions, read_material, split

from .criteria_world import book_in, fill


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return book_in(tmp_path)


def add(book: Ledger, answer: str | None, outcome: str = "passed", **more: Any) -> str:
    one = Rollout(**({"task": "t", "model": "m", "answer": answer} | more))
    book.append("verdicts", [Verdict(rollout=one.id, outcome=outcome)])  # type: ignore[arg-type]
    book.append("rollouts", [one])
    return one.id


def found(book: Ledger, **chosen: Any) -> Material:
    return read_material(book, Selection(**chosen), {})


def test_only_tasks_that_pass_often_are_read(book: Ledger) -> None:
    fill(book, tasks=2, runs=8, worse=2)
    fill(book, tasks=2, runs=8, worse=6, suite="hard@1")
    material = found(book)
    assert (material.passed_often, material.contrasted, material.left_out["tasks_below_rate"]) == (2, 2, 2)
    assert found(book, rate=0.2).passed_often == 4
    assert found(book, least=9).left_out["tasks_of_few_rollouts"] == 4


def test_a_task_that_one_rollout_says_is_held_out_is_left_out_whole(book: Ledger) -> None:
    fill(book, tasks=2, runs=8, worse=2)
    one = Rollout(task="sum-0", model="later", answer="x", suite="sums@1", split="Test")
    book.append("verdicts", [Verdict(rollout=one.id, outcome="passed")])
    book.append("rollouts", [one])
    material = found(book)
    assert {one.work.task for one in material.found} == {"sum-1"}
    assert (material.passed_often, material.left_out["held_out"], len(material.found)) == (1, 9, 8)
    with pytest.raises(FairtrialError, match="9 rollouts are of tasks that are held out"):
        split(found(book, tasks=("sum-0",)), Making())


def test_tasks_of_a_held_out_file_and_their_near_copies_are_not_studied(book: Ledger, tmp_path: Path) -> None:
    fill(book, tasks=4, cluster="")
    for n in range(4):
        add(book, f"copy {n}", "failed" if n == 0 else "passed", task="near", cluster="k", attempt=n)
        add(book, f"far {n}", "failed" if n == 0 else "passed", task="far", cluster="k", attempt=n, split="held_out")
    rows = [{"name": "sum-0", "prompt": "Add up column 0.", "answer": "?"},
            {"name": "elsewhere", "prompt": "Add  up column 1.", "answer": "?"}]  # fmt: skip
    (tmp_path / "held.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    instructions = {f"sum-{n}": f"Add up column {n}." for n in range(4)}
    chosen = Selection(held_out=text_suite(tmp_path / "held.jsonl"))
    material = read_material(book, chosen, instructions)
    assert {one.work.task for one in material.found} == {"sum-2", "sum-3"}


def test_a_rate_that_is_met_exactly_is_met(book: Ledger) -> None:
    fill(book, tasks=1, runs=20, worse=9)
    assert found(book, rate=0.55).passed_often == 1  # .55 times 20 is 11.000000000000002


def test_ungraded_and_known_rollouts_stand_on_no_side(book: Ledger) -> None:
    fill(book, tasks=1, runs=5, worse=1)
    broken, known = (
        add(book, "x", "ungraded", task="sum-0", suite="sums@1"),
        add(book, "y", origin="known", task="sum-0"),
    )
    material = found(book)
    assert not {broken, known} & {one.rollout for one in material.found}
    assert material.left_out["ungraded"] == 1


def test_reviews_and_comparisons_of_the_ledger_say_who_is_better(book: Ledger) -> None:
    ids = [add(book, f"answer {n}", attempt=n) for n in range(6)]
    book.append("reviews", [Review(rollout=ids[0], reviewer="ada", hack=True),
                            Review(rollout=ids[1], reviewer="ada", satisfied=False)])  # fmt: skip
    book.append("preferences", [Preference(first=ids[2], second=ids[3], preferred="second", reviewer="ada"),
                                Preference(first=ids[4], second=ids[5], preferred="tie", reviewer="ada")])  # fmt: skip
    told = {one.rollout: (one.side.better, one.side.by) for one in found(book).found}
    assert told == {ids[0]: (False, "hack"), ids[1]: (False, "review"), ids[2]: (False, "preference"),
                    ids[3]: (True, "preference")}  # fmt: skip


def test_two_suites_may_name_a_task_alike(book: Ledger) -> None:
    for suite in ("a@1", "b@1"):
        for n in range(4):
            add(book, f"{suite} {n}", "failed" if n == 0 else "passed", attempt=n, suite=suite)
    assert {one.work.task for one in found(book).found} == {"a@1/t/", "b@1/t/"}


def test_one_reply_is_shown_as_a_completion_and_steps_as_steps(book: Ledger) -> None:
    said = AtifStep(source="user", message="Add 1 and 2.")
    call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "echo 3"})
    replies = {
        "one": (said, AtifStep(source="agent", message="3")),
        "many": (said, AtifStep(source="agent", tool_calls=(call,)), AtifStep(source="agent", message="3")),
    }
    for task, steps in replies.items():
        address = book.put_blob(orjson.dumps(document(Trajectory(agent="a", steps=steps))))
        for n in range(4):
            add(book, None, "failed" if n == 0 else "passed", task=task, attempt=n, trajectory=address)
    works = {one.work.task: one.work for one in found(book).found}
    assert {work.instruction for work in works.values()} == {"Add 1 and 2."}
    assert (works["one"].answer, works["one"].trajectory) == ("3", None)
    assert [source.name for source in works["one"].sources("behaviour")] == ["A1"]
    assert [source.name for source in works["many"].sources("behaviour")] == ["S1", "S2", "S3"]


def test_what_is_not_kept_is_left_out_and_counted(book: Ledger) -> None:
    for n in range(4):
        add(book, None if n == 3 else f"{n}", "failed" if n == 0 else "passed", attempt=n)
    assert found(book).left_out["not_kept"] == 1


def test_instructions_come_without_the_key(tmp_path: Path) -> None:
    row = {"name": "a", "prompt": [{"role": "user", "content": "sort 31="}], "answer": "13"}
    (tmp_path / "tasks.jsonl").write_bytes(orjson.dumps(row))
    assert read_instructions([tmp_path / "tasks.jsonl"]) == {"a": "user: sort 31="}


@pytest.mark.parametrize(
    ("chosen", "field"),
    [({"tasks": ("nope",)}, "--task"), ({"models": ("nope",)}, "--rollouts-of"), ({"suite": "nope"}, "--suite")],
)
def test_a_name_that_is_not_there_is_bad_input(book: Ledger, chosen: dict[str, Any], field: str) -> None:
    fill(book, tasks=1)
    with pytest.raises(InputError) as error:
        found(book, **chosen)
    assert error.value.field == field


def test_too_little_to_study_is_not_measured(book: Ledger) -> None:
    fill(book, tasks=3, worse=0)
    with pytest.raises(FairtrialError, match="too little to study") as error:
        split(found(book), Making())
    assert error.value.exit_code == 3
