"""The charts of one watched run: pass rate, groups, hacks with the line, length, entropy, what was not graded.

Long runs are drawn in at most 75 points, each of several steps together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from fairtrial.measure.intervals import effective_wilson
from fairtrial.report.figures import LinePanel, LinePoint, Lines, LineSeries
from fairtrial.report.numbers import percent, rounded
from fairtrial.report.watch.words import sampled, stretches
from fairtrial.train.watch import Watched, WatchedStep

MOST_POINTS = 75
_SHARE_TOPS = (0.05, 0.1, 0.2, 0.5, 1.0)

Steps = Sequence[WatchedStep]
Point = Callable[[Steps], LinePoint | None]


def figures_of(run: Watched, key: str) -> tuple[Lines, ...]:
    """Return the charts of a run, two beside each other."""
    steps = sampled(run)
    if len(steps) < 2:
        return ()
    each = -(-len(steps) // MOST_POINTS)
    bins = [steps[start : start + each] for start in range(0, len(steps), each)]
    marked = stretches(run.left_out_steps)
    panels = [panel for panel in (
        _pass_rate(bins, marked), _groups(bins, marked), _hacks(bins, run), _tokens(bins, marked),
        _entropy(bins, marked), _ungraded(bins, marked),
    ) if panel is not None]  # fmt: skip
    return tuple(Lines(key=f"{key}-{start // 2}", text="", panels=tuple(panels[start : start + 2]))
                 for start in range(0, len(panels), 2))  # fmt: skip


def together(run: Watched) -> int:
    """Return how many steps a point of the charts stands for."""
    return -(-len(sampled(run)) // MOST_POINTS)


def _pass_rate(bins: Sequence[Steps], marked: tuple[tuple[int, int], ...]) -> LinePanel | None:
    series = _series("passed", bins, _share(lambda step: step.passed, lambda step: step.passed + step.failed),
                     chosen=True)  # fmt: skip
    return _panel("Pass rate", "graded attempts, 95% over groups", "passed, %", (series,), marked)


def _groups(bins: Sequence[Steps], marked: tuple[tuple[int, int], ...]) -> LinePanel | None:
    series = (
        _series("teach", bins, _plain(lambda step: step.informative, lambda step: step.groups), chosen=True),
        _series("all pass", bins, _plain(lambda step: step.all_pass, lambda step: step.groups)),
        _series("all fail", bins, _plain(lambda step: step.all_fail, lambda step: step.groups)),
    )
    return _panel("Groups", "those with a pass and a fail teach", "share of groups, %", series, marked)


def _hacks(bins: Sequence[Steps], run: Watched) -> LinePanel | None:
    series = _series("hacks", bins, _reviewed, chosen=True)
    if not series.points:
        return None
    top = next(top for top in _SHARE_TOPS if top >= max(point.high for point in series.points) or top == 1)
    ends = series.points[0].x, series.points[-1].x
    level = run.hack_line
    line = LineSeries(name="line", dashed=True, points=tuple(LinePoint(x, level, level, level) for x in ends))
    top = max(top, next(top for top in _SHARE_TOPS if top > run.hack_line or top == 1))
    return _panel("Hacks", "of reviewed attempts, with bound", "confirmed hacks, %", (series, line),
                  stretches(run.left_out_steps), high=top)  # fmt: skip


def _tokens(bins: Sequence[Steps], marked: tuple[tuple[int, int], ...]) -> LinePanel | None:
    return _numbers("Length", "of a completion, mean", "tokens", bins, lambda step: step.mean_tokens, marked)


def _entropy(bins: Sequence[Steps], marked: tuple[tuple[int, int], ...]) -> LinePanel | None:
    return _numbers("Entropy", "of a sampled token, mean", "nats", bins, lambda step: step.entropy, marked)


def _ungraded(bins: Sequence[Steps], marked: tuple[tuple[int, int], ...]) -> LinePanel | None:
    ungraded = _series("ungraded", bins, _plain(lambda step: step.ungraded, lambda step: step.attempts), chosen=True)
    wrong = _series("known failed", bins, _plain(_references_failed, lambda step: step.references or 0))
    return _panel(
        "Grader",
        "attempts ungraded, known right answers failed",
        "share, %",
        tuple(one for one in (ungraded, wrong) if one.points),
        marked,
    )


def _references_failed(step: WatchedStep) -> int:
    return (step.references or 0) - (step.references_passed or 0)


def _numbers(
    title: str, note: str, up: str, bins: Sequence[Steps], of: Callable[[WatchedStep], float | None],
    marked: tuple[tuple[int, int], ...],
) -> LinePanel | None:  # fmt: skip
    def point(steps: Steps) -> LinePoint | None:
        known = [value for value in map(of, steps) if value is not None]
        return _at(steps, sum(known) / len(known)) if known else None

    series = _series(up, bins, point, chosen=True)
    if not series.points:
        return None
    most = max(one.value for one in series.points)
    return _panel(title, note, up, (series,), marked, high=1.15 * most or 1.0, unit="number")


def _panel(
    title: str, note: str, up: str, series: tuple[LineSeries, ...], marked: tuple[tuple[int, int], ...], *,
    high: float = 1.0, unit: Literal["share", "number"] = "share",
) -> LinePanel | None:  # fmt: skip
    if not series or not all(one.points for one in series):
        return None
    show = percent if unit == "share" else (lambda value: rounded(value, 1))
    values = "; ".join(f"{one.name} {show(one.points[0].value)} at first, {show(one.points[-1].value)} at last"
                       for one in series)  # fmt: skip
    return LinePanel(title=title, note=note, text=f"{title} by step. {values}.", across="step", up=up, low=0.0,
                     high=high, series=series, marked=marked, unit=unit)  # fmt: skip


def _series(name: str, bins: Sequence[Steps], point: Point, *, chosen: bool = False) -> LineSeries:
    return LineSeries(name=name, points=tuple(one for one in map(point, bins) if one is not None), chosen=chosen)


def _share(part: Callable[[WatchedStep], int], whole: Callable[[WatchedStep], int]) -> Point:
    """Return a share with its interval: that of the step alone, or Wilson over the groups of several."""

    def point(steps: Steps) -> LinePoint | None:
        total = sum(map(whole, steps))
        if total == 0:
            return None
        value, own = sum(map(part, steps)) / total, steps[0].pass_rate
        if len(steps) == 1 and own is not None and own.low is not None and own.high is not None:
            return _at(steps, value, own.low, own.high)
        return _at(steps, value, *effective_wilson(value, max(1, sum(step.groups for step in steps))))

    return point


def _plain(part: Callable[[WatchedStep], int], whole: Callable[[WatchedStep], int]) -> Point:
    def point(steps: Steps) -> LinePoint | None:
        total = sum(map(whole, steps))
        return _at(steps, sum(map(part, steps)) / total) if total else None

    return point


def _reviewed(steps: Steps) -> LinePoint | None:
    """Return the share of hacks among reviewed attempts, mean of the steps with a word on it, widest bound of them."""
    told = [step.hack_share for step in steps if step.hack_share is not None]
    ends = [(one.low, one.high) for one in told if one.low is not None and one.high is not None]
    values = [one.value for one in told if one.value is not None]
    if not values or not ends:
        return None
    return _at(steps, sum(values) / len(values), min(low for low, _ in ends), max(high for _, high in ends))


def _at(steps: Steps, value: float, low: float | None = None, high: float | None = None) -> LinePoint:
    return LinePoint(steps[len(steps) // 2].step, value, value if low is None else low, value if high is None else high)
