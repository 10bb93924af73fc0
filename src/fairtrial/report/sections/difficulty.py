"""Difficulty: pass rates by task with the training band, all models beside each other, and who differs from whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fairtrial.measure.intervals import wilson
from fairtrial.measure.result import Comparison, ModelFigures
from fairtrial.report.claims import difficulty_claim, models_claim, name_of
from fairtrial.report.data import (
    Bar,
    Block,
    Cell,
    Column,
    Fact,
    Histogram,
    HistogramPanel,
    Place,
    Row,
    Scope,
    Section,
    Table,
)
from fairtrial.report.numbers import (
    NOT_MEASURED,
    count,
    of,
    p_value,
    percent,
    percent_number,
    points,
    share_with_interval,
)
from fairtrial.report.subject import Subject, estimate_cells, estimate_columns, number_cell, panels
from fairtrial.report.words import plural, verb, visible

MOST_COMPARISONS = 24
_EDGES = (0.1, 0.3, 0.5, 0.7, 0.9)
_LEAST_GAP = 0.1


def difficulty_section(subject: Subject) -> Section:
    """Return the section on difficulty."""
    models = subject.measurement.models
    if subject.chosen is None:
        empty = Scope(
            "Pass rates of every task and model would be here",
            "the ledger holds no graded rollout",
            f"fairtrial import RESULTS --to {subject.context.ledger}",
        )
        return Section(
            key="difficulty",
            title="Difficulty",
            side=(),
            blocks=(Block(claim="Difficulty was not measured", empty=empty),),
        )
    low, high = subject.chosen.band.low, subject.chosen.band.high
    figure = _histogram(subject)
    first = Block(
        claim=difficulty_claim(subject.chosen),
        say=f"Tasks by pass rate. The number above a bar counts its tasks; the whisker is the Wilson 95% interval of "
        f"their share. Shaded: training band, {percent(low)} to {percent(high)}.{_gathered_words(figure)}",
        figures=(figure,),
    )
    second = Block(claim=models_claim(models), tables=(_models_table(subject),))
    blocks = (first, second, *_comparisons(subject))
    return Section(
        key="difficulty", title="Difficulty", side=side_facts(subject, subject.chosen.pass_rate.method), blocks=blocks
    )


def side_facts(subject: Subject, method: str) -> tuple[Fact, ...]:
    """Return n, ungraded and method as the side column names them."""
    measurement = subject.measurement
    attempts = [m.attempts for m in measurement.models if m.tasks]
    fewest, most = min((a[0] for a in attempts), default=0), max((a[1] for a in attempts), default=0)
    each = str(fewest) if fewest == most else f"{fewest} to {most}"
    return (
        Fact(
            "n",
            f"{plural(measurement.tasks, 'task')}, {each} graded {'attempt' if most == 1 else 'attempts'} each, "
            f"{plural(len(measurement.models), 'model')}",
        ),
        Fact("Ungraded", f"{of(measurement.ungraded, measurement.rollouts)} rollouts, left out"),
        Fact("Method", method),
    )


def _histogram(subject: Subject) -> Histogram:
    shown = panels(subject)
    edges = () if all(_can_be_drawn([rate for rate, _ in f.band.histogram]) for f in shown) else _EDGES
    made = tuple(_panel(subject, figures, edges) for figures in shown)
    text = " ".join(panel.text for panel in made)
    return Histogram(key="histogram", text=text, panels=made, band=(shown[0].band.low, shown[0].band.high), edges=edges)


def _can_be_drawn(rates: Sequence[float]) -> bool:
    """Say whether bars at these rates stand far enough apart to be read and counted."""
    ordered = sorted(rates)
    return min((b - a for a, b in pairwise(ordered)), default=1.0) >= _LEAST_GAP


def _gathered_words(figure: Histogram) -> str:
    if not figure.edges:
        return ""
    edges = ", ".join(percent_number(edge).removesuffix(".0") for edge in figure.edges)
    return f" Attempts differ between tasks, so rates are gathered: 0, up to {edges}, below 100, and 100%."


def _panel(subject: Subject, figures: ModelFigures, edges: Sequence[float]) -> HistogramPanel:
    bars = []
    for (least, most), tasks in gathered(figures.band.histogram, edges).items():
        low, high = wilson(tasks, figures.tasks)
        bars.append(Bar(least, most, tasks, low, high, _place((least + most) / 2, figures)))
    text = (
        f"{name_of(figures)}: " + ", ".join(f"{plural(bar.tasks, 'task')} at {rate_words(bar)}" for bar in bars) + "."
    )
    return HistogramPanel(
        model=name_of(figures),
        note="band not measured"
        if figures.band.share.value is None
        else f"in band {share_with_interval(figures.band.share)}",
        text=text,
        tasks=figures.tasks,
        bars=tuple(bars),
        chosen=subject.is_chosen(figures.model),
        scripted=subject.is_scripted(figures.model),
    )


def gathered(histogram: Sequence[tuple[float, int]], edges: Sequence[float]) -> dict[tuple[float, float], int]:
    """Return tasks by (least, most) rate: as observed without edges; else never, between edges (above, up to), always.

    >>> gathered([(0.0, 3), (0.2, 1), (0.25, 2), (1.0, 1)], (0.1, 0.3))
    {(0.0, 0.0): 3, (0.1, 0.3): 3, (1.0, 1.0): 1}
    """
    tasks: dict[tuple[float, float], int] = {}
    for rate, number in histogram:
        where = (rate, rate)
        if edges and 0 < rate < 1:
            least = max((edge for edge in edges if edge < rate), default=0.0)
            where = (least, min((edge for edge in edges if edge >= rate), default=1.0))
        tasks[where] = tasks.get(where, 0) + number
    return tasks


def rate_words(bar: Bar) -> str:
    """Return the rate or range of rates of a bar."""
    return percent(bar.most) if bar.least == bar.most else f"above {percent(bar.least)} up to {percent(bar.most)}"


def _place(rate: float, figures: ModelFigures) -> Place:
    if rate <= 0:
        return "never"
    if rate >= 1:
        return "always"
    if rate < figures.band.low:
        return "below"
    return "inside" if rate <= figures.band.high else "above"


def _models_table(subject: Subject) -> Table:
    models = subject.measurement.models
    below = any(m.band.below for m in models)
    parts = ("never", *(("below",) if below else ()), "in band", "above", "always")
    columns: tuple[Column, ...] = (
        Column(key="model", title="model", kind="name"),
        *estimate_columns("pass rate", "pass_rate"),
        Column(key="strip", title=plural(subject.measurement.tasks, "task"), kind="strip", parts=parts),
        *(Column(key=name.replace(" ", "_"), title=name, kind="number", swatch=name) for name in parts),
        Column(key="ungraded", title="ungraded", kind="number"),
    )
    rows = []
    for figures in models:
        band = figures.band
        numbers = (band.never, *((band.below,) if below else ()), band.inside, band.above, band.always)
        strip = Cell(parts=numbers, text=", ".join(f"{n} {p}" for n, p in zip(numbers, parts, strict=True)))
        rows.append(
            Row(
                (
                    subject.model_cell(figures.model),
                    *estimate_cells(figures.pass_rate),
                    strip,
                    *(number_cell(number) for number in numbers),
                    number_cell(figures.ungraded),
                ),
                subject.is_chosen(figures.model),
            )
        )
    sizes = sorted({m.rollouts for m in models})
    each = count(sizes[0]) if len(sizes) == 1 else f"{count(sizes[0])} to {count(sizes[-1])}"
    caption = f"{plural(len(models), 'model')}, {each} rollouts each, highest pass rate first."
    return Table(key="models", caption=caption + " Bold: chosen model.", columns=columns, rows=tuple(rows))


def _comparisons(subject: Subject) -> tuple[Block, ...]:
    comparisons = subject.measurement.comparisons
    if not comparisons:
        return ()
    apart = [c for c in comparisons if _is_apart(c)]
    differ, its = verb(len(apart), "differs", "differ"), verb(len(apart), "its", "their")
    claim = (
        f"{of(len(apart), len(comparisons))} compared pairs of models {differ} beyond {its} interval"
        if apart
        else "No compared pair of models differs beyond its interval"
    )
    if len(comparisons) == 1:
        claim = _single_claim(comparisons[0])
    columns: tuple[Column, ...] = (
        Column(key="a", title="from", kind="name"),
        Column(key="b", title="to", kind="name"),
        Column(key="tasks", title="shared tasks", kind="number"),
        Column(key="difference", title="difference [95%]", kind="number"),
        Column(key="fixes", title="gains", kind="number"),
        Column(key="losses", title="losses", kind="number"),
        Column(key="p", title="McNemar p", kind="number"),
    )
    shown = comparisons[:MOST_COMPARISONS]
    rows = tuple(
        Row(
            (
                subject.model_cell(c.a),
                subject.model_cell(c.b),
                number_cell(c.tasks),
                Cell(text=points(c.difference), value=c.difference.value),
                Cell(text=percent(c.fixes), value=c.fixes),
                Cell(text=percent(c.regressions), value=c.regressions),
                Cell(text=NOT_MEASURED if c.mcnemar_p is None else p_value(c.mcnemar_p), value=c.mcnemar_p),
            )
        )
        for c in shown
    )
    caption = "Gains and losses: mean over shared tasks of the positive and the negative differences."
    if len(shown) < len(comparisons):
        caption += f" {of(len(shown), len(comparisons))} shown; `fairtrial measure --json` has them all."
    if all(c.mcnemar_p is None for c in shown):
        columns, rows = columns[:-1], tuple(Row(row.cells[:-1]) for row in rows)
    say = "Paired by task, with a bootstrap over task clusters. Not corrected for the number of pairs."
    return (
        Block(claim=claim, say=say, tables=(Table(key="comparisons", caption=caption, columns=columns, rows=rows),)),
    )


def _is_apart(comparison: Comparison) -> bool:
    low, high = comparison.difference.low, comparison.difference.high
    return low is not None and high is not None and (low > 0 or high < 0)


def _single_claim(comparison: Comparison) -> str:
    a, b = visible(comparison.a), visible(comparison.b)
    if not _is_apart(comparison):
        return f"Whether {b} passes more than {a} is open: {points(comparison.difference)}"
    more = "more" if (comparison.difference.value or 0) > 0 else "less"
    return f"{b} passes {more} than {a} on {count(comparison.tasks)} shared tasks: {points(comparison.difference)}"
