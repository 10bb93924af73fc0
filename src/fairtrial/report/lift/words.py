"""Words and cells that the page of a lift uses everywhere: signed gains, readings, names of arms."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.records import Estimate
from fairtrial.report.data import Cell, State
from fairtrial.report.numbers import NOT_MEASURED, count, percent, percent_number
from fairtrial.report.words import visible
from fairtrial.train.lift import Lift, Reading

MOST_ROWS = 24
"""Rows of one forest."""
TRAIN = "fairtrial train RECIPE.toml --out DIR"
"""The command that makes what a page lacks."""

_READINGS: dict[Reading, tuple[State, str]] = {
    "gain": ("holds", "gain"),
    "loss": ("refuted", "loss"),
    "within_noise": ("none", "within noise"),
    "not_measured": ("none", NOT_MEASURED),
}


def signed(share: float) -> str:
    """Return a difference of shares in points, with its sign.

    >>> signed(0.1403), signed(-0.02), signed(0.0), signed(-0.0002)
    ('+14.0', '−2.0', '0.0', '0.0')
    """
    size = percent_number(abs(share))
    return size if float(size.replace(",", "")) == 0 else ("+" if share > 0 else "−") + size


def gain_interval(gain: Estimate) -> str:
    """Return the interval of a gain in points; empty where there is none."""
    if gain.one_sided and gain.high is not None:
        return "one-sided 95%"
    return "" if gain.low is None or gain.high is None else f"[{signed(gain.low)}, {signed(gain.high)}]"


def gain_words(gain: Estimate | None) -> str:
    """Return a gain in points with its interval.

    >>> gain_words(Estimate(value=.4, low=.2, high=.6, n=60, method="paired"))
    '+40.0 points [+20.0, +60.0]'
    >>> gain_words(Estimate(value=.01, low=None, high=.03, n=60, method="paired", one_sided=True))
    '≤ 3.0 points'
    """
    if gain is None or (gain.value is None and gain.high is None):
        return NOT_MEASURED
    if gain.one_sided and gain.high is not None:
        return f"≤ {signed(gain.high).removeprefix('+')} points"
    return f"{signed(gain.value or 0.0)} points {gain_interval(gain)}".strip()


def gain_cell(gain: Estimate | None) -> Cell:
    """Return a gain as a cell: points and interval, without the unit."""
    return Cell(text=gain_words(gain).replace(" points", ""), value=gain.value if gain else None)


def reading_state(one: Lift) -> tuple[State, str]:
    """Return the state of a comparison; a control that gains is what does not hold."""
    state, words = _READINGS[one.reading]
    if not one.control:
        return state, words
    if one.reading == "gain":
        return "refuted", "control gains"
    if one.reading == "not_measured":
        return "none", f"control {NOT_MEASURED}"
    return "holds", "control loses, no gain" if one.reading == "loss" else "control shows no gain"


def states(one: Lift) -> tuple[tuple[State, str], ...]:
    """Return every state of a comparison: its reading, and that it is exploratory."""
    return (reading_state(one), *((("lead", "exploratory"),) if one.exploratory else ()))


def arm_cell(one: Lift, note: str = "") -> Cell:
    """Return the cell that names a trained model."""
    notes = [
        *(["control"] if one.control else []),
        *(["exploratory"] if one.exploratory else []),
        *([note] if note else []),
    ]
    return Cell(text=visible(one.trained), value=one.trained, note=", ".join(notes))


def share_cell(share: float | None, *, points: bool = False) -> Cell:
    """Return a share as a cell: a percentage, or its number alone where it is a difference in points."""
    if share is None:
        return Cell(text=NOT_MEASURED)
    return Cell(text=percent(share).rstrip("%") if points else percent(share).replace("-", "−"), value=share)


def drawn_words(parts: int) -> str:
    """Return how many of many rows are drawn, as a sentence; empty where all are.

    >>> drawn_words(24), drawn_words(200)
    ('', 'Drawn: the 24 of 200 that changed most; the table holds all.')
    """
    return (
        f"Drawn: the {MOST_ROWS} of {count(parts)} that changed most; the table holds all." if parts > MOST_ROWS else ""
    )


def most_changed(gains: Sequence[Estimate]) -> list[int]:
    """Return the places of the gains that are drawn, in their order: the largest, up or down, where there are many."""
    by_size = sorted(range(len(gains)), key=lambda at: -abs(gains[at].value or 0.0))
    return sorted(by_size[:MOST_ROWS])


def seeds_words(seeds: int) -> str:
    """Return over how many trainings.

    >>> seeds_words(1), seeds_words(3)
    ('one training seed', '3 training seeds')
    """
    return "one training seed" if seeds == 1 else f"{seeds} training seeds"
