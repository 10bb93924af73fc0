"""A judge that pays: what it cost is bounded over restarts, it is asked once, and what it must not pay is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fairtrial.grade.text import text_suite
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked as Heard
from fairtrial.models.scripted import Line, refuse
from fairtrial.records import InputError
from fairtrial.tasks.text import TextSuite
from fairtrial.train.criteria import Criterion, JudgeWords, Made, Tried, TriedCriteria, write_tried
from fairtrial.train.recipe import Credit, Recipe, Stage
from fairtrial.train.rewards.choosing import Asked, chosen_ranker, reward_of
from fairtrial.train.rewards.criteria import CriteriaReward, criteria_of, refuse_criteria
from fairtrial.train.rewards.judging import read_cost
from fairtrial.train.rewards.protocol import Rewarded, Sampled
from fairtrial.train.rewards.texts import TextTruth

from ..criteria.criteria_world import served

ASKED = Criterion(name="bare", question="Is the answer bare?")


def judged(_: str, text: str, __: Heard) -> str | Line:
    return refuse("No.") if "rude" in text else "yes" if text.strip().isdigit() else "no"


@pytest.fixture
def suite(tmp_path: Path) -> TextSuite:
    row = {"name": "t", "prompt": "4=", "answer": "4"}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(row))
    return text_suite(tmp_path / "tasks.jsonl")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served([], judged) as server:
        yield server


@contextmanager
def paying(suite: TextSuite, server: ScriptedServer, folder: Path, **credit: object) -> Iterator[CriteriaReward]:
    """Lend the reward of a stage that pays by one judged criterion."""
    judge = JudgeWords(model="j", base_url=server.base_url, votes=1, price=(1000.0, 1000.0))
    write_tried(folder / "c.toml", TriedCriteria(tried=(Tried(criterion=ASKED),), judge=judge))
    stage = Stage(method="grpo", steps=1, reward="criteria",
                  credit=Credit.model_validate({"criteria": str(folder / "c.toml"), **credit}))  # fmt: skip
    with ExitStack() as stack:
        reward = reward_of(Asked(stage=stage, tasks=suite, seed=0, cache=folder / "judged"), stack)
        assert isinstance(reward, CriteriaReward)
        yield reward


def sampled(suite: TextSuite, *completions: str) -> list[Sampled]:
    return [Sampled(task=suite.tasks[0], completion=text, tokens=1, finished=True, step=1, group="g", number=n)
            for n, text in enumerate(completions)]  # fmt: skip


def paid(reward: CriteriaReward, suite: TextSuite, *completions: str) -> list[Rewarded]:
    """Return the rewards of completions that all passed."""
    ones = sampled(suite, *completions)
    passed = TextTruth(suite).grade(sampled(suite, "4"))[0]
    return reward.reward(ones, [passed] * len(ones))


def test_past_its_bound_a_judge_pays_nothing_and_is_not_asked_after_a_restart_either(
    suite: TextSuite, server: ScriptedServer, tmp_path: Path
) -> None:
    with paying(suite, server, tmp_path) as reward:
        assert [one.value for one in paid(reward, suite, "4")] == [1.0]
    one = read_cost(tmp_path / "judged" / "spent-1.json")
    assert one.tokens > 0
    assert one.usd == pytest.approx(one.tokens / 1000)
    for bound in ({"judge_usd": 1.5 * one.usd}, {"judge_tokens": 3 * one.tokens // 2}):
        asked = len(server.asked)
        with paying(suite, server, tmp_path, **bound) as reward:
            first, second = paid(reward, suite, "4", "four")
        assert first.value == 1.0  # kept: it costs nothing
        assert (second.value, "over_budget" in second.reason) == (None, True)
        assert len(server.asked) == asked + 1  # whether the judge is there
    with paying(suite, server, tmp_path, judge_usd=10 * one.usd) as reward:
        assert [one.value for one in paid(reward, suite, "four")] == [0.5]
    assert read_cost(tmp_path / "judged" / "spent-1.json").tokens > one.tokens


def test_what_does_not_say_what_was_spent_is_refused(suite: TextSuite, server: ScriptedServer, tmp_path: Path) -> None:
    (tmp_path / "judged").mkdir()
    (tmp_path / "judged" / "spent-1.json").write_text("{}")
    with pytest.raises(InputError, match="does not say what the judge has cost"), paying(suite, server, tmp_path):
        pass


def test_what_pays_by_criteria_ranks_by_what_it_was_told(
    suite: TextSuite, server: ScriptedServer, tmp_path: Path
) -> None:
    """A refusal is kept nowhere: asked for the rank too, the judge would be paid twice for it."""
    with paying(suite, server, tmp_path, gar=True, rank_by="criteria") as reward, ExitStack() as stack:
        credit = Credit(gar=True, rank_by="criteria", criteria=str(tmp_path / "c.toml"))
        stage = Stage(method="grpo", steps=1, reward="criteria", credit=credit)
        ranker = chosen_ranker(Asked(stage=stage, tasks=suite, seed=0), stack, reward)
        assert ranker is not None
        ones = sampled(suite, "4", "4 rude", "four")
        graded = TextTruth(suite).grade(sampled(suite, "4")) * 3
        assert [one.value for one in reward.reward(ones, graded)] == [1.0, None, 0.5]
        asked = len(server.asked)
        assert ranker(ones, graded) == [1.0, None, 0.0]
        assert len(server.asked) == asked


def test_criteria_that_cannot_or_must_not_pay_are_refused_before_training(suite: TextSuite, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    judged_by = TriedCriteria(tried=(Tried(criterion=ASKED),), judge=JudgeWords(model="j"))
    steps = Criterion(name="tests", question="?", about="behaviour", use="required", parameters={"action": "x"})
    made = Made(writer="w", prompt="p", task_hashes=(suite.tasks[0].hash,))
    for criteria, credit, why in (
        (replace(judged_by, tried=(Tried(criterion=steps),)), {}, "asked of steps"),
        (replace(judged_by, made=made), {}, "1 tasks that are held out"),
        (judged_by, {"judge_usd": 1.0}, "needs the judge's price"),
        (replace(judged_by, tried=(Tried(criterion=ASKED, reason="unsteady"),)), {}, "keeps no criterion"),
    ):
        write_tried(path, criteria)
        stated = Credit.model_validate({"criteria": str(path), **credit})
        recipe = Recipe(name="m", base="b", stages=[Stage(method="grpo", steps=1, reward="criteria", credit=stated)])
        with pytest.raises(InputError, match=why):
            refuse_criteria(recipe, [suite.tasks[0].hash])
    write_tried(path, judged_by)
    assert criteria_of(Credit(criteria=str(path)), [suite.tasks[0].hash]).kept == (ASKED,)
