"""Attacks the second look: the rate stays what was asked for, no room is no loss, and a function that lies is told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from fairtrial.contamination import reranking
from fairtrial.contamination.reranking import Closer, NearControl, SecondLook, closer_of, load_reranker, scored
from fairtrial.contamination.result import Span
from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants import Near
from fairtrial.records import InputError


def row(text: str) -> Row:
    return Row(text, (("text", text),), "f.jsonl", 1)


def near(at: int, item: int, score: float, text: str = "a b") -> Near:
    return Near(row=at, row_id=f"r{at}", item=item, item_id=f"i{item}", score=score, detector="meaning", parts={},
                train=Span("text", 0, len(text)), item_place="text")  # fmt: skip


def by_number(pairs: Sequence[tuple[str, str]]) -> list[float]:
    return [float(passage) for passage, _ in pairs]


def test_the_control_is_flagged_no_more_often_than_the_rate() -> None:
    draw = random.Random(0)
    pairs = tuple((number, f"{draw.random():.6f}", "item") for number in range(200))
    closer = closer_of(by_number, "f", NearControl(0.5, pairs), 2000, 0.01)
    assert 0 < sum(score > closer.value for score in by_number([pair[1:] for pair in pairs])) <= 20


def test_a_row_of_the_control_counts_once_by_its_best_pair() -> None:
    pairs = tuple((0, f"{0.9 + number / 1000}", "item") for number in range(50))
    closer = closer_of(by_number, "f", NearControl(0.5, pairs), 100, 0.01)
    assert closer.value == pytest.approx(0.949)


def test_what_there_is_no_room_for_is_put_down_by_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reranking, "MOST", 3)
    draw = random.Random(1)
    scores = [draw.random() for _ in range(40)]
    look = SecondLook(Closer(lambda pairs: [0.0] * len(pairs), "f", 0.1, 0.5, "how"), first=0.6)
    at_once = {number for number, score in enumerate(scores)
               if look.keep(number, row("a b"), [near(number, 0, score)])}  # fmt: skip
    later = {one.number for one in look.settled([row("item")])}
    best = set(sorted(range(40), key=lambda number: -scores[number])[:3])
    assert at_once.isdisjoint(later)
    assert at_once | later == {number for number in range(40) if scores[number] > 0.6} - best


def test_the_second_look_alone_decides_on_what_it_sees() -> None:
    look = SecondLook(Closer(by_number, "f", 0.1, 0.5, "how"), first=0.2)
    assert look.keep(0, row("0.4"), [near(0, 0, 0.9, "0.4")]) == []
    assert look.keep(1, row("0.7"), [near(1, 0, 0.15, "0.7")]) == []
    assert [(one.number, one.score) for one in look.settled([row("item")])] == [(1, 0.7)]


@pytest.mark.parametrize("found", [[0.5], [0.5, 1.5], [0.5, float("nan")], [-1.0, 0.0]])
def test_scores_that_are_none_are_refused(found: list[float]) -> None:
    with pytest.raises(InputError, match="gave"):
        scored(lambda _: found, "f", [("a", "b"), ("c", "d")])


@pytest.mark.parametrize("name", ["nothing", "json:none", "no_such_module:f", "sys:path", ":f"])
def test_what_names_no_function_is_told(name: str) -> None:
    with pytest.raises(InputError, match="rerank"):
        load_reranker(name)


def test_a_function_beside_the_data_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "look_closer.py").write_text("def scores(pairs):\n    return [0.5 for _ in pairs]\n")
    monkeypatch.chdir(tmp_path)
    assert load_reranker("look_closer:scores")([("a", "b")]) == [0.5]
