"""Attacks the lines on price and lessons: what is not recorded is not printed as a number, and no name is markup."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console, RenderableType
from tests.train.price.lifts import a_lift, checkpoint, estimate

from fairtrial.cli.lift_worth import worth_lines
from fairtrial.train.price import Taught, Worth, price


def text(found: RenderableType) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(found)
    return capture.get()


def taught(reading: str, value: float | None) -> Taught:
    effect = estimate(value, 0.1, 0.3) if value is not None else estimate(None)
    return Taught(family="[red]sort", method="group_credit", effect=effect, tasks=3, reading=reading,  # type: ignore[arg-type]
                  trained="sorter")  # fmt: skip


def test_every_price_that_is_known_stands_with_its_interval() -> None:
    said = text(worth_lines(Worth(priced=(price(a_lift(), [checkpoint()], replace(estimate(0.4, 0.3, 0.5))),))))
    assert "20 [10, 30] for each dollar" in said
    assert "4,000,000 tokens, $2.00" in said
    assert "0.40 [0.30, 0.50] times the output tokens" in said


def test_over_a_trained_base_the_cost_is_said_to_be_beyond_it() -> None:
    sft = checkpoint(model="sft", weights_hash="sha256:sft", input_tokens=400_000, cost_usd=0.5, output_tokens=0)
    said = text(worth_lines(Worth(priced=(price(a_lift(base="sft"), [checkpoint(), sft]),))))
    assert "one training took 3,600,000 tokens, $1.50 beyond sft" in said


def test_what_is_not_recorded_is_left_out() -> None:
    said = text(worth_lines(Worth(priced=(price(a_lift(), [checkpoint(cost_usd=None)]),))))
    assert "dollar" not in said
    assert "million tokens" in said
    assert text(worth_lines(Worth(priced=(price(a_lift(), []),)))).strip() == ""


@pytest.mark.parametrize(("reading", "value", "words"), [
    ("taught", 0.2, "● taught +20.0 [+10.0, +30.0]"),
    ("gained", 0.2, "△ gained beyond families without credit +20.0 [+10.0, +30.0]"),
    ("not_told", 0.2, "○ cannot be told"),
    ("no_credit", None, "○ no credit, so nothing by it (by credit, an association)"),
])  # fmt: skip
def test_readings_are_words_with_a_shape(reading: str, value: float | None, words: str) -> None:
    said = text(worth_lines(Worth(taught=(taught(reading, value),))))
    assert f"sorter: [red]sort {words}" in said
