"""`fairtrial contamination identity` from the outside: exit codes, the document, the page, what is kept, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contamination.identity.handed_in import base, encoded, noisy, own, save, sibling
from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_screenings


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, weights in {
        "base": base(),
        "instruct": sibling(),
        "mine": own(),
        "noise": noisy(base(), 0.02, 1),
    }.items():
        save(tmp_path / name, weights)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    ("submitted", "verdict", "code"),
    [
        ("mine", "base_derived", 0),
        ("instruct", "different_model", 1),
        ("base", "untrained", 1),
        ("noise", "unknown", 3),
    ],
)
def test_exit_codes_follow_the_verdict(
    submitted: str, verdict: str, code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["contamination", "identity", submitted, "--base", "base", "--known", "instruct"]
    assert run([*words, "--json"]) == code
    printed = capfd.readouterr()
    document = json.loads(printed.out)
    assert (document["schema"], document["verdict"]) == ("fairtrial.identity/1", verdict)
    assert document["evidence"][0]["speaks_for"] == verdict
    assert document["known"][0]["name"] == "instruct"
    assert document["not_measured"]
    assert run(words) == code
    page = capfd.readouterr().out
    assert f"({verdict})" in page
    assert document["why"] in page.replace("\n", " ")
    assert "not measured" in page
    assert "layer 1" in page


def test_the_result_is_kept_as_a_screening(folders: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for submitted, holds in (("mine", True), ("instruct", False), ("noise", None)):
        run(["contamination", "identity", submitted, "--base", "base", "--known", "instruct", "--keep", "ledger",
             "--model", "m", "--json"])  # fmt: skip
        document = json.loads(capfd.readouterr().out)
        ledger = Ledger.open(folders / "ledger")
        kept = next(one for one in all_screenings(ledger) if one.subject == submitted)
        assert (kept.kind, kept.against, kept.model, kept.holds) == ("identity", "base", "m", holds)
        assert kept.subject_hash == document["submitted"]["hash"]
        assert kept.against_hash == document["base"]["hash"]
        assert json.loads(ledger.get_blob(kept.document)) == document
        assert kept.not_measured == tuple(document["not_measured"])
    assert len(all_screenings(ledger)) == 3


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing", "--base", "base"], "no such model folder"),
        (["mine", "--base", "nothing"], "no such model folder"),
        (["mine", "--base", "base", "--known", "pickled"], "pickle"),
        (["cut", "--base", "base"], "header"),
        (["mine", "--base", "base", "--model", "m"], "nothing is kept"),
    ],
)
def test_bad_input_is_said_without_a_traceback(
    words: list[str], said: str, folders: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folders / "pickled").mkdir()
    (folders / "pickled" / "pytest_model.bin").write_bytes(b"\x80\x04.")
    (folders / "cut").mkdir()
    (folders / "cut" / "model.safetensors").write_bytes(encoded(base())[:100])
    assert run(["contamination", "identity", *words, "--json"]) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert "Traceback" not in printed.err


@pytest.mark.usefixtures("folders")
def test_names_of_a_submission_cannot_write_on_the_page(folders: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folders / "mine").rename(folders / "[bold]x")
    assert run(["contamination", "identity", "[bold]x", "--base", "base"]) == 0
    assert "[bold]x" in capfd.readouterr().out
    hostile = save(folders / "hostile", own() | {f"more\x1b[2J{at}": own()["lm_head.weight"] for at in range(2)})
    (hostile / "config.json").write_text('{"\\u001b[2J": 1}', encoding="utf-8")
    assert run(["contamination", "identity", "hostile", "--base", "base"]) == 3
    assert "\x1b" not in capfd.readouterr().out
