"""A file of criteria says what was tried; what was changed since, or makes no sense, is refused by line and field."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records import Estimate, FormatError, InputError
from fairtrial.train.criteria import Criterion, JudgeWords, Made, Probed, Tried, TriedCriteria
from fairtrial.train.criteria.file import is_tried, read_tried, write_tried

ESTIMATE = Estimate(value=0.5, low=0.1, high=0.9, n=12, ungraded=1, method="m", unit="rollouts")
UNKNOWN = Estimate(value=None, low=None, high=None, n=0, method="too few", unit="rollouts")
JUDGED = Tried(
    criterion=Criterion(name="works", question="Does it show its working?", weight=2.0, families=("sum", "sort")),
    difference=ESTIMATE, yes_better=1.0, yes_worse=0.5, auc=0.75, p_value=0.01, q_value=0.02, carried=UNKNOWN,
    steady=ESTIMATE, ungraded=1, probes=(Probed(probe="note", asked=4, turned=0, ungraded=1),), warnings=("`good`",),
)  # fmt: skip
CHECKED = Tried(criterion=Criterion(name="ran", question="Did it run?", about="behaviour", use="required",
                                    parameters={"action": {"runs": "pytest"}, "times": 2}))  # fmt: skip
DROPPED = Tried(criterion=Criterion(name="works", question="Is it nice?"), reason="falls_to_probe", why="note 4 of 4")
MADE = Made(writer="w", prompt="sha256:0", tasks_studied=("a", "b"), rollouts_held_out=("r",), contrasts={"length": 3})
WHOLE = TriedCriteria(
    tried=(JUDGED, CHECKED, DROPPED),
    judge=JudgeWords(model="m", temperature=0.0, votes=5, price=(2.5, 10.0)),
    made=MADE,
)

plain = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_tried(tmp_path / "deep" / "c.toml", WHOLE)
    read = read_tried(tmp_path / "deep" / "c.toml")
    assert read == WHOLE
    assert read.kept == (JUDGED.criterion, CHECKED.criterion)
    assert is_tried(tmp_path / "deep" / "c.toml")


@settings(max_examples=25)
@given(name=plain, question=plain, parameters=st.dictionaries(
    plain, st.one_of(st.integers(-9, 9), st.booleans(), plain, st.lists(plain)), max_size=3,
))  # fmt: skip
def test_words_of_any_kind_come_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, question: str, parameters: dict[str, object]
) -> None:
    path = tmp_path_factory.getbasetemp() / "words.toml"
    one = Criterion(name=name, question=question, use="file_text", parameters=parameters)
    write_tried(path, TriedCriteria(tried=(Tried(criterion=one),)))
    assert read_tried(path).kept == (one,)


def test_criteria_changed_after_they_were_tried_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    write_tried(path, WHOLE)
    text = path.read_text()
    path.write_text(text.replace("Does it show its working?", "Does it show anything?"))
    with pytest.raises(FormatError, match="changed after they were tried") as error:
        read_tried(path)
    assert (error.value.line, error.value.field) == (2, "hash")
    path.write_text("\n".join(line for line in path.read_text().splitlines() if not line.startswith("hash")))
    assert read_tried(path).kept[0].question == "Does it show anything?"


@pytest.mark.parametrize(("before", "after"), [('model = "m"', 'model = "cheap"'), ("votes = 5", "votes = 1")])
def test_another_judge_than_the_one_they_were_tried_with_is_refused(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "c.toml"
    write_tried(path, WHOLE)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    with pytest.raises(FormatError, match="another judge"):
        read_tried(path)
    path.write_text(text.replace('api_key_variable = "OPENAI_API_KEY"', 'api_key_variable = "MY_KEY"'))
    assert read_tried(path).judge == JudgeWords(model="m", temperature=0.0, votes=5, price=(2.5, 10.0),
                                                api_key_variable="MY_KEY")  # fmt: skip


HEAD = 'schema = "fairtrial.criteria/1"\n[judge]\nmodel = "m"\n'
ONE = '[[criterion]]\nname = "a"\nquestion = "Is it?"\n'


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (ONE, None, "schema"),
        ('schema = "fairtrial.criteria/2"\n', 1, "schema"),
        (HEAD + ONE + ONE, 8, "criterion[1].name"),
        (HEAD + ONE + "weight = 0\n", 7, "criterion[0].weight"),
        (HEAD + ONE + 'about = "style"\n', 7, "criterion[0].about"),
        (HEAD + ONE + 'use = "command_succeeds"\n', 7, "criterion[0].use"),
        (HEAD + ONE + 'parameters = { contains = "x" }\n', 7, "criterion[0].parameters"),
        (HEAD + ONE + 'reason = "unsteady"\n', 7, "criterion[0].reason"),
        (HEAD + ONE + 'colour = "red"\n', 7, "criterion[0].colour"),
        (HEAD.split("[judge]")[0] + ONE, 4, "criterion[0].question"),
        (HEAD + "votes = 0\n", 4, "judge.votes"),
        (HEAD + "price = [1.0]\n", 4, "judge.price"),
        (HEAD + "price = [1.0, -1.0]\n", 4, "judge.price[1]"),
    ],
)
def test_a_bad_file_is_told_by_line_and_field(tmp_path: Path, text: str, line: int | None, field: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        read_tried(path)
    assert (error.value.line, error.value.field) == (line, field)


def test_criteria_of_rank_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "rank.toml").write_text('[[criterion]]\nname = "short"\nmeasure = "output_tokens"\n')
    assert not is_tried(tmp_path / "rank.toml")


def test_a_place_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_tried(tmp_path / "file" / "c.toml", WHOLE)


def test_the_hash_is_of_what_is_asked_alone() -> None:
    bare = TriedCriteria(tried=(Tried(criterion=JUDGED.criterion), Tried(criterion=CHECKED.criterion)))
    assert replace(bare, judge=WHOLE.judge).hash == WHOLE.hash
    assert replace(WHOLE, judge=None).hash != WHOLE.hash
    by_program = replace(bare, tried=bare.tried[1:])
    assert replace(by_program, judge=WHOLE.judge).hash == by_program.hash
    assert TriedCriteria(tried=(CHECKED,)).hash != WHOLE.hash
