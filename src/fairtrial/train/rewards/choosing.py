"""From a stage of a recipe to what pays and ranks its attempts, and to the tasks that it draws from."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import InputError
from fairtrial.tasks import Suite, Task
from fairtrial.tasks.text import TextSuite, TextTask
from fairtrial.train.credit import Band, in_band
from fairtrial.train.criteria import is_tried
from fairtrial.train.recipe import Stage
from fairtrial.train.rewards.criteria import CriteriaReward, criteria_of
from fairtrial.train.rewards.degenerate import ConstantReward, FormatReward, LengthReward, RandomReward
from fairtrial.train.rewards.function import FunctionReward, RewardFunction
from fairtrial.train.rewards.graded import GradeReward
from fairtrial.train.rewards.judging import bounded_asker
from fairtrial.train.rewards.measured import measured_counts
from fairtrial.train.rewards.protocol import Reward
from fairtrial.train.rewards.ranking import ranker_of
from fairtrial.train.rewards.scored import ModelReward, Score
from fairtrial.train.rewards.scoring import Ranker


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a reward is chosen by."""

    stage: Stage
    tasks: TextSuite | Suite
    seed: int
    """Of the stage: a coin is thrown from it."""
    function: RewardFunction | None = None
    """The user's own, in the place of `grade`."""
    score: Score | None = None
    """Of a reward model, where the stage pays by one."""
    cache: Path | None = None
    """Folder of judges' verdicts, by content, and of what they cost."""
    number: int = 1
    """Of the stage: each has its own bound on what a judge may cost."""


def reward_of(asked: Asked, stack: ExitStack) -> Reward:
    """Return what pays the attempts of a stage; what must be closed is left to `stack`.

    Raise InputError for a reward that the tasks or the recipe cannot give.
    """
    stage, tasks = asked.stage, asked.tasks
    if asked.function is not None:
        if stage.reward != "grade":
            raise InputError(f"stands beside reward = {stage.reward!r}; one of them pays", field="--grader")
        return FunctionReward(asked.function, tasks.keys if isinstance(tasks, TextSuite) else {})
    if stage.reward == "criteria":
        return _criteria(asked, stack)
    if stage.reward == "format":
        if not isinstance(tasks, TextSuite):
            raise InputError("`format` learns its shapes from the answers of text tasks", field="reward")
        return FormatReward(tasks)
    if stage.reward == "reward_model":
        if asked.score is None:
            raise InputError("no reward model is at hand", field="reward_model")
        return ModelReward(asked.score)
    if stage.reward == "random":
        return RandomReward(asked.seed)
    if stage.reward == "length":
        return LengthReward(stage.sampling.max_new_tokens)
    return ConstantReward() if stage.reward == "constant" else GradeReward()


def chosen_ranker(asked: Asked, stack: ExitStack, reward: Reward | None = None) -> Ranker | None:
    """Return what ranks the passes of a group; None where credit is not dealt by rank.

    Where `reward` pays by criteria, it ranks too: a judge is asked once.
    """
    credit = asked.stage.credit
    if credit.gar and credit.rank_by == "criteria" and is_tried(Path(credit.criteria)):
        return (reward if isinstance(reward, CriteriaReward) else _criteria(asked, stack)).rank
    return ranker_of(credit)


def _criteria(asked: Asked, stack: ExitStack) -> CriteriaReward:
    credit = asked.stage.credit
    criteria = criteria_of(credit)
    return CriteriaReward(criteria, stack.enter_context(bounded_asker(criteria, credit, asked.cache, asked.number)))


def drawn_from(
    stage: Stage, tasks: TextSuite | Suite, base_name: str, seed: int
) -> tuple[list[TextTask | Task], Band | None]:  # fmt: skip
    """Return the tasks that a stage draws from, and the band that chose them; None where it names none.

    Raise InputError where no task lies in the band.
    """
    sampling = stage.sampling
    whole: list[TextTask | Task] = list(tasks.tasks)
    if not sampling.rates or (sampling.rate_low, sampling.rate_high) == (0.0, 1.0):
        return whole, None
    counts = measured_counts(Path(sampling.rates), base_name, seed, [task.hash for task in whole])
    names = [task.name for task in whole]
    band = in_band(names, counts, sampling.rate_low, sampling.rate_high, sampling.group_size)
    if not band.kept:
        raise InputError(
            f"no task has a measured rate in [{sampling.rate_low:g}, {sampling.rate_high:g}]: {len(band.too_hard)} lie "
            f"below, {len(band.too_easy)} above, {len(band.not_measured)} were not measured",
            path=sampling.rates, field="rate_low",
        )  # fmt: skip
    kept = set(band.kept)
    return [task for task in whole if task.name in kept], band
