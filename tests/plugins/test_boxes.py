"""What other frameworks ask of a box: streams apart, files in and out, processes that live on, worlds from files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.plugins.boxes import HeldBox, environment_at
from fairtrial.records import FormatError
from fairtrial.sandbox import Bubblewrap


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldBox]:
    capability = Bubblewrap().capability()
    if not capability.available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "Dockerfile").write_text("FROM debian:12\nWORKDIR /desk\nENV COLOUR=green\nCOPY seed.txt .\n")
    (tmp_path / "seed.txt").write_text("seed")
    box = HeldBox(environment_at(tmp_path / "Dockerfile"), {"SHAPE": "round"})
    yield box
    box.close()


def test_streams_are_kept_apart_and_the_world_is_as_described(held: HeldBox) -> None:
    ended = held.run(["sh", "-c", "cat seed.txt; echo $COLOUR $SHAPE $MORE >&2; exit 3"], variables={"MORE": "x"})
    assert (ended.exit_code, ended.output, ended.errors) == (3, "seed", "green round x\n")
    assert held.run(["sh", "-c", "ls -A /tmp"]).output == ".stderr-1\n"


def test_what_runs_in_the_background_lives_on(held: HeldBox) -> None:
    held.run(["sh", "-c", "setsid sh -c 'sleep 0.3; echo late > /desk/late' >/dev/null 2>&1 &"])
    assert (
        held.run(["sh", "-c", "for i in $(seq 50); do cat late 2>/dev/null && exit; sleep 0.1; done"]).output
        == "late\n"
    )


def test_a_limit_ends_a_command_and_says_so(held: HeldBox) -> None:
    assert held.run(["sleep", "30"], seconds=0.3).killed == "timeout"


def test_files_go_in_and_come_out(held: HeldBox, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a").write_text("a")
    held.write_bytes(b"kept", "into/kept")
    held.write(folder, "into")
    assert held.read("into/deep/a") == b"a"
    assert held.read("into/kept") == b"kept"
    assert held.read("into") is None
    assert held.is_folder("into")
    assert held.copy_out("/desk/into", tmp_path / "out")
    assert (tmp_path / "out" / "deep" / "a").read_text() == "a"
    assert not held.copy_out("/desk/nothing", tmp_path / "none")


def test_no_link_is_followed_out(held: HeldBox) -> None:
    held.run(["ln", "-s", "/etc/passwd", "link"])
    assert held.read("link") is None


def test_a_task_folder_of_harbor_describes_a_world(tmp_path: Path) -> None:
    for name in ("environment", "tests"):
        (tmp_path / name).mkdir()
    (tmp_path / "task.toml").write_text('version = "1.0"\n[environment]\nmemory_mb = 300\n')
    (tmp_path / "instruction.md").write_text("Do it.\n")
    (tmp_path / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /there\n")
    (tmp_path / "tests" / "test.sh").write_text("echo\n")
    world = environment_at(tmp_path / "environment")
    assert (world.workdir, world.limits.memory_mb) == ("/there", 300)
    assert environment_at(None).workdir == "/app"


def test_a_dockerfile_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="Dockerfile"):
        environment_at(tmp_path / "Dockerfile")
