"""Charts: specifications that Vega-Lite accepts, labels that never touch, numbers of tasks never lost in gathering."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import altair as alt
import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.fixed import fixed_measurement
from tests.report.suites import context

from fairtrial.report import build
from fairtrial.report.charts import draw_figure, theme
from fairtrial.report.charts.curves import ticks
from fairtrial.report.charts.layout import Box, Scale, dodge, place_labels, wrap_name
from fairtrial.report.sections.bins import snapped
from fairtrial.report.sections.difficulty import gathered

rates = st.floats(min_value=0, max_value=1)


def test_every_chart_is_valid_vega_lite(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    real = theme.specification

    def keep(*arguments: Any) -> dict[str, Any]:
        seen.append(real(*arguments))
        return seen[-1]

    monkeypatch.setattr(theme, "specification", keep)
    report = build(fixed_measurement(), (), (), context())
    for section in report.sections:
        for block in section.blocks:
            for figure in block.figures:
                draw_figure(figure)
    assert len(seen) == 11
    kinds: dict[tuple[str, ...], dict[str, Any]] = {}
    for layer in (layer for spec in seen for layer in spec["layer"]):
        kinds.setdefault(
            (*layer["mark"], *layer["encoding"]), layer | {"data": {"values": layer["data"]["values"][:1]}}
        )
    assert len(kinds) >= 10
    schema = jsonschema.Draft7Validator(alt.load_schema() | {"$ref": "#/definitions/LayerSpec"})
    frame = {name: value for name, value in seen[0].items() if name in ("width", "height")}
    for layer in kinds.values():
        assert not list(schema.iter_errors(frame | {"layer": [layer]})), layer
    assert list(schema.iter_errors(frame | {"layer": [{"mark": "no such mark"}]}))


@given(st.lists(st.tuples(st.floats(0, 200), st.floats(5, 40)), min_size=1, max_size=8))
def test_dodged_blocks_never_overlap_and_keep_their_order(blocks: list[tuple[float, float]]) -> None:
    centres, heights = [b[0] for b in blocks], [b[1] for b in blocks]
    placed = dodge(centres, heights, 0, 400)
    ordered = sorted(zip(placed, heights, centres, strict=True))
    for (a, height_a, wish_a), (b, height_b, wish_b) in pairwise(ordered):
        assert a + height_a / 2 <= b - height_b / 2 + 1e-6
        assert wish_a <= wish_b


@given(st.lists(st.tuples(st.floats(20, 780), st.floats(20, 280)), min_size=1, max_size=7))
def test_placed_labels_touch_nothing(points: list[tuple[float, float]]) -> None:
    taken = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    placed = place_labels(points, [60.0] * len(points), taken, (800, 300))
    if placed is None:
        return
    boxes = []
    for at in placed:
        left = at.x if at.align == "left" else at.x - 60
        boxes.append(Box(left, at.y - 7.5, left + 60, at.y + 7.5))
    assert not [1 for i, a in enumerate(boxes) for b in boxes[i + 1 :] if a.touches(b)]
    assert not [1 for a in boxes for b in taken if a.touches(b)]
    assert all(box.inside(800, 300) for box in boxes)


def test_labels_that_cannot_be_placed_are_not_placed_badly() -> None:
    assert place_labels([(50, 50)], [500.0], [], (100, 100)) is None


@given(st.floats(1, 1e6), st.floats(1.1, 1e3), rates)
def test_scales_invert(low: float, ratio: float, share: float) -> None:
    for log in (False, True):
        scale = Scale(low, low * ratio, 300, log=log, flipped=log)
        pixel = share * 300
        assert scale.px(scale.value(pixel)) == pytest.approx(pixel, abs=1e-4)


@given(st.text(alphabet="abc_-/", min_size=1, max_size=90), st.integers(8, 40))
def test_wrapped_names_keep_to_their_width(name: str, width: int) -> None:
    rows = wrap_name(name, width)
    assert len(rows) <= 2
    assert all(len(row) <= width for row in rows)
    if len(name) <= width:
        assert rows == [name]


@given(st.lists(st.tuples(rates, st.integers(1, 9)), max_size=20))
def test_gathering_loses_no_task_and_keeps_never_and_always_apart(histogram: list[tuple[float, int]]) -> None:
    found = gathered(histogram, (0.1, 0.3, 0.5, 0.7, 0.9))
    assert sum(found.values()) == sum(tasks for _, tasks in histogram)
    assert found.get((0.0, 0.0), 0) == sum(tasks for rate, tasks in histogram if rate == 0)
    assert found.get((1.0, 1.0), 0) == sum(tasks for rate, tasks in histogram if rate == 1)


@given(st.lists(st.tuples(rates, rates, st.integers(1, 9)), min_size=1, max_size=30))
def test_rounding_a_grid_never_crosses_one_half_nor_loses_a_task(cells: list[tuple[float, float, int]]) -> None:
    found, _ = snapped(cells)
    assert sum(cell[2] for cell in found) == sum(cell[2] for cell in cells)
    for axis in (0, 1):
        assert sum(c[2] for c in found if c[axis] > 0.5) == sum(c[2] for c in cells if c[axis] > 0.5)
        assert sum(c[2] for c in found if c[axis] == 0) == sum(c[2] for c in cells if c[axis] == 0)


@given(st.integers(1, 300))
def test_ticks_of_k_are_few_and_begin_at_one(last: int) -> None:
    found = ticks(last)
    assert found[0] == 1
    assert len(found) <= 8
    assert found == sorted(set(found))
