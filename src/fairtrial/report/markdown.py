"""Markdown: the whole report as text that reads well raw; figures become small tables. Everything is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from fairtrial.report.data import (
    Block,
    Cell,
    Curves,
    Example,
    Figure,
    Front,
    GradientCurves,
    Grid,
    Histogram,
    Report,
    Scope,
    Section,
    Table,
    VerdictPart,
)
from fairtrial.report.figures import Forest, LinePanel, LinePoint, Lines
from fairtrial.report.numbers import percent, percent_interval, rounded
from fairtrial.report.sections.difficulty import rate_words

STATE_SHAPES = {"holds": "●", "proof": "◆", "refuted": "◆", "lead": "△", "none": "☐"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_PICTURES = ("glyph", "strip")
_MOST_POINTS = 16


def markdown(report: Report, more: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """Return the report as Markdown; `more` are lines for the end of a section, by its key."""
    lines = [f"# {escape(report.title)}", "", escape(report.subtitle), ""]
    lines += [
        f"- {escape(fact.name)}: {code(fact.text) if fact.code else escape(fact.text)}" for fact in report.identity
    ]
    lines += ["", *(f"> {escape(notice)}\n" for notice in report.notices)]
    lines += ["**Measured**", "", *(f"- ● {escape(scope.what)}" for scope in report.measured)]
    lines += [] if report.measured else ["- nothing yet"]
    open_ = [f"- ☐ {_scope(scope)}" for scope in report.not_measured]
    lines += ["", "**Not measured**", "", *(open_ or ["- nothing that this page would show"]), ""]
    lines += _verdict(report.verdict)
    for number, section in enumerate(report.sections, 2):
        lines += [*_section(number, section), *more.get(section.key, ())]
    lines += [
        "---",
        "",
        f"{escape(report.tool)}, schema {report.schema}. “Not measured” is not “clean”. A lead accuses nobody.",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    r"""Return `text` with every character that Markdown or HTML would read as markup made plain.

    >>> escape("a_b|<c>")
    'a\\_b\\|\\<c\\>'
    """
    return _SPECIAL.sub(r"\\\1", text)


def code(text: str) -> str:
    """Return `text` as a code span, with a fence longer than any run of backticks in it.

    >>> code("a`b")
    '``a`b``'
    """
    if not text:
        return ""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _scope(scope: Scope) -> str:
    command = f" ({code(scope.command)})" if scope.command else ""
    return f"{escape(scope.what)}: {escape(scope.why)}{command}"


def _verdict(part: VerdictPart) -> list[str]:
    lines = [
        "## 1 Verdict",
        "",
        f"**{escape(part.sentence)}**",
        "",
        escape(part.paragraph),
        "",
        "| statement | estimate | 95% | base |",
        "|---|--:|--:|---|",
    ]
    for row in part.rows:
        states = "".join(
            f" {STATE_SHAPES[state]} {escape(text)}." for state, text in row.states if text != row.estimate
        )
        command = f" Measured by {_in_cell(code(row.command))}." if row.command else ""
        lines.append(
            f"| **{escape(row.statement)}.** {escape(row.detail)}{states}{command} | {row.estimate} | "
            f"{escape(row.interval)} | {escape('; '.join(row.base))} |"
        )
    return [*lines, "", *(f"- {escape(fact.name)}: {escape(fact.text)}" for fact in part.side), ""]


def _section(number: int, section: Section) -> list[str]:
    lines = [f"## {number} {escape(section.title)}", ""]
    for block in section.blocks:
        lines += _block(block)
    lines += [f"- {escape(fact.name)}: {escape(fact.text)}" for fact in section.side]
    return [*lines, ""]


def _block(block: Block) -> list[str]:
    lines = [f"### {escape(block.claim)}", ""]
    if block.say:
        lines += [escape(block.say), ""]
    if block.empty is not None:
        lines += [
            f"☐ not measured. {escape(block.empty.what)}: {escape(block.empty.why)}."
            + (f" {code(block.empty.command)}" if block.empty.command else ""),
            "",
        ]
    for figure in block.figures:
        lines += [*figure_lines(figure), ""]
    for table in block.tables:
        lines += [*_table(table), ""]
    for example in block.examples:
        lines += example_lines(example)
    if block.commands:
        lines += ["Shown again by:", "", *(f"    $ {command}" for command in block.commands), ""]
    return lines


def example_lines(example: Example) -> list[str]:
    """Return an audited rollout: who said what, and the passages that are cited, quoted line by line."""
    lines = [f"#### {STATE_SHAPES[example.state]} {escape(example.label)}: {escape(example.task)}", "",
             f"{escape(example.model)}: {escape(example.verdict)}. Rollout {code(example.rollout)}", ""]  # fmt: skip
    for opinion in example.opinions:
        tags = f" ({escape(', '.join(opinion.tags))})" if opinion.tags else ""
        lines += [f"- **{escape(opinion.who)}**: {escape(opinion.answer)}.{tags}"]
        lines += [f"  {escape(opinion.note)}"] if opinion.note else []
        for quote in opinion.quotes:
            lines += [f"  - {escape(quote.place or 'anywhere')}{', quoted above' if quote.again else ':'}"]
            lines += [f"    > {code(line)}" for line in quote.quote.splitlines() if line]
    return [*lines, ""]


def _table(table: Table) -> list[str]:
    keep = [index for index, column in enumerate(table.columns) if column.kind not in _PICTURES]
    columns = [table.columns[index] for index in keep]
    lines = [
        escape(table.caption),
        "",
        _row([escape(column.title) for column in columns]),
        _row(["--:" if column.kind == "number" else "---" for column in columns]),
    ]
    for row in table.rows:
        cells = [_cell(row.cells[index], table.columns[index].kind) for index in keep]
        if row.chosen and cells[0]:
            cells[0] = f"**{cells[0]}**"
        lines.append(_row(cells))
    return lines


def _cell(cell: Cell, kind: str) -> str:
    text = code(cell.text) if kind == "code" else escape(cell.text)
    if cell.state is not None:
        text = f"{STATE_SHAPES[cell.state]} {text}"
    text += " (scripted)" if cell.scripted else ""
    text += f" ({escape(cell.note)})" if cell.note else ""
    text += f" {code('$ ' + cell.command)}" if cell.command else ""
    return _in_cell(text)


def _in_cell(text: str) -> str:
    """Return `text` with bars escaped, once, so that code spans do not end a table's cell."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def figure_lines(figure: Figure) -> list[str]:
    """Return a figure as a small table."""
    head, rows = figure_rows(figure)
    return [
        _row([escape(name) for name in head]),
        _row(["---"] + ["--:"] * (len(head) - 1)),
        *(_row([escape(cell) for cell in row]) for row in rows),
    ]


