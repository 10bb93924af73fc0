"""What the gain cost, and which families of tasks taught; an association is named as one."""

from __future__ import annotations

from fairtrial.records import Estimate
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, State, Table
from fairtrial.report.figures import Forest, ForestRow
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.words import TRAIN, drawn_words, gain_cell, gain_words, most_changed
from fairtrial.report.numbers import (
    NOT_MEASURED,
    count,
    dollars,
    of,
    percent,
    q_value,
    rounded,
    share_with_interval,
    supported_decimals,
    tokens_parts,
)
from fairtrial.report.words import listed, plural, visible
from fairtrial.train.price import Priced, Taught

_READINGS: dict[str, tuple[State, str]] = {
    "taught": ("holds", "taught"),
    "harmed": ("refuted", "harmed"),
    "gained": ("lead", "gained beyond them"),
    "lost": ("lead", "lost beside them"),
    "within_noise": ("none", "within noise"),
    "no_credit": ("none", "no credit"),
    "not_told": ("none", "cannot be told"),
}
_SAY = {
    "left_out": "Each arm was trained as the whole was, without one family. The effect holds what the family taught "
    "its own tasks and others, and what the rest did with the steps that it left.",
    "group_credit": "From the log of training alone: an association. Gained: the family's own held-out tasks did, "
    "beyond those of families that got no credit. It says neither that the family taught them nor what it taught "
    "others.",
}


def price_section(subject: LiftSubject) -> Section:
    """Return what each gain cost."""
    priced = subject.worth.priced
    if not any(one.tokens is not None or one.usd is not None or one.tasks for one in priced):
        empty = Scope(
            "The gain for each dollar, token and task of training would be here",
            "the ledger holds no checkpoint that tells what training took",
            TRAIN,
        )
        return Section(
            key="price",
            title="Price",
            side=(),
            blocks=(Block(claim="What the gain cost was not measured", empty=empty),),
        )
    side = [
        Fact("Cost", "of one training run, mean over the seeds paired; counted, not estimated"),
        Fact("Interval", "the gain's"),
    ]
    side += [Fact("Note", visible(note)) for note in dict.fromkeys(note for one in priced for note in one.notes)]
    missing = [f"{why} ({models})" for why, models in unpriced(priced)]
    say = f"Not measured: {'; '.join(missing)}." if missing else ""
    tables = (_price_table(priced), _cost_table(priced), _success_table(priced))
    return Section(
        key="price", title="Price", side=tuple(side), blocks=(Block(claim=_claim(priced[0]), say=say, tables=tables),)
    )


def unpriced(priced: tuple[Priced, ...]) -> tuple[tuple[str, str], ...]:
    """Return what is not told of the price of which models, as (why, names)."""
    found: dict[str, list[str]] = {}
    for one in priced:
        for why in one.not_measured:
            found.setdefault(visible(why), []).append(visible(one.trained))
    return tuple((why, listed(models, most=4)) for why, models in found.items())


def _claim(one: Priced) -> str:
    name, beyond = visible(one.trained), f" beyond {visible(one.base)}" if one.beyond_base else ""
    if one.gain_per_usd is not None and one.usd is not None:
        each = _per(one.gain_per_usd)
        return f"{name}: {each} points for each dollar; one training cost {dollars(one.usd)}{beyond}"
    if one.gain_per_million_tokens is not None and one.tokens is not None:
        each = _per(one.gain_per_million_tokens)
        return f"{name}: {each} points for each million tokens; one training took {count(one.tokens)} tokens{beyond}"
    return f"{name}: what the gain cost is told in part"


def _per(estimate: Estimate | None) -> str:
    """Return points for a unit of cost with the interval, to the digit that it supports."""
    if estimate is None or estimate.value is None:
        return NOT_MEASURED
    scaled = [None if each is None else each * 100 for each in (estimate.value, estimate.low, estimate.high)]
    texts = [_supported(each, supported_decimals(scaled)) for each in scaled if each is not None]
    return f"{texts[0]} [{texts[1]}, {texts[2]}]" if len(texts) == len(scaled) else texts[0]


