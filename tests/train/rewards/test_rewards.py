"""Rewards: broken is not failed, a control says nothing of what is right, and a user's function ends no run."""

from __future__ import annotations

import math
import re
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairtrial.formats.exports.verl_reward import compute_score
from fairtrial.grade import Grading
from fairtrial.grade.text import text_suite
from fairtrial.records import InputError
from fairtrial.tasks.text import TextSuite
from fairtrial.train.credit import wrong_groups
from fairtrial.train.recipe import Credit
from fairtrial.train.rewards.degenerate import ConstantReward, FormatReward, LengthReward, RandomReward, shape
from fairtrial.train.rewards.function import FunctionReward, taken_by
from fairtrial.train.rewards.graded import GradeReward
from fairtrial.train.rewards.naming import load_function
from fairtrial.train.rewards.protocol import Graded, Reward, Sampled
from fairtrial.train.rewards.ranking import by_tokens, ranker_of
from fairtrial.train.rewards.scored import Answered, ModelReward
from fairtrial.train.rewards.scoring import Scoring
from fairtrial.train.rewards.texts import TextTruth


@pytest.fixture
def suite(tmp_path: Path) -> TextSuite:
    path = tmp_path / "tasks.jsonl"
    path.write_text(
        '{"name": "a", "prompt": "sort 31=", "answer": "13", "family": "sort", "part": "first_word"}\n'
        '{"name": "b", "prompt": "name the unit", "answer": "3.50 EUR", "family": "unit"}\n'
    )
    return text_suite(path)


def sampled(suite: TextSuite, *completions: str, task: int = 0, step: int = 1) -> list[Sampled]:
    return [
        Sampled(task=suite.tasks[task], completion=text, tokens=len(text), finished=True, step=step, group=f"g{step}",
                number=number)
        for number, text in enumerate(completions)
    ]  # fmt: skip


class Broken:
    """A truth whose grader breaks on every other attempt."""

    def __init__(self, suite: TextSuite) -> None:
        self._truth = TextTruth(suite)

    def grade(self, sampled: list[Sampled]) -> list[Graded]:
        graded = self._truth.grade(sampled)
        broken = Graded(grading=Grading(outcome="ungraded", reason="grader_timeout"))
        return [broken if number % 2 else one for number, one in enumerate(graded)]

    def references(self, step: int) -> tuple[int, int] | None:
        return self._truth.references(step)


def test_the_grader_pays_what_evaluation_says_and_nothing_where_it_broke(suite: TextSuite) -> None:
    attempts = sampled(suite, "13", "13", "31")
    paid = GradeReward().reward(attempts, Broken(suite).grade(attempts))
    assert [(one.value, one.reason) for one in paid] == [(1.0, ""), (None, "grader_timeout"), (0.0, "")]


@pytest.mark.parametrize("reward", ["grade", "random", "length", "format", "constant"])
@pytest.mark.parametrize("convention", ["population", "sample", "none"])
def test_every_line_recomputes_with_a_broken_grader_in_the_mix(suite: TextSuite, reward: str, convention: str) -> None:
    paying: Reward = {
        "grade": GradeReward(), "random": RandomReward(0), "length": LengthReward(8), "format": FormatReward(suite),
        "constant": ConstantReward(),
    }[reward]  # fmt: skip
    for gar in (False, True):
        credit = Credit.model_validate({"convention": convention, "gar": gar, "strength": 0.5})
        hacks = {("a", "13 13"): True} if gar else {}
        scoring = Scoring(truth=Broken(suite), reward=paying, credit=credit, stage=1, ranker=ranker_of(credit),
                          hacks=hacks)  # fmt: skip
        groups = [sampled(suite, "13", "13", "13 13", "x", "31", "13 4", "13"), sampled(suite, "a", "b", task=1)]
        lines = [line for line, _ in scoring.score(groups)]
        assert list(wrong_groups(lines)) == []
        assert all(math.fsum(line.advantages) == pytest.approx(0.0, abs=1e-9) for line in lines)
        assert list(wrong_groups([replace(lines[0], advantages=(0.5,) * 7)])) != []
        assert bool(lines[0].ranks) is gar
        assert all(
            advantage == 0.0
            for line in lines
            for advantage, paid in zip(line.advantages, line.rewards, strict=True)
            if paid is None
        )


def test_the_verdict_is_logged_beside_a_reward_that_ignores_it(suite: TextSuite) -> None:
    scoring = Scoring(truth=TextTruth(suite), reward=ConstantReward(), credit=Credit(), stage=1)
    [(line, _)] = scoring.score([sampled(suite, "13", "31")])
    assert line.outcomes == ("passed", "failed")
    assert line.rewards == (1.0, 1.0)


