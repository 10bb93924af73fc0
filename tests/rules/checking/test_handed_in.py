"""What an entrant hands in to hide something: a gap is never clean, and no path leads out of its folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_screenings, all_submissions
from fairtrial.rules.checking.hashes import differences, file_hash, read_log
from fairtrial.rules.current import current_screenings, last_submission
from fairtrial.rules.judging import evidence_of
from rules.checking.rules_desk import RULES, Desk, by_rule, told

WALK = {"text": "A walk of nine miles along the coast of the north, with a rest at noon."}
NO_STEPS = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": []}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def checked(desk: Desk, capsys: pytest.CaptureFixture[str], code: int = 3, **fields: Any) -> dict[str, Any]:
    desk.check("--json", "--keep", str(desk.folder / "book"), code=code, **fields)
    return by_rule(told(capsys))


def gaps(desk: Desk, rule: Any) -> tuple[str, ...]:
    """Return for what a judge's `clean` would not count."""
    book = Ledger.open(desk.folder / "book")
    held = current_screenings(all_screenings(book), all_submissions(book), rule, "ada-1")
    return evidence_of(book, rule, "ada-1", held, last_submission(all_submissions(book), "ada-1"), 50_000).gaps


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("steps.json", "{not json"),
        *(pytest.param(*one, marks=pytest.mark.extra) for one in [
            ("steps.json", ""), ("steps.json", "[" * 50_000), ("steps.json", json.dumps(NO_STEPS)),
            ("steps.json", json.dumps(NO_STEPS | {"steps": [{"step_id": 1, "source": "user", "message": "Train."}]})),
            ("rows.jsonl", json.dumps(WALK)), ("steps.txt", json.dumps(NO_STEPS)),
        ]),
    ],
)  # fmt: skip
def test_what_is_no_trajectory_is_not_a_trajectory_in_which_nothing_was_found(
    desk: Desk, name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.folder / name).write_text(text)
    found = checked(desk, capsys, trajectories=[name])
    for rule in ("usage", "lookup"):
        assert found[rule]["holds"] is None
        assert any(name in why for why in gaps(desk, rule))


def test_a_second_trajectory_that_is_none_hides_behind_no_good_one(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.folder / "junk.json").write_text("{")
    good = desk.trajectory("steps.json", "ls")
    assert checked(desk, capsys, trajectories=[good])["usage"]["holds"] is True
    assert checked(desk, capsys, trajectories=[good, "junk.json"])["usage"]["holds"] is None


def test_a_training_set_that_cannot_be_read_is_a_gap(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk.rows("train.jsonl", *(WALK for _ in range(50)))
    path.write_text(path.read_text() + "{nope\n" * 5)
    assert checked(desk, capsys, training_set=["train.jsonl"])["contamination"]["holds"] is None
    assert gaps(desk, "contamination") == ("training set: 5 of 55 training rows could not be read",)
    path.write_text("{nope\n")
    assert checked(desk, capsys, training_set=["train.jsonl"])["contamination"]["holds"] is None
    assert gaps(desk, "contamination") == ("training set: nothing could be compared",)


@pytest.mark.parametrize("form", ["lines", pytest.param("object", marks=pytest.mark.extra)])
def test_a_log_that_names_a_file_twice_hides_neither_content(
    desk: Desk, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A set is trained on, and cleaned under the same name."""
    address = hashlib.sha256(desk.rows("train.jsonl", WALK).read_bytes()).hexdigest()
    used = "0" * 64
    log = (f"{used}  train.jsonl\n{address}  train.jsonl\n" if form == "lines" else
           f'{{"train.jsonl": "{used}", "train.jsonl": "{address}"}}')  # fmt: skip
    (desk.folder / "log").write_text(log)
    assert len(read_log(desk.folder / "log")) == 2
    found = checked(desk, capsys, training_set=["train.jsonl"], training_log="log")["contamination"]
    assert found["holds"] is None
    assert any("was trained on and is not handed in" in why for why in found["not_measured"])


def test_a_file_that_was_trained_on_and_is_not_read_as_rows_is_a_gap(tmp_path: Path) -> None:
    rows, other = tmp_path / "train.jsonl", tmp_path / "more.bin"
    rows.write_text(json.dumps(WALK))
    other.write_text("What the items say.")
    log = [(path.name, file_hash(path)) for path in (rows, other)]
    (why,) = differences(log, [tmp_path], [rows])
    assert "more.bin was trained on and is not compared" in why
    assert differences(log[:1], [rows], [rows]) == ()


def test_no_path_of_a_submission_leads_out_of_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is read is shown to a judge, who may sit elsewhere."""
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk")
    desk.rows("../secret.jsonl", WALK)
    (desk.folder / "set").mkdir()
    (desk.folder / "set/train.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (desk.folder / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    for path in ("../secret.jsonl", str(tmp_path / "secret.jsonl"), "link.jsonl", "set"):
        for field in ("training_set", *(["artifacts"] if path != "set" else [])):
            desk.check(code=2, **{field: [path]})
            assert f"field `{field}`: {path} leads" in capsys.readouterr().err
    desk.check("--within", str(tmp_path), code=3, artifacts=["../secret.jsonl", "link.jsonl"])


def test_links_below_what_an_agent_left_are_not_followed_and_refuse_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "desk/work").mkdir(parents=True)
    desk = Desk(tmp_path / "desk")
    (tmp_path / "outside.sh").write_text("git clone https://code.example/bench/ledgers\n")
    (desk.folder / "work/a.sh").symlink_to(tmp_path / "outside.sh")
    steps = desk.trajectory("steps.json", "ls")
    assert checked(desk, capsys, trajectories=[steps], artifacts=["work"])["lookup"]["holds"] is True


@pytest.mark.parametrize(
    ("fields", "more", "what"),
    [
        ({}, f"[cost]\ninput_tokens = {2**63}\n", "field `cost.input_tokens`: should be less"),
        ({"artifacts": ["~nobody-here/x"]}, "", "there is no ~nobody-here/x"),
        ({"artifacts": ["a" * 5_000]}, "", "there is no aaa"),
        ({"artifacts": ["a\0b"]}, "", "should not hold the character U+0000"),
        ({"model": "small", "base": "small"}, "", "is a base model or its sibling"),
    ],
)
def test_what_no_ledger_or_file_system_takes_is_bad_input(
    desk: Desk, fields: dict[str, Any], more: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.check(code=2, more=more, **fields)
    assert what in capsys.readouterr().err


@pytest.mark.parametrize("name", ["small", pytest.param("small-it", marks=pytest.mark.extra)])
def test_a_submission_by_the_name_of_a_base_is_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(tmp_path, RULES + '[[base]]\nmodel = "small"\ninstruct = "small-it"\n')
    desk.check(code=2, model=name, base="small")
    assert f"`{name}` is a base model or its sibling" in capsys.readouterr().err
