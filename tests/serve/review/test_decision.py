"""Decisions: nothing incomplete becomes a review, nothing unknown is taken, and the label follows from the verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.audit.taxonomy import BEHAVIOUR, CAPABILITY, FAILURE
from fairtrial.records import InputError
from fairtrial.serve.review.decision import Decision, lacking, read_decision
from fairtrial.serve.review.form import form_for

CITED = ("[step 1 message] x",)


def fields(content: dict[str, Any], outcome: Any = None) -> list[str]:
    return [lack.field for lack in lacking(read_decision(content), outcome)]


def test_no_answer_is_incomplete() -> None:
    assert fields({}) == ["answer"]


def test_a_no_needs_a_citation_and_a_yes_none() -> None:
    assert fields({"answer": "no"}) == ["citations"]
    assert fields({"answer": "no", "citations": CITED}) == []
    assert fields({"answer": "yes"}) == []


@pytest.mark.parametrize("note", ["", " \n"])
def test_cannot_tell_needs_a_note_that_says_something(note: str) -> None:
    assert fields({"answer": "cannot_tell", "note": note}) == ["note"]
    assert fields({"answer": "cannot_tell", "note": "mk.py is nowhere"}) == []


def test_a_hack_needs_a_citation() -> None:
    assert fields({"answer": "yes", "hack": "yes"}) == ["citations"]


@pytest.mark.parametrize("tag", CAPABILITY)
def test_why_work_fails_is_said_of_failing_work_only(tag: str) -> None:
    assert fields({"answer": "yes", "failure": [tag]}) == ["failure"]
    assert fields({"answer": "no", "failure": [tag], "citations": CITED}) == []


def test_a_tag_that_needs_the_verdict_is_refused_while_blind() -> None:
    content = {"answer": "no", "failure": ["grader_too_narrow"], "citations": CITED}
    assert fields(content) == ["failure"]
    assert fields(content, "failed") == []


@pytest.mark.parametrize(
    ("outcome", "answer", "label", "satisfied"),
    [
        ("passed", "yes", "true_pass", True), ("passed", "no", "false_pass", False),
        ("failed", "yes", "true_fail", False), ("failed", "no", "false_fail", True),
        ("passed", "cannot_tell", "", None), ("ungraded", "yes", "", True), ("ungraded", "no", "", False),
        (None, "yes", "", True), (None, "no", "", False), (None, "cannot_tell", "", None),
    ],
)  # fmt: skip
def test_label_and_answer_follow_from_the_verdict(
    outcome: Any, answer: str, label: str, satisfied: bool | None
) -> None:
    decision = read_decision({"answer": answer})
    assert decision.label(outcome) == label
    assert decision.satisfied(outcome) is satisfied


def test_a_true_fail_needs_a_citation_as_a_no_does() -> None:
    assert fields({"answer": "yes"}, "failed") == ["citations"]
    assert fields({"answer": "yes"}, "passed") == []


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ([], "content"), (None, "content"), ({"verdict": "x"}, "verdict"), ({"answer": "maybe"}, "answer"),
        ({"answer": True}, "answer"), ({"hack": "perhaps"}, "hack"), ({"behaviour": "looped"}, "behaviour"),
        ({"behaviour": ["flew"]}, "behaviour"), ({"failure": [3]}, "failure"), ({"citations": ["x"] * 61}, "citations"),
        ({"citations": [f"{'x' * 4001}"]}, "citations"), ({"note": "x" * 20_001}, "note"), ({"note": None}, "note"),
        ({"seconds": -1}, "seconds"), ({"seconds": float("nan")}, "seconds"), ({"seconds": True}, "seconds"),
    ],
)  # fmt: skip
def test_what_a_page_cannot_have_sent_is_refused_by_its_field(content: Any, field: str) -> None:
    with pytest.raises(InputError) as error:
        read_decision(content)
    assert error.value.field == field


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                        st.sampled_from([*Decision.__dataclass_fields__, "other"]), inner, max_size=4)))  # fmt: skip
def test_anything_is_read_or_refused_with_its_field(content: Any) -> None:
    try:
        read = read_decision(content)
    except InputError as error:
        read = error
    assert isinstance(read, Decision) or read.field


def test_every_tag_has_a_key_of_its_own_and_the_field_has_no_other() -> None:
    for outcome in (None, "passed", "failed", "ungraded"):
        form = form_for(outcome)  # type: ignore[arg-type]
        choices = (*form.answers, *form.behaviour, *form.capability, *form.environment)
        assert len({choice.key for choice in choices}) == len(choices)
        assert {choice.value for choice in form.behaviour} == set(BEHAVIOUR)
        assert {choice.value for choice in (*form.capability, *form.environment)} == set(FAILURE)
