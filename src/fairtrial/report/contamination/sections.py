"""The sections of a scan's page that are tables: items, distribution, what was not compared, where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.contamination.document import ItemFigure, Scan, SetThreshold
from fairtrial.report.contamination.verdict import items_called
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Span, Table
from fairtrial.report.numbers import count, of, p_value, percent, percent_interval, q_value, rounded
from fairtrial.report.words import plural, verb, visible

MOST_ITEMS = 100
MOST_UNREADABLE = 50


def items_section(scan: Scan) -> Section:
    """Return the table of items that drew rows near."""
    drew = scan.items
    if not drew:
        empty = Scope("Items would be here with the training rows that lie near them", "no row lies near any item")
        return Section(
            key="items", title="Items", side=(), blocks=(Block(claim="No item drew a row near", empty=empty),)
        )
    flagged = sum(item.flagged for item in drew)
    shown = sorted(drew, key=_by_q)[:MOST_ITEMS]
    claim = (
        f"{of(len(drew), scan.n_items)} items drew training rows near; "
        f"{count(flagged)} {verb(flagged, 'is', 'are')} flagged"
    )
    columns = (
        Column(key="item", title="item", kind="name"),
        Column(key="near", title="near rows", kind="number"),
        Column(key="expected", title="expected", kind="number"),
        Column(key="above", title="above it", kind="number"),
        Column(key="q", title="q", kind="number"),
        Column(key="state", title="state", kind="state"),
    )
    caption = f"{of(len(shown), len(drew))} shown, by q and then most rows first. Expected: near rows of a mean decoy."
    table = Table(
        key="items", caption=caption, columns=columns, rows=tuple(_item(each) for each in shown), layout="stack"
    )
    say = "Whether rows crowd around one item is asked of the decoys: q is the share of false calls down to its line."
    side = (Fact("q", "Benjamini–Hochberg over items, never below the share of decoys called"),)
    blocks = (*_evaluations(scan), Block(claim=claim, say=say, tables=(table,)))
    return Section(key="items", title="Items", side=side, blocks=blocks)


def _evaluations(scan: Scan) -> tuple[Block, ...]:
    """Return the table of evaluation sets, where there are several."""
    if len(scan.evaluations) < 2:
        return ()
    columns = (
        Column(key="set", title="evaluation set", kind="name"),
        Column(key="items", title="items", kind="number"),
        Column(key="flagged_items", title="flagged items", kind="number"),
        Column(key="flagged_rows", title="flagged rows", kind="number"),
    )
    rows = tuple(
        Row((
            Cell(text=visible(each.path), value=each.path),
            *(Cell(text=count(number), value=number) for number in (each.items, each.flagged_items, each.flagged_rows)),
        ))
        for each in scan.evaluations
    )  # fmt: skip
    leaked = sum(each.flagged_rows > 0 for each in scan.evaluations)
    claim = f"{of(leaked, len(scan.evaluations))} evaluation sets have items that a row is flagged with"
    caption = "Flagged rows: a training row can count for several sets."
    return (Block(claim=claim, tables=(Table(key="evaluations", caption=caption, columns=columns, rows=rows),)),)


def _by_q(item: ItemFigure) -> tuple[float, int, str]:
    return (2.0 if item.q_value is None else item.q_value, -item.near_rows, item.item_id)


def _item(item: ItemFigure) -> Row:
    known = item.expected is not None
    above = item.near_rows - item.expected if item.expected is not None else None
    state = Cell(text="lead", state="lead") if item.flagged else Cell(text="")
    return Row((
        Cell(text=visible(item.item_id), value=item.item_id),
        Cell(text=count(item.near_rows), value=item.near_rows),
        Cell(text=rounded(item.expected or 0.0, 2), value=item.expected) if known else _unknown(),
        Cell(text=rounded(above, 1), value=above) if above is not None else _unknown(),
        Cell(text=q_value(item.q_value), value=item.q_value) if item.q_value is not None else _unknown(),
        state,
    ))  # fmt: skip


def _unknown() -> Cell:
    return Cell(text="not measured")


def distribution_section(scan: Scan) -> Section:
    """Return the tests of items against decoys with their effect sizes, or why there are none."""
    shares = scan.distribution
    if shares is None:
        why = "; ".join(each for each in scan.abstained if each.startswith("distribution")) or "no decoys were given"
        empty = Scope("Whether the training set is built around particular items", visible(why),
                      "fairtrial contamination scan TRAIN --against EVAL --decoys DECOYS")  # fmt: skip
        block = Block(claim="Whether the set is built around items was not measured", empty=empty)
        return Section(key="distribution", title="Distribution", side=(), blocks=(block,))
    effects = shares.effects
    claim = (
        f"{count(shares.eval_near)} rows lie near {plural(int(effects.get('eval_items', scan.n_items)), 'item')}, "
        f"{count(shares.decoy_near)} near {plural(int(effects.get('decoys', scan.n_decoys)), 'decoy')}: "
        + ("more than chance explains" if shares.stands_out else "as a whole no more than chance explains")
    )
    say = (
        "Items and decoys were searched together. Training on what a benchmark is about draws rows near both alike; "
        "rows built around the items draw near the items alone."
    )
    tables = (_tests(effects), _sizes(effects))
    side = [Fact("p of the whole", f"{p_value(shares.p_value)}, the smaller of the two rankings', doubled")]
    if "items_called" in effects:
        called, decoys = items_called(shares), int(effects.get("decoys_called", 0))
        side.append(Fact("Called", f"{plural(called, 'item')}; {plural(decoys, 'decoy')} at the same line"))
    if "method" in effects:
        side.append(Fact("Method", visible(str(effects["method"]))))
    block = Block(claim=claim, say=say, tables=tuple(table for table in tables if table.rows))
    return Section(key="distribution", title="Distribution", side=tuple(side), blocks=(block,))


def _tests(effects: Mapping[str, Any]) -> Table:
    named = (
        ("by_best_row", "best row of each", "finds rewordings, one an item"),
        ("by_rows_drawn", "rows among the nearest tenth", "finds many, each not very near"),
    )
    columns = (
        Column(key="ranking", title="ranking", kind="name"),
        Column(key="above", title="above the cut", kind="number"),
        Column(key="eval", title="of them items", kind="number"),
        Column(key="expected", title="expected", kind="number"),
        Column(key="share", title="0 to 100%", kind="glyph"),
        Column(key="p", title="p", kind="number"),
    )
    rows = []
    for key, name, note in named:
        found = effects.get(key)
        if not isinstance(found, Mapping) or not found["above"]:
            continue
        share = found["eval_above"] / found["above"]
        rows.append(Row((
            Cell(text=name, note=note),
            Cell(text=count(found["above"]), value=found["above"]),
            Cell(text=count(found["eval_above"]), value=found["eval_above"]),
            Cell(text=rounded(found["expected"], 1), value=found["expected"]),
            Cell(span=Span(share), text=percent(share)),
            Cell(text=p_value(found["p_value"]), value=found["p_value"]),
        )))  # fmt: skip
    caption = "Items at the top of two rankings of items and decoys, at the depth where they stand out most."
    return Table(key="tests", caption=caption, columns=columns, rows=tuple(rows))


def _sizes(effects: Mapping[str, Any]) -> Table:
    columns = (
        Column(key="effect", title="effect", kind="name"),
        Column(key="estimate", title="estimate [95%]", kind="number"),
        Column(key="expected", title="expected", kind="number"),
        Column(key="method", title="method"),
    )
    rows = []
    share, excess = effects.get("share"), effects.get("excess_rows")
    if isinstance(share, Mapping) and share["value"] is not None:
        text = f"{percent(share['value'])} {percent_interval(share['low'], share['high'])}"
        rows.append(Row((Cell(text="share of near rows at items"), Cell(text=text, value=share["value"]),
                         Cell(text=percent(share["expected"])), Cell(text=visible(share["method"])))))  # fmt: skip
    if isinstance(excess, Mapping) and excess["value"] is not None:
        text = f"{rounded(excess['value'], 0)} [{rounded(excess['low'], 0)}, {rounded(excess['high'], 0)}]"
        rows.append(Row((Cell(text="near rows above the decoys'"), Cell(text=text, value=excess["value"]),
                         Cell(text="0"), Cell(text=visible(excess["method"])))))  # fmt: skip
    return Table(key="sizes", caption="Effect sizes, with their intervals over families of rows.", columns=columns,
                 rows=tuple(rows), layout="stack")  # fmt: skip


def unread_section(scan: Scan) -> Section:
    """Return what was not compared: unreadable rows, and every check that abstained."""
    tables = [_unreadable(scan)] if scan.unreadable else []
    said = (*scan.abstained, *scan.notes)
    if said:
        rows = [Row((Cell(text="not measured", state="none"), Cell(text=visible(why)))) for why in scan.abstained]
        rows += [Row((Cell(text="note"), Cell(text=visible(why)))) for why in scan.notes]
        columns = (Column(key="state", title="state", kind="state"), Column(key="why", title="what and why"))
        tables.insert(0, Table(key="abstained", caption="What was left open, and what to know.", columns=columns,
                               rows=tuple(rows), layout="stack"))  # fmt: skip
    claim = (
        f"{plural(scan.unreadable_rows, 'training row')} could not be read; "
        f"{plural(len(scan.abstained), 'check')} abstained"
    )
    block = Block(claim=claim, say="None of this is clean: it was not compared.", tables=tuple(tables))
    return Section(key="not-compared", title="Not compared", side=(), blocks=(block,))


def _unreadable(scan: Scan) -> Table:
    shown = scan.unreadable[:MOST_UNREADABLE]
    columns = (
        Column(key="where", title="where", kind="code"),
        Column(key="why", title="why"),
    )
    rows = tuple(Row((Cell(text=visible(f"{one.path}:{one.line}")), Cell(text=visible(one.why)))) for one in shown)
    caption = f"{of(len(shown), scan.unreadable_rows)} unreadable rows shown, in order."
    return Table(key="unreadable", caption=caption, columns=columns, rows=rows, layout="stack")


def provenance_section(scan: Scan, commands: Sequence[str]) -> Section:
    """Return files, hashes, thresholds, versions and the command that makes it again."""
    side = [Fact("Schema", "fairtrial.contamination/1"), Fact("Seed", str(scan.seed))]
    if scan.versions:
        side.append(Fact("Versions", ", ".join(f"{name} {version}" for name, version in sorted(scan.versions.items()))))
    block = Block(
        claim="The same files, settings and version give the same page",
        tables=(_thresholds(scan), _sources(scan)),
        commands=tuple(visible(command) for command in commands),
    )
    return Section(key="provenance", title="Provenance", side=tuple(side), blocks=(block,))


def _thresholds(scan: Scan) -> Table:
    columns = (
        Column(key="detector", title="detector", kind="name"),
        Column(key="value", title="threshold [95%]", kind="number"),
        Column(key="how", title="how it was set"),
    )
    rows = tuple(
        Row((Cell(text=visible(each.detector)), Cell(text=_threshold(each), value=each.value),
             Cell(text=visible(each.how))))
        for each in scan.thresholds
    )  # fmt: skip
    caption = f"Scores from which on a row is flagged; asked for: {percent(scan.fpr)} of clean rows."
    return Table(key="thresholds", caption=caption, columns=columns, rows=rows, layout="stack")


def _threshold(each: SetThreshold) -> str:
    """Return a threshold, with the interval that the control gives it."""
    value = rounded(float(each.value), 3)
    if each.low is None or each.high is None or each.low == each.high:
        return value
    return f"{value} [{rounded(float(each.low), 3)}, {rounded(float(each.high), 3)}]"


def _sources(scan: Scan) -> Table:
    columns = (
        Column(key="role", title="role"),
        Column(key="file", title="file", kind="code"),
        Column(key="hash", title="sha256", kind="code"),
        Column(key="bytes", title="bytes", kind="number"),
    )
    roles = (("training set", scan.train), ("items", scan.against), ("control", scan.control), ("decoys", scan.decoys))
    rows = tuple(
        Row((Cell(text=role), Cell(text=visible(source.path)), Cell(text=source.hash),
             Cell(text=count(source.bytes), value=source.bytes)))
        for role, sources in roles
        for source in sources
    )  # fmt: skip
    return Table(key="sources", caption="What was compared, by content.", columns=columns, rows=rows, layout="stack")
