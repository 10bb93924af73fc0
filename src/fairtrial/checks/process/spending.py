"""What an attempt used: tokens, turns, money, each against a budget. A figure that is not recorded is not zero."""

from __future__ import annotations

from typing import Literal

from fairtrial.checks.process.trajectory import Trajectory
from fairtrial.checks.protocol import CheckError, Result


def tokens(trajectory: Trajectory, budget: int, kind: Literal["all", "input", "output"] = "all") -> Result:
    """Hold that no more than `budget` tokens were used; cached input counts as input."""
    spent = trajectory.spent
    parts = {"input": [spent.prompt_tokens], "output": [spent.completion_tokens]}
    found = parts.get(kind) or [spent.prompt_tokens, spent.completion_tokens]
    known = [count for count in found if count is not None]
    if len(known) < len(found):
        raise CheckError("the trajectory does not record the tokens of every turn")
    word = "tokens" if kind == "all" else f"{kind} tokens"
    return _against(sum(known), budget, f"{sum(known)} {word} were used", f"{budget} were allowed")


def turns(trajectory: Trajectory, budget: int) -> Result:
    """Hold that the agent took no more than `budget` turns; several calls made at once are one turn."""
    return _against(trajectory.turns, budget, f"the agent took {trajectory.turns} turns", f"{budget} were allowed")


def money(trajectory: Trajectory, budget: float, prices: list[float] | None = None) -> Result:
    """Hold that no more than `budget` USD were spent.

    `prices` are USD per million input and output tokens, and cached ones; without them the recorded cost counts.
    """
    spent = _priced(trajectory, prices) if prices is not None else trajectory.spent.cost_usd
    if spent is None:
        raise CheckError("the trajectory does not record what every turn cost; `prices` makes it of the tokens")
    return _against(spent, budget, f"{spent:.4g} USD were spent", f"{budget:g} were allowed")


def _priced(trajectory: Trajectory, prices: list[float]) -> float:
    if len(prices) not in (2, 3) or min(prices) < 0:
        raise CheckError("`prices` are two or three numbers, none below 0: input, output, cached")
    spent = trajectory.spent
    if spent.prompt_tokens is None or spent.completion_tokens is None:
        raise CheckError("the trajectory does not record the tokens of every turn")
    cached = (spent.cached_tokens or 0) if len(prices) == 3 else 0
    fresh = max(spent.prompt_tokens - cached, 0)
    return (fresh * prices[0] + spent.completion_tokens * prices[1] + cached * prices[-1]) / 1e6


def _against(value: float, budget: float, found: str, allowed: str) -> Result:
    if budget < 0:
        raise CheckError("`budget` is below 0")
    return Result(value <= budget, f"{found}, {allowed}", float(value), {"budget": budget})