def _supported(number: float, decimals: int) -> str:
    """Return a signed number to the digit that its interval supports, tens and hundreds too.

    >>> _supported(2049.3, -1), _supported(-0.126, 2), _supported(0.0, 1)
    ('+2,050', '−0.13', '0.0')
    """
    text = rounded(round(number, decimals), max(decimals, 0))
    return f"+{text}" if number > 0 and any(digit in "123456789" for digit in text) else text


def _cost_table(priced: tuple[Priced, ...]) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="usd", title="one training, USD", kind="number"),
        Column(key="sampled", title="tokens sampled", kind="number"),
        Column(key="read", title="tokens read", kind="number"),
        Column(key="tasks", title="tasks and rows", kind="number"),
        Column(key="runs", title="trainings", kind="number"),
    )
    rows = tuple(
        Row(
            (
                _name_cell(one),
                Cell(text=NOT_MEASURED if one.usd is None else dollars(one.usd), value=one.usd),
                _count_cell(one.sampled_tokens),
                _count_cell(one.read_tokens),
                _count_cell(one.tasks),
                Cell(text=count(one.runs), value=one.runs),
            )
        )
        for one in priced
    )
    return Table(
        key="cost", caption="What one training took; a mean over trainings.", columns=columns, rows=rows, layout="stack"
    )


def _price_table(priced: tuple[Priced, ...]) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="per_usd", title="for a dollar [95%]", kind="number"),
        Column(key="per_tokens", title="for a million tokens [95%]", kind="number"),
        Column(key="per_task", title="for a task [95%]", kind="number"),
    )
    rows = tuple(
        Row(
            (
                _name_cell(one),
                _per_cell(one.gain_per_usd),
                _per_cell(one.gain_per_million_tokens),
                _per_cell(one.gain_per_task),
            )
        )
        for one in priced
    )
    caption = "Points gained for each unit of training. Tokens: read and sampled together."
    return Table(key="price", caption=caption, columns=columns, rows=rows, layout="stack")


def _name_cell(one: Priced) -> Cell:
    return Cell(text=visible(one.trained), value=one.trained, note=f"over {visible(one.base)}")


def _per_cell(estimate: Estimate | None) -> Cell:
    return Cell(text=_per(estimate), value=estimate.value if estimate else None)


def _count_cell(number: int | None) -> Cell:
    return Cell(text=NOT_MEASURED) if number is None else Cell(text=count(number), value=number)


def _success_table(priced: tuple[Priced, ...]) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="before", title="before [95%]", kind="number"),
        Column(key="after", title="after [95%]", kind="number"),
        Column(key="ratio", title="after / before [95%]", kind="number"),
    )
    rows = tuple(
        Row(
            (
                Cell(text=visible(one.trained), value=one.trained),
                _tokens_cell(one.tokens_per_success_before),
                _tokens_cell(one.tokens_per_success_after),
                _ratio_cell(one.tokens_per_success_ratio),
            )
        )
        for one in priced
    )
    return Table(
        key="success",
        caption="Output tokens for one success on held-out tasks, failures paid for too; the "
        "ratio is paired by task and seed.",
        columns=columns,
        rows=rows,
        layout="stack",
    )


