"""A reward is the share met; what could not be answered is no share, and never 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import fail
from fairtrial.records import ModelError
from fairtrial.train.criteria import (
    Criterion,
    JudgeWords,
    ScriptedAnswers,
    Tried,
    TriedCriteria,
    Work,
    asker_of,
    judge_spec,
    score,
    score_all,
    text_work,
)

TWO = TriedCriteria(tried=(
    Tried(criterion=Criterion(name="long", question="long", weight=3)),
    Tried(criterion=Criterion(name="sum", question="sum", families=("sum",))),
    Tried(criterion=Criterion(name="gone", question="gone"), reason="unsteady"),
))  # fmt: skip


def decide(criterion: Criterion, work: Work) -> bool | None:
    answer = work.answer or ""
    if criterion.name == "long":
        return None if "?" in answer else len(answer) > 3
    return answer.isdigit()


def test_the_share_is_weighted_over_the_criteria_of_the_family() -> None:
    works = [text_work("t", "p", answer, family) for answer, family in
             (("12345", "sum"), ("abcde", "sum"), ("12", "sum"), ("ab", ""), ("12345", ""))]  # fmt: skip
    answers = ScriptedAnswers(decide=decide)
    assert [one.share for one in score_all(TWO, works, answers)] == [1.0, 0.75, 0.25, 0.0, 1.0]
    assert {name for name, _ in answers.asked} == {"long", "sum"}


def test_what_broke_is_no_share() -> None:
    scored = score(TWO, text_work("t", "p", "12?", "sum"), ScriptedAnswers(decide=decide))
    assert (scored.share, scored.met) == (None, {"long": None, "sum": False})
    assert scored.why.startswith("long: ")


def test_no_criterion_is_no_share() -> None:
    only = TriedCriteria(tried=TWO.tried[1:])
    scored = score(only, text_work("t", "p", "12", "sort"), ScriptedAnswers(decide=decide))
    assert (scored.share, scored.why) == (None, "no criterion is asked of this family of tasks")


def test_the_same_completion_is_asked_about_once() -> None:
    answers = ScriptedAnswers(decide=decide)
    score_all(TWO, [text_work("t", "p", "12345")] * 8 + [text_work("u", "p", "12345")], answers)
    assert len(answers.asked) == 2


def test_criteria_of_programs_need_no_judge(tmp_path: Path) -> None:
    lines = Criterion(name="lines", question="?", use="file_lines", parameters={"least": 2})
    criteria = TriedCriteria(tried=(Tried(criterion=lines),), judge=JudgeWords(model="m"))
    assert judge_spec(criteria) is None
    with asker_of(criteria, kept=tmp_path) as asker:
        assert [score(criteria, text_work("t", "p", text), asker).share for text in ("a\nb", "a", "")] == [
            1.0,
            0.0,
            0.0,
        ]


def test_a_judge_that_is_not_there_is_told_before_anything_is_scored() -> None:
    with ScriptedServer(lambda _: fail(401)) as server:
        criteria = TriedCriteria(tried=TWO.tried, judge=JudgeWords(model="m", base_url=server.base_url))
        with pytest.raises(ModelError, match="cannot be asked: unauthorized"), asker_of(criteria):
            pass


def test_the_judge_is_the_one_they_were_tried_with() -> None:
    judged = TriedCriteria(
        tried=TWO.tried, judge=JudgeWords(model="m", base_url="http://h/v1", temperature=0.5, effort="low")
    )
    spec = judge_spec(judged)
    assert spec is not None
    assert (spec.name, spec.base_url, spec.temperature, spec.effort) == ("m", "http://h/v1", 0.5, "low")
