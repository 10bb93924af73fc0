"""A program of the agent's ends, is capped, and leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.checks import CheckError
from fairtrial.checks.apart import Ended, run_apart

ALONE = "from fairtrial.checks.apart import run_apart; import sys; print(run_apart(['sh', '-c', sys.argv[1]], '/'))"


def test_streams_code_and_input_come_through(tmp_path: Path) -> None:
    assert run_apart(["sh", "-c", "cat; echo no >&2; exit 3"], tmp_path, stdin="a") == Ended(3, "a", "no\n")


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("sleep 1000", "had not ended"),
        ("trap '' TERM; while :; do :; done", "had not ended"),
        ("exec >&- 2>&-; sleep 1000", "had not ended"),
        ("kill -9 $$", "ended by signal 9"),
    ],
)
def test_a_program_that_does_not_end_is_ended(script: str, how: str, tmp_path: Path) -> None:
    assert how in run_apart(["sh", "-c", script], tmp_path, seconds=0.3).said


def test_a_flood_is_stopped_and_kept_small(tmp_path: Path) -> None:
    ended = run_apart(["sh", "-c", "yes"], tmp_path, most_output=1000)
    assert ended.code is None
    assert len(ended.output) == 1000
    assert "printed more than 1000 bytes" in ended.said


def test_what_holds_the_streams_open_is_not_waited_for(tmp_path: Path) -> None:
    assert run_apart(["sh", "-c", "sleep 1000 & echo done"], tmp_path, seconds=60).output == "done\n"


def test_a_program_that_is_not_there_ends_with_127(tmp_path: Path) -> None:
    assert run_apart(["no-such-program"], tmp_path).code == 127
    assert run_apart(["true"], tmp_path / "none").code == 127


def test_no_environment_of_the_grader_is_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    seen = run_apart(["env"], tmp_path, environment={"STATED": "1"}).output
    assert "secret" not in seen
    assert "STATED=1" in seen


def test_what_slips_into_a_session_of_its_own_is_ended_too(tmp_path: Path) -> None:
    away = f"setsid sh -c 'echo $$ > {tmp_path}/pid; setsid sleep 1000 & sleep 1000' &"
    script = f"{away} while [ ! -s {tmp_path}/pid ]; do :; done"
    ended = run_apart([sys.executable, "-c", ALONE, script], "/", environment={"PYTHONPATH": os.pathsep.join(sys.path)})
    assert "code=0" in ended.output, ended.errors
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


@pytest.fixture
def beside() -> Iterator[None]:
    """Another thread, as of a server that a program holds."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.usefixtures("beside")
def test_beside_other_threads_nothing_is_left_either_and_their_children_are_let_be(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "1000"]) as own:
        away = f"setsid sh -c 'echo $$ > {tmp_path}/pid; sleep 1000' &"
        script = f"{away} while [ ! -s {tmp_path}/pid ]; do :; done; exit 4"
        assert run_apart(["sh", "-c", script], tmp_path) == Ended(4, "", "")
        assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
        assert own.poll() is None
        own.kill()


@pytest.mark.usefixtures("beside")
def test_beside_other_threads_a_fault_is_raised_and_an_interrupt_ends_the_program(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="no user `nobody-of-that-name`"):
        run_apart(["true"], tmp_path, user="nobody-of-that-name")
    watch = threading.Thread(target=_interrupt_when_there, args=(tmp_path / "pid",))
    watch.start()
    with pytest.raises(KeyboardInterrupt):
        run_apart(["sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 1000"], tmp_path, seconds=100)
    watch.join()
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


THREADED = "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start(); " + ALONE


def test_a_terminal_s_interrupt_beside_other_threads_leaves_nothing_running(tmp_path: Path) -> None:
    script = f"setsid sh -c 'echo $$ > {tmp_path}/pid; sleep 1000' & sleep 1000"
    with subprocess.Popen([sys.executable, "-c", THREADED, script], start_new_session=True) as process:
        _wait_for(tmp_path / "pid")
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


def test_a_fork_whose_parent_was_killed_does_not_wait_to_be_heard(tmp_path: Path) -> None:
    script = f"echo $PPID > {tmp_path}/fork; sleep 1; yes | head -c 300000"
    with subprocess.Popen([sys.executable, "-c", THREADED, script]) as process:
        _wait_for(tmp_path / "fork")
        process.kill()
    fork = Path(f"/proc/{(tmp_path / 'fork').read_text().strip()}")
    deadline = time.monotonic() + 30
    while fork.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not fork.exists()


def _wait_for(file: Path) -> None:
    while not file.exists() or not file.read_text().endswith("\n"):
        time.sleep(0.01)


def _interrupt_when_there(file: Path) -> None:
    _wait_for(file)
    os.kill(os.getpid(), signal.SIGINT)


def test_an_unknown_user_is_no_fault_of_the_work(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="no user `nobody-of-that-name`"):
        run_apart(["true"], tmp_path, user="nobody-of-that-name")


def test_a_folder_a_thousand_deep_in_its_scratch_is_removed(tmp_path: Path) -> None:
    script = "echo $TMPDIR; i=0; cd $TMPDIR; while [ $i -lt 1200 ]; do mkdir d; cd d; i=$((i+1)); done"
    ended = run_apart(["sh", "-c", script], tmp_path)
    assert ended.code == 0, ended.errors
    assert not Path(ended.output.strip()).exists()
