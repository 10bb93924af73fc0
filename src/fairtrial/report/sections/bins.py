"""Strong and weak: which tasks and checks tell a strong model from a weak one, and which point the wrong way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from fairtrial.measure.intervals import wilson
from fairtrial.measure.result import Bins, Reversed
from fairtrial.records import Estimate
from fairtrial.report.claims import bins_claim, reversed_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Grid, Row, Scope, Section, State, Table
from fairtrial.report.numbers import count, of, p_value, q_value
from fairtrial.report.subject import Subject, estimate_cells, estimate_columns, number_cell
from fairtrial.report.words import plural, visible

MOST_REVERSED = 20
_LEAST_GAP = 0.09
_NAMES = (
    ("discriminates", "discriminates"),
    ("both_pass", "both pass"),
    ("too_hard", "too hard"),
    ("reversed", "reversed"),
)


def bins_section(subject: Subject) -> Section:
    """Return the section on strong and weak."""
    bins = subject.measurement.bins
    if bins is None or not bins.compared_tasks:
        why = "the ledger holds fewer than two models" if bins is None else "the two models share no task"
        empty = Scope(
            "Tasks by the pass rates of a strong and a weak model would be here",
            why,
            f"fairtrial measure {subject.context.ledger} --strong MODEL --weak MODEL",
        )
        return Section(
            key="bins",
            title="Strong and weak",
            side=(),
            blocks=(Block(claim="Strong against weak was not measured", empty=empty),),
        )
    side = (
        Fact("Strong", visible(bins.strong)),
        Fact("Weak", visible(bins.weak)),
        Fact("n", f"{plural(bins.compared_tasks, 'shared task')}, {_checks_words(bins)}"),
        Fact("Ungraded", f"{of(*_ungraded(subject, bins))} rollouts of the two, left out"),
        Fact(
            "Method",
            "both pass: both rates above one half; reversed: weak above strong; discriminates: strong above one half; "
            "else too hard. Wilson for shares",
        ),
    )
    tables = [_counts_table("tasks", bins.tasks, bins.compared_tasks)]
    if bins.compared_checks:
        tables.append(_counts_table("checks", bins.checks, bins.compared_checks))
    grid = _grid(bins)
    first = Block(
        claim=bins_claim(bins),
        say="Each disc holds the tasks with one pair of pass rates; its area is their number." + _step_words(grid),
        figures=(grid,),
        tables=tuple(tables),
    )
    return Section(key="bins", title="Strong and weak", side=side, blocks=(first, _reversed_block(bins)))


def _step_words(grid: Grid) -> str:
    names = {0.2: "fifth", 0.1: "tenth"}
    return f" Rates are drawn at the nearest {names[grid.step]}, never across one half." if grid.step in names else ""


def _checks_words(bins: Bins) -> str:
    return plural(bins.compared_checks, "check") if bins.compared_checks else "checks not recorded"


def _ungraded(subject: Subject, bins: Bins) -> tuple[int, int]:
    two = [m for m in subject.measurement.models if m.model in (bins.strong, bins.weak)]
    return sum(m.ungraded for m in two), sum(m.rollouts for m in two)


def _counts_table(kind: str, counts: Mapping[str, int], total: int) -> Table:
    columns = (
        Column(key="bin", title=kind, kind="state"),
        Column(key="n", title="n", kind="number"),
        *estimate_columns("share", "share"),
    )
    rows = []
    for key, name in _NAMES:
        number = counts.get(key, 0)
        low, high = wilson(number, total)
        estimate = Estimate(value=number / total, low=low, high=high, n=total, method="Wilson", unit=kind)
        state: State | None = "lead" if key == "reversed" and number else None
        rows.append(
            Row(
                (Cell(text=name, value=key, state=state), number_cell(number), *estimate_cells(estimate)),
                key == "discriminates",
            )
        )
    return Table(
        key=f"bins_{kind}",
        caption=f"n = {count(total)} {kind} seen under both models",
        columns=columns,
        rows=tuple(rows),
    )


def _grid(bins: Bins) -> Grid:
    counts = tuple((name, bins.tasks.get(key, 0)) for key, name in _NAMES)
    cells, step = snapped(bins.grid)
    text = (
        f"Tasks by pass rate under {visible(bins.weak)} (across) and {visible(bins.strong)} (up). "
        + ", ".join(f"{name}: {number}" for name, number in counts)
        + "."
    )
    return Grid(
        key="grid",
        text=text,
        strong=visible(bins.strong),
        weak=visible(bins.weak),
        cells=cells,
        step=step,
        counts=counts,
    )


def snapped(cells: Sequence[tuple[float, float, int]]) -> tuple[tuple[tuple[float, float, int], ...], float]:
    """Return cells far enough apart to draw, and the step that rates were rounded to (0 where they are as observed).

    A fifth where rates keep a tenth clear of 0 and 1, else a tenth; never across one half, nor onto 0 or 1.

    >>> snapped([(0.75, 1.0, 2), (0.8, 1.0, 1)])
    (((0.8, 1.0, 3),), 0.2)
    """
    rates = sorted({rate for cell in cells for rate in cell[:2]})
    if min((b - a for a, b in pairwise(rates)), default=1.0) >= _LEAST_GAP:
        return tuple(cells), 0.0
    inner = [rate for rate in rates if 0 < rate < 1]
    step = 0.2 if min(inner) >= 0.1 and max(inner) <= 0.9 else 0.1
    tasks: Counter[tuple[float, float]] = Counter()
    for weak, strong, number in cells:
        tasks[_snap(weak, step), _snap(strong, step)] += number
    return tuple((weak, strong, number) for (weak, strong), number in sorted(tasks.items())), step


def _snap(rate: float, step: float) -> float:
    if rate in (0.0, 1.0):
        return rate
    last_below = 0.4 if step == 0.2 else 0.5
    low, high = (step, last_below) if rate <= 0.5 else (0.6, 1 - step)
    return round(min(max(round(rate / step) * step, low), high), 6)


def _reversed_block(bins: Bins) -> Block:
    cells: Sequence[Reversed] = (*bins.reversed_tasks, *bins.reversed_checks)
    if not cells:
        return Block(claim=reversed_claim(bins))
    task_names = {cell.name for cell in bins.reversed_tasks}
    ordered = sorted(cells, key=lambda cell: (cell.p_value, cell.task, cell.name))
    rows = tuple(
        _reversed_row(cell, cell in bins.reversed_tasks and cell.name in task_names) for cell in ordered[:MOST_REVERSED]
    )
    columns = (
        Column(key="task", title="task", kind="name"),
        Column(key="check", title="check", kind="code"),
        Column(key="strong", title="strong", kind="number"),
        Column(key="weak", title="weak", kind="number"),
        Column(key="p", title="p", kind="number"),
        Column(key="q", title="q", kind="number"),
    )
    say = "Passes over attempts. One-sided Fisher p; q is Benjamini–Hochberg over all cells of its kind."
    caption = "Smallest p first."
    if len(ordered) > MOST_REVERSED:
        caption += f" {of(MOST_REVERSED, len(ordered))} shown; `fairtrial measure --json` has them all."
    return Block(
        claim=reversed_claim(bins),
        say=say,
        tables=(Table(key="reversed", caption=caption, columns=columns, rows=rows, layout="stack"),),
    )


def _reversed_row(cell: Reversed, whole: bool) -> Row:
    return Row(
        (
            Cell(text=visible(cell.task), value=cell.task),
            Cell(text="whole task" if whole else visible(cell.name), value=cell.name),
            Cell(text=f"{cell.strong_passes}/{cell.strong_n}"),
            Cell(text=f"{cell.weak_passes}/{cell.weak_n}"),
            Cell(text=p_value(cell.p_value), value=cell.p_value),
            Cell(text=q_value(cell.q_value), value=cell.q_value),
        )
    )
