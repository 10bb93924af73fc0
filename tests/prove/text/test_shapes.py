"""A grader is called as its parameters ask, and what it returns is a score or a reason why there is none."""

from __future__ import annotations

import ast
import math
import sys
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import fairtrial.prove.text
from fairtrial.prove.text.grader_side.errors import UnscoredError, UnusableError
from fairtrial.prove.text.grader_side.loading import adapted
from fairtrial.prove.text.grader_side.rows import Row
from fairtrial.prove.text.grader_side.scores import letter_or_score, score_of

CHAT = [{"role": "user", "content": "more"}, {"role": "assistant", "content": "21"}]
CASE = {"id": "a", "prompt": "3 times 7?", "answer": "21", "info": {"unit": "none", "data_source": "sums"}}
SIDE = Path(fairtrial.prove.text.__file__).parent / "grader_side"


def call(grader: Any, completion: Any = "21", form: str = "text", framework: str = "auto") -> float:
    adapter = adapted(grader, framework, frozenset(CASE["info"]), "grader")  # type: ignore[arg-type]
    found = adapter.score(Row(CASE, completion, form))
    if hasattr(found, "send"):
        try:
            found.send(None)
        except StopIteration as end:
            return float(end.value)
    return float(found)


async def later(response: str, ground_truth: str) -> dict[str, float]:
    return {"score": float(response == ground_truth)}


class Exact:
    def __call__(self, output: str, expected: str) -> bool:
        return output == expected


class Checker:
    def verify(self, candidate: str, gold: str) -> float:
        return float(candidate == gold)


def compute_score(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> dict[str, Any]:
    return {"score": float(solution_str == ground_truth and data_source == extra_info["data_source"])}


def with_the_rest(completion: str, **columns: Any) -> float:
    return float(completion == columns["answer"] and columns["unit"] == "none")


@pytest.mark.parametrize(
    "grader",
    [
        lambda completion, answer: completion == answer,
        lambda response, target: (response == target, "why"),
        lambda answer, ground_truth: answer == ground_truth,
        lambda completion, solution: completion == solution,
        lambda solution, answer: solution == answer,
        lambda a, b: a == b,
        lambda a, b, /: a == b,
        lambda *both: both[0] == both[1],
        lambda submission: submission == "21",
        lambda prompt, completion, unit: prompt == "3 times 7?" and completion == "21" and unit == "none",
        lambda state: state["completion"][-1]["content"] == state.answer,
        lambda messages: [one["role"] for one in messages] == ["user", "assistant"],
        lambda completion, row: row["question"] == "3 times 7?" and completion == row["answer"],
        lambda completion, answer, strict=True: strict and completion == answer,
        lambda completions, answer, **_: [float(one == two) for one, two in zip(completions, answer, strict=True)],
        lambda prompts, completions, unit: [float((prompts, completions, unit) == (["3 times 7?"], ["21"], ["none"]))],
        lambda: lambda completion, answer: completion == answer,
        later, Exact, Exact(), Checker, Checker(), compute_score, with_the_rest,
    ],
)  # fmt: skip
def test_parameters_get_what_they_are_named_for(grader: Any) -> None:
    assert call(grader) == 1.0


def test_a_chat_reaches_a_grader_as_its_last_reply_or_whole() -> None:
    assert call(lambda completion, answer: completion == answer, CHAT) == 1.0
    assert call(lambda completion: len(completion), CHAT, form="chat") == 2.0
    assert call(lambda completions: [float(completions[0][0]["content"] == "21")], "21", form="chat") == 1.0


def test_a_column_that_no_case_has_is_named() -> None:
    with pytest.raises(UnusableError, match="asks for `tolerance`"):
        call(lambda completion, answer, prompt, tolerance: 1.0)  # noqa: ARG005
    with pytest.raises(UnusableError, match="cannot be called"):
        call(7)


Reward = namedtuple("Reward", "reward why")


@pytest.mark.parametrize(
    ("value", "score"),
    [(1, 1.0), (True, 1.0), (0.25, 0.25), ({"reward": 0.5, "length": 7}, 0.5), ({"accuracy_of_it": 1.0}, 1.0),
     ((0.5, {"why": "…"}), 0.5), ([1.0], 1.0), (Reward(0.75, "…"), 0.75), (SimpleNamespace(score=0.5), 0.5),
     ({"score": {"value": 1}}, 1.0), (2.5, 2.5), (-1, -1.0)],
)  # fmt: skip
def test_what_holds_a_number_is_a_score(value: Any, score: float) -> None:
    assert score_of(value) == score


@pytest.mark.parametrize(
    "value", [None, math.nan, math.inf, -math.inf, 10**400, "1", "yes", {}, {"a": 1, "b": 2}, [], object()]
)
def test_what_is_no_finite_number_is_unscored(value: Any) -> None:
    with pytest.raises(UnscoredError):
        score_of(value)


def test_letters_of_inspect_count_as_inspect_counts_them() -> None:
    assert [letter_or_score(one) for one in ("C", "I", "P", "N", {"a": "C", "b": 0})] == [1.0, 0.0, 0.5, 0.0, 0.5]
    with pytest.raises(UnscoredError):
        letter_or_score(math.nan)


@pytest.mark.parametrize("path", sorted(SIDE.glob("*.py")), ids=lambda path: path.name)
def test_the_graders_side_needs_python_3_9_and_nothing_else(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    ast.parse(path.read_text(encoding="utf-8"))
    top = {name for node in tree.body for name in _imported(node)}
    assert top <= {*sys.stdlib_module_names}
    newer = [node for node in ast.walk(tree) if isinstance(node, ast.Match)]
    assert not newer


def _imported(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [(node.module or "").split(".")[0]]
    return []
