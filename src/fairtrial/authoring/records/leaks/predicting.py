"""Fields that tell the right action, or the expert's choice, too well: areas under the ROC curve, field by field.

Each field gives features: whether it is there, its number, or the share of the action among other cases with its value
(by folds of whole entities). So do the case's name, the hour, second and weekday of the decision, the count of each
kind of event, and the record's length and age. A single feature whose area is near 1 is a lead: an honest field seldom
tells all. All together, in a naive Bayes across folds, say how predictable the right action is. Needs ten cases with
and ten without an action. Mann and Whitney 1947; intervals by Hanley and McNeil 1982.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from fairtrial.authoring.records.decisions import number
from fairtrial.authoring.records.leaks.finding import Leak, Searched
from fairtrial.authoring.records.leaks.shown import ShownTask
from fairtrial.authoring.records.times import span_reader
from fairtrial.measure.intervals.wilson import Z_95

Floats = NDArray[np.float64]
TOO_WELL = 0.95
"""Lower end of the interval of an area from which a single feature is a lead."""
LEAST = 10
FOLDS = 5
MOST_VALUES = 30
"""Different values of a field that is taken for a category."""


@dataclass(frozen=True, slots=True)
class Area:
    """How well something tells an action: the area under the curve, 1/2 for not at all, with its interval."""

    of: str
    """`right` or `chosen`."""
    action: str
    feature: str
    value: float
    low: float
    high: float
    n: int

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Predicted:
    """Leads, the areas that were highest, and the areas of all features together."""

    searched: Searched
    highest: tuple[Area, ...] = ()
    together: tuple[Area, ...] = ()


def search_predicting(shown: Sequence[ShownTask]) -> Predicted:
    """Return leads on features that tell the right action of cases graded by outcome, or the choice in any."""
    fact = [task for task in shown if task.case.graded_by.startswith("outcome")]
    areas: list[Area] = []
    together: list[Area] = []
    missing = []
    for of, tasks in (("right", fact), ("chosen", list(shown))):
        labels = [task.case.right[0] if of == "right" else task.case.decision.action for task in tasks]
        actions = [action for action, count in Counter(labels).items() if min(count, len(labels) - count) >= LEAST]
        if not actions:
            missing.append(
                f"how well fields tell the {of} action: fewer than {LEAST} cases with and without any action"
            )
            continue
        rows = [dict(_features(task)) for task in tasks]
        folds = np.array([int(hashlib.sha256(task.case.decision.group.encode()).hexdigest()[:8], 16) % FOLDS
                          for task in tasks])  # fmt: skip
        for action in sorted(actions):
            truth = np.array([label == action for label in labels])
            areas += _single(of, action, rows, truth, folds)
            together.append(_together(of, action, rows, truth, folds))
    areas.sort(key=lambda area: -area.low)
    leads = {area.feature: area for area in reversed(areas) if area.low >= TOO_WELL}
    return Predicted(Searched(tuple(_lead(area) for area in leads.values()), tuple(missing)), tuple(areas[:10]),
                     tuple(together))  # fmt: skip


def _lead(area: Area) -> Leak:
    what = "is right" if area.of == "right" else "is chosen"
    claim = f"{area.feature} alone tells when `{area.action}` {what}: area {area.value:.3f} "
    claim += f"[{area.low:.3f}, {area.high:.3f}]."
    return Leak(test="predicting", severity="lead", field=area.feature.split("`")[1] if "`" in area.feature else "",
                claim=claim[0].upper() + claim[1:], tasks=area.n, of=area.n)  # fmt: skip


def _features(task: ShownTask) -> Iterator[tuple[str, Any]]:
    """Yield the features of a task by name; a number, a category as text, or True."""
    for name, value in task.fields.items():
        yield f"`{name}` being there", True
        found = number(value)
        yield f"`{name}`", (str(value) if found is None else float(found))
    for action, count in Counter(line["action"] for line in task.lines).items():
        yield f"the number of `{action}` events", float(count)
    name = _name_shown(task)
    digits = "".join(letter for letter in name if letter.isdigit())
    if digits and name == task.case.decision.entity:
        yield "the case's name as a number", float(digits[-15:])
        yield "the case's name: its last digit", digits[-1]
        yield "the case's name: odd or even", str(int(digits[-1]) % 2)
        yield "the case's name: its first letters", name.rstrip("0123456789")[:20]
    yield "the number of events", float(len(task.lines))
    at = task.case.decision.made_at  # which the instruction says: choices that a night's run enters would tell
    yield "the decision's time of day", (at.hour * 60 + at.minute) * 60 + at.second + at.microsecond / 1e6
    yield "the decision's second", f"{at.second:02}.{at.microsecond:06}"
    yield "the decision's day of the week", at.strftime("%A")
    read = span_reader(None)
    times = [read(line["time"]).earliest for line in task.lines]
    if times:
        yield "the record's age", (task.case.decision.made_at - min(times)).total_seconds()
        yield "the time since the last event", (task.case.decision.made_at - max(times)).total_seconds()


def _name_shown(task: ShownTask) -> str:
    return task.case.decision.entity if f"`{task.case.decision.entity}`" in task.texts["instruction.md"] else ""


def _single(
    of: str, action: str, rows: Sequence[Mapping[str, Any]], truth: NDArray[np.bool_], folds: NDArray[np.int64]
) -> Iterator[Area]:
    """Yield the area of each feature by itself, among the cases that have it."""
    for name in sorted({name for row in rows for name in row}):
        values = [row.get(name) for row in rows]
        scores, is_oriented = _scores(values, truth, folds)
        there = ~np.isnan(scores)
        if min(truth[there].sum(), (~truth[there]).sum()) < LEAST:
            continue
        value = area_under(scores[there], truth[there])
        value = value if is_oriented else max(value, 1 - value)
        low, high = interval_of_area(value, int(truth[there].sum()), int((~truth[there]).sum()))
        yield Area(of, action, name, value, low, high, int(there.sum()))


def _scores(values: Sequence[Any], truth: NDArray[np.bool_], folds: NDArray[np.int64]) -> tuple[Floats, bool]:
    """Return a score of each case for one feature, NaN where it says nothing, and whether higher means likelier."""
    if all(value is None or value is True for value in values):
        return np.array([0.0 if value is None else 1.0 for value in values]), False
    if all(value is None or isinstance(value, float) for value in values):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64), False
    words = ["" if value is None else str(value) for value in values]
    if len(set(words)) > MOST_VALUES:
        return np.full(len(words), np.nan), True
    scores = np.empty(len(words))
    for fold in range(FOLDS):
        others = folds != fold
        counts: dict[str, list[float]] = {}
        for word, is_true in zip(np.array(words)[others], truth[others], strict=True):
            held = counts.setdefault(word, [0.0, 0.0])
            held[0] += is_true
            held[1] += 1
        rate = truth[others].mean() if others.any() else 0.5
        for at in np.flatnonzero(~others):
            passes, n = counts.get(words[at], (0.0, 0.0))
            scores[at] = (passes + rate) / (n + 1)
    return scores, True


def area_under(scores: Floats, truth: NDArray[np.bool_]) -> float:
    """Return the chance that a true case scores above a false one, ties half: Mann and Whitney's U over both counts.

    >>> area_under(np.array([1.0, 2.0, 3.0, 3.0]), np.array([False, False, True, False]))
    0.8333333333333334
    """
    ranks = rankdata(scores)
    positive, negative = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - positive * (positive + 1) / 2) / (positive * negative))


def interval_of_area(value: float, positive: int, negative: int) -> tuple[float, float]:
    """Return the interval of an area by Hanley and McNeil (1982); at 1, theirs is a point: then of 1 - 1/(2n)."""
    least = 1 - 1 / (2 * min(positive, negative) + 2)
    held = min(max(value, 1 - least), least)
    one, two = held / (2 - held), 2 * held * held / (1 + held)
    variance = held * (1 - held) + (positive - 1) * (one - held**2) + (negative - 1) * (two - held**2)
    half = Z_95 * math.sqrt(variance / (positive * negative))
    return max(0.0, held - half), min(1.0, max(value, held + half))


def _together(
    of: str, action: str, rows: Sequence[Mapping[str, Any]], truth: NDArray[np.bool_], folds: NDArray[np.int64]
) -> Area:
    """Return the area of all features in a naive Bayes: numbers in thirds, categories as they are, folds left out."""
    names = sorted({name for row in rows for name in row})
    columns = [_binned([row.get(name) for row in rows]) for name in names]
    scores = np.zeros(len(rows))
    for column in columns:
        for fold in range(FOLDS):
            others = folds != fold
            scores[~others] += _log_odds(column, truth, others)[~others]
    value = area_under(scores, truth)
    low, high = interval_of_area(value, int(truth.sum()), int((~truth).sum()))
    return Area(of, action, "everything shown", value, low, high, len(rows))


def _binned(values: Sequence[Any]) -> NDArray[np.int64]:
    if all(value is None or isinstance(value, float) for value in values):
        there = [value for value in values if value is not None]
        ends = np.quantile(there, [1 / 3, 2 / 3])
        return np.array([0 if value is None else 1 + int(np.searchsorted(ends, value)) for value in values])
    common = [word for word, _ in Counter(map(str, values)).most_common(MOST_VALUES)]
    return np.array([common.index(str(value)) if str(value) in common else MOST_VALUES for value in values])


def _log_odds(column: NDArray[np.int64], truth: NDArray[np.bool_], others: NDArray[np.bool_]) -> Floats:
    size = int(column.max()) + 1
    true = np.bincount(column[others & truth], minlength=size) + 1.0
    false = np.bincount(column[others & ~truth], minlength=size) + 1.0
    odds: Floats = np.log(true / true.sum()) - np.log(false / false.sum())
    return odds[column]