def figure_rows(figure: Figure) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a figure's values, as text."""
    match figure:
        case Histogram():
            return ["model", "pass rate of the task", "tasks", "share [95%]"], [
                [
                    panel.model,
                    rate_words(bar),
                    str(bar.tasks),
                    f"{percent(bar.tasks / panel.tasks)} {percent_interval(bar.low, bar.high)}",
                ]
                for panel in figure.panels
                for bar in panel.bars
            ]
        case Curves():
            return ["model", "k", "pass@k [band]", "pass^k [band]"], [
                [
                    panel.model,
                    str(at.x),
                    f"{percent(at.value)} {percent_interval(at.low, at.high)}",
                    f"{percent(hat.value)} {percent_interval(hat.low, hat.high)}",
                ]
                for panel in figure.panels
                for at, hat in zip(panel.at, panel.hat, strict=False)
            ]
        case GradientCurves():
            return ["model", "G", "informative [95%]", "plug-in"], [
                [
                    line.model,
                    str(point.x),
                    f"{percent(point.value)} {percent_interval(point.low, point.high)}",
                    percent(point.plug_in) if point.plug_in is not None else "",
                ]
                for line in figure.lines
                for point in line.points
                if point.x & (point.x - 1) == 0
            ]
        case Grid():
            return ["weak pass rate", "strong pass rate", "tasks"], [
                [percent(weak), percent(strong), str(tasks)] for weak, strong, tasks in figure.cells
            ]
        case Forest():
            return ["", "estimate [95%]"], [[row.label, row.text] for row in figure.rows]
        case Lines():
            return ["panel", "line", "at", "value [band]"], _line_rows(figure)
        case Front():
            return ["model", f"mean {figure.quantity}", "pass rate [95%]", "front"], [
                [
                    mark.model,
                    rounded(mark.spend, 4 if figure.quantity == "cost" else 0),
                    f"{percent(mark.score)} {percent_interval(mark.score_low, mark.score_high)}",
                    "on the front" if mark.on_front else "off the front",
                ]
                for mark in figure.marks
            ]


def _line_rows(figure: Lines) -> list[list[str]]:
    """Return every point; of long lines at most sixteen, evenly spaced, the last included."""
    rows = []
    for panel in figure.panels:
        for series in panel.series:
            step = -(-len(series.points) // _MOST_POINTS)
            for point in series.points[::-1][::step][::-1] if step else ():
                rows.append([panel.title, series.name, str(point.x), _point(panel, point)])
    return rows


def _point(panel: LinePanel, point: LinePoint) -> str:
    """Return a point with its band; a difference, on an axis that reaches below 0, in points with its sign."""
    if panel.unit == "share" and panel.low < 0:
        found = [f"+{text}" if end > 0 and text.strip("0.") else text for end in (point.value, point.low, point.high)
                 for text in (percent(end).rstrip("%"),)]  # fmt: skip
        return f"{found[0]} points [{found[1]}, {found[2]}]" if point.low < point.high else f"{found[0]} points"
    band = percent_interval(point.low, point.high) if point.low < point.high else ""
    value = percent(point.value) if panel.unit == "share" else rounded(point.value, 1)
    return f"{value} {band}".strip()
