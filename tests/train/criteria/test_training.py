"""A grpo stage paid by criteria learns what a scripted judge sees in passes; a judge that breaks fails nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.models.scripted import Asked, Line, refuse
from fairtrial.train.credit import wrong_groups
from fairtrial.train.criteria import Criterion, JudgeWords, Tried, TriedCriteria, write_tried
from fairtrial.train.log import GroupLine, read_groups
from fairtrial.train.recipe import Credit, Sampling, Stage
from train.trainers.sloppy_world import context, write_policy, write_tasks

from .criteria_world import served

ONCE = "Is the answer said once?"


def judged(_: str, text: str, __: Asked) -> str | Line:
    """Say yes of an answer that is said once; refuse answers that end in 7."""
    if text.strip().endswith("7"):
        return refuse("I will not look at a seven.")
    return "yes" if len(text.split()) == 1 else "no"


def paid(line: GroupLine, place: int) -> float | None:
    """Return what a completion should be paid."""
    if line.outcomes[place] != "passed":
        return 0.0
    text = line.completions[place]
    if text.strip().endswith("7"):
        return None
    return 1.0 if len(text.split()) == 1 else 0.5


def sloppy(lines: list[GroupLine]) -> float:
    passes = [
        text for line in lines for text, outcome in zip(line.completions, line.outcomes, strict=True)
        if outcome == "passed"
    ]  # fmt: skip
    return sum(len(text.split()) > 1 for text in passes) / len(passes)


@pytest.mark.extra
def test_a_stage_that_is_paid_by_criteria_learns_what_the_judge_sees(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    from fairtrial.train.trainers.grpo import train_grpo

    tasks = write_tasks(tmp_path / "tasks.jsonl")
    model = write_policy(tmp_path)
    with served([], judged) as server:
        criteria = TriedCriteria(tried=(Tried(criterion=Criterion(name="once", question=ONCE)),),
                                 judge=JudgeWords(model="j", base_url=server.base_url, votes=1))  # fmt: skip
        write_tried(tmp_path / "criteria.toml", criteria)
        stage = Stage(method="grpo", steps=9, learning_rate=1e-3, reward="criteria",
                      credit=Credit(criteria=str(tmp_path / "criteria.toml")),
                      sampling=Sampling(prompts_per_step=8, group_size=8, max_new_tokens=8))  # fmt: skip
        train_grpo(context(tmp_path / "run", model, stage, tasks))
        asked = len(server.asked)
    lines = list(read_groups(tmp_path / "run"))
    assert list(wrong_groups(lines)) == []
    rewards = [(line.rewards[n], paid(line, n)) for line in lines for n in range(len(line.rewards))]
    assert [said for said, _ in rewards] == [wanted for _, wanted in rewards]
    assert {said for said, _ in rewards} == {None, 0.0, 0.5, 1.0}
    broken = [
        (line.reasons[n], line.advantages[n]) for line in lines for n, said in enumerate(line.rewards) if said is None
    ]
    assert all(reason.startswith("criteria: once: ") and advantage == 0.0 for reason, advantage in broken)
    assert asked < sum(len(line.completions) for line in lines) / 2  # the same completion is judged once
    late, early = (sloppy([line for line in lines if (line.step > 7) == late]) for late in (True, False))
    assert late < early - 0.1
