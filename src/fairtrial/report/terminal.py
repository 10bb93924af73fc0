"""Terminal: the verdict first, then each section's claims and tables, in 80 to 120 columns. Text is never markup."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as RichTable
from rich.text import Text

from fairtrial.report.data import Block, Cell, Column, Example, Report, Section, Span, Table, VerdictPart
from fairtrial.report.markdown import STATE_SHAPES

WIDEST = 120
MOST_ROWS = 12
_AXIS = 21
_STYLES = {"holds": "green", "proof": "red", "refuted": "red", "lead": "yellow", "none": "dim"}


def terminal(report: Report) -> RenderableType:
    """Return the report for a rich console: verdict, scope, then sections."""
    facts = [Text(f"{fact.name}: {fact.text}", style="dim") for fact in report.identity]
    notices = [Text(f"! {notice}", style="bold") for notice in report.notices]
    parts: list[RenderableType] = [
        Text(report.title, style="bold"),
        *facts,
        *notices,
        Text(),
        _verdict(report.verdict),
        Text(),
    ]
    parts += [Text("Not measured", style="bold")]
    parts += [
        Text(f"{STATE_SHAPES['none']} {scope.what}: {scope.why}" + (f" ({scope.command})" if scope.command else ""))
        for scope in report.not_measured
    ]
    parts += [_section(number, section) for number, section in enumerate(report.sections, 2)]
    return Group(*parts)


def render(report: Report, width: int = 100) -> str:
    """Return the terminal rendering as plain text of at most `width` columns."""
    console = Console(width=width, no_color=True, highlight=False, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(terminal(report))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def glyph(span: Span, width: int = _AXIS) -> str:
    """Return an interval on a scale of 0 to 1 as text: `·` the scale, `├─●─┤` the interval.

    >>> glyph(Span(0.5, 0.25, 0.75), 9), glyph(Span(), 5)
    ('··├─●─┤··', '╌╌╌╌╌')
    """
    if span.value is None and span.high is None:
        return "╌" * width

    def at(share: float) -> int:
        return min(width - 1, max(0, round(share * (width - 1))))

    cells = ["·"] * width
    if span.low is not None and span.high is not None:
        low, high = at(span.low), at(span.high)
        cells[low : high + 1] = "─" * (high - low + 1)
        cells[low], cells[high] = "├", "┤"
    if span.value is not None:
        cells[at(span.value)] = "●"
    return "".join(cells)


def _verdict(part: VerdictPart) -> RenderableType:
    table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("statement", ratio=1, overflow="fold")
    table.add_column("0       50       100%", width=_AXIS, no_wrap=True)
    table.add_column("estimate [95%]", justify="right", overflow="fold", max_width=21)
    table.add_column("base", overflow="fold", max_width=20)
    for row in part.rows:
        statement = Text(row.statement, style="bold")
        for state, text in row.states:
            if text != row.estimate:
                statement.append(f"\n{STATE_SHAPES[state]} {text}", style=_STYLES[state])
        if row.command:
            statement.append(f"\n$ {row.command}", style="dim")
        table.add_row(
            statement, Text(glyph(row.span)), Text(f"{row.estimate}\n{row.interval}"), Text("\n".join(row.base))
        )
    return Group(Text(part.sentence, style="bold"), Text(part.paragraph), Text(), table)


def _section(number: int, section: Section) -> RenderableType:
    return Group(
        Text(),
        Rule(Text(f"{number} {section.title}"), align="left", characters="─", style="dim"),
        *(_block(block) for block in section.blocks),
    )


def _block(block: Block) -> RenderableType:
    parts: list[RenderableType] = [Text(block.claim, style="bold")]
    if block.empty is not None:
        parts.append(Text(f"{STATE_SHAPES['none']} not measured. {block.empty.what}: {block.empty.why}."))
        if block.empty.command:
            parts.append(Text(f"$ {block.empty.command}", style="dim"))
    parts += [Padding(_table(table), (0, 0, 1, 0)) for table in block.tables]
    parts += [_example(example) for example in block.examples]
    parts += [Text(f"$ {command}", style="dim") for command in block.commands]
    return Group(*parts)


def _example(example: Example) -> RenderableType:
    """Return an audited rollout in a few lines; the passages themselves are in the files."""
    text = Text.assemble((f"{STATE_SHAPES[example.state]} {example.label}", _STYLES[example.state]),
                         f"  {example.task}", (f"  {example.model}: {example.verdict}", "dim"))  # fmt: skip
    for opinion in example.opinions:
        cited = ", ".join(dict.fromkeys(quote.place for quote in opinion.quotes if quote.place))
        text.append(f"\n  {opinion.who}: {opinion.answer}" + (f" ({cited})" if cited else ""))
    return text


def _table(table: Table) -> RenderableType:
    keep = [index for index, column in enumerate(table.columns) if column.kind not in ("glyph", "strip")]
    if table.layout == "stack" or len(keep) > 8:
        return _stacked(table, keep)
    rich = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for index in keep:
        column = table.columns[index]
        rich.add_column(Text(column.title), justify="right" if column.kind == "number" else "left", overflow="fold")
    for row in table.rows[:MOST_ROWS]:
        rich.add_row(*(_unbroken(_cell(row.cells[index])) for index in keep), style="bold" if row.chosen else "")
    return Group(Text(table.caption, style="dim"), rich, *_rest(table))


def _unbroken(text: Text) -> Text:
    """Return a cell whose interval stands on a line of its own, since a narrow column would break it."""
    plain = text.plain
    return Text(plain.replace(" [", "\n[")) if plain.endswith("]") and " [" in plain else text


def _stacked(table: Table, keep: list[int]) -> RenderableType:
    """Return rows as short paragraphs: the first cells on one line, the others below it, named."""
    lines: list[RenderableType] = [Text(table.caption, style="dim")]
    for row in table.rows[:MOST_ROWS]:
        line = Text(style="bold" if row.chosen else "")
        for position, index in enumerate(keep):
            column, cell = table.columns[index], _cell(row.cells[index])
            if position:
                line.append("  " if _is_short(column) else "\n  ")
            if column.kind == "number" and column.title != "no.":
                line.append(f"{column.title} ", style="dim")
            line.append_text(cell)
        lines.append(line)
    return Group(*lines, *_rest(table))


def _is_short(column: Column) -> bool:
    return column.kind in ("number", "state")


def _rest(table: Table) -> list[RenderableType]:
    hidden = len(table.rows) - MOST_ROWS
    return (
        [Text(f"and {hidden} more {'row' if hidden == 1 else 'rows'} in report.html", style="dim")]
        if hidden > 0
        else []
    )


def _cell(cell: Cell) -> Text:
    text = Text()
    style = _STYLES[cell.state] if cell.state is not None else ""
    shape = f"{STATE_SHAPES[cell.state]} " if cell.state is not None else ""
    text.append(shape + cell.text, style=style)
    if cell.scripted:
        text.append(" (scripted)", style="dim")
    if cell.note:
        text.append(f" ({cell.note})", style="dim")
    if cell.command:
        text.append(f"\n  $ {cell.command}", style="dim")
    return text