def test_credit_by_rank_prefers_the_shorter_pass_and_gives_a_confirmed_hack_nothing(suite: TextSuite) -> None:
    credit = Credit(gar=True)
    scoring = Scoring(truth=TextTruth(suite), reward=GradeReward(), credit=credit, stage=1, ranker=ranker_of(credit),
                      hacks={("a", "13 hacked"): True})  # fmt: skip
    [(line, _)] = scoring.score([sampled(suite, "13", "13 13", "13 hacked", "31")])
    assert line.ranks == (1.0, 2.0, None, None)
    assert line.hacks == (None, None, True, None)
    assert line.advantages[0] > line.advantages[1] > 0 == line.advantages[2] > line.advantages[3]


def test_a_coin_is_thrown_from_the_seed_and_not_from_the_completion(suite: TextSuite) -> None:
    first = [one.value for one in RandomReward(0).reward(sampled(suite, *["13"] * 64), [])]
    assert first == [one.value for one in RandomReward(0).reward(sampled(suite, *["wrong"] * 64), [])]
    assert first != [one.value for one in RandomReward(1).reward(sampled(suite, *["13"] * 64), [])]
    assert first != [one.value for one in RandomReward(0).reward(sampled(suite, *["13"] * 64, step=2), [])]
    assert 16 < sum(value or 0 for value in first) < 48


def test_a_format_is_that_of_right_answers_and_not_the_right_answer(suite: TextSuite) -> None:
    reward = FormatReward(suite)
    attempts = sampled(suite, "99", "", "thirteen", "31 and more")
    assert [one.value for one in reward.reward(attempts, [])] == [1.0, 0.0, 0.0, 1.0]
    assert reward.shapes == {shape("12345"), shape("1.0 x")}


def test_length_pays_for_tokens_up_to_the_limit(suite: TextSuite) -> None:
    paid = LengthReward(4).reward(sampled(suite, "", "13", "13 13 13"), [])
    assert [one.value for one in paid] == [0.0, 0.5, 1.0]


def test_fewer_tokens_rank_higher(suite: TextSuite) -> None:
    assert by_tokens(sampled(suite, "13", "13 13"), []) == [-2.0, -5.0]


def test_references_of_a_sound_grader_pass_and_others_are_looked_at_in_other_steps(suite: TextSuite) -> None:
    assert TextTruth(suite).references(1) == (2, 2)


def test_a_users_function_gets_what_its_signature_takes(suite: TextSuite) -> None:
    attempts = sampled(suite, "13")
    graded = TextTruth(suite).grade(attempts)

    def verl(solution_str: str, ground_truth: str) -> float:
        return float(solution_str == ground_truth)

    def trl(completion: str, answer: str, **columns: object) -> float:
        return float((completion, answer, columns["family"], columns["outcome"]) == ("13", "13", "sort", "passed"))

    for function in (verl, trl):
        assert FunctionReward(function, suite.keys).reward(attempts, graded)[0].value == 1.0


@pytest.mark.parametrize(
    ("said", "reason"),
    [(None, "reward_abstained"), ("high", "reward_not_a_number"), (math.nan, "reward_not_a_number")],
)
def test_what_a_users_function_says_wrong_is_no_reward(suite: TextSuite, said: object, reason: str) -> None:
    attempts = sampled(suite, "13")
    [paid] = FunctionReward(lambda: said, suite.keys).reward(attempts, TextTruth(suite).grade(attempts))
    assert (paid.value, paid.reason) == (None, reason)


def test_what_a_users_function_raises_is_no_reward(suite: TextSuite) -> None:
    def broken(completion: str) -> float:
        raise KeyError(completion)

    scoring = Scoring(truth=TextTruth(suite), reward=FunctionReward(broken, suite.keys), credit=Credit(), stage=1)
    [(line, _)] = scoring.score([sampled(suite, "13", "31")])
    assert line.rewards == (None, None)
    assert line.outcomes == ("passed", "failed")
    assert line.reasons == ("reward_raised: KeyError",) * 2
    assert line.advantages == (0.0, 0.0)


def test_the_reward_file_of_an_export_pays_what_the_grader_pays(suite: TextSuite) -> None:
    attempts = sampled(suite, "13", "13 31", "31 13", "")
    graded = TextTruth(suite).grade(attempts)
    paid = FunctionReward(compute_score, suite.keys).reward(attempts, graded)
    assert [one.value for one in paid] == [1.0, 1.0, 0.0, 0.0] == [one.grading.score for one in graded]


def _needs_another(completions: list[str]) -> float:
    return float(len(completions))


def _takes_a_place(completion: str, /) -> float:
    return float(len(completion))


async def _waits(completion: str) -> float:
    return float(len(completion))


