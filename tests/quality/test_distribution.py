"""The decoy table must not fall: what is built around items is found, clones of one call too, broad training clean."""

from __future__ import annotations

from functools import cache

import pytest

from fairtrial.contamination.clusters import clusters_of
from quality import function_calls
from quality.distribution_measured import DATA, Line, calls, table

pytestmark = [pytest.mark.extra, pytest.mark.long, pytest.mark.timeout(900)]

FOUND = {
    "2,500 clones of 50 items": 1.0,
    "200 rewordings, one an item": 1.0,
    "50 rewordings, one an item": 1.0,
    "20 rewordings, one an item": 0.9,
}
"""Training sets and how often each must be found."""


@cache
def lines() -> dict[str, Line]:
    if not DATA.is_dir():
        pytest.skip("../shared/data/contamination is not here: rewordings of GSM8K are nowhere else")
    return {line.name: line for line in table(draws=20, null_draws=100)}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_built_around_items_is_found(name: str) -> None:
    assert lines()[name].built >= FOUND[name]


def test_four_clones_of_one_item_are_a_lead_on_it_and_no_more() -> None:
    line = lines()["4 clones of one item"]
    assert line.lead >= 0.8
    assert line.built <= 0.1


def test_of_fifty_cloned_items_at_least_46_are_called() -> None:
    assert lines()["2,500 clones of 50 items"].called >= 46


def test_fifty_spread_rewordings_are_beyond_doubt() -> None:
    assert lines()["50 rewordings, one an item"].p_value < 1e-6


@pytest.mark.parametrize("name", ["broad training", "broad, half of it", "broad, one kind of problem"])
def test_broad_training_stays_clean(name: str) -> None:
    assert lines()[name].built <= 0.1


def test_clones_of_one_function_call_are_found() -> None:
    broad, cloned = calls(4_500)
    assert broad.shares is not None
    assert not broad.shares.built_around
    assert cloned.shares is not None
    assert cloned.shares.built_around
    assert [item.item_id for item in cloned.items if item.flagged] == ["tide-item"]
    assert cloned.items[0].near_rows > 450


def test_their_template_shows_how_they_were_made() -> None:
    rows = dict(enumerate(function_calls.clones(4_500, 5)))
    found = clusters_of(rows, dict.fromkeys(rows, "tide-item"))
    assert found.found == 1
    cluster = found.shown[0]
    assert cluster.explained > 0.95
    template = cluster.templates[0]
    assert '"parameters": {"type": "object", "properties": {"' in template.text
    assert len(template.slots) >= 8
    harbour = next(slot for slot in template.slots if "marina" in slot.examples)
    assert harbour.values == 4
    assert max(slot.values for slot in template.slots) > 50
