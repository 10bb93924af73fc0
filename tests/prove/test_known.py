"""Known candidates may declare how they came about: beside their script, read first, part of the hash."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from tests.grade.outside_tasks import acted, make_task

from fairtrial.formats.atif import document
from fairtrial.prove.known import known_candidates
from fairtrial.records import FormatError, InputError
from fairtrial.run.agents.submission import SubmissionAgent
from fairtrial.tasks import load_task

PROOF = '[[candidate]]\nname = "blind"\nkind = "defect"\nsolve = "candidates/blind/solve.sh"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_task(tmp_path)
    (tmp_path / "candidates/blind").mkdir(parents=True)
    (tmp_path / "candidates/blind/solve.sh").write_text("s\n")
    (tmp_path / "candidates/blind/trajectory.json").write_bytes(orjson.dumps(document(acted("act"))))
    (tmp_path / "proof.toml").write_text(PROOF)
    return tmp_path


def declared(folder: Path) -> dict[str, bool]:
    known = known_candidates(load_task(folder)[1])
    return {one.name: bool(one.agent.trajectories) for one in known if isinstance(one.agent, SubmissionAgent)}


def test_a_trajectory_is_declared_and_never_guessed(folder: Path) -> None:
    assert declared(folder) == {"reference": False, "blind": False}
    before = load_task(folder)[0].hash
    (folder / "proof.toml").write_text(PROOF + 'trajectory = "candidates/blind/trajectory.json"\n')
    (folder / "solution/trajectory.json").write_bytes(orjson.dumps(document(acted("ask", "act"))))
    assert declared(folder) == {"reference": True, "blind": True}
    assert load_task(folder)[0].hash != before


@pytest.mark.parametrize("place", ["tests/trajectory.json", "/etc/hostname", "candidates/blind/none.json", "../x.json"])
def test_it_lies_beside_the_script(folder: Path, place: str) -> None:
    (folder / "tests/trajectory.json").write_text("{}")
    (folder / "proof.toml").write_text(PROOF + f'trajectory = "{place}"\n')
    with pytest.raises(InputError, match=r"trajectory|beside"):
        load_task(folder)


def test_one_that_cannot_be_read_is_told_before_anything_runs(folder: Path) -> None:
    (folder / "solution/trajectory.json").write_text("{}")
    with pytest.raises(FormatError):
        known_candidates(load_task(folder)[1])
