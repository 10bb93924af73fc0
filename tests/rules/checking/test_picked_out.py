"""What a judge is shown of much: over all of it, and how much there is, is said; nothing is dropped in silence."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.contamination.conduct.leads import Lead, Leads
from fairtrial.contamination.lookup import BenchmarkNames, lookups_of
from fairtrial.rules.checking.steps_shown import MOST_AROUND, MOST_CALLS, spread, steps_shown
from fairtrial.rules.exhibits import MOST_CHARACTERS, OVERVIEW, exhibit


def trajectory(path: Path, steps: int, calls: int = 1) -> Path:
    def step(number: int) -> dict[str, Any]:
        made = [{"tool_call_id": f"c{n}", "function_name": "bash", "arguments": {"command": f"run {number}.{n}"}}
                for n in range(calls)]  # fmt: skip
        return {"step_id": number, "source": "agent", "message": "", "tool_calls": made}

    told = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "x", "version": "1"},
            "steps": [step(number) for number in range(1, steps + 1)]}  # fmt: skip
    path.write_text(json.dumps(told))
    return path


@given(st.integers(0, 20_000), st.integers(1, 3_000))
def test_any_beginning_of_a_spread_lies_over_the_whole(count: int, most: int) -> None:
    found = spread(count, most)
    assert len(found) == len(set(found)) == min(count, most)
    assert all(0 <= one < count for one in found)
    for size in (1, 10, 100, len(found)):
        beginning = sorted(found[:size])
        if len(found) > 400 and size >= 400:  # fewer come in their order
            gaps = [b - a for a, b in itertools.pairwise([*beginning, count])]
            assert max(gaps) <= 4 * count / size + 1


def test_late_calls_of_a_long_trajectory_are_shown_and_the_rest_is_counted(tmp_path: Path) -> None:
    path = trajectory(tmp_path / "t.json", 5_000)
    shown = steps_shown(Leads(read=(str(path),)), [path])
    assert shown[0].place == OVERVIEW
    assert f"{MOST_CALLS:,} of 5,000 calls, picked out evenly" in shown[0].text
    assert len(shown) == MOST_CALLS + 1
    steps = [int(one.place.split()[3]) for one in shown[1:401]]
    assert max(steps) > 4_900
    assert max(b - a for a, b in itertools.pairwise(steps)) < 50


def test_all_of_a_short_trajectory_is_shown_in_its_order(tmp_path: Path) -> None:
    path = trajectory(tmp_path / "t.json", 60)
    shown = steps_shown(Leads(read=(str(path),)), [path])
    assert "60 of 60 calls;" in shown[0].text
    assert [one.place for one in shown[1:]] == [f"trajectory 1 step {number} call 1" for number in range(1, 61)]


@pytest.mark.extra
def test_a_lead_in_a_step_of_many_calls_is_shown_among_its_neighbours(tmp_path: Path) -> None:
    path = trajectory(tmp_path / "t.json", 3, calls=900)
    lead = Lead(kind="model_api", certainty="call", path=str(path), claim="c", quote="run 2.800", step=2,
                place="step 2 call 801")  # fmt: skip
    shown = steps_shown(Leads(read=(str(path),), findings=(lead,)), [path])
    near = [one.place for one in shown[1 : MOST_AROUND + 1]]
    assert "trajectory 1 step 2 call 801" in near


@pytest.mark.extra
def test_a_deed_at_the_end_is_seen_by_the_check_and_shown(tmp_path: Path) -> None:
    path = trajectory(tmp_path / "t.json", 3_000)
    told = json.loads(path.read_text())
    command = "git clone https://code.example/bench/ledgers"
    told["steps"][2_990]["tool_calls"][0]["arguments"]["command"] = command
    path.write_text(json.dumps(told))
    found = lookups_of([path], BenchmarkNames(repository=("https://code.example/bench/ledgers",)))
    assert any(command in one.text for one in steps_shown(found, [path])[1:10])


def test_a_piece_says_of_how_much_it_is_one_however_long_its_title() -> None:
    cut = exhibit("training row 1", "x" * 5_000, "a title " * 20, at=4_000)
    assert (len(cut.text), cut.begins, cut.whole) == (MOST_CHARACTERS, 2_000, 5_000)
