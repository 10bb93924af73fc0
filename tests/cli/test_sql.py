"""`fairtrial sql`: names are text and never markup, every type prints, nothing is cut, a question is asked."""

from __future__ import annotations

import orjson
import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Rollout

LONG = "x" * 300


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> str:
    book = Ledger.open(tmp_path_factory.mktemp("sql") / "ledger", create=True)
    book.append("rollouts", [Rollout(task=LONG, model="[/b]bold", attempt=0)])
    return str(book.path)


def test_a_name_is_never_markup(ledger: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["sql", ledger, 'select model as "[/red]" from outcomes']) == 0
    assert [line.strip() for line in capfd.readouterr().out.splitlines()] == ["[/red]", "[/b]bold"]


def test_no_value_is_cut(ledger: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert run(["sql", ledger, "select task, model from outcomes"]) == 0
    assert f"{LONG}  [/b]bold" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1.5::decimal(4, 2)", "1.50"), ("(2::hugeint * 9223372036854775807) * 4", str(2 * (2**63 - 1) * 4)),
        ("'a'::blob", "61"), ("date '2026-01-02'", "2026-01-02"), ("'nan'::double", None), ("map {1: 2}", {"1": 2}),
        ("[1.5::decimal(3, 1)]", ["1.5"]), ("{'a': true}", {"a": True}),
    ],
)  # fmt: skip
def test_every_type_is_in_the_document(
    ledger: str, capfd: pytest.CaptureFixture[str], expression: str, expected: object
) -> None:
    assert run(["sql", ledger, f"select {expression}", "--json"]) == 0
    assert orjson.loads(capfd.readouterr().out)["rows"] == [[expected]]


@pytest.mark.parametrize("query", ["", "  ; ", "select", "select nothing from nowhere"])
def test_what_is_no_question_is_bad_input(ledger: str, capfd: pytest.CaptureFixture[str], query: str) -> None:
    assert run(["sql", ledger, query]) == 2
    said = capfd.readouterr()
    assert (said.out, "QUERY" in said.err) == ("", True)
