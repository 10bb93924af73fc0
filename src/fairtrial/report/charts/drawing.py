"""From a figure's data to its drawings: small multiples, or one wide drawing with a narrow twin for phones."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.report.charts.curves import draw_curves
from fairtrial.report.charts.forest import draw_forest
from fairtrial.report.charts.front import draw_front
from fairtrial.report.charts.gradient import draw_gradient, letter
from fairtrial.report.charts.grid import draw_grid
from fairtrial.report.charts.histogram import draw_histogram
from fairtrial.report.charts.lines import draw_lines
from fairtrial.report.data import Curves, Figure, Front, GradientCurves, Grid, Histogram
from fairtrial.report.figures import Forest, Lines

_PANEL_WIDTHS = {1: 368.0, 2: 368.0, 3: 274.0, 4: 201.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One SVG of a figure, with the heading it stands under and where it shows."""

    svg: str
    shows: str = ""
    """`wide`, `narrow`, or empty for both."""
    title: str = ""
    note: str = ""
    chosen: bool = False
    scripted: bool = False
    legend: tuple[tuple[str, str], ...] = ()
    """(mark, meaning) for a drawing too narrow to hold names."""


def draw_figure(figure: Figure) -> tuple[Drawing, ...]:
    """Return the drawings of a figure, in reading order."""
    match figure:
        case Histogram():
            return _histograms(figure)
        case Curves():
            return _curves(figure)
        case GradientCurves():
            return _gradient(figure)
        case Grid():
            return (Drawing(svg=draw_grid(figure, figure.key)),)
        case Forest():
            return (
                Drawing(svg=draw_forest(figure, f"{figure.key}-w", narrow=False), shows="wide"),
                Drawing(svg=draw_forest(figure, f"{figure.key}-n", narrow=True), shows="narrow"),
            )
        case Lines():
            return _lines(figure)
        case Front():
            return (
                Drawing(svg=draw_front(figure, f"{figure.key}-w", narrow=False), shows="wide"),
                Drawing(
                    svg=draw_front(figure, f"{figure.key}-n", narrow=True),
                    shows="narrow",
                    legend=tuple((str(mark.number), mark.model) for mark in figure.marks),
                ),
            )


def _histograms(figure: Histogram) -> tuple[Drawing, ...]:
    width = _PANEL_WIDTHS[len(figure.panels)]
    return tuple(
        Drawing(
            svg=draw_histogram(panel, figure, width, f"{figure.key}-{index}"),
            title=panel.model,
            note=panel.note,
            chosen=panel.chosen,
            scripted=panel.scripted,
        )
        for index, panel in enumerate(figure.panels)
    )


def _curves(figure: Curves) -> tuple[Drawing, ...]:
    width = _PANEL_WIDTHS[len(figure.panels)]
    return tuple(
        Drawing(
            svg=draw_curves(panel, width, f"{figure.key}-{index}", panel.text),
            title=panel.model,
            note=panel.note,
            chosen=panel.chosen,
            scripted=panel.scripted,
        )
        for index, panel in enumerate(figure.panels)
    )


def _lines(figure: Lines) -> tuple[Drawing, ...]:
    width = _PANEL_WIDTHS[min(len(figure.panels), len(_PANEL_WIDTHS))]
    return tuple(
        Drawing(svg=draw_lines(panel, width, f"{figure.key}-{index}"), title=panel.title, note=panel.note)
        for index, panel in enumerate(figure.panels)
    )


def _gradient(figure: GradientCurves) -> tuple[Drawing, ...]:
    legend = []
    for index, line in enumerate(figure.lines):
        legend.append((letter(index), f"{line.model} {line.label}"))
        if line.chosen:
            legend.append((f"{letter(index)}′", "its plug-in"))
    return (
        Drawing(svg=draw_gradient(figure, f"{figure.key}-w", narrow=False), shows="wide"),
        Drawing(svg=draw_gradient(figure, f"{figure.key}-n", narrow=True), shows="narrow", legend=tuple(legend)),
    )
