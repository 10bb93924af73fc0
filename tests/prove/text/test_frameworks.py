"""Rubrics and scorers are called as their frameworks call them, and what they hide or cannot run is never a 0.

The frameworks are stand-ins with the parts that are used: the real ones need interpreters of their own.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from fairtrial.prove.text.grader_side.errors import UnscoredError
from fairtrial.prove.text.grader_side.loading import adapted
from fairtrial.prove.text.grader_side.rows import Row

CASE = {"id": "a", "prompt": "3 times 7?", "answer": "21", "info": {"unit": "none"}}


def module(monkeypatch: pytest.MonkeyPatch, name: str, **names: Any) -> None:
    made = ModuleType(name)
    vars(made).update(names)
    monkeypatch.setitem(sys.modules, name, made)


class OldRubric:
    """Scores by parts and returns what holds the reward, as the first releases did."""

    async def score_rollout(self, prompt: Any, completion: Any, answer: Any, state: Any, info: Any = None) -> Any:
        fits = prompt[-1]["content"] == "3 times 7?" and info["unit"] == "none" and state["timing"]["total_ms"] == 0
        return SimpleNamespace(reward=float(fits and completion[-1]["content"] == answer), metrics={})


class NewRubric:
    """Writes the reward into the state, and hides what a reward function raises."""

    async def score_rollout(self, state: Any) -> None:
        said = state["completion"][-1]["content"]
        if said == "break":
            logging.getLogger("verifiers.rubrics.Rubric").error("Error calling reward function: no such key")
        state["reward"] = float(said == state["answer"])


@pytest.fixture
def _verifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    module(monkeypatch, "verifiers")
    module(monkeypatch, "verifiers.types", State=dict)


@pytest.mark.usefixtures("_verifiers")
@pytest.mark.parametrize("rubric", [OldRubric(), NewRubric(), SimpleNamespace(rubric=NewRubric())])
def test_rubrics_of_every_release_are_scored(rubric: Any) -> None:
    grader = adapted(rubric, "auto", frozenset(), "env:load_environment")
    scores = [asyncio.run(grader.score(Row(CASE, said, "chat"))) for said in ("21", "22")]
    assert scores == [1.0, 0.0]


@pytest.mark.usefixtures("_verifiers")
def test_what_a_rubric_hides_is_ungraded() -> None:
    grader = adapted(NewRubric(), "verifiers", frozenset(), "env:rubric")
    with pytest.raises(UnscoredError, match="no such key"):
        asyncio.run(grader.score(Row(CASE, "break", "chat")))


@pytest.mark.usefixtures("_verifiers")
def test_an_environment_brings_its_own_cases() -> None:
    rows = [{"prompt": [{"role": "user", "content": "2+2?"}], "answer": "4", "info": {"level": 1}, "task": "sums"}]
    environment = SimpleNamespace(rubric=NewRubric(), get_dataset=lambda: rows)
    [case] = adapted(environment, "auto", frozenset(), "env").own_cases(5, 0)
    assert (case["answer"], case["info"]) == ("4", {"task": "sums", "level": 1})
