"""The grpo stage: the log says what was trained on, credit by rank does what it is for, controls teach nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairtrial.ledger import Ledger, connect
from fairtrial.tasks.text import TextSuite
from fairtrial.train.credit import wrong_groups
from fairtrial.train.log import GROUPS, GroupLine, LogWriter, read_groups, read_steps
from fairtrial.train.recipe import Credit, Sampling, Stage
from fairtrial.train.trainers.protocol import StageEnd
from train.trainers.sloppy_world import FolderRecorder, context, write_policy, write_tasks

pytestmark = pytest.mark.extra
SAMPLING = Sampling(prompts_per_step=4, group_size=8, max_new_tokens=8)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TextSuite]:
    """Return a policy that is right, wrong and sloppy, and its tasks."""
    pytest.importorskip("trl")
    folder = tmp_path_factory.mktemp("world")
    return write_policy(folder), write_tasks(folder / "tasks.jsonl")


def train(out: Path, world: tuple[Path, TextSuite], stage: Stage, **changes: Any) -> StageEnd:
    from fairtrial.train.trainers.grpo import train_grpo

    return train_grpo(context(out, world[0], stage, world[1], **changes))


def weights(end: StageEnd) -> bytes:
    return (end.last / "model.safetensors").read_bytes()


def breaks(completion: str, outcome: str, task: str) -> float | None:
    """Pay what the grader says; break on some, and on all but one of the attempts at some tasks."""
    if len(completion) % 3 == 0:
        raise TimeoutError
    if task.startswith("rev"):
        return 1.0 if outcome == "passed" else None
    return float(outcome == "passed")


@pytest.mark.parametrize(
    "changes",
    [
        {"credit": {"gar": True, "strength": 0.5, "convention": "population"}},
        {"credit": {"convention": "none"}, "updates_per_batch": 2, "beta": 0.1, "lora_rank": 2},
        {"credit": {"gar": True, "epsilon": 0.0}, "sampling": {"rows_at_once": 8, "dynamic": True}},
    ],
)
def test_the_trainer_used_the_advantages_that_the_log_tells_and_the_log_recomputes(
    tmp_path: Path, world: tuple[Path, TextSuite], monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    from trl import GRPOTrainer

    from fairtrial.train.trainers import grpo

    used: list[tuple[int, float]] = []

    class Seen(GRPOTrainer):  # type: ignore[misc]
        def compute_loss(self, model: Any, inputs: dict[str, Any], *more: Any, **named: Any) -> Any:
            used.extend((self.state.global_step, one) for one in inputs["advantages"].tolist())
            return super().compute_loss(model, inputs, *more, **named)

    monkeypatch.setattr(grpo, "GRPOTrainer", Seen)
    sampling = {**SAMPLING.model_dump(), **changes.get("sampling", {})}
    stage = Stage.model_validate({"method": "grpo", "steps": 2, **changes, "sampling": sampling})
    train(tmp_path, world, stage, function=breaks, ledger=tmp_path / "training")
    lines = list(read_groups(tmp_path))
    assert list(wrong_groups(lines)) == []
    for step in range(2):  # TRL shuffles the rows of a batch
        batch = step - step % stage.updates_per_batch + 1
        logged = sorted(advantage for line in lines if line.step == batch for advantage in line.advantages)
        assert sorted(one for at, one in used if at == step) == pytest.approx(logged, abs=2e-7)
        assert any(logged)
    nothing = [[one for one in line.rewards if one is not None] for line in lines]
    assert min(map(len, nothing)) < 2 < max(map(len, nothing))
    assert all(
        advantage == 0.0
        for line, paid in zip(lines, nothing, strict=True)
        for advantage, reward in zip(line.advantages, line.rewards, strict=True)
        if reward is None or len(paid) < 2
    )
    assert_the_ledger_holds_what_was_sampled(tmp_path / "training", lines)


def assert_the_ledger_holds_what_was_sampled(ledger: Path, lines: Sequence[GroupLine]) -> None:
    rows = connect(Ledger.open(ledger)).execute(
        'select task, step, "group", attempt, answer, outcome, output_tokens from outcomes '
        "where split = 'train' and model = 'small' and seed = 0"
    ).fetchall()  # fmt: skip
    told = [
        (line.task, line.step, number, completion, outcome, tokens)
        for line in lines
        for number, (completion, outcome, tokens) in enumerate(
            zip(line.completions, line.outcomes, line.tokens, strict=True)
        )
    ]
    assert sorted((task, step, number, *rest) for task, step, _, number, *rest in rows) == sorted(told)
    assert len({row[2] for row in rows}) == len(lines)


def test_a_stage_that_goes_on_is_the_one_that_never_stopped(tmp_path: Path, world: tuple[Path, TextSuite]) -> None:
    """Draws that rest tasks, a warm-up, a coin: all that could come out otherwise the second time."""
    stage = Stage(method="grpo", steps=6, learning_rate=1e-3, schedule="linear", warmup_share=0.5, reward="random",
                  sampling=Sampling(prompts_per_step=4, group_size=2, max_new_tokens=8, dynamic=True))  # fmt: skip
    few = (world[0], replace(world[1], tasks=world[1].tasks[:6]))
    whole = train(tmp_path / "whole", few, stage, save_steps=3)
    half = tmp_path / "half"
    first = train(half, few, stage, save_steps=3, recorder=FolderRecorder(half, pause_at=3))
    assert (first.paused, first.steps) == ("told to", 3)
    resumed = train(half, few, stage, save_steps=3, resume=first.last, recorder=FolderRecorder(half, keep_through=3))
    assert (resumed.paused, resumed.steps) == ("", 6)
    assert weights(resumed) == weights(whole)
    assert (half / GROUPS).read_bytes() == (tmp_path / "whole" / GROUPS).read_bytes()
    assert [replace(step, seconds=None) for step in read_steps(half)] == [
        replace(step, seconds=None) for step in read_steps(tmp_path / "whole")
    ]


def sloppy_share(lines: Sequence[GroupLine]) -> float:
    passes = [
        completion
        for line in lines
        for completion, outcome in zip(line.completions, line.outcomes, strict=True)
        if outcome == "passed"
    ]
    return sum(len(completion.split()) > 1 for completion in passes) / len(passes)


def test_credit_by_rank_makes_passes_short_and_costs_no_reward(tmp_path: Path, world: tuple[Path, TextSuite]) -> None:
    sampling = Sampling(prompts_per_step=8, group_size=8, max_new_tokens=8)
    last: dict[bool, list[GroupLine]] = {}
    for gar in (False, True):
        stage = Stage(method="grpo", steps=30, learning_rate=3e-4, credit=Credit(gar=gar), sampling=sampling)
        train(tmp_path / str(gar), world, stage)
        lines = list(read_groups(tmp_path / str(gar)))
        assert list(wrong_groups(lines)) == []
        assert 0.35 < sloppy_share([line for line in lines if line.step <= 2]) < 0.65
        last[gar] = [line for line in lines if line.step > 25]
    assert sloppy_share(last[True]) < 0.3 < 0.4 < sloppy_share(last[False])
    paid = {gar: [reward or 0.0 for line in lines for reward in line.rewards] for gar, lines in last.items()}
    assert sum(paid[True]) / len(paid[True]) > sum(paid[False]) / len(paid[False]) - 0.1


def test_too_large_a_step_ruins_the_policy_and_the_log_shows_it(tmp_path: Path, world: tuple[Path, TextSuite]) -> None:
    train(tmp_path, world, Stage(method="grpo", steps=12, learning_rate=1e-2, sampling=SAMPLING))
    steps = list(read_steps(tmp_path))
    assert sum(step.passed for step in steps[:1]) > 3
    assert sum(step.passed for step in steps[-4:]) < 4
    assert all(step.references_passed == step.references for step in steps)  # the grader is sound: it is the policy


def test_a_constant_reward_moves_no_weight_and_a_kl_is_logged_where_it_is_asked_for(
    tmp_path: Path, world: tuple[Path, TextSuite]
) -> None:
    stage = Stage(method="grpo", steps=2, reward="constant", learning_rate=1e-2, sampling=SAMPLING)
    before = (world[0] / "model.safetensors").read_bytes()
    assert weights(train(tmp_path / "constant", world, stage)) == before
    with_kl = stage.model_copy(update={"beta": 0.1, "reward": "length", "updates_per_batch": 2})
    assert weights(train(tmp_path / "length", world, with_kl, save_steps=2)) != before
    steps = list(read_steps(tmp_path / "length"))
    assert steps[0].kl == pytest.approx(0.0, abs=1e-4)
    assert (steps[1].kl or 0) > 1e-3
    assert [step.groups for step in steps] == [4, 0]  # one batch, two updates
    assert steps[0].attempts == 32
    assert steps[0].output_tokens == sum(sum(line.tokens) for line in read_groups(tmp_path / "length"))


def test_fewer_rows_at_once_are_the_same_step_but_for_rounding(tmp_path: Path, world: tuple[Path, TextSuite]) -> None:
    norms = []
    for rows in (None, 8):
        sampling = SAMPLING.model_copy(update={"rows_at_once": rows})
        train(tmp_path / str(rows), world, Stage(method="grpo", steps=1, sampling=sampling))
        norms += [step.gradient_norm for step in read_steps(tmp_path / str(rows))]
    assert (tmp_path / "8" / GROUPS).read_bytes() == (tmp_path / "None" / GROUPS).read_bytes()
    assert norms[0] is not None
    assert norms[0] > 0
    assert norms[1] == pytest.approx(norms[0], rel=1e-3)


def test_a_pause_waits_for_the_end_of_a_batch_and_what_goes_on_is_the_same(
    tmp_path: Path, world: tuple[Path, TextSuite]
) -> None:
    """The watch speaks at the first update on a batch: there a pause would leave the others to be sampled again."""
    stage = Stage(method="grpo", steps=4, learning_rate=1e-3, reward="length", updates_per_batch=2,
                  sampling=Sampling(prompts_per_step=2, group_size=4, max_new_tokens=8))  # fmt: skip
    whole = train(tmp_path / "whole", world, stage, save_steps=1)
    half = tmp_path / "half"
    first = train(half, world, stage, save_steps=1, recorder=FolderRecorder(half, pause_at=1))
    assert (first.paused, first.steps) == ("told to", 2)
    assert [path.name for path in (half / "checkpoints").iterdir()] == ["step-2"]
    resumed = train(half, world, stage, save_steps=1, resume=first.last, recorder=FolderRecorder(half, keep_through=2))
    assert (resumed.paused, resumed.steps) == ("", 4)
    assert weights(resumed) == weights(whole)
    assert (half / GROUPS).read_bytes() == (tmp_path / "whole" / GROUPS).read_bytes()


def test_an_attempt_without_a_reward_has_no_say_but_counts_in_the_mean_over_tokens(
    tmp_path: Path, world: tuple[Path, TextSuite]
) -> None:
    """docs/credit.md says so: the gradient is that of the graded tokens, times their share of all tokens."""
    norms, lines = [], []
    for name, value in (("none", None), ("zero", 0.0)):

        def paid(task: str, completion: str, value: float | None = value) -> float | None:
            return float(completion.startswith("1")) if task.startswith("sort") else value

        stage = Stage(method="grpo", steps=1, sampling=SAMPLING)
        train(tmp_path / name, world, stage, function=paid)
        norms += [step.gradient_norm for step in read_steps(tmp_path / name)]
        lines += [list(read_groups(tmp_path / name))]
    assert [line.advantages for line in lines[0]] == [line.advantages for line in lines[1]]
    assert {line.rewards for line in lines[0] if line.task.startswith("rev")} == {(None,) * 8}
    assert norms[0] == norms[1] > 0


def test_a_loss_that_is_no_number_is_said_and_not_only_left_out(tmp_path: Path, world: tuple[Path, TextSuite]) -> None:
    from fairtrial.train.trainers.keeping import Keeper

    keeper = Keeper(context(tmp_path, world[0], Stage(method="grpo", steps=1), world[1]))
    line = keeper.line(1, {"loss": math.nan, "grad_norm": math.inf})
    with LogWriter(tmp_path) as log:
        log.write(line)
    assert [step.loss for step in read_steps(tmp_path)] == [None]
    assert [step.notes for step in read_steps(tmp_path)] == [
        ("the loss is no finite number", "the norm of the gradient is no finite number")
    ]
    assert keeper.line(2, {"loss": 0.5, "grad_norm": 0.1}).notes == ()
