"""Planted leaks of the future are found in the emitted folders, and honest desks raise nothing."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from authoring.records.desks import row, simulated, written
from fairtrial.authoring.records.leaks.lines import search_lines
from fairtrial.authoring.records.leaks.predicting import area_under, interval_of_area
from fairtrial.authoring.records.leaks.shown import read_shown
from fairtrial.authoring.records.leaks.traces import search_traces
from fairtrial.authoring.records.making import Made, Options, make
from fairtrial.authoring.records.page import summary
from fairtrial.authoring.records.schema import read_declared

CLAIMS = 180


def made(folder: Path, seed: int, leak: str, claims: int = CLAIMS, task: str = "") -> Made:
    declared, _ = simulated(folder / "desk", seed, claims, leak)
    declared.path.write_text(declared.path.read_text().replace("[task]", f"[task]\n{task}"))
    return make(read_declared(declared.path), Options(out=folder / "tasks"))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.extra) for seed in range(1, 6))])
def test_an_honest_desk_raises_nothing_but_what_it_accepts(seed: int, tmp_path: Path) -> None:
    found = made(tmp_path, seed, "none")
    assert [leak.claim for leak in found.leaks if not leak.is_accepted] == []
    assert {leak.field for leak in found.leaks} <= {"claimed", "total"}
    assert all(area.high < 1 or area.of == "chosen" for area in found.together)


@pytest.mark.parametrize(
    ("leak", "severity", "test", "field"),
    [
        ("settled", "lead", "values", "settled"),
        ("status", "lead", "predicting", "status"),
        pytest.param("stamp", "proof", "traces", "last_change", marks=pytest.mark.extra),
        ("note", "proof", "traces", ""),
    ],
)
def test_a_planted_leak_is_found_by_its_test_and_no_other(
    leak: str, severity: str, test: str, field: str, tmp_path: Path
) -> None:
    found = [one for one in made(tmp_path, 1, leak).leaks if not one.is_accepted]
    assert [(one.severity, one.test, one.field) for one in found] == [(severity, test, field)]


@pytest.mark.extra
def test_ids_that_encode_the_outcome_are_found_where_they_are_shown_and_do_no_harm_renamed(tmp_path: Path) -> None:
    assert [one for one in made(tmp_path / "a", 1, "id").leaks if not one.is_accepted] == []
    found = [one for one in made(tmp_path / "b", 1, "id", task='entities = "shown"').leaks if not one.is_accepted]
    assert any("odd or even" in one.claim for one in found)
    assert all(one.test == "predicting" for one in found)


def test_a_folder_that_was_tampered_with_is_proven_to_leak(tmp_path: Path) -> None:
    found = made(tmp_path, 2, "none", claims=15)
    at, place = next((at, place) for at, place in enumerate(found.places) if place is not None)
    case = found.graded.cases[at]
    assert search_lines([read_shown(case, place)], found.desk).leaks == ()
    history = place / "environment" / "workspace" / "history.jsonl"
    kept = history.read_bytes()
    history.write_bytes(kept + b'{"time": "2026-04-01T00:00:00Z", "action": "paid", "fields": {"settled": 1}}\n')
    lines = search_lines([read_shown(case, place)], found.desk).leaks
    assert [(one.test, one.severity) for one in lines if one.test == "lines"] == [("lines", "proof")]
    traces = search_traces([read_shown(case, place)], found.desk, found.declared.toml.records)
    assert "time" in {one.field for one in traces.leaks}
    history.write_bytes(kept.replace(b'"claimed":', b'"claimed":1'))
    assert [one.severity for one in search_lines([read_shown(case, place)], found.desk).leaks if one.test == "lines"]


def test_files_of_several_ages_are_a_lead(tmp_path: Path) -> None:
    found = made(tmp_path, 3, "none", claims=15)
    places = [(case, place) for case, place in zip(found.graded.cases, found.places, strict=True) if place]
    os.utime(places[0][1] / "instruction.md", (0, 12345))
    leaks = search_lines([read_shown(case, place) for case, place in places], found.desk).leaks
    assert [(one.test, one.severity) for one in leaks] == [("files", "lead")]


def test_an_id_of_a_later_event_in_the_policy_is_a_proof(tmp_path: Path) -> None:
    declared, truth = simulated(tmp_path / "desk", 4, 40)
    later = next(iter(truth.values()))["event_id"]
    (tmp_path / "desk" / "POLICY.md").write_text(f"See {later}.\n")
    found = make(declared, Options(out=tmp_path / "tasks"))
    assert [(one.severity, one.tasks) for one in found.proofs] == [("proof", 1)]


def test_too_few_cases_are_not_measured_rather_than_clean(tmp_path: Path) -> None:
    declared, _ = simulated(tmp_path / "desk", 1, 8)
    found = make(declared, Options(out=tmp_path / "tasks"))
    assert any("how well fields tell the right action" in why for why in found.not_measured)


def test_the_area_is_the_share_of_ordered_pairs() -> None:
    draw = np.random.default_rng(1)
    for _ in range(20):
        scores, truth = draw.integers(0, 5, 30).astype(float), draw.random(30) < 0.4
        pairs = [(a > b) + (a == b) / 2 for a in scores[truth] for b in scores[~truth]]
        assert area_under(scores, truth) == pytest.approx(np.mean(pairs))


def test_the_interval_of_an_area_covers_it_and_is_no_point_at_one() -> None:
    draw, covered = np.random.default_rng(2), 0
    for _ in range(300):
        truth = np.arange(60) < 30
        scores = draw.normal(size=60) + 1.0 * truth
        low, high = interval_of_area(area_under(scores, truth), 30, 30)
        covered += low <= 0.76025 <= high  # P(N(1, 2) > 0)
    assert covered >= 300 * 0.91
    low, high = interval_of_area(1.0, 20, 20)
    assert low < 0.99
    assert high == 1.0


def with_field(folder: Path, head: str, later: str, holds: str, cases: int = 6) -> Made:
    """Return tasks of cases whose first event holds `holds`; `later` is the time of the event after the decision."""
    rows = []
    for day in range(1, cases + 1):
        name = {"case": f"c{day}"}
        at = [stamp.format(day=day) for stamp in ("2026-01-{day:02} 08:00:01", "2026-01-{day:02} 09:30:11")]
        rows += [row(at[0], "cu", "opened", touched=holds.format(day=day)) | name, row(at[1], "ada", "yes") | name,
                 row(later.format(day=day), "cu", "paid") | name]  # fmt: skip
    declared = written(folder, rows)
    declared.path.write_text(declared.path.read_text().replace("[columns]", f"{head}\n[columns]", 1))
    return make(read_declared(declared.path), Options(out=folder / "tasks"))


@pytest.mark.parametrize(
    ("later", "holds", "severity"),
    [
        ("2026-01-{day:02} 12:10:31", "2026-01-{day:02} 12:10:31", "proof"),
        ("2026-01-{day:02} 12:10:00", "2026-01-{day:02} 12:10:00", "lead"),  # an appointment that was kept
        ("2026-02-{day:02}", "2026-02-{day:02}", "lead"),
    ],
)
def test_times_of_later_entries_are_told_in_the_records_zone_and_plans_are_no_proof(
    later: str, holds: str, severity: str, tmp_path: Path
) -> None:
    found = with_field(tmp_path, 'time_zone = "America/New_York"', later, holds)
    assert [(one.test, one.severity, one.field) for one in found.leaks] == [("traces", severity, "touched")]


def test_times_of_later_entries_are_found_in_the_records_own_form(tmp_path: Path) -> None:
    rows = []
    for case in range(5):
        start = 1_770_000_003 + 1000 * case
        name = {"case": f"c{case}"}
        rows += [row(str(start), "cu", "opened", touched=start + 77, phone=4312345678 + case) | name,
                 row(str(start + 50), "ada", "yes") | name, row(str(start + 77), "cu", "paid") | name]  # fmt: skip
    declared = written(tmp_path, rows)
    declared.path.write_text(declared.path.read_text().replace("[columns]", 'time_format = "unix"\n[columns]', 1))
    found = make(read_declared(declared.path), Options(out=tmp_path / "tasks"))
    assert [(one.severity, one.field) for one in found.leaks] == [("proof", "touched")]


def test_what_was_not_tested_is_not_called_clean(tmp_path: Path) -> None:
    declared, _ = simulated(tmp_path / "desk", 1, 8)
    few = list(summary(make(declared, Options(out=tmp_path / "few"))))
    assert any(line.startswith("○") and "could not be" in line for line in few)
    assert not any(line.startswith("●") for line in few)


def test_choices_that_a_nights_run_enters_are_told_by_their_hour(tmp_path: Path) -> None:
    rows = []
    for case in range(160):
        name, is_yes = {"case": f"c{case}"}, case * 7 % 3 == 0
        made = f"2026-02-{1 + case % 28:02}T{8 + case % 9 if is_yes else 2:02}:{case % 60:02}:{case * 11 % 60:02}Z"
        rows += [row(f"2026-01-{1 + case % 28:02}T08:00:01Z", "cu", "opened", size=case * 13 % 50) | name,
                 row(made, "ada", "yes" if is_yes else "no") | name]  # fmt: skip
    found = make(written(tmp_path, rows), Options(out=tmp_path / "tasks"))
    assert "The decision's time of day" in {one.claim.split(" alone")[0] for one in found.leaks}
