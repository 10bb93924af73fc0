"""Attacks what a gain is said to have cost: chains of training, trained bases, records that do not tell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.train.price.lifts import a_lift, checkpoint, estimate

from fairtrial.train.price import price

BOTH = (checkpoint(0), checkpoint(1, cost_usd=4.0))


def test_the_gain_and_its_interval_are_divided_by_the_mean_cost_of_a_run() -> None:
    said = price(a_lift(), BOTH)
    assert (said.usd, said.tokens, said.read_tokens, said.sampled_tokens, said.tasks) == (
        3.0, 4_000_000, 1_000_000, 3_000_000, 200,
    )  # fmt: skip
    assert said.gain_per_usd is not None
    assert (said.gain_per_usd.value, said.gain_per_usd.low, said.gain_per_usd.high) == pytest.approx(
        (0.4 / 3, 0.2 / 3, 0.2)
    )
    assert said.gain_per_million_tokens is not None
    assert said.gain_per_million_tokens.value == pytest.approx(0.1)
    assert said.gain_per_task is not None
    assert said.gain_per_task.value == pytest.approx(0.002)
    assert said.runs == 2
    assert said.not_measured == ()


def test_a_loss_has_a_price_below_zero() -> None:
    said = price(a_lift(gain=estimate(-0.3, -0.4, -0.2)), BOTH).gain_per_usd
    assert said is not None
    assert said.high is not None
    assert said.high < 0


def test_what_is_not_recorded_is_none_and_named_and_never_zero() -> None:
    silent = (checkpoint(0, cost_usd=None, tasks=None), checkpoint(1))
    said = price(a_lift(base_tokens=None), silent)
    assert said.usd is None
    assert said.gain_per_usd is None
    assert said.gain_per_million_tokens is not None
    assert [why.split(":")[0] for why in said.not_measured] == [
        "dollars", "tasks and rows", "tokens for one success of base",
    ]  # fmt: skip


def test_a_cost_of_nothing_prices_nothing() -> None:
    said = price(a_lift(), tuple(replace(one, cost_usd=0.0) for one in BOTH))
    assert said.usd == 0.0
    assert said.gain_per_usd is None
    assert "dollars: what is recorded is 0" in said.not_measured


def test_without_a_checkpoint_there_is_no_price() -> None:
    said = price(a_lift(), [checkpoint(model="other")])
    assert (said.usd, said.tokens, said.tasks, said.runs) == (None, None, None, 0)
    assert "dollars: the ledger holds no checkpoint of the trained model" in said.not_measured


def test_what_it_started_from_is_paid_for_too() -> None:
    sft = checkpoint(0, model="sft", weights_hash="sha256:sft", cost_usd=5.0)
    rl = checkpoint(0, base="sft", base_hash="sha256:sft")
    assert price(a_lift(), [rl, sft]).usd == 7.0


def test_over_a_trained_base_only_what_was_spent_beyond_it_counts() -> None:
    sft = [checkpoint(seed, model="sft", weights_hash=f"sha256:s{seed}", cost_usd=0.5) for seed in (0, 1)]
    said = price(a_lift(base="sft"), [*BOTH, *sft])
    assert said.usd == 2.5
    assert any("beyond it" in note for note in said.notes)
    cheaper = price(a_lift(base="sft"), [*BOTH, *(replace(one, cost_usd=9.0) for one in sft)])
    assert cheaper.gain_per_usd is None


def test_only_the_seeds_that_were_paired_and_the_last_planned_step_count() -> None:
    others = [checkpoint(7, cost_usd=100.0), checkpoint(0, step=50, cost_usd=1.0),
              checkpoint(0, step=150, cost_usd=50.0, planned=False)]  # fmt: skip
    assert price(a_lift(), [*others, *BOTH]).usd == 3.0


def test_two_checkpoints_that_started_from_each_other_do_not_turn_in_a_ring() -> None:
    ring = [checkpoint(0, base_hash="sha256:w1"), checkpoint(1, base_hash="sha256:w0")]
    assert price(a_lift(), ring).usd == 4.0


def test_a_root_that_is_not_the_base_is_said() -> None:
    said = price(a_lift(base="elsewhere"), BOTH)
    assert any("not with elsewhere" in note for note in said.notes)


def test_supervised_training_over_a_supervised_base_has_a_price_for_tokens() -> None:
    """Neither sampled a token, which is no gap: what it read is the price."""
    base = [checkpoint(seed, model="sft", weights_hash=f"sha256:s{seed}", output_tokens=0) for seed in (0, 1)]
    more = [checkpoint(seed, base="sft", base_hash=f"sha256:s{seed}", output_tokens=0) for seed in (0, 1)]
    said = price(a_lift(base="sft"), [*base, *more])
    assert (said.tokens, said.sampled_tokens, said.read_tokens) == (1_000_000, 0, 1_000_000)
    assert said.gain_per_million_tokens is not None
    assert said.not_measured == ()


def test_tasks_are_those_beyond_a_trained_base_too() -> None:
    base = [checkpoint(seed, model="sft", weights_hash=f"sha256:s{seed}", tasks=50) for seed in (0, 1)]
    over = price(a_lift(base="sft"), [*BOTH, *base])
    assert (over.tasks, over.beyond_base) == (150, True)
    assert over.gain_per_task is not None
    assert over.gain_per_task.value == pytest.approx(0.4 / 150)
    after = price(a_lift(base="sft"), [*base, *(replace(one, base_hash=f"sha256:s{one.seed}") for one in BOTH)])
    assert after.tasks == 200
    assert price(a_lift(), BOTH).beyond_base is False


def test_the_step_that_was_compared_is_the_one_that_is_priced() -> None:
    early = [checkpoint(seed, step=50, cost_usd=1.0, weights_hash=f"sha256:early{seed}") for seed in (0, 1)]
    assert price(a_lift(step=50), [*BOTH, *early]).usd == 1.0
    assert price(a_lift(step=100), [*BOTH, *early]).usd == 3.0
    unknown = price(a_lift(step=70), [*BOTH, *early])
    assert (unknown.usd, unknown.tokens) == (None, None)
    assert "dollars: no checkpoint is recorded of the step that was compared" in unknown.not_measured
    before = price(a_lift(base="sorter", step=100), [*BOTH, *early], base_step=70)
    assert "dollars: no checkpoint is recorded of the step that was compared" in before.not_measured
    assert price(a_lift(base="sorter", step=100), [*BOTH, *early], base_step=50).usd == 2.0


def test_a_seed_without_a_checkpoint_leaves_the_mean_unknown() -> None:
    seeds = tuple(replace(a_lift().by_seed[0], seed=seed) for seed in (0, 1, 2))
    said = price(a_lift(by_seed=seeds), BOTH)
    assert said.usd is None
    assert "tokens read: not recorded for every training run" in said.not_measured


def test_a_model_at_an_effort_is_the_model_that_was_trained() -> None:
    assert price(a_lift(trained="sorter@high"), BOTH).usd == 3.0
