"""Completions are held against the key: the part that is the answer, by its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.compare import KINDS
from fairtrial.grade.text import answer_of, grade_text, text_grader_hash
from fairtrial.tasks.text import EXACT, AnswerPart, TextKey


@pytest.mark.parametrize(
    ("key", "completion", "passed"),
    [
        (TextKey(answer="1349"), "1349", True),
        (TextKey(answer="1349"), "\n1349 ", True),
        (TextKey(answer="1349"), "1349 1349", False),
        (TextKey(answer="1349", part="first_word"), "1349 1349", True),
        (TextKey(answer="1349", part="first_word"), "", False),
        (TextKey(answer=" 12 "), "12", True),
        (TextKey(answer="0.5", kind="number", part="last_line"), "it is\n.50", True),
        (TextKey(answer="0.5", kind="number"), "0.51", False),
    ],
)
def test_completions_of_known_score(key: TextKey, completion: str, passed: bool) -> None:
    grading = grade_text(key, completion)
    assert (grading.outcome, grading.score) == (("passed", 1.0) if passed else ("failed", 0.0))


@given(st.text(), st.sampled_from((EXACT, *KINDS)), st.sampled_from(("whole", "first_line", "last_line", "first_word")))
def test_what_a_policy_writes_never_raises(completion: str, kind: str, part: AnswerPart) -> None:
    assert grade_text(TextKey(answer="1349", kind=kind, part=part), completion).outcome in ("passed", "failed")


@given(st.text(), st.sampled_from(("first_line", "last_line", "first_word")))
def test_a_part_is_found_in_the_whole(completion: str, part: AnswerPart) -> None:
    assert answer_of(completion, part) in answer_of(completion, "whole")


def test_another_key_is_another_grader() -> None:
    keys = [TextKey(answer="1"), TextKey(answer="2"), TextKey(answer="1", kind="number"),
            TextKey(answer="1", part="first_word")]  # fmt: skip
    assert len({text_grader_hash(key) for key in keys}) == 4
