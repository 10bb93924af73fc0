"""`fairtrial contamination usage` and `lookup` from the outside: exit codes, one document, what a ledger keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_screenings

RULES = """[benchmark]
name = "figures"
version = "1.0"
runs_per_task = 2
repository = ["https://github.com/ada/figures"]
[usage]
allowed_hosts = ["cache.example.org"]
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    (tmp_path / "rules.toml").write_text(RULES)
    return tmp_path / "rules.toml"


def told(
    verb: str, left: str, rules: Path, capfd: pytest.CaptureFixture[str], *more: str
) -> tuple[int, dict[str, Any]]:
    folder = rules.parent / "left"
    folder.mkdir(exist_ok=True)
    (folder / "a.sh").write_text(left)
    code = run(["contamination", verb, str(folder), "--rules", str(rules), "--json", *more])
    out = capfd.readouterr().out
    return code, json.loads(out) if out else {}


@pytest.mark.parametrize(
    ("verb", "left", "code", "holds"),
    [
        ("usage", "ls\n", 0, True),
        ("usage", "curl https://cache.example.org/v1/chat/completions\n", 0, True),
        ("usage", "curl https://api.openai.com/v1/models\n", 1, False),
        ("usage", "curl https://relay.example.org/v1/chat/completions\n", 3, None),
        ("lookup", "ls\n", 0, True),
        ("lookup", "git clone https://github.com/Ada/figures.git\n", 1, False),
    ],
)
def test_exit_codes_and_the_document_say_the_same(
    verb: str, left: str, code: int, holds: bool | None, rules: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found, document = told(verb, left, rules, capfd)
    assert (found, document["schema"], document["holds"]) == (code, f"fairtrial.{verb}/1", holds)
    assert bool(document["not_measured"]) is (holds is None)
    assert told(verb, left, rules, capfd)[1] == document


def test_bad_input_is_said_and_prints_no_document(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["contamination", "usage", str(rules.parent / "nowhere"), "--rules", str(rules), "--json"]) == 2
    said = capfd.readouterr()
    assert (said.out, "does not exist" in said.err) == ("", True)
    assert run(["contamination", "lookup", str(rules.parent), "--rules", str(rules.parent / "no.toml")]) == 2


def test_what_is_kept_is_a_screening_with_its_document(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ledger = rules.parent / "ledger"
    _, document = told(
        "usage", "curl https://api.openai.com/v1/models\n", rules, capfd, "--keep", str(ledger), "--model", "bo"
    )
    held = Ledger.open(ledger)
    (kept,) = all_screenings(held)
    assert (kept.kind, kept.holds, kept.model) == ("usage", False, "bo")
    assert json.loads(held.get_blob(kept.document)) == document
    assert json.loads(kept.settings)["external_hosts"] == ["default"]
    assert kept.against.startswith("figures@1.0#")


def test_the_page_shows_certainty_place_and_a_masked_quote(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (rules.parent / "a.sh").write_text(
        "curl -H 'Authorization: Bearer sk-proj-Q9w8E7r6T5y4U3i2O1p0' https://api.openai.com/v1\n"
    )
    assert run(["contamination", "usage", str(rules.parent / "a.sh"), "--rules", str(rules)]) == 1
    out = capfd.readouterr().out
    assert f"written     {rules.parent / 'a.sh'}:1: asks a model at api.openai.com" in out
    assert "T5y4U3i2" not in out
