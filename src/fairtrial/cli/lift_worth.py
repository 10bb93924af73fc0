"""Price and lessons under the lifts of a board, a line each. Names are never markup."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from fairtrial.cli.lift_page import gain_text
from fairtrial.records import Estimate
from fairtrial.report.numbers import dollars, rounded, supported_decimals
from fairtrial.report.words import visible
from fairtrial.train.price import Priced, Taught, Worth

_SHAPES = {"taught": "●", "harmed": "◆", "gained": "△", "lost": "△", "no_credit": "○", "not_told": "○"}
_WORDS = {
    "gained": "gained beyond families without credit", "lost": "lost beside families without credit",
    "within_noise": "within noise", "no_credit": "no credit, so nothing by it", "not_told": "cannot be told",
}  # fmt: skip
_METHODS = {"left_out": "by an arm without it", "group_credit": "by credit, an association"}


def worth_lines(found: Worth) -> RenderableType:
    """Return the lines; nothing where no model has a price or a lesson."""
    lines = [line for one in found.priced for line in _price(one)]
    lines += [_taught(one) for one in found.taught]
    if not lines:
        return Group()
    return Group(Text("price and lessons", style="bold"), *(Text(f"  {visible(line)}") for line in lines), Text())


def _price(one: Priced) -> Iterator[str]:
    told = [(one.gain_per_usd, "dollar"), (one.gain_per_million_tokens, "million tokens"), (one.gain_per_task, "task")]
    each = [f"{_per(estimate)} for each {unit}" for estimate, unit in told if estimate is not None]
    if each:
        took = [f"{one.tokens:,} tokens"] if one.tokens is not None else []
        took += [dollars(one.usd)] if one.usd is not None else []
        took += [f"{one.tasks:,} tasks and rows"] if one.tasks is not None else []
        beyond = f" beyond {one.base}" if one.beyond_base else ""
        yield f"{one.trained}: points {', '.join(each)}; one training took {', '.join(took)}{beyond}"
    ratio = one.tokens_per_success_ratio
    if ratio is not None and ratio.value is not None:
        ends = "" if ratio.low is None or ratio.high is None else f" [{ratio.low:.2f}, {ratio.high:.2f}]"
        yield f"{one.trained}: a success takes {ratio.value:.2f}{ends} times the output tokens it took before"


def _per(estimate: Estimate) -> str:
    """Return points for a unit with their interval, to the digit that it supports."""
    known = [each * 100 for each in (estimate.value, estimate.low, estimate.high) if each is not None]
    decimals = supported_decimals(known) if len(known) == 3 else 1
    texts = [rounded(round(each, decimals), max(decimals, 0)) for each in known]
    return f"{texts[0]} [{texts[1]}, {texts[2]}]" if len(texts) == 3 else texts[0]


def _taught(one: Taught) -> str:
    reading = f"{_SHAPES.get(one.reading, '△')} {_WORDS.get(one.reading, one.reading)}"
    effect = f" {gain_text(one.effect)}" if one.effect.value is not None else ""
    return f"{one.trained}: {one.family} {reading}{effect} ({_METHODS[one.method]})"
