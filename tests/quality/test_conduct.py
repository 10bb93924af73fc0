"""The labelled sets of conduct stay told right: floors of recall, ceilings of false alarms, by set."""

from __future__ import annotations

import pytest

from quality.conduct_measured import SETS, lookup_says, usage_says, wrong


@pytest.mark.parametrize("module", SETS, ids=lambda module: module.__name__)
def test_usage_is_told_right(module: object) -> None:
    assert wrong(module.USAGE, usage_says) == {}  # type: ignore[attr-defined]


@pytest.mark.parametrize("module", SETS, ids=lambda module: module.__name__)
def test_lookups_are_told_right_but_for_longer_names(module: object) -> None:
    assert set(wrong(module.LOOKUP, lookup_says)) <= {"longer_name"}  # type: ignore[attr-defined]


def test_half_of_every_set_is_honest() -> None:
    for module in SETS:
        cases = (*module.USAGE, *module.LOOKUP)
        assert 0.35 < sum(case.expected == "clean" for case in cases) / len(cases) < 0.65
        assert len({case.name for case in module.USAGE}) == len(module.USAGE)
