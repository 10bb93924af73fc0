"""Training seeds: paired, told apart from seeds of sampling, and in the interval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.train.lift.boards import QUICK, Book, of_passes

from fairtrial.measure.comparison import paired_interval
from fairtrial.measure.crossed import crossed_mean, detectable, spread_of
from fairtrial.measure.intervals.quantiles import t_quantile
from fairtrial.run.seeds import attempt_seed
from fairtrial.train.lift.coverage import Design, covered, true_gain

BASE = [3, 1, 5, 2, 6, 4, 0, 3, 2, 5]


def gained(more: int) -> list[str]:
    return of_passes([min(8, each + more) for each in BASE])


def test_seeds_are_paired_each_with_its_own_base() -> None:
    book = Book()
    level = {0: [1, 2, 0, 1], 1: [3, 2, 4, 3], 2: [5, 4, 4, 5]}
    more = {0: [2, 3, 1, 2], 1: [1, 3, 2, 2], 2: [2, 2, 3, 2]}
    for seed in level:
        book.model("sft", of_passes(level[seed] * 5), seed=seed)
        book.model("grpo", of_passes([a + b for a, b in zip(level[seed], more[seed], strict=True)] * 5), seed=seed)
    found = book.lift("sft", "grpo").comparisons[0]
    assert [each.seed for each in found.by_seed] == [0, 1, 2]
    assert [each.gain.value for each in found.by_seed] == [pytest.approx(sum(each) / 32) for each in more.values()]
    assert found.gain.value == pytest.approx(sum(sum(each) for each in more.values()) / 96)
    assert found.reading == "gain"
    assert found.seeds_beyond == (3, 0)


@pytest.mark.extra
def test_one_base_stands_beside_every_seed_and_its_runs_count_once() -> None:
    book = Book()
    book.model("base", [*gained(0)[:9], "pppppffu"])
    for seed in range(3):
        book.model("new", gained(2), seed=seed)
    found = book.lift("base", "new").comparisons[0]
    assert found.seeds == 3
    assert "one base stands beside every training seed" in found.notes
    assert found.ungraded == (1, 0)
    assert found.base_rate.method.startswith("mean over tasks; ")


def test_seeds_without_a_partner_are_left_out_and_none_shared_is_refused() -> None:
    book = Book()
    for seed in (0, 1):
        book.model("sft", gained(0), seed=seed)
    book.model("grpo", gained(2), seed=1)
    book.model("grpo", gained(2), seed=2)
    book.model("other", gained(2), seed=7)
    lifted = book.lift("sft", "grpo", "other")
    assert lifted.comparisons[0].seeds == 1
    assert "seeds without a partner are left out: 0, 2" in lifted.comparisons[0].notes
    assert lifted.refused == (("other", "shares no training seed with the base: 7 against 0, 1"),)


def test_seeds_of_attempts_are_no_training_seeds() -> None:
    book = Book()
    for model, level in (("base", 0), ("new", 2)):
        for task, marks in enumerate(gained(level)):
            for attempt, mark in enumerate(marks):
                book.add(model, f"t{task}", mark, seed=attempt_seed(0, f"t{task}", attempt))
    lifted = book.lift("base", "new")
    assert lifted.comparisons[0].seeds == 1
    assert lifted.comparisons[0].runs_per_task == (8, 8)
    assert "new: seeds are read as seeds of sampling, one an attempt" in lifted.notes


@pytest.mark.extra
def test_seeds_that_may_be_either_are_said_and_can_be_set() -> None:
    book = Book()
    for model, level in (("base", 0), ("new", 2)):
        for task, marks in enumerate(gained(level)):
            for attempt, mark in enumerate(marks):
                book.add(model, f"t{task}", mark, seed=attempt)
    read = book.lift("base", "new")
    assert read.comparisons[0].seeds == 8
    assert any("say --seeds none" in note for note in read.notes)
    pooled = book.lift("base", "new", options=replace(QUICK, seeds="none"))
    assert (pooled.comparisons[0].seeds, pooled.comparisons[0].runs_per_task) == (1, (8, 8))
    assert pooled.comparisons[0].gain.value == pytest.approx(read.comparisons[0].gain.value)


def test_three_gains_far_apart_are_within_noise_though_each_is_beyond() -> None:
    book = Book()
    for seed, more in enumerate((5, 2, 2)):
        book.model("sft", of_passes([2] * 12), seed=seed)
        book.model("grpo", of_passes([2 + more - (task % 3 == 0) for task in range(12)]), seed=seed)
    found = book.lift("sft", "grpo").comparisons[0]
    assert found.seeds_beyond == (3, 0)
    assert found.reading == "within_noise"
    assert found.as_trained is not None
    assert found.as_trained.low is not None
    assert found.as_trained.low > 0


def test_one_seed_has_the_paired_interval() -> None:
    values, cluster = np.random.default_rng(1).random((1, 30)) - 0.4, np.arange(30) // 3
    found = crossed_mean(values, cluster, np.random.default_rng(0), replicates=500)
    assert (found.low, found.high) == paired_interval(
        values[0], cluster, np.random.default_rng(0), replicates=500, confidence=0.95
    )


def test_the_variance_is_that_of_a_two_way_layout() -> None:
    values = np.random.default_rng(2).random((4, 9))
    seeds, tasks = values.shape
    mean = values.mean()
    left = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + mean
    of_tasks = values.mean(axis=0).var(ddof=1) / tasks
    of_seeds = values.mean(axis=1).var(ddof=1) / seeds
    of_cells = (left**2).sum() / ((seeds - 1) * (tasks - 1)) / (seeds * tasks)
    found = spread_of(values, np.arange(tasks))
    assert found.variance == pytest.approx(max(of_tasks + max(0, of_seeds - of_cells), of_seeds))
    assert found.of_clusters == pytest.approx(of_tasks)


def test_near_copies_count_as_one_task() -> None:
    values = np.random.default_rng(3).random((3, 8))
    copied = np.repeat(values, 4, axis=1)
    once, again = spread_of(values, np.arange(8)), spread_of(copied, np.repeat(np.arange(8), 4))
    assert again.variance == pytest.approx(once.variance)
    assert again.degrees == pytest.approx(once.degrees)


def test_seeds_that_differ_widen_the_interval_and_the_gain_that_could_be_seen() -> None:
    task = np.linspace(-0.1, 0.4, 20)
    alike, apart = np.tile(task, (3, 1)), task + np.array([[0.1], [0.0], [-0.1]])
    found = [crossed_mean(each, np.arange(20), np.random.default_rng(0), replicates=500) for each in (alike, apart)]
    assert found[1].high - found[1].low > found[0].high - found[0].low
    least = [detectable(each) for each in found]
    assert None not in least
    assert least[1] > least[0]  # type: ignore[operator]  # neither is None


@pytest.mark.parametrize("values", [np.zeros((3, 6)), np.ones((3, 6)), np.full((2, 1), 0.5)])
def test_no_interval_degenerates(values: np.ndarray) -> None:
    found = crossed_mean(values, np.arange(values.shape[1]), np.random.default_rng(0), replicates=100)
    assert found.high - found.low > 0.3
    assert -1 <= found.low <= found.value <= found.high <= 1


def test_tasks_that_all_move_alike_leave_the_spread_between_seeds() -> None:
    values = np.repeat(np.array([[0.5], [0.1], [0.3]]), 30, axis=1)
    found = crossed_mean(values, np.arange(30), np.random.default_rng(0), replicates=100)
    assert found.high - found.value == pytest.approx(4.302653 * np.std([0.5, 0.1, 0.3], ddof=1) / 3**0.5, rel=1e-4)


def test_the_truth_of_a_simulation_is_its_mean() -> None:
    design = Design(3, 10, 4, 8, 1.0, 1.0, True)
    generator = np.random.default_rng(0)
    logit = -0.5 + generator.standard_normal(400_000) * (1.5**2 + 0.3**2 + 0.7**2) ** 0.5
    gain = 1.0 + generator.standard_normal(400_000) * (1.0 + 0.6**2 + 0.4**2) ** 0.5
    simulated = (1 / (1 + np.exp(-logit - gain)) - 1 / (1 + np.exp(-logit))).mean()
    assert true_gain(design) == pytest.approx(simulated, abs=2e-3)


@pytest.mark.extra
@pytest.mark.parametrize("seeds", [1, 3])
def test_the_interval_covers_another_training_on_other_tasks(seeds: int) -> None:
    design = Design(seeds, 20, 1, 8, 1.0, 0.6 if seeds > 1 else 0.0, seeds > 1)
    assert covered(design, 400, np.random.default_rng(5)) >= 0.91


def test_a_seed_whose_evaluation_was_cut_short_does_not_shrink_the_board() -> None:
    book = Book()
    for seed in range(3):
        book.model("base", gained(0), seed=seed)
        book.model("new", gained(2)[: 10 if seed < 2 else 2], seed=seed)
    assert book.lift("base", "new").refused == (
        ("new", "seed 2 lacks 8 of 10 tasks: `t2`, `t3`, `t4`, `t5`, `t6` and 3 more"),
    )
    shared = book.lift("base", "new", options=replace(QUICK, shared_tasks=True)).comparisons[0]
    assert shared.held_out_tasks == 2
    assert shared.left_out[0] == ("t2", "new has no graded attempt in 1 of 3 seeds")


def test_rollouts_without_a_training_seed_are_no_training_of_their_own() -> None:
    book = Book()
    for seed in (None, 0, 1, 2):
        book.model("base", gained(0) if seed is not None else ["p" * 8] * 10, seed=seed)
        book.model("new", gained(2) if seed is not None else ["f" * 8] * 10, seed=seed)
    lifted = book.lift("base", "new")
    assert [each.seed for each in lifted.comparisons[0].by_seed] == [0, 1, 2]
    assert lifted.comparisons[0].gain.value == pytest.approx(0.25)
    assert "new: 80 rollouts without a training seed are left out" in lifted.notes


def test_seeds_of_the_base_alone_may_be_of_sampling() -> None:
    book = Book()
    for task, marks in enumerate(gained(0)):
        for attempt, mark in enumerate(marks):
            book.add("base", f"t{task}", mark, seed=attempt)
    for seed in range(3):
        book.model("new", gained(2), seed=seed)
    said = "base: each seed has one run a task; if its seeds are of sampling, say --base-seeds none"
    assert said in book.lift("base", "new").notes
    found = book.lift("base", "new", options=replace(QUICK, base_seeds="none")).comparisons[0]
    assert (found.seeds, found.runs_per_task) == (3, (8, 8))


def test_one_trained_model_beside_several_bases_is_one_training() -> None:
    book = Book()
    for seed in range(3):
        book.model("base", gained(0), seed=seed)
    book.model("new", gained(2))
    notes = book.lift("base", "new").comparisons[0].notes
    assert any("nothing of another training" in note for note in notes)


def test_where_seeds_differ_the_interval_is_no_narrower_than_that_of_their_means() -> None:
    generator = np.random.default_rng(4)
    narrow = 0
    for _ in range(40):
        values = generator.normal(0.2, 0.2, 40) + generator.normal(0, 0.04, (3, 1)) + generator.normal(0, 0.1, (3, 40))
        found = spread_of(values, np.arange(40))
        alone = t_quantile(0.95, 2.0) * float(values.mean(axis=1).std(ddof=1)) / 3**0.5
        joined = t_quantile(0.95, found.degrees) * found.variance**0.5
        assert found.reach(0.95) == pytest.approx(max(joined, alone if found.of_seeds > 0 else 0.0))
        narrow += found.of_seeds > 0 and joined < alone
    assert narrow > 0
