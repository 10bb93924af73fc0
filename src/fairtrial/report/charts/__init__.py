"""Figures as SVG: altair draws, vl-convert renders, `theme` fits the result to the page. One file a kind of figure."""

from fairtrial.report.charts.drawing import Drawing, draw_figure

__all__ = ["Drawing", "draw_figure"]
