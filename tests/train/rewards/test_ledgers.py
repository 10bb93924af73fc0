"""What training reads from ledgers and writes to them: rates of this base, hacks that people confirmed, rollouts."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from fairtrial.grade.text import text_suite
from fairtrial.ledger import Ledger, connect
from fairtrial.records import InputError, Review, Rollout, Verdict
from fairtrial.tasks.text import TextSuite
from fairtrial.train.credit import Counted
from fairtrial.train.criteria import Criterion, ScriptedAnswers, Tried, TriedCriteria
from fairtrial.train.recipe import Credit, Sampling, Stage
from fairtrial.train.rewards.choosing import Asked, chosen_ranker, drawn_from, reward_of
from fairtrial.train.rewards.criteria import CriteriaReward
from fairtrial.train.rewards.measured import measured_counts, reviewed_hacks
from fairtrial.train.rewards.protocol import Graded, Sampled
from fairtrial.train.rewards.records import TrainingRecords
from fairtrial.train.rewards.texts import TextTruth


@pytest.fixture
def suite(tmp_path: Path) -> TextSuite:
    path = tmp_path / "tasks.jsonl"
    rows = [{"name": f"t{n}", "prompt": f"{n}=", "answer": str(n), "family": "echo"} for n in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return text_suite(path)


def fill(path: Path, suite: TextSuite, passes: dict[str, int], **named: object) -> list[Rollout]:
    """Add eight rollouts a task, of which so many pass."""
    ledger = Ledger.open(path, create=True)
    rollouts = [
        Rollout(**{"task": task.name, "model": "base", "attempt": n, "task_hash": task.hash,
                   "answer": f"{task.name} {n}", **named})  # type: ignore[arg-type]
        for task in suite.tasks if task.name in passes for n in range(8)
    ]  # fmt: skip
    ledger.append("verdicts", [
        Verdict(rollout=one.id, outcome="passed" if one.attempt < passes[one.task] else "failed") for one in rollouts
    ])  # fmt: skip
    ledger.append("rollouts", rollouts)
    return rollouts


def test_the_band_is_drawn_from_by_what_this_base_did(tmp_path: Path, suite: TextSuite) -> None:
    fill(tmp_path / "rates", suite, {"t0": 4, "t1": 0})
    fill(tmp_path / "rates", suite, {"t0": 0, "t1": 4, "t2": 4}, model="other")
    hashes = [task.hash for task in suite.tasks]
    assert measured_counts(tmp_path / "rates", "base", 0, hashes) == {"t0": Counted(4, 4), "t1": Counted(0, 8)}
    assert measured_counts(tmp_path / "rates", "base", 0, hashes[1:]) == {"t1": Counted(0, 8)}  # t0 is another task now
    stage = Stage(method="grpo", steps=1, sampling=Sampling(rates=str(tmp_path / "rates"), rate_low=0.1, rate_high=0.9))
    tasks, band = drawn_from(stage, suite, "base", 0)
    assert [task.name for task in tasks] == ["t0"]
    assert band is not None
    assert (band.too_hard, band.not_measured) == (("t1",), ("t2",))
    with pytest.raises(InputError, match="base, other"):
        drawn_from(stage, suite, "third", 0)


def test_an_empty_band_is_refused_with_the_counts(tmp_path: Path, suite: TextSuite) -> None:
    fill(tmp_path / "rates", suite, {"t0": 8, "t1": 0})
    stage = Stage(method="grpo", steps=1, sampling=Sampling(rates=str(tmp_path / "rates"), rate_low=0.1, rate_high=0.9))
    with pytest.raises(InputError, match="1 lie below, 1 above, 1 were not measured"):
        drawn_from(stage, suite, "base", 0)


def test_where_seeds_have_bases_of_their_own_each_has_its_own_rates(tmp_path: Path, suite: TextSuite) -> None:
    for seed in (0, 1):
        fill(tmp_path / "rates", suite, {"t0": 4 * seed}, seed=seed)
    hashes = [task.hash for task in suite.tasks]
    for seed in (0, 1):
        found = measured_counts(tmp_path / "rates", "base", seed, hashes)
        assert found == {"t0": Counted(4 * seed, 8 - 4 * seed)}


def test_only_what_people_confirm_is_a_hack(tmp_path: Path, suite: TextSuite) -> None:
    path = tmp_path / "ledger"
    rollouts = fill(path, suite, {"t0": 8})
    said = [
        Review(rollout=rollouts[0].id, reviewer="ada", hack=True, recorded_at="1"),
        Review(rollout=rollouts[1].id, reviewer="ada", hack=False, recorded_at="1"),
        Review(rollout=rollouts[2].id, reviewer="ada", hack=True, recorded_at="1"),
        Review(rollout=rollouts[2].id, reviewer="bo", hack=False, recorded_at="1"),
        Review(rollout=rollouts[3].id, reviewer="judge", kind="judge", hack=True, recorded_at="1"),
        Review(rollout=rollouts[4].id, reviewer="ada", satisfied=True, recorded_at="1"),
    ]
    Ledger.open(path).append("reviews", said)
    assert reviewed_hacks([path]) == {("t0", "t0 0"): True, ("t0", "t0 1"): False}


def sampled(suite: TextSuite, *completions: str, step: int = 1) -> list[Sampled]:
    return [
        Sampled(task=suite.tasks[0], completion=text, tokens=len(text), finished=text != "9", step=step, number=n,
                group=f"m/seed-7/step-{step}/0")
        for n, text in enumerate(completions)
    ]  # fmt: skip


def test_what_is_sampled_again_is_the_same_record(tmp_path: Path, suite: TextSuite) -> None:
    for _ in range(2):
        records = TrainingRecords(ledger=tmp_path / "training", model="m", seed=7, settings={"temperature": 1.0},
                                  keys=suite.keys)  # fmt: skip
        for step in (1, 2):
            group = sampled(suite, "0", "0", "9", step=step)
            records.add(group, TextTruth(suite).grade(group))
        records.keep()
    rows = connect(Ledger.open(tmp_path / "training")).execute(
        'select step, attempt, outcome, stop, split, model, seed, suite, "group" from outcomes order by step, attempt'
    ).fetchall()  # fmt: skip
    assert [row[:4] for row in rows[:3]] == [
        (1, 0, "passed", "finished"), (1, 1, "passed", "finished"), (1, 2, "failed", "output_limit")
    ]  # fmt: skip
    assert len(rows) == 6
    assert {row[4:8] for row in rows} == {("train", "m", 7, suite.identity)}


def test_criteria_pay_passes_alone_and_break_to_none(suite: TextSuite) -> None:
    criteria = TriedCriteria(
        tried=tuple(Tried(criterion=Criterion(name=name, question="?")) for name in ("long", "even"))
    )

    def decide(criterion: Criterion, work: object) -> bool | None:
        answer = getattr(work, "answer")  # noqa: B009  a judge sees the completion alone
        return None if "broken" in answer else len(answer) > 2 if criterion.name == "long" else len(answer) % 2 == 0

    asked = ScriptedAnswers(decide)
    reward = CriteriaReward(criteria, asked)
    group = sampled(suite, "0", "0 ", "0 !!", "broken", "9")
    graded = [Graded(grading=TextTruth(suite).grade(group[:1])[0].grading)] * 4 + TextTruth(suite).grade(group[4:])
    assert [one.value for one in reward.reward(group, graded)] == [0.5, 0.75, 1.0, None, 0.0]
    assert reward.rank(group, graded) == [0.0, 0.5, 1.0, None, None]
    assert {work.answer for _, work in asked.asked} == {"0", "0 ", "0 !!", "broken"}


def test_a_criteria_file_that_ranks_orders_by_what_a_program_measures(tmp_path: Path, suite: TextSuite) -> None:
    path = tmp_path / "rank.toml"
    path.write_text('[[criterion]]\nname = "long"\nmeasure = "output_tokens"\ndirection = "more"\n')
    stage = Stage(method="grpo", steps=1, credit=Credit(gar=True, rank_by="criteria", criteria=str(path)))
    with ExitStack() as stack:
        ranker = chosen_ranker(Asked(stage=stage, tasks=suite, seed=0), stack)
        assert ranker is not None
        group = sampled(suite, "0", "0 ", "99")
        assert ranker(group, TextTruth(suite).grade(group)) == [0.0, 1.0, None]
        paying = stage.model_copy(update={"reward": "criteria"})
        with pytest.raises(InputError, match="cannot pay"):
            reward_of(Asked(stage=paying, tasks=suite, seed=0), stack)
    path.write_text('[[criterion]]\nname = "clear"\nquestion = "Which is clearer?"\n')
    with ExitStack() as stack, pytest.raises(InputError, match="asks a judge"):
        chosen_ranker(Asked(stage=stage, tasks=suite, seed=0), stack)


def test_two_things_cannot_pay_at_once(suite: TextSuite) -> None:
    stage = Stage(method="grpo", steps=1, reward="length")
    with ExitStack() as stack, pytest.raises(InputError):
        reward_of(Asked(stage=stage, tasks=suite, seed=0, function=len), stack)