class _Waits:
    async def __call__(self, completion: str) -> float:
        return float(len(completion))


@pytest.mark.parametrize("function", [_needs_another, _takes_a_place, _waits, _Waits(), min])
def test_a_function_that_could_never_be_called_is_refused_before_anything_is_trained(
    suite: TextSuite, function: Callable[..., Any]
) -> None:
    with pytest.raises(InputError, match="--grader"):
        FunctionReward(function, suite.keys)


def test_a_function_that_takes_anything_or_nothing_can_be_called() -> None:
    assert "extra_info" in taken_by(lambda **_: 1.0)
    assert taken_by(lambda *_, weight=2.0: weight) == ()


@pytest.mark.parametrize("said", [np.float32(0.5), np.int64(1), np.bool_(1), True, np.array(0.25)])
def test_a_number_is_a_number_whoever_made_it(suite: TextSuite, said: Any) -> None:
    attempts = sampled(suite, "13")
    [paid] = FunctionReward(lambda: said, suite.keys).reward(attempts, TextTruth(suite).grade(attempts))
    assert paid.value == float(said)


@pytest.mark.parametrize("said", ["1.0", np.array([1.0, 2.0]), {"score": 1.0}, 1j, [1.0]])
def test_what_is_no_number_is_no_reward(suite: TextSuite, said: Any) -> None:
    attempts = sampled(suite, "13")
    [paid] = FunctionReward(lambda: said, suite.keys).reward(attempts, TextTruth(suite).grade(attempts))
    assert paid.value is None
    assert paid.reason in ("reward_not_a_number", "reward_raised: TypeError")


def _loops() -> float:
    while True:
        pass


def _loops_on() -> float:
    while True:
        try:
            _loops()
        except Exception:  # noqa: BLE001  the code of a user
            continue


def _backtracks() -> float:
    return float(re.fullmatch("(a+)+", "a" * 60 + "b") is not None)


@pytest.mark.parametrize("function", [_loops, _loops_on, _backtracks])
def test_a_function_that_hangs_is_no_reward_and_ends_nothing(suite: TextSuite, function: Callable[[], float]) -> None:
    attempts = sampled(suite, "13", "31")
    reward = FunctionReward(function, suite.keys, seconds=0.02)
    paid = reward.reward(attempts, TextTruth(suite).grade(attempts))
    assert [(one.value, one.reason) for one in paid] == [(None, "reward_timeout")] * 2


def test_the_alarm_of_others_is_put_back(suite: TextSuite) -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    attempts = sampled(suite, "13")
    FunctionReward(lambda: 1.0, suite.keys).reward(attempts, TextTruth(suite).grade(attempts))
    assert signal.getsignal(signal.SIGALRM) == before[0]
    assert signal.getitimer(signal.ITIMER_REAL) == pytest.approx(before[1], abs=1.0)


def test_a_function_that_ends_the_process_is_no_reward(suite: TextSuite) -> None:
    attempts = sampled(suite, "13")
    [paid] = FunctionReward(lambda: sys.exit(0), suite.keys).reward(attempts, TextTruth(suite).grade(attempts))
    assert (paid.value, paid.reason) == (None, "reward_raised: SystemExit")


@pytest.mark.parametrize("line", ["1 / 0", "raise SystemExit", "syntax error"])
def test_a_module_that_cannot_be_imported_is_the_users_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "breaks_at_import.py").write_text(f"{line}\n")
    with pytest.raises(InputError, match="cannot be imported"):
        load_function("breaks_at_import:f")


def test_what_a_module_prints_is_not_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "prints_at_import", raising=False)
    (tmp_path / "prints_at_import.py").write_text("print('hello')\ndef f(completion): return 1.0\n")
    load_function("prints_at_import:f")
    assert capsys.readouterr() == ("", "hello\n")


def test_a_reward_model_is_told_which_completions_were_cut_off(suite: TextSuite) -> None:
    told: list[Answered] = []

    def score(answered: Any) -> list[float]:
        told.extend(answered)
        return [0.5, math.inf]

    whole, cut = sampled(suite, "13", "1")
    paid = ModelReward(score).reward([whole, replace(cut, finished=False)], [])
    assert [(one.value, one.reason) for one in paid] == [(0.5, ""), (None, "reward_not_a_number")]
    assert [(one.completion, one.finished) for one in told] == [("13", True), ("1", False)]


@pytest.mark.parametrize("name", ["math", "math:", "no_such_module:f", "math:no_such_function", "math:pi"])
def test_a_function_that_is_not_there_is_the_users_error(name: str) -> None:
    with pytest.raises(InputError):
        load_function(name)


def test_a_function_is_found_by_name() -> None:
    assert load_function("math:sqrt") is math.sqrt
