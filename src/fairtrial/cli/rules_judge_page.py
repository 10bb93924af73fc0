"""How `fairtrial rules judge` is printed on a terminal: each rule, how it stands and by whose word, then the runs."""

from __future__ import annotations

from typing import Any

from fairtrial.checks.judged.visible import one_line
from fairtrial.cli.output import stdout

SIGNS = {"clean": "●", "violation": "✗", "unclear": "△", "awaiting": "△", "not_judged": "▢"}
MOST_REASON = 400


def print_judged(document: dict[str, Any], *, is_priced: bool) -> None:
    """Print what judging came to."""
    _say(f"{one_line(document['submission'])} by {document['rules']}")
    for one in document["standing"]:
        print_standing(one)
        for why in one["void"]:
            _say(f"    void: {one_line(why, MOST_REASON)}")
    for rule, why in document["not_asked"].items():
        _say(f"  not asked: {rule}: {one_line(why, MOST_REASON)}")
    runs = document["runs"]
    there = sum(run["was_there"] for run in runs)
    given = sum("ruled" in run for run in runs)
    failures = ", ".join(f"{count} {reason}" for reason, count in document["failures"].items())
    _say(f"{given} of {len(runs)} runs gave a ruling, {there} of them were there already"
         f"{f'; no vote because: {failures}' if failures else ''}")  # fmt: skip
    spent = document["spent"]
    cost = f", {spent['cost_usd']:.4f} USD" if is_priced else ""
    _say(f"{spent['calls']} calls, {spent['input_tokens']} tokens in, {spent['output_tokens']} out{cost}")


def print_standing(one: dict[str, Any]) -> None:
    """Print how a submission stands by one rule."""
    votes = ", ".join(f"{count} {ruled}" for ruled, count in sorted(one["votes"].items()))
    agree = 2 * one["votes"].get(one["ruled"], 0) > sum(one["votes"].values())
    judges = f"{'majority of judges' if agree else 'judges without a majority'} ({votes})"
    by = {"override": f"override by {one_line(one['author'])}", "majority": judges,
          "checks": "no ruling", "nobody": "no ruling, no check"}[one["by"]]  # fmt: skip
    _say(f"  {SIGNS[one['status']]} {one['rule']}: {one['status'].replace('_', ' ')}, {by}")
    _say(f"      {one_line(one['reason'], MOST_REASON)}")


def _say(line: str) -> None:
    stdout.print(line, markup=False, soft_wrap=True)
