"""What an evaluator says is taken at its word only where it makes sense; else the model is ungraded, never zero."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.posttrain.fakes import evaluating
from tests.posttrain.toys import make_bench

from fairtrial.ledger import Ledger, connect
from fairtrial.posttrain.bench import read_bench
from fairtrial.posttrain.document.accuracy import accuracy_of
from fairtrial.posttrain.evaluating import Evaluated, Evaluation, evaluate, read_evaluated, record, terms_of
from fairtrial.posttrain.evaluating.contract import read
from fairtrial.posttrain.evaluating.outcome import read_result
from fairtrial.records import FormatError
from fairtrial.sandbox import Command, Completed, FakeSandbox, Killed

DONE = Completed(exit_code=0, output="", seconds=1.0)
ITEMS = [{"id": "a", "passed": True}, {"id": "b", "passed": False}]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"accuracy": float("nan")}, "accuracy_invalid"),
        ({"accuracy": float("inf")}, "accuracy_invalid"),
        ({"accuracy": 1.5}, "accuracy_invalid"),
        ({"accuracy": -0.1}, "accuracy_invalid"),
        ({"accuracy": "0.5"}, "accuracy_invalid"),
        ({"accuracy": True}, "accuracy_invalid"),
        ({"accuracy": None}, "accuracy_invalid"),
        ({}, "accuracy_invalid"),
        ([0.5], "result_invalid"),
        ({"accuracy": 0.5, "items": []}, "items_invalid"),
        ({"accuracy": 0.5, "items": [{"id": "a"}]}, "items_invalid"),
        ({"accuracy": 0.5, "items": [{"id": "", "passed": True}]}, "items_invalid"),
        ({"accuracy": 0.5, "items": [{"id": "a", "passed": 1}]}, "items_invalid"),
        ({"accuracy": 0.5, "items": [ITEMS[0], ITEMS[0]]}, "items_invalid"),
        ({"accuracy": 0.6, "items": ITEMS}, "items_disagree"),
        ({"accuracy": 0.0, "items": [{"id": "a", "passed": None}]}, "items_disagree"),
    ],
)
def test_what_makes_no_sense_is_ungraded_for_its_reason(told: Any, reason: str) -> None:
    found = read(0, DONE, json.dumps(told).encode())
    assert (found.accuracy, found.items, found.reason) == (None, None, reason)
    assert found.why


@pytest.mark.parametrize(
    ("done", "data", "reason"),
    [
        (Completed(1, "Traceback\nValueError: torn", 1.0), b'{"accuracy": 0.5}', "evaluator_exit"),
        (Completed(124, "", 1.0, "timeout"), b'{"accuracy": 0.5}', "evaluator_timeout"),
        (Completed(137, "", 1.0, "memory"), b'{"accuracy": 0.5}', "evaluator_memory"),
        (Completed(137, "", 1.0, "signal"), b'{"accuracy": 0.5}', "evaluator_exit"),
        (DONE, None, "result_missing"),
        (DONE, b"", "result_invalid"),
        (DONE, b"[" * 100_000, "result_invalid"),
        (DONE, b"\xff\xfe", "result_invalid"),
    ],
)
def test_a_result_beside_a_failure_does_not_count(done: Completed, data: bytes | None, reason: str) -> None:
    found = read(0, done, data)
    assert (found.accuracy, found.reason) == (None, reason)


@given(st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=40).filter(lambda each: each != [None]))
def test_an_accuracy_that_agrees_with_its_items_is_taken(passed: list[bool | None]) -> None:
    graded = [one for one in passed if one is not None]
    if not graded:
        return
    rate = round(sum(graded) / len(graded), 3)
    told = {"accuracy": rate, "items": [{"id": n, "passed": one} for n, one in enumerate(passed)]}
    accuracy, items = read_result(json.dumps(told).encode())
    assert (accuracy, list((items or {}).values())) == (rate, passed)
    for off in (-0.002, 0.002):
        with pytest.raises(FormatError):
            read_result(
                json.dumps(
                    told | {"accuracy": min(1.0, max(0.0, rate + off)) + (off if rate in (0, 1) else 0)}
                ).encode()
            )


def evaluations(*each: Evaluation) -> Evaluated:
    return Evaluated(each)


def one(seed: int, *passed: bool | None, accuracy: float | None = 0.5) -> Evaluation:
    items = {f"i{n}": value for n, value in enumerate(passed)} or None
    return Evaluation(
        seed=seed, accuracy=accuracy, items=items, reason="" if accuracy is not None else "result_missing"
    )


def test_the_accuracy_is_over_items_and_seeds_and_ungraded_is_counted() -> None:
    found = accuracy_of(evaluations(one(0, True, False, None), one(1, True, True, False), one(2, accuracy=None)))
    assert found is not None
    assert found.value == pytest.approx((1.0 + 0.5 + 0.0) / 3)
    assert (found.n, found.ungraded) == (3, 1 + 3)


def test_without_items_the_interval_is_over_seeds_alone() -> None:
    found = accuracy_of(evaluations(one(0, accuracy=0.4), one(1, accuracy=0.6)))
    assert found is not None
    assert (found.value, found.n) == (0.5, 2)
    assert (found.low, found.high) == (0.0, 1.0)
    same = accuracy_of(evaluations(one(0, accuracy=0.4), one(1, accuracy=0.4)))
    assert same is not None
    assert (same.value, same.low, same.high) == (0.4, None, None)  # an evaluator that draws nothing has no spread
    single = accuracy_of(evaluations(one(0, accuracy=0.4)))
    assert single is not None
    assert (single.low, single.high) == (None, None)
    assert accuracy_of(evaluations(one(0, accuracy=None))) is None


def test_an_evaluation_that_broke_is_an_ungraded_attempt_at_every_item(tmp_path: Path) -> None:
    bench = read_bench(make_bench(tmp_path / "bench", ("sums",), (0, 1)))
    terms, ledger = terms_of(bench, "fake")["sums"], Ledger.open(tmp_path / "ledger", create=True)
    told = evaluations(one(0, True, False, None), one(1, accuracy=None))
    for _ in range(2):  # a kill between, and the same again
        record(ledger, "m", terms, told, "fake", ("i0", "i1", "i2"))
    rows = (
        connect(ledger).execute("select task, attempt, outcome, reason from outcomes order by attempt, task").fetchall()
    )
    assert rows == [
        ("i0", 0, "passed", ""), ("i1", 0, "failed", ""), ("i2", 0, "ungraded", "item_ungraded"),
        *((f"i{n}", 1, "ungraded", "result_missing") for n in range(3)),
    ]  # fmt: skip


def test_an_accuracy_without_items_is_neither_passed_nor_failed(tmp_path: Path) -> None:
    bench = read_bench(make_bench(tmp_path / "bench", ("sums",), (0,)))
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    record(ledger, "m", terms_of(bench, "fake")["sums"], evaluations(one(0, accuracy=1.0)), "fake")
    assert connect(ledger).execute("select task, outcome, reason from outcomes").fetchall() == [
        ("accuracy", "ungraded", "no_items")
    ]


def test_hidden_files_count_and_the_model_cannot_reach_the_evaluator(tmp_path: Path) -> None:
    path = make_bench(tmp_path / "bench", ("sums",), (0,))
    hidden = tmp_path / "bench/hidden"
    hidden.mkdir()
    public = terms_of(read_bench(path), "fake")["sums"].suite
    (hidden / "items.jsonl").write_text('{"id": "h1", "question": "hidden?"}\n')
    path.write_text(path.read_text().replace('evaluator = "sums"', 'evaluator = "sums"\nhidden = "hidden"'))
    bench = read_bench(path)
    assert terms_of(bench, "fake")["sums"].suite != public
    sandbox = FakeSandbox(evaluating)
    found = evaluate(bench, "sums", tmp_path / "bench/small", tmp_path / "out", sandbox, lambda _: None)
    assert list(found.seeds[0].items or {}) == ["h1"]
    assert sandbox.commands[0].variables["FAIRTRIAL_SEED"] == "0"
    assert read_evaluated(tmp_path / "out", [0]) == found
    assert read_evaluated(tmp_path / "out", [0, 1]) is None


def test_seeds_that_ask_other_items_are_no_repeats(tmp_path: Path) -> None:
    def script(command: Command, root: Path) -> Completed:
        items = [{"id": f"{command.variables['FAIRTRIAL_SEED']}-{n}", "passed": True} for n in range(3)]
        (root / "result/result.json").write_text(json.dumps({"accuracy": 1.0, "items": items}))
        return DONE

    bench = read_bench(make_bench(tmp_path / "bench", ("sums",), (0, 1)))
    found = evaluate(bench, "sums", tmp_path / "bench/small", tmp_path / "out", FakeSandbox(script), lambda _: None)
    assert [each.reason for each in found.seeds] == ["", "items_differ"]


@pytest.mark.parametrize("killed", ["timeout", "memory", "output"])
def test_every_limit_has_a_reason_of_its_own(killed: Killed) -> None:
    assert read(0, Completed(137, "", 1.0, killed), None).reason == f"evaluator_{killed}"
