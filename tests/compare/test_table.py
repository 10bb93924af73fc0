"""Tables are the same by what they hold, in whatever form; a wrong, missing or extra cell, row or column is seen."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

PARTS = "name,qty\nbolt,3\nnut,4"
SAME = [
    "| qty | name |\n|---|---|\n| 4 | nut |\n| 3 | bolt |", "name\tqty\nbolt\t3\nnut\t4", "name;qty\nbolt;3\nnut;4",
    "Name, Qty\nbolt,3.0\nnut,4", "name,qty\r\nbolt,3\r\nnut,4\r\n", "﻿name,qty\nbolt,3\nnut,4",
    "```csv\nname,qty\nbolt,3\nnut,4\n```",
    "Here is the table, as asked:\n\nname,qty\nbolt,3\nnut,4\n\nHope this helps, friend!",
    "Here is the table, as asked:\nname,qty\nbolt,3\nnut,4\nDone.",
    "\"name\",\"qty\"\n\"bolt\",\"3\"\n\"nut\",\"4\"", "name  qty\nbolt  3\nnut   4",
    "  name  qty\n0  bolt    3\n1   nut    4", "[{\"name\":\"bolt\",\"qty\":3},{\"name\":\"nut\",\"qty\":4}]",
    "[[\"name\",\"qty\"],[\"bolt\",3],[\"nut\",4]]", "{\"name\":[\"bolt\",\"nut\"],\"qty\":[3,4]}",
    "{\"columns\":[\"name\",\"qty\"],\"data\":[[\"bolt\",3],[\"nut\",4]]}",
    "{\"rows\":[{\"name\":\"bolt\",\"qty\":3},{\"qty\":4,\"name\":\"nut\"}]}",
    "<table><tr><th>name</th><th>qty</th></tr><tr><td>bolt</td><td>3</td></tr><tr><td>nut</td><td>4</td></tr></table>",
    " name | qty \n------+-----\n bolt |   3\n nut  |   4\n(2 rows)",
    "+------+-----+\n| name | qty |\n+------+-----+\n| bolt | 3   |\n| nut  | 4   |\n+------+-----+",
    "┌──────┬─────┐\n│ name │ qty │\n├──────┼─────┤\n│ bolt │ 3   │\n│ nut  │ 4   │\n└──────┴─────┘",
    "Sure!\n\n| **name** | qty |\n|:--|--:|\n| `bolt` | **3** |\n| nut | 4 |\n\nLet me know.",
    "|name|qty|\n|-|-|\n|bolt|3|\n|nut|4|", "name | qty\n---|---\nbolt | 3\nnut | 4", "qty,name\n4,nut\n3,bolt",
    "|   | name | qty |\n|---|---|---|\n| 0 | bolt | 3 |\n| 1 | nut | 4 |",
    "```json\n[{\"name\":\"bolt\",\"qty\":3},{\"name\":\"nut\",\"qty\":4}]\n```",
    "| name | qty |\n|---|---|\n| bolt | 3 |\n| nut | 4 |\n\nagain\n\n"
    "| name | qty |\n|---|---|\n| nut | 4 |\n| bolt | 3 |",
    "| tool | x |\n|---|---|\n| a | 1 |\n\nand\n\n| name | qty |\n|---|---|\n| nut | 4 |\n| bolt | 3 |",
    "name,qty\nBolt,3\nnut,4", "name,qty\nbolt,3\nnut,4\n\n",
]  # fmt: skip
OTHER = [
    "name,qty\nbolt,3\nnut,5", "name,qty\nbolt,3", "name,qty\nbolt,3\nnut,4\nnut,4", "name,qty,x\nbolt,3,1\nnut,4,1",
    "name\nbolt\nnut", "bolt,3\nnut,4", "", "name,qty", "name,qty\nbolt,3\nnut", "name,qty\nbolt,3\nnut,4,5",
    "name,qty\nbolt,4\nnut,3", "no table",
    "| name | qty |\n|---|---|\n| bolt | 3 |\n| nut | 4 |\n\nor\n\n"
    "| name | qty |\n|---|---|\n| nut | 4 |\n| bolt | 5 |",
    "name,qty\nbolts,3\nnut,4", "name,qty\nbolt,3\nnut,4\nTotal,7", "name,qty\nbolt,03\nnut,4",
    "name,qty\nbolt,$3\nnut,4", "{\"name\":[\"bolt\"],\"qty\":[3,4]}", "name,qty\nbolt,\nnut,4", "bolt 3, nut 4",
]  # fmt: skip
PAIRS = [
    ("a,b\n1,2\n1,2\n3,4", "a,b\n1,2\n3,4\n3,4", False),
    ("a,b\n\"x, y\",\"line1\nline2\"", "[{\"a\":\"x, y\",\"b\":\"line1\\nline2\"}]", True),
    ("a,b\n1234,$5.00", "| a | b |\n|---|---|\n| 1,234 | $5 |", True), ("a,b\n12.5%,1e3", "a,b\n12.50%,1000", True),
    ("a,b\n1.5,x", "a;b\n1,5;x", False), ("zip,n\n007,1", "zip,n\n7,1", False),
    ("a,b\n,x", "[{\"a\":null,\"b\":\"x\"}]", True), ("a\nx\ny", "a\ny\nx", True),
    ("a\nx\ny", "Here:\n\na\ny\nx\n\nok", True), ("a\nx", "[{\"a\":\"x\"}]", True), ("name,qty", "qty,name", True),
    ("name,qty", "name,qty\n", True), ("name,qty", "name,amount", False), ("a,a\n1,2", "a,a\n1,2", True),
    ("a,a\n1,2", "a,a\n2,1", False), ("a b,c\n1,2", "A_B,C\n1,2", True), ("a,b\n-0,0.0", "a,b\n0,0", True),
    ("a,b\n−3,x", "a,b\n-3,x", True), ("x", "x ", True), ("a | b\n1 | 2", "a,b\n1,2", True),
    ("| a | b |\n|---|---|\n| x \\| y | 1 |", "a,b\nx | y,1", True), ("|a|b|\n|---|---|\n|-|1|", "a,b\n-,1", True),
    ("|a|b|\n|---|---|\n|x|-|\n|-|-|", "a,b\nx,-\n-,-", True),
    ("a,b\n99999999999999999999,1", "a,b\n99999999999999999998,1", False),
    ("a,b\nx,true", "[{\"a\":\"x\",\"b\":true}]", True),
]  # fmt: skip


@pytest.mark.parametrize("answer", SAME)
def test_the_form_of_a_table_does_not_count(answer: str) -> None:
    found = equivalent(PARTS, answer, "table")
    assert found.equivalent, found.reason


@pytest.mark.parametrize("answer", OTHER)
def test_what_a_table_holds_does(answer: str) -> None:
    found = equivalent(PARTS, answer, "table")
    assert not found.equivalent
    assert found.reason


@pytest.mark.parametrize(("reference", "answer", "same"), PAIRS)
def test_cells_and_columns_are_the_same_by_value_and_name(reference: str, answer: str, same: bool) -> None:
    found = equivalent(reference, answer, "table")
    assert found.equivalent is same, found.reason


@pytest.mark.parametrize(
    ("answer", "stated", "same"),
    [
        ("name,qty\nnut,4\nbolt,3", Stated(ordered=True), False),
        ("qty,name\n3,bolt\n4,nut", Stated(ordered=True), True),
        ("name,qty\nnut,4\nbolt,3.001", Stated(absolute=0.01), True),
        ("name,qty\nnut,4\nbolt,3.1", Stated(absolute=0.01), False),
        ("name,qty\nBOLT,3\nnut,4", Stated(case_sensitive=True), False),
        ("name;qty\nbolt;3,0\nnut;4", Stated(decimal_comma=True), True),
    ],
)
def test_what_a_task_states_of_its_tables_holds(answer: str, stated: Stated, same: bool) -> None:
    found = equivalent(PARTS, answer, "table", stated)
    assert found.equivalent is same, found.reason


def test_a_wrong_cell_is_named() -> None:
    assert "`nut, 4` is missing; `nut, 5` is there" in equivalent(PARTS, "name,qty\nbolt,3\nnut,5", "table").reason
