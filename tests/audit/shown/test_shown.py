"""Attempts to get the key out with what is shown elsewhere, and to have known candidates shown unasked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

from fairtrial.audit.shown import Meant, export_view, gathered
from fairtrial.audit.shown.gathering import Gathered
from fairtrial.audit.shown.withholding import WITHHELD, Withholding
from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory, document
from fairtrial.formats.viewers import VIEWERS
from fairtrial.ledger import Ledger
from fairtrial.records import (
    CheckResult,
    FairtrialError,
    Finding,
    InputError,
    Review,
    Rollout,
    Verdict,
    Withdrawal,
    digest,
)

KEY = "xylophone-7719"
"""What only the key's side says; it must be in no file."""
STEPS = Trajectory(
    agent="loop", model="m",
    steps=(
        AtifStep(source="user", message="Which word opens the door?"),
        AtifStep(source="agent", message="I guess.", observations=(Observation(content="2 failed"),),
                 tool_calls=(ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "pytest"}),)),
    ),
)  # fmt: skip
DATA = orjson.dumps(document(STEPS))


def review(rollout: str, **more: Any) -> Review:
    return Review(**{"rollout": rollout, "reviewer": "ada", "satisfied": False} | more)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """Return a ledger in which everything that may hold the key does."""
    made = Ledger.open(tmp_path / "ledger", create=True)
    made.put_blob(DATA)
    one = Rollout(task="door", model="m", suite="s@1", trajectory=digest(DATA), answer="banana", source=f"/home/{KEY}")
    two = Rollout(task="door", model="n", suite="s@1", attempt=1)
    three = Rollout(task="door", model="n", suite="s@1", attempt=2)
    gate, gate_known = (Rollout(task="gate", model="n", suite="s@1", origin=origin, answer=answer)
                        for origin, answer in (("policy", None), ("known", KEY)))  # fmt: skip
    known = Rollout(task="door", model="reference", suite="s@1", origin="known", answer=KEY)
    check = CheckResult("test_word", "failed", f"assert 'banana' == '{KEY}'")
    evidence = json.dumps({"output": f"E   expected the word {KEY}\n", "nested": [{"key": KEY}]})
    made.append("verdicts", [
        Verdict(rollout=one.id, outcome="failed", score=0.0, grader="g", expected=KEY, checks=(check,),
                evidence=evidence),
        Verdict(rollout=two.id, outcome="ungraded", reason="grader_timeout", grader="g", evidence="not JSON"),
        Verdict(rollout=three.id, outcome="failed", grader="g", checks=(CheckResult(f"is {KEY.upper()}", "failed"),)),
        Verdict(rollout=gate_known.id, outcome="passed", grader="g"),
        Verdict(rollout=known.id, outcome="passed", score=1.0, grader="g", expected=KEY),
    ])  # fmt: skip
    made.append("rollouts", [one, two, three, gate, known, gate_known])
    judge = {"kind": "judge", "reviewer": "judge", "settings": json.dumps({"key": "sha256:abc"})}
    made.append("reviews", [
        review(one.id, note=f"It should have said {KEY}.", failure_tags=(f"not_{KEY}", "guessed"), citations=(
            f"[key solution/answer.txt line 1] {KEY}", f"[verifier] expected the word {KEY}",
            f"[check test_word] == '{KEY}'", f"[step 2 output 1] {KEY}", KEY, "[step 2 output 1] 2 failed",
            "[answer] banana", f"[artifact a.txt] {KEY}", "[step 2] ",
        )),
        review(one.id, **judge, recorded_at="2026-01-02", note="The reference says the same in other words."),
        review(two.id, reviewer="bo", note="Nothing was done.", stage="informed", label="true_fail"),
        review(two.id, reviewer="cy", satisfied=None, note=f"Nobody graded it; {KEY.title()} was meant."),
        review(gate.id, reviewer="cy", note=f"{KEY} opens this one too."),
        review(one.id, reviewer="cy", void="cites nothing", note=f"void {KEY}"),
    ])  # fmt: skip
    told = {"steps": [2], "score": 0.5, "citations": ["[step 2 message] I guess.", f"[verifier] {KEY}"], "more": KEY}
    made.append("findings", [
        Finding(task="door", probe="p", family="trajectory", severity="lead", rollout=one.id, evidence=json.dumps(told),
                claim="it guessed", command=f"grep {KEY}"),
        Finding(task="door", probe="q", family="trajectory", severity="lead", rollout=one.id, claim=f"wrote {KEY}"),
        Finding(task="door", probe="r", family="leak", severity="proof", claim=f"the task leaks {KEY}"),
    ])  # fmt: skip
    made.append("withdrawals", [
        Withdrawal(model="n", rollouts=(two.id,), reason="outage", author="ada"),
        Withdrawal(model="n", rollouts=(three.id,), reason=f"said {KEY} aloud", author="ada"),
    ])  # fmt: skip
    return made


def all_text(folder: Path) -> str:
    """Return everything in a folder as one text, Parquet files opened."""
    told = []
    for file in folder.rglob("*"):
        if file.suffix in (".parquet", ".pq"):
            told.append(repr(pq.read_table(file).to_pylist()) + repr(pq.read_schema(file)))
        elif file.is_file():
            told.append(file.read_text())
        told.append(str(file))
    return "\n".join(told)


@pytest.mark.parametrize("name", VIEWERS)
def test_the_key_is_in_no_file_that_goes_out(name: str, ledger: Ledger, tmp_path: Path) -> None:
    told = export_view(ledger, name, Meant(), tmp_path / "out")
    text = all_text(tmp_path / "out")
    assert KEY not in text.casefold()
    assert "the same in other words" not in text, "a judge that had the key wrote it"
    assert (WITHHELD in text, "guessed" in text, "2 failed" in text, "banana" in text) == (True,) * 4
    assert told["left_out"]["known_candidate"] == 2
    assert set(told["withheld"]) == {"checks", "citations", "claims", "notes", "tags"}


