"""What the prose around a table or a JSON value says of it."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

TABLE = "name,qty\nbolt,3\nnut,4"
MARKDOWN = "| name | qty |\n|---|---|\n| bolt | 3 |\n| nut | 4 |"
VALUE = '{"name": "Ann", "age": 30}'
GIVEN = [("table", TABLE, MARKDOWN), ("table", TABLE, TABLE), ("json", VALUE, VALUE),
         ("json", VALUE, f"```json\n{VALUE}\n```")]  # fmt: skip


@pytest.mark.parametrize(("kind", "reference", "body"), GIVEN)
@pytest.mark.parametrize(
    "prose",
    ["Here are the wrong answers per pupil:\n\n{}", "Items that were not sold:\n\n{}",
     "Prices do not include tax. The result:\n{}", "If a part is missing from the list, it is left out:\n\n{}\n",
     "{}\n\nLet me know if anything should be changed.", "{}\n\nThis is the correct one.",
     "{}\n\nNote: it is sorted by name, not by quantity.", "{}\n\nSorry for the delay.",
     "{}\n\nI did not count bolts that were wrong in size.", "The parts that could be counted are:\n\n{}",
     "We don't use quotes:\n\n{}", "Do not worry, here it is:\n\n{}"],
)  # fmt: skip
def test_prose_that_denies_something_else_does_not_count(kind: str, reference: str, body: str, prose: str) -> None:
    found = equivalent(reference, prose.replace("{}", body), kind)
    assert found.equivalent, found.reason


@pytest.mark.parametrize(("kind", "reference", "body"), GIVEN)
@pytest.mark.parametrize(
    "prose",
    ["It is not {}", "Not this:\n\n{}", "Wrong: {}", "This isn't right:\n\n{}", "The wrong output would be\n{}",
     "{}\n\nThis is not correct.", "{}\n\nWait, no, that's wrong.",
     "{}\n\nActually, the last one should be different.",
     "Never return:\n\n{}", "{}\n\nScratch that.", "Perhaps:\n\n{}",
     "Were it counted again, the result would be:\n\n{}",
     "If the parts had been counted, the answer would be:\n\n{}"],
)  # fmt: skip
def test_what_is_denied_supposed_or_taken_back_is_not_given(kind: str, reference: str, body: str, prose: str) -> None:
    assert not equivalent(reference, prose.replace("{}", body), kind).equivalent


@pytest.mark.parametrize("between", ["Actually, that is wrong. The correct one is:", "Correction:", "Sorry, I meant:"])
@pytest.mark.parametrize(("kind", "reference", "right", "wrong"), [
    ("table", TABLE, MARKDOWN, MARKDOWN.replace("4", "5")), ("json", VALUE, VALUE, VALUE.replace("30", "31")),
])  # fmt: skip
def test_a_correction_counts_and_what_it_corrects_does_not(
    between: str, kind: str, reference: str, right: str, wrong: str
) -> None:
    assert equivalent(reference, f"{wrong}\n\n{between}\n\n{right}", kind).equivalent
    assert not equivalent(reference, f"{right}\n\n{between}\n\n{wrong}", kind).equivalent
    assert not equivalent(reference, f"{right}\n\nOr:\n\n{wrong}", kind).equivalent


def test_a_bracket_too_many_is_no_json() -> None:
    assert not equivalent('{"a": 1}', '{"a": 1}}', "json").equivalent
    assert equivalent('{"a": 1}', '\\boxed{{"a": 1}}', "json").equivalent


@pytest.mark.parametrize(("kind", "reference", "answer", "same"), [
    ("number", "5", "I don't think the answer is 5.", False), ("number", "5", "I doubt that the answer is 5", False),
    ("number", "5", "It's not hard to see that the answer is 5.", True),
    ("number", "5", "I don't think the answer is 5. " * 20, False),
    ("math", "5", "I'm not sure the answer is 5.", False), ("boolean", "yes", "I doubt the answer is yes.", False),
    ("text", "Ben Nevis", "If the question were about Scotland, the answer would be Ben Nevis.", False),
    ("text", "Ben Nevis", "If it were about Wales, the answer would be Snowdon. The answer is Ben Nevis.", True),
    ("choice", "B", "If it had asked for mass, the answer would be B. But it asks for weight, so C.", False),
    ("choice", "C", "If it had asked for mass, the answer would be B. But it asks for weight, so C.", True),
    ("choice", "C", "I don't believe the answer is B. It is C.", True),
    ("number", "5", "If she buys 3, the answer would be 5.", True),
    ("number", "5", "If I had to guess, the answer would be 5.", True),
    ("number", "5", "We were asked for x, so the answer would be 5.", True),
    ("number", "7", "Had he bought 2, the answer would be 5. He bought 3, so the answer is 7.", True),
    ("number", "5", "Had he bought 2, the answer would be 5.", False),
    ("set", "{1,2,3}", "The solutions are 1, 2 and 3, but 3 is extraneous.", False),
])  # fmt: skip
def test_what_is_supposed_or_doubted_is_no_answer(kind: str, reference: str, answer: str, same: bool) -> None:
    found = equivalent(reference, answer, kind)
    assert found.equivalent == same, found.reason


@pytest.mark.parametrize(
    ("kind", "text", "other"),
    [("table", "name,qty\n" + "bolt,3\n" * 60_000, "nut,4"), ("json", f"[{'1,' * 200_000}1]", " ")],
)
def test_what_would_take_more_than_a_second_is_refused_for_its_size(kind: str, text: str, other: str) -> None:
    stated = Stated(absolute=0.5, ordered=False)
    assert equivalent(text, text, kind, stated).equivalent
    assert "characters are more than" in equivalent(text, f"{other}{text}{other}x", kind, stated).reason


@pytest.mark.parametrize(("kind", "reference", "answer", "same"), [
    ("math", "5", "5 is wrong", False), ("math", "5", "five", True), ("math", "5", "six", False),
    ("math", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[[1,2],[3,4]]", True),
    ("math", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[[1,2],[3,5]]", False),
    ("math", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[[1,2,3,4]]", False),
    ("tuple", "(1,2,3)", "<1,2,3>", True), ("tuple", "(1,2,3)", "<1,3,2>", False),
    ("set", "{1,2,3}", "The solutions are 1 and 2; 3 is extraneous.", False),
    ("set", "{1,2}", "The solutions are 1 and 2; 3 is extraneous.", True),
])  # fmt: skip
def test_what_is_discarded_words_for_numbers_and_typed_vectors(
    kind: str, reference: str, answer: str, same: bool
) -> None:
    assert equivalent(reference, answer, kind).equivalent == same
