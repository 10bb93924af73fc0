"""Which sign-offs stand: of the present content alone, the last word of each, and nothing where they disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.ledger import Ledger
from fairtrial.ledger.signed import PARTS, signed_tasks, standing_signoffs
from fairtrial.records import Signoff

NOW = {"t": "h", "u": "h"}


def said(holds: bool | None, reviewer: str = "ada", **more: Any) -> Signoff:
    content = {"suite": "s@1", "task": "t", "task_hash": "h", "part": "grader", "role": "expert", "recorded_at": "1"}
    return Signoff(**(content | {"holds": holds, "reviewer": reviewer} | more))


@pytest.mark.parametrize(
    ("signoffs", "state"),
    [
        ([], "nobody"),
        ([said(True)], "signed"),
        ([said(False)], "refused"),
        ([said(None)], "cannot_tell"),
        ([said(True), said(None, "bo")], "signed"),
        ([said(True), said(False, "bo")], "disputed"),
        ([said(True), said(False, recorded_at="2")], "refused"),
        ([said(False, recorded_at="2"), said(True, recorded_at="3")], "signed"),
        ([said(True, task_hash="old")], "nobody"),
        ([said(True, task="u")], "nobody"),
        ([said(True, suite="renamed@9")], "signed"),  # the same content under another name
    ],
)
def test_what_is_said_of_a_part(signoffs: list[Signoff], state: str) -> None:
    assert signed_tasks(signoffs, NOW, "s@1")["t"].state("grader") == state


def test_when_the_task_moves_its_sign_offs_are_void_until_they_are_given_again() -> None:
    old = [
        said(True, task_hash="old"),
        said(False, "bo", task_hash="old"),
        said(True, task_hash="older", recorded_at="0"),
    ]
    moved = signed_tasks(old, NOW, "s@2")["t"]
    assert (moved.state("grader"), [(one.reviewer, one.task_hash) for one in moved.void]) == (
        "nobody", [("ada", "old"), ("bo", "old")])  # fmt: skip
    again = signed_tasks([*old, said(True, recorded_at="2")], NOW, "s@2")["t"]
    assert (again.state("grader"), [one.reviewer for one in again.void]) == ("signed", ["bo"])
    assert signed_tasks(old, {"t": "old"})["t"].void == ()  # moved back: what was said of it stands
    assert signed_tasks(old, NOW, "other")["t"].void == ()


def test_every_second_design_is_kept_though_only_the_last_word_on_a_part_counts() -> None:
    tried = [said(False, second_design="a", second_design_passes=False),
             said(None, second_design="b", second_design_passes=True, recorded_at="2"),
             said(None, second_design="c", second_design_passes=False, task_hash="old")]  # fmt: skip
    found = signed_tasks(tried, NOW)["t"]
    assert [one.second_design for one in found.designs] == ["a", "b"]
    assert [one.second_design for one in found.refused_designs] == ["a"]


def test_the_ledger_says_the_same_as_the_records(tmp_path: Path) -> None:
    book = Ledger.open(tmp_path / "ledger", create=True)
    assert standing_signoffs(book, NOW)["t"].state("world") == "nobody"
    kept = [said(None), said(True, "bo", part="world")]
    book.append("signoffs", kept)
    assert standing_signoffs(book, NOW) == signed_tasks(kept, NOW)
    assert set(standing_signoffs(book, NOW)) == {"t", "u"}


@given(st.lists(st.tuples(st.booleans() | st.none(), st.sampled_from(["ada", "bo"]), st.sampled_from(["h", "old"]),
                          st.sampled_from(PARTS)), max_size=8), st.randoms())  # fmt: skip
def test_the_order_of_records_is_that_of_their_times(rows: list[Any], random: Any) -> None:
    signoffs = [said(holds, who, task_hash=hash_, part=part, recorded_at=str(number))
                for number, (holds, who, hash_, part) in enumerate(rows)]  # fmt: skip
    shuffled = list(signoffs)
    random.shuffle(shuffled)
    assert signed_tasks(shuffled, NOW) == signed_tasks(signoffs, NOW)
    found = signed_tasks(signoffs, NOW)["t"]
    assert all(one.task_hash == "h" for part in found.said.values() for one in part)
    assert all(one.task_hash == "old" for one in found.void)
