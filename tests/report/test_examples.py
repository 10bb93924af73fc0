"""Attacks the audited examples: which come first, what is quoted, hostile text, a damaged trajectory."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory, document
from fairtrial.ledger import Ledger
from fairtrial.records import Citation, Review, Rollout, Verdict
from fairtrial.report.data import Example
from fairtrial.report.examples import MOST, quoted, read_examples


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return Ledger.open(tmp_path / "book", create=True)


def add(book: Ledger, task: str, outcome: str, *reviews: Review, said: str = "all done") -> str:
    call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "make test"})
    steps = (
        AtifStep(source="user", message="Mend it."),
        AtifStep(source="agent", message=said, tool_calls=(call,),
                 observations=(Observation(content="one\ntwo failed\nthree", source_call_id="c"),)),
    )  # fmt: skip
    told = book.put_blob(orjson.dumps(document(Trajectory(agent="a", steps=steps))))
    rollout = Rollout(task=task, model="m", trajectory=told)
    book.append("verdicts", [Verdict(rollout=rollout.id, outcome=outcome, grader="g")])  # type: ignore[arg-type]
    book.append("rollouts", [rollout])
    book.append("reviews", [Review(rollout=rollout.id, reviewer=one.reviewer, satisfied=one.satisfied, kind=one.kind,
                                   citations=one.citations, note=one.note, recorded_at=one.recorded_at)
                            for one in reviews])  # fmt: skip
    return rollout.id


def says(answer: bool | None, reviewer: str = "ada", *citations: str, note: str = "") -> Review:
    return Review(rollout="", reviewer=reviewer, satisfied=answer, citations=citations, note=note)


def labels(examples: tuple[Example, ...]) -> list[tuple[str, str]]:
    return [(example.task, example.label) for example in examples]


def test_what_reviewers_contradict_comes_first_and_agreement_is_only_sampled(book: Ledger) -> None:
    for number in range(5):
        add(book, f"right{number}", "passed", says(True))
    add(book, "wrong", "passed", says(False))
    add(book, "narrow", "failed", says(True))
    add(book, "open", "passed", says(True), says(False, "bo"))
    examples, answered = read_examples(book)
    assert labels(examples)[:3] == [("wrong", "false pass"), ("narrow", "false fail"), ("open", "disputed")]
    assert [example.label for example in examples[3:]] == ["true pass", "true pass"]
    assert answered == 8


def test_nobody_is_shown_who_could_not_tell_or_was_not_graded(book: Ledger) -> None:
    add(book, "unsure", "passed", says(None))
    add(book, "broken", "ungraded", says(True))
    assert read_examples(book) == ((), 0)


def test_a_quote_stands_between_the_lines_around_it(book: Ledger) -> None:
    add(book, "t", "passed", says(False, "ada", "[step 2 output 1] two failed"))
    ((example,), _) = read_examples(book)
    (quote,) = example.opinions[0].quotes
    assert (quote.place, quote.before, quote.quote, quote.after) == (
        "step 2 output 1",
        "one\n",
        "two failed",
        "\nthree",
    )


def test_words_of_the_key_are_not_printed(book: Ledger) -> None:
    add(book, "task", "passed", says(False, "m", "[key tests/test.sh line 2] assert total == 42"))
    ((example,), _) = read_examples(book)
    ((quote,),) = [opinion.quotes for opinion in example.opinions]
    assert (quote.place, quote.quote) == ("key tests/test.sh line 2", "")


def test_a_damaged_trajectory_is_said_and_the_review_still_told(book: Ledger) -> None:
    add(book, "t", "passed", says(False, "ada", "[step 2 output 1] two failed", note="It fails."))
    for blob in (book.path / "blobs").rglob("*"):
        if blob.is_file():
            blob.write_bytes(b"{}")
    ((example,), _) = read_examples(book)
    assert "cannot be read" in example.verdict
    assert example.opinions[0].quotes[0].quote == "two failed"


def test_many_contradictions_are_capped_and_counted(book: Ledger) -> None:
    most = MOST["false pass"]
    for number in range(most + 3):
        add(book, f"t{number:02}", "passed", says(False))
    examples, answered = read_examples(book)
    assert (len(examples), answered) == (most, most + 3)


def test_control_characters_and_long_lines_are_made_safe(book: Ledger) -> None:
    add(
        book,
        "t",
        "passed",
        says(False, "ada", "[step 2 message] evil", note="\x1b[31mred\u202e"),
        said="x" * 9000 + " evil",
    )
    ((example,), _) = read_examples(book)
    opinion = example.opinions[0]
    assert "\x1b" not in opinion.note
    assert "\u202e" not in opinion.note
    assert len(opinion.quotes[0].before) < 700
    assert opinion.quotes[0].before.startswith("…")


@given(st.text(), st.text(), st.text())
def test_quoting_never_raises(place: str, quote: str, text: str) -> None:
    quoted(Citation(place, quote), {place: text})
