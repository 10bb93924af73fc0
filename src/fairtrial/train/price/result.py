"""What the gain cost, and which tasks taught."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairtrial.records import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """The price of one comparison; None where the records do not tell."""

    trained: str
    gain_per_usd: Estimate | None
    gain_per_million_tokens: Estimate | None
    gain_per_task: Estimate | None
    usd: float | None
    tokens: int | None
    tasks: int | None
    tokens_per_success_before: Estimate | None
    tokens_per_success_after: Estimate | None
    not_measured: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """How much of the gain one family of training tasks brought."""

    family: str
    method: Literal["left_out", "group_credit"]
    """`left_out`: the gain with it less the gain of an arm trained without it. `group_credit`: no arm was trained."""
    effect: Estimate
    tasks: int
    reading: Literal["taught", "harmed", "within_noise"]
    detail: str = ""
