"""The lifts of a board on a terminal: a line a model, then what lies beneath each gain. Names are never markup.

Not covered: pictures of curves; those are the page's (`report.lift`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fairtrial.cli.measure_page import percent
from fairtrial.records import Estimate
from fairtrial.train.lift import Curves, FamilyGain, Lift, Lifted
from fairtrial.train.lift.gains import reading_of

_STYLES = {"gain": "green", "loss": "red", "within_noise": "yellow", "not_measured": "dim"}
_SHAPES = {"gain": "●", "loss": "◆", "within_noise": "△", "not_measured": "○"}
_WORDS = {"gain": "gain", "loss": "loss", "within_noise": "within noise", "not_measured": "not measured"}
_AXIS = 25
_WIDEST_NAME = 40
_WIDEST_PAGE = 1_000
_MOST_NAMES = 6
_MOST_BESIDE = 3


def page(lifted: Lifted, ledger: str) -> tuple[RenderableType, int]:
    """Return the whole page, and the width at which no figure is cut; text folds."""
    parts: list[RenderableType] = [Text(visible(ledger), style="bold"), Text(_board(lifted))]
    if lifted.comparisons:
        parts += [Text(), _table(lifted.comparisons)]
    if lifted.controls_hold is False:
        parts.append(Text("◆ a control gained beyond noise, so the gains on this board are in doubt", style="red"))
    for one in lifted.comparisons:
        parts.append(Padding(Group(Text(visible(one.trained), style="bold"), *map(_line, _beneath(one))), (1, 0, 0, 0)))
    told = [f"! {note}" for note in lifted.notes] + [f"not measured: {what}" for what in lifted.abstained]
    parts += [Text(), *(Text(visible(line), style="dim") for line in told)] if told else []
    return Group(*parts), _width(lifted)


def _width(lifted: Lifted) -> int:
    wide = Console(width=_WIDEST_PAGE)
    return Measurement.get(wide, wide.options, _table(lifted.comparisons)).maximum


def points(share: float | None) -> str:
    """Return a difference of rates in points, signed.

    >>> points(0.1403), points(-0.02), points(0.0)
    ('+14.0', '−2.0', '0.0')
    """
    if share is None:
        return percent(None)
    size = percent(abs(share))
    return size if size == "0.0" else ("+" if share > 0 else "−") + size


def gain_text(gain: Estimate) -> str:
    """Return a gain in points with its interval."""
    if gain.value is None or gain.high is None:
        return percent(None)
    if gain.low is None:
        return f"at most {points(gain.high)}"
    return f"{points(gain.value)} [{points(gain.low)}, {points(gain.high)}]"


def visible(text: str) -> str:
    r"""Return `text` with what a terminal would obey, or not show, as its number.

    >>> visible("a\x1b[31mb")
    'a<1B>[31mb'
    """
    return "".join(each if each.isprintable() else f"<{ord(each):X}>" for each in text)


def _line(text: str) -> Text:
    return Text(f"  {visible(text)}")


def _board(lifted: Lifted) -> str:
    base = lifted.comparisons[0].base if lifted.comparisons else ""
    locked = ", ".join(f"{field} {visible(value)}" for field, value in lifted.locked.items())
    against = f"against {visible(base)}" if base else "nothing could be compared"
    return f"{against}{'; the same for all: ' + locked if locked else ''}"


def _table(comparisons: tuple[Lift, ...]) -> Table:
    most = _scale(comparisons)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    ends = f"−{most:.0%}".rstrip("%"), f"+{most:.0%}".rstrip("%")
    axis = ends[0] + "0".center(_AXIS - len(ends[0]) - len(ends[1])) + ends[1]
    for title, right in (("model", False), (axis, False), ("gain, points [95%]", True), ("reading", False),
                         ("base → trained, %", True), ("failures fixed, %", True), ("tasks", True), ("runs", True),
                         ("seeds", True), ("ungraded", True)):  # fmt: skip
        table.add_column(title, justify="right" if right else "left", no_wrap=title != "model",
                         overflow="fold", max_width=_WIDEST_NAME if title == "model" else None)  # fmt: skip
    for one in comparisons:
        least, largest = one.runs_per_task
        told = f"{_SHAPES[one.reading]} {_WORDS[one.reading]}"
        if one.control:
            told += ", control"
        table.add_row(
            Text(visible(one.trained)), Text(_bar(one.gain, most)), Text(gain_text(one.gain)),
            Text(told, style=_style(one)),
            Text(f"{percent(one.base_rate.value)} → {percent(one.trained_rate.value)}"),
            Text("none failed" if one.failures_fixed is None else percent(one.failures_fixed).replace("-", "−")),
            Text(f"{one.held_out_tasks:,}"), Text(str(least) if least == largest else f"{least}–{largest}"),
            Text(str(one.seeds)), Text(f"{sum(one.ungraded):,}"),
        )  # fmt: skip
    return table


def _style(one: Lift) -> str:
    if one.control:
        return "red" if one.reading == "gain" else "green"
    return _STYLES[one.reading]


def _scale(comparisons: Iterable[Lift]) -> float:
    """Return the end of the axis: the largest end of any interval, up to the next ten points."""
    ends = [abs(end) for one in comparisons for end in (one.gain.low, one.gain.high) if end is not None]
    return min(1.0, max(0.1, math.ceil(max(ends, default=0.1) * 10 - 1e-9) / 10))


def _bar(gain: Estimate, most: float) -> str:
    """Return the interval on a scale of -most to most, with the place of zero."""

    def at(share: float) -> int:
        return min(_AXIS - 1, max(0, round((share + most) / (2 * most) * (_AXIS - 1))))

    cells, middle = ["·"] * _AXIS, _AXIS // 2
    if gain.low is not None and gain.high is not None:
        low, high = at(gain.low), at(gain.high)
        cells[low : high + 1] = "─" * (high - low + 1)
        cells[low], cells[high] = "├", "┤"
    cells[middle] = {"·": "┆", "─": "┼"}.get(cells[middle], cells[middle])
    if gain.value is not None:
        cells[at(gain.value)] = "●"
    return "".join(cells)


def _beneath(one: Lift) -> Iterator[str]:
    """Return what lies beneath a gain, a line each."""
    if one.control and one.control_bound is not None:
        kind = f", its reward {one.degenerate}" if one.degenerate else ""
        high = one.control_bound.high
        bound = "any gain" if high is not None and high <= 0 else f"a gain above {points(high)} points"
        yield f"control{kind}: rules out {bound} (95%, one-sided)"
    yield (f"net of fixes {percent(one.gross_fixes)} and regressions {percent(one.regressions)}; the same runs dealt "
           f"to both at random show {percent(one.noise_fixes)} of each")  # fmt: skip
    if one.tasks_fixed or one.tasks_regressed:
        yield (f"beyond noise one by one: {len(one.tasks_fixed)} tasks fixed{_some(one.tasks_fixed)}, "
               f"{len(one.tasks_regressed)} regressed{_some(one.tasks_regressed)}")  # fmt: skip
    if one.as_trained is not None:
        gained, lost = one.seeds_beyond
        yield (f"{gained} of {one.seeds} seeds gain beyond noise{f', {lost} lose' if lost else ''}; these models as "
               f"trained: {gain_text(one.as_trained)}")  # fmt: skip
        yield from _listed("by seed", [f"{each.seed} {gain_text(each.gain)}" for each in one.by_seed])
    if one.by_family:
        yield from _listed("by family", [_family(each) for each in one.by_family])
    if one.over_control is not None:
        yield f"over the control: {gain_text(one.over_control)}"
    if one.strict is not None:
        yield f"passes at a limit as fails: {gain_text(one.strict)}"
    if one.ungraded_bounds is not None:
        low, high = one.ungraded_bounds
        yield f"with {sum(one.ungraded):,} ungraded all against it, and all for it: {points(low)} to {points(high)}"
    if one.curves is not None:
        yield _curves(one.curves)
    if one.detectable is not None:
        yield f"a true gain of {percent(one.detectable)} points would lie beyond noise four times in five"
    if one.base_tokens is not None and one.trained_tokens is not None:
        yield f"output tokens for one success: {_tokens(one.base_tokens)} → {_tokens(one.trained_tokens)}"
    if one.other_steps:
        yield f"step {one.step}; the ledger holds step {', '.join(map(str, one.other_steps))} too (--step)"
    yield from (f"△ {note}" for note in one.notes)


def _family(each: FamilyGain) -> str:
    reading = reading_of(each.gain)
    return f"{each.family} {gain_text(each.gain)}{', a loss' if reading == 'loss' else ''}"


def _listed(title: str, each: list[str]) -> Iterator[str]:
    """Return a few on one line, more of them on a line each."""
    if len(each) <= _MOST_BESIDE:
        yield f"{title}: {'; '.join(each)}"
        return
    yield f"{title}:"
    yield from (f"  {one}" for one in each)


def _some(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    return f" ({', '.join(names[:_MOST_NAMES])}{' …' if len(names) > _MOST_NAMES else ''})"


def _tokens(estimate: Estimate) -> str:
    ends = "" if estimate.low is None or estimate.high is None else f" [{estimate.low:,.0f}, {estimate.high:,.0f}]"
    return f"{estimate.value:,.0f}{ends}"


def _curves(curves: Curves) -> str:
    """Return what the difference of pass@k does, in words."""
    difference = curves.difference
    first, last = (f"{points(difference.value[i])} [{points(difference.low[i])}, {points(difference.high[i])}]"
                   for i in (0, -1))  # fmt: skip
    told = {
        "sharpening": "sharpening: ahead at small k, and no longer at the largest",
        "expansion": "expansion: ahead at every k",
        "open": "open: ahead at some k, and the band does not say more",
        "none": "ahead beyond the band at no k",
    }[curves.reading]
    crossing = f"; level or behind from k {curves.crosses_at}" if curves.crosses_at is not None else ""
    return f"pass@k, difference: k 1 {first}, k {difference.k[-1]} {last}; {told}{crossing}"