def test_places_stay_where_words_are_withheld(ledger: Ledger) -> None:
    first, second, third, gate = gathered(ledger, Meant(), counts := Gathered())
    assert first.reviews[0].citations == (
        "[key solution/answer.txt line 1] (withheld)", "[verifier] (withheld)", "[check test_word] (withheld)",
        "[step 2 output 1] (withheld)", "(withheld)", "[step 2 output 1] 2 failed", "[answer] banana",
        "[artifact a.txt] (withheld)", "[step 2] ",
    )  # fmt: skip
    assert [(lead.probe, lead.claim, lead.steps) for lead in first.leads] == [
        ("p", "it guessed", (2,)),
        ("q", WITHHELD, ()),
    ]
    assert first.leads[0].citations == ("[step 2 message] I guess.", "[verifier] (withheld)")
    assert (first.person, first.judge, second.person, second.withdrawn) == (False, False, None, "outage (ada)")
    assert [one.reviewer for one in first.reviews] == ["ada", "judge"], "a void review does not count"
    assert counts.counts == {"ungraded": 2, "reviewed": 3, "with_leads": 1, "withdrawn": 2, "without_steps": 3}
    assert [one.note for one in (*second.reviews, *gate.reviews)] == ["Nothing was done.", WITHHELD, WITHHELD], (
        "of other attempts at the task, and of references that passed")  # fmt: skip
    assert (third.withdrawn, third.checks) == (WITHHELD, {f"{WITHHELD} 1": "failed"})


def test_what_the_work_itself_says_is_not_withheld() -> None:
    hiding = Withholding(STEPS, KEY, (KEY, f"expected {KEY}"))
    told = hiding.review(review("r", note=f"It says {KEY}.", citations=(f"[answer] {KEY}",)))
    assert (told.note, told.citations) == (f"It says {KEY}.", (f"[answer] {KEY}",))
    assert not hiding.tally


@pytest.mark.parametrize(
    ("expected", "note", "is_out"),
    [("42", "should be 42", False), ("42", "step 142 fails", True), ("42", "room 4 2", True), ("", "anything", True),
     ("two\nlines", "it wants two lines", False), ("A", "A wrong letter", False), ("A", "a guess", True)],
)  # fmt: skip
def test_a_short_answer_is_found_as_a_word_of_its_own(expected: str, note: str, is_out: bool) -> None:
    told = Withholding(None, "", (expected,)).review(review("r", note=note))
    assert (told.note == note) is is_out


def test_settings_of_a_judge_that_cannot_be_read_are_taken_for_those_of_one_with_the_key() -> None:
    for settings, note in (('{"key": ""}', "fine"), ("{", WITHHELD), ('{"key": "sha256:1"}', WITHHELD), ("", "fine")):
        told = Withholding(None, "", ()).review(review("r", note="fine", settings=settings))
        assert (told.note, told.settings) == (note, "")


def test_known_candidates_are_shown_only_if_asked_for(ledger: Ledger, tmp_path: Path) -> None:
    told = export_view(ledger, "docent", Meant(known=True), tmp_path / "out")
    assert (told["written"], told["left_out"]) == (6, {})
    assert any("the key itself" in note for note in told["notes"])


@pytest.mark.parametrize(
    ("meant", "models"),
    [
        (Meant(), {"m", "n"}),
        (Meant(models=("m",)), {"m"}),
        (Meant(suite="s", tasks=("door",)), {"m", "n"}),
        (Meant(suite="s@1", models=("n",)), {"n"}),
    ],
)
def test_the_selection_is_what_is_shown(meant: Meant, models: set[str], ledger: Ledger) -> None:
    assert {one.rollout.model for one in gathered(ledger, meant, Gathered())} == models


@pytest.mark.parametrize(
    ("meant", "option"),
    [(Meant(suite="x"), "--suite"), (Meant(models=("x",)), "--model"), (Meant(tasks=("x", "door")), "--task")],
)
def test_a_selection_of_what_is_not_there_is_refused(meant: Meant, option: str, ledger: Ledger) -> None:
    with pytest.raises(InputError) as caught:
        next(gathered(ledger, meant, Gathered()))
    assert caught.value.field == option


def test_nothing_is_written_where_nothing_is_left_or_the_folder_is_not_empty(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(FairtrialError) as caught:
        export_view(ledger, "scout", Meant(models=("reference",)), tmp_path / "out")
    assert caught.value.exit_code == 3
    assert "known_candidate 1" in str(caught.value)
    assert not (tmp_path / "out").exists()
    with pytest.raises(InputError, match="not empty"):
        export_view(ledger, "scout", Meant(), tmp_path)


def test_a_trajectory_that_cannot_be_read_is_counted_and_the_rest_is_shown(ledger: Ledger) -> None:
    blob = ledger.path / "blobs" / digest(DATA)[7:9] / digest(DATA)[7:]
    blob.write_bytes(b"{}")
    (first, *_), counts = list(gathered(ledger, Meant(), counts := Gathered())), counts
    assert (first.trajectory, first.document, first.outcome) == (None, b"", "failed")
    assert Counter(counts.counts)["trajectory_unreadable"] == 1


@pytest.mark.parametrize("name", VIEWERS)
def test_the_same_ledger_gives_the_same_files(name: str, ledger: Ledger, tmp_path: Path) -> None:
    first, second = (export_view(ledger, name, Meant(), tmp_path / folder) for folder in ("a", "b"))
    assert first == second