def _tokens_cell(estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.value is None:
        return Cell(text=NOT_MEASURED)
    return Cell(text=" ".join(tokens_parts(estimate)).strip(), value=estimate.value)


def _ratio_cell(estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.value is None:
        return Cell(text=NOT_MEASURED)
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f" [{rounded(estimate.low, 2)}, {rounded(estimate.high, 2)}]"
    return Cell(text=rounded(estimate.value, 2) + interval, value=estimate.value)


def taught_section(subject: LiftSubject) -> Section:
    """Return which families of tasks taught, by arms first, then by credit."""
    taught, untold = subject.worth.taught, subject.worth.untold
    blocks = []
    for one in subject.arms:
        for method in ("left_out", "group_credit"):
            mine = [each for each in taught if each.trained == one.trained and each.method == method]
            if mine:
                blocks.append(_taught_block(one.trained, mine, method))
    if not blocks:
        why = "; ".join(visible(each) for each in untold) or "no arm was trained without a family"
        empty = Scope(
            "What each family of tasks taught would be here",
            f'{why.replace("`", "")}; an arm is a recipe with left_out_family = "FAMILY"',
            TRAIN,
        )
        return Section(
            key="taught",
            title="Which tasks taught",
            side=(),
            blocks=(Block(claim="Which tasks taught was not measured", empty=empty),),
        )
    side = [Fact("q", "Benjamini–Hochberg over the families of one table"), Fact("Order", "largest effect first")]
    side += [Fact("Not measured", visible(why)) for why in untold]
    return Section(key="taught", title="Which tasks taught", side=tuple(side), blocks=tuple(blocks))


def _taught_block(trained: str, taught: list[Taught], method: str) -> Block:
    called = [one for one in taught if one.reading in ("taught", "harmed", "gained", "lost")]
    how = "taught or harmed beyond noise, by arms trained without them"
    if method == "group_credit":
        how = "gained or lost beyond noise, beside those without credit"
    claim = f"{visible(trained)}: {of(len(called), len(taught))} families {how}"
    if all(one.reading in ("not_told", "no_credit") for one in taught):
        claim = f"{visible(trained)}: what each family taught cannot be told from credit alone"
    rows = tuple(
        ForestRow(
            label=visible(one.family),
            text=gain_words(one.effect).replace(" points", ""),
            value=one.effect.value,
            low=one.effect.low,
            high=one.effect.high,
            hollow=method == "group_credit",
        )
        for one in (taught[at] for at in most_changed([each.effect for each in taught]))
    )
    text = "; ".join(f"{visible(one.family)}: {gain_words(one.effect)}" for one in taught) + "."
    figure = Forest(
        key=f"taught-{method}-{trained}",
        text=text,
        title="effect on the pass rate, points",
        rows=rows,
    )
    details = dict.fromkeys(one.detail for one in taught if one.detail) if method == "group_credit" else {}
    return Block(
        claim=claim,
        say=" ".join(filter(None, [_SAY[method], *details, drawn_words(len(taught))])),
        figures=(figure,),
        tables=(_taught_table(trained, taught, method),),
    )


def _taught_table(trained: str, taught: list[Taught], method: str) -> Table:
    columns = [
        Column(key="family", title="family", kind="name"),
        Column(key="effect", title="effect, points [95%]", kind="number"),
        Column(key="own", title="on its own [95%]", kind="number"),
        Column(key="q", title="q", kind="number"),
        Column(key="reading", title="reading", kind="state"),
    ]
    if method == "group_credit":
        columns += [
            Column(key="credit", title="credit [95%]", kind="number"),
            Column(key="groups", title="groups with any", kind="number"),
        ]
    rows = []
    for one in taught:
        state, words = _READINGS[one.reading]
        cells = [
            Cell(text=visible(one.family), value=one.family, note=f"against {visible(one.arm)}" if one.arm else ""),
            gain_cell(one.effect),
            gain_cell(one.own),
            Cell(text=NOT_MEASURED if one.q is None else q_value(one.q), value=one.q),
            Cell(text=words, state=state),
        ]
        if method == "group_credit":
            credit = one.credit
            cells += [
                Cell(text=share_with_interval(credit) if credit else NOT_MEASURED),
                Cell(text=of(one.informative, one.groups), value=one.informative),
            ]
        rows.append(Row(tuple(cells)))
    first = taught[0].effect
    seen = plural(first.n, "held-out task")
    caption = f"{seen}, {count(first.ungraded)} ungraded. Read at a false discovery rate of {percent(0.05)}."
    return Table(
        key=f"taught_{method}_{trained}", caption=caption, columns=tuple(columns), rows=tuple(rows), layout="stack"
    )
