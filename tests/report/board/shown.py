"""One board with everything on it: clean, flagged, penalised, removed and refused; and the same under hostile names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from tests.board.worlds import handed_in, override, rules, run, screening, votes

from fairtrial.board.make import make_board
from fairtrial.board.result import Board, Options
from fairtrial.board.runs import Records
from fairtrial.records import Withdrawal
from fairtrial.rules.schema import BenchmarkRules

RULES = """
[benchmark]
name = "books"
version = "1.2"
title = "Books"
runs_per_task = 2
checked = ["contamination"]
"""
TASKS = [f"task-{number}" for number in range(8)]
GOOD, FAIR, POOR = ("pp", "pp", "pf"), ("pp", "pf", "ff"), ("ff", "ff", "pf")


def outcomes(pattern: tuple[str, ...], suffix: str) -> dict[str, str]:
    return {f"{task}{suffix}": pattern[place % len(pattern)] for place, task in enumerate(TASKS)}


def records(named: BenchmarkRules, suffix: str = "", **more: Any) -> Records:
    """Return the records; `suffix` ends every name that comes from outside."""
    name = {word: word + suffix for word in ("base", "ada", "bo", "cy", "dan", "odd")}
    spend: dict[str, Any] = {"input_tokens": 900, "output_tokens": 40, "cost_usd": 0.01}
    gone = run(name["dan"], outcomes(FAIR, suffix))
    artifacts = orjson.dumps(
        {"training_set": [{"path": f"train{suffix}.jsonl", "hash": "sha256:" + "ab" * 32}]}
    ).decode()
    handed = tuple(
        handed_in(name[who], name["base"], entrant=who + suffix, artifacts=artifacts, cost_usd=12.5)
        for who in ("ada", "bo", "cy")
    )
    found = screening(name["bo"], holds=False, summary=f"12 rows near 3 items{suffix}", subject=f"train{suffix}.jsonl")
    rulings = (*votes(name["ada"], "ccv", named, reason=f"General rows.{suffix}", citations=(f"row 4: {suffix}",)),
               *votes(name["cy"], "ccc", named, reason=f"Fine rows.{suffix}"),
               override(name["cy"], "violation", named, by=f"ada{suffix}", reason=f"Clones.{suffix}"))  # fmt: skip
    return Records(
        runs=(
            run(name["base"], outcomes(POOR, suffix)),
            run(name["ada"], outcomes(GOOD, suffix), **spend, **more),
            run(name["bo"], outcomes(("pp", "pu", "pf"), suffix)),
            run(name["cy"], outcomes(GOOD, suffix), agent=f"loop{suffix}"),
            gone,
            run(name["odd"], outcomes(GOOD, suffix), suite=f"books@2{suffix}"),
        ),
        submissions=handed, screenings=(found,), rulings=rulings,
        withdrawals=(Withdrawal(model=name["dan"], rollouts=(gone.attempts[0].id,), author=f"ada{suffix}",
                                reason=f"The box died.{suffix}"),),
    )  # fmt: skip


def shown(folder: Path, suffix: str = "", **more: Any) -> Board:
    """Return the board of these records."""
    named = rules(folder, RULES)
    return make_board(records(named, suffix, **more), named, Options(replicates=200))
