"""Clusters: by item, or of rows among themselves; largest first; counted where not shown."""

from __future__ import annotations

import pytest

from fairtrial.contamination import clusters
from fairtrial.contamination.clusters import CUT, clusters_of
from fairtrial.contamination.rows import Row


def rows(number: int, first: int = 0, subject: str = "hens") -> dict[int, Row]:
    return {
        first + at: Row(f"row-{first + at}", (("text", f"Bo keeps {at} {subject} and sells {at * 7} of them in May."),),
                        "train.jsonl", first + at + 1)
        for at in range(number)
    }  # fmt: skip


def test_rows_near_an_item_are_its_cluster_with_their_template() -> None:
    near = rows(40, first=100)
    (found,) = clusters_of(near, dict.fromkeys(near, "item-3")).shown
    assert (found.item_id, found.rows, found.explained) == ("item-3", tuple(range(100, 140)), 1.0)
    assert found.templates[0].rows == found.rows
    assert found.ids == ("row-100", "row-101", "row-102")
    assert found.document()["rows"] == 40


def test_rows_near_no_item_are_grouped_among_themselves() -> None:
    alone = rows(20, subject="ducks") | {
        99: Row("odd", (("text", "An essay on tides, their causes and their tables."),), "t", 1)
    }
    (found,) = clusters_of(alone, {}).shown
    assert (found.item_id, found.rows) == (None, tuple(range(20)))


def test_the_largest_are_shown_and_all_are_counted() -> None:
    near, item_of = {}, {}
    for number in range(6):
        more = rows(3 + number, first=number * 50)
        near |= more
        item_of |= dict.fromkeys(more, f"item-{number}")
    found = clusters_of(near, item_of, most=2)
    assert [(one.item_id, len(one.rows)) for one in found.shown] == [("item-5", 8), ("item-4", 7)]
    assert found.found == 6


def test_two_rows_are_no_cluster() -> None:
    near = rows(2)
    assert clusters_of(near, dict.fromkeys(near, "item")).found == 0


def test_too_many_rows_among_themselves_are_said_and_not_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "MOST_AMONG_THEMSELVES", 5)
    found = clusters_of(rows(6), {})
    assert found.found == 0
    assert "6 rows near no item" in found.abstained[0]


def test_of_very_many_rows_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "LOOKED_AT", 10)
    near = rows(40)
    (found,) = clusters_of(near, dict.fromkeys(near, "item")).shown
    assert (found.looked_at, len(found.rows), found.explained) == (10, 40, 1.0)


def test_long_rows_are_cut_and_it_is_said() -> None:
    near = {n: Row(str(n), (("text", f"row {n} " + "x" * 1_000),), "t", n) for n in range(3)}
    (found,) = clusters_of(near, dict.fromkeys(near, "item")).shown
    assert found.texts[0].endswith("characters more]")
    assert len(found.texts[0]) < CUT + 40
