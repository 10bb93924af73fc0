"""Without namespaces tasks still run, in temporary folders, and nothing is promised that does not hold."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairtrial.records import Environment, Limits, SandboxError
from fairtrial.sandbox import Command, Local, Mount
from fairtrial.sandbox.local import LocalBox

World = Callable[..., Environment]


@pytest.fixture
def box(world: World) -> Iterator[LocalBox]:
    local = Local()
    environment = world(
        "WORKDIR /app",
        "RUN mkdir -p /logs/verifier",
        "COPY ws/ /app/",
        files={"ws/run.sh": "cat /app/data > /app/out\n", "ws/data": "data"},
    )
    with local.open(local.prepare(environment)) as opened:
        yield opened


def test_it_says_that_nothing_is_isolated() -> None:
    capability = Local().capability()
    assert capability.available
    assert not capability.isolated
    assert "nothing is isolated" in capability.why


def test_inside_paths_work_in_commands_scripts_and_tests(box: LocalBox, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test.sh").write_text('grep -q data /app/out && echo 1 > /logs/verifier/reward.txt; echo "from $PWD"\n')
    box.put(tests, "/tests")
    assert box.run(Command(("sh", "/app/run.sh"))).exit_code == 0
    assert box.run(Command(("sh", "/tests/test.sh"))).output == "from /app\n"
    assert box.run(Command(("cat", "/logs/verifier/reward.txt"))).output == "1\n"
    assert not Path("/logs/verifier/reward.txt").exists()


def test_what_is_taken_names_inside_paths_again(box: LocalBox, tmp_path: Path) -> None:
    box.run(Command(("sh", "-c", "pwd > where")))
    taken = box.take(["/app"], tmp_path / "out", 1 << 20)
    assert (taken.folder / "app/run.sh").read_text() == "cat /app/data > /app/out\n"
    assert (taken.folder / "app/where").read_text() == "/app\n"


def test_mounts_are_copied(world: World, tmp_path: Path) -> None:
    (tmp_path / "solution").mkdir()
    (tmp_path / "solution/solve.sh").write_text("echo solved > /app/x\n")
    local = Local()
    with local.open(local.prepare(world("WORKDIR /app")), [Mount(tmp_path / "solution", "/solution")]) as box:
        box.run(Command(("sh", "/solution/solve.sh")))
        assert box.run(Command(("cat", "/app/x"))).output == "solved\n"
    assert (tmp_path / "solution/solve.sh").read_text() == "echo solved > /app/x\n"


def test_a_timeout_ends_the_tree_and_daemons_are_found(box: LocalBox) -> None:
    mark = f"7{time.time_ns() % 10**9}.{os.getpid()}"
    script = f"setsid sh -c 'setsid sleep {mark} >/dev/null 2>&1 &'; sleep {mark}"
    seen = box.run(Command(("sh", "-c", script), limits=Limits(seconds=0.5)))
    assert (seen.killed, seen.exit_code) == ("timeout", 124)
    running = [path for path in Path("/proc").glob("[0-9]*/cmdline") if _mentions(path, mark)]
    assert running == []


def _mentions(path: Path, mark: str) -> bool:
    try:
        return mark.encode() in path.read_bytes().split(b"\0")
    except OSError:
        return False


def test_variables_of_the_host_do_not_enter(box: LocalBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_SECRET", "hunter2")
    assert "hunter2" not in box.run(Command(("env",))).output


def test_a_command_that_is_not_there_is_127(box: LocalBox) -> None:
    assert box.run(Command(("no-such-program",))).exit_code == 127


@pytest.mark.parametrize("line", ["RUN rm -rf /usr/share/doc", "RUN useradd bob", "RUN echo x >> /etc/hosts",
                                  "RUN mkdir /a && systemctl stop ssh"])  # fmt: skip
def test_a_run_that_could_change_the_machine_is_named_and_not_executed(world: World, line: str) -> None:
    environment = world(line)
    assert len(Local().unsupported(environment)) == 1
    with pytest.raises(SandboxError, match=r"Dockerfile:2"):
        Local().prepare(environment)


def test_a_run_with_paths_of_its_own_stays_in_the_folder(world: World) -> None:
    local = Local()
    with local.open(local.prepare(world("RUN rm -rf /var/lib/x && mkdir -p /data && echo 1 > /data/fairtrial"))) as box:
        assert box.run(Command(("cat", "/data/fairtrial"))).output == "1\n"
    assert not Path("/data/fairtrial").exists()
