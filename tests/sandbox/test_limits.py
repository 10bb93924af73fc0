"""Limits hold, and whatever a command leaves is dead when its run returns."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairtrial.records import Limits, SandboxError
from fairtrial.sandbox import Command, Completed
from fairtrial.sandbox.cache import BOX_PREFIX, box_folders, sweep
from fairtrial.sandbox.cgroups import PREFIX, find_home
from fairtrial.sandbox.protocol import Box

Shell = Callable[..., Completed]
DAEMON = "setsid sh -c 'setsid sh -c \"sleep {mark}\" >/dev/null 2>&1 &' ; sleep 0.1"


def command_lines() -> Iterator[bytes]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                yield (folder / "cmdline").read_bytes()
            except OSError:
                continue


def alive(mark: str) -> bool:
    return any(mark.encode() in words.split(b"\0") for words in command_lines())


def sleeps(mark: str) -> bool:
    """Say whether the command itself runs, and not only what starts it."""
    return any(words == f"sleep\0{mark}\0".encode() for words in command_lines())


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for a machine that may be busy; what is then so, the caller asserts."""
    deadline = time.monotonic() + 30
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)


def unique_seconds() -> str:
    return f"9{time.time_ns() % 10**9}.{os.getpid()}"


def test_timeout_ends_the_whole_tree(shell: Shell) -> None:
    mark = unique_seconds()
    begun = time.monotonic()
    seen = shell(f"sh -c 'setsid sleep {mark} & setsid nohup sleep {mark} >/dev/null 2>&1 & sleep {mark}'",
                 limits=Limits(seconds=0.5))  # fmt: skip
    assert seen.killed == "timeout"
    assert seen.exit_code == 124
    assert time.monotonic() - begun < 30  # what it starts would sleep for years
    assert not alive(mark)


def test_a_daemon_does_not_outlive_its_run(plain_box_opener: Callable[..., Box]) -> None:
    mark = unique_seconds()
    with plain_box_opener() as box:
        seen = box.run(Command(("sh", "-c", DAEMON.format(mark=mark))))
        assert seen.exit_code == 0
        assert not alive(mark)


def test_a_daemon_lives_on_in_a_live_box_until_close(plain_box_opener: Callable[..., Box]) -> None:
    mark = unique_seconds()
    with plain_box_opener(live=True) as box:
        box.run(Command(("sh", "-c", DAEMON.format(mark=mark))))
        assert alive(mark)
        assert mark in box.run(Command(("sh", "-c", "cat /proc/*/cmdline | tr '\\0' ' '"))).output
    assert not alive(mark)


def test_a_timeout_in_a_live_box_spares_earlier_services(plain_box_opener: Callable[..., Box]) -> None:
    service, late = unique_seconds(), "8" + unique_seconds()
    with plain_box_opener(live=True) as box:
        box.run(Command(("sh", "-c", DAEMON.format(mark=service))))
        command = Command(("sh", "-c", DAEMON.format(mark=late) + "; sleep 60"), limits=Limits(seconds=0.5))
        assert box.run(command).killed == "timeout"
        assert alive(service)
        assert not alive(late)


def test_a_flood_is_cut_and_then_ended(shell: Shell) -> None:
    seen = shell("echo first; yes", limits=Limits(output_bytes=10_000, seconds=30))
    assert seen.killed == "output"
    assert seen.truncated
    assert seen.output.startswith("first\n")
    assert len(seen.output) < 10_100
    assert seen.seconds < 30


def test_head_and_tail_of_long_output_are_kept(shell: Shell) -> None:
    seen = shell("echo first; seq 10000; echo last", limits=Limits(output_bytes=8_000))
    assert seen.exit_code == 0
    assert seen.truncated
    assert seen.output.startswith("first\n1\n")
    assert seen.output.endswith("\n10000\nlast\n")
    assert "bytes left out" in seen.output


def test_a_memory_hog_is_stopped(shell: Shell) -> None:
    seen = shell("python3 -c 'x = bytearray(400 << 20); print(len(x))'", limits=Limits(memory_mb=64))
    assert seen.exit_code != 0
    assert "419430400" not in seen.output
    if find_home() is not None:
        assert seen.killed == "memory"


def test_a_tree_of_small_hogs_is_stopped_where_a_group_counts(shell: Shell) -> None:
    if find_home() is None:
        pytest.skip("no control group can be made here: memory is limited for each process only")
    hog = "python3 -c 'import time; x = bytearray(40 << 20); time.sleep(1)' & "
    seen = shell(hog * 4 + "wait -n; wait; exit 3", limits=Limits(memory_mb=96, seconds=20))
    assert seen.killed == "memory"


def test_a_fork_bomb_is_bounded(shell: Shell) -> None:
    code = textwrap.dedent("""
        import os, time
        made = 0
        try:
            while made < 500:
                made += 1
                if os.fork() == 0:
                    time.sleep(5)
                    os._exit(0)
        except OSError:
            print('stopped at', made)
    """)
    seen = shell(f"python3 - <<'X'\n{code}X", limits=Limits(processes=40, seconds=20))
    assert "stopped at" in seen.output
    assert int(seen.output.split()[-1]) <= 50


def test_a_file_cannot_grow_past_its_limit(shell: Shell) -> None:
    seen = shell("head -c 3000000 /dev/zero > /app/big; stat -c %s /app/big", limits=Limits(file_mb=1))
    assert int(seen.output.split()[-1]) == 1 << 20


def test_input_reaches_the_command(shell: Shell) -> None:
    data = b"x" * 300_000
    assert shell("wc -c", stdin=data).output.strip() == "300000"
    assert shell("exec 0<&-; echo deaf", stdin=data).output == "deaf\n"


def test_exit_codes_and_signals_are_told(shell: Shell) -> None:
    assert shell("exit 7").exit_code == 7
    assert shell("kill -9 $$").killed == "signal"
    assert shell("kill -9 $$").exit_code == 137


def test_a_command_that_is_not_there_is_127(box: Box) -> None:
    assert box.run(Command(("/app/nothing",))).exit_code == 127


def test_a_folder_that_is_not_there_is_an_error_of_the_sandbox(box: Box) -> None:
    with pytest.raises(SandboxError, match="nowhere"):
        box.run(Command(("true",), cwd="/nowhere"))


def test_undecodable_output_is_replaced(shell: Shell) -> None:
    assert shell("printf 'a\\377b'").output == "a\ufffdb"


def test_output_closed_early_does_not_lose_the_limit(shell: Shell) -> None:
    seen = shell("exec >&- 2>&-; sleep 60", limits=Limits(seconds=0.5))
    assert seen.killed == "timeout"


def test_a_service_that_prints_in_a_live_box_is_not_held_up(plain_box_opener: Callable[..., Box]) -> None:
    with plain_box_opener(live=True) as box:
        box.run(Command(("sh", "-c", "(seq 200000; echo done > /app/done; sleep 30) & echo started")))
        wait = Command(("sh", "-c", "for i in $(seq 100); do test -e /app/done && exit 0; sleep 0.05; done; exit 1"))
        assert box.run(wait).exit_code == 0


def test_no_group_is_left(shell: Shell) -> None:
    shell("true")
    home = find_home()
    if home is None:
        pytest.skip("no control group can be made here")
    assert len(list(home.folders[0].glob(f"{PREFIX}{os.getpid()}-*"))) <= 1


@pytest.mark.usefixtures("bubblewrap")
def test_a_killed_owner_takes_its_boxes_along(tmp_path: Path) -> None:
    mark = unique_seconds()
    script = tmp_path / "owner.py"
    script.write_text(
        textwrap.dedent(f"""
        import sys, threading, time
        from fairtrial.records import Environment
        from fairtrial.sandbox import Bubblewrap, Command
        sandbox = Bubblewrap()
        made = sandbox.prepare(Environment())
        live = sandbox.open(made, live=True)
        live.run(Command(("sh", "-c", "setsid sleep 1{mark} >/dev/null 2>&1 &")))
        threading.Thread(target=lambda: sandbox.open(made).run(Command(("sleep", "{mark}")))).start()
        print("ready", flush=True)
    """)
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"ready\n"
        wait_until(lambda: sleeps(mark) and sleeps(f"1{mark}"))
        assert sleeps(mark)
        owner.send_signal(signal.SIGKILL)
    wait_until(lambda: not alive(mark) and not alive(f"1{mark}"))
    assert not alive(mark)
    assert not alive(f"1{mark}")
    assert [path for base in box_folders() for path in base.glob(f"{BOX_PREFIX}{owner.pid}-*")] != []
    sweep.__wrapped__()
    assert [path for base in box_folders() for path in base.glob(f"{BOX_PREFIX}{owner.pid}-*")] == []


@pytest.mark.usefixtures("bubblewrap")
def test_an_interrupt_leaves_no_process(tmp_path: Path) -> None:
    mark = unique_seconds()
    script = tmp_path / "owner.py"
    script.write_text(
        textwrap.dedent(f"""
        from fairtrial.records import Environment
        from fairtrial.sandbox import Bubblewrap, Command
        sandbox = Bubblewrap()
        try:
            with sandbox.open(sandbox.prepare(Environment())) as box:
                print(box.folder, flush=True)
                box.run(Command(("sleep", "{mark}")))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().decode().strip())
        wait_until(lambda: alive(mark))
        owner.send_signal(signal.SIGINT)
        assert owner.stdout.readline() == b"interrupted\n"
    wait_until(lambda: not alive(mark))
    assert not alive(mark)
    assert not folder.exists()


@pytest.mark.usefixtures("bubblewrap")
def test_the_scratch_of_a_killed_owner_is_swept() -> None:
    program = (
        "import os\n"
        "from fairtrial.sandbox.cache import scratch_folder\n"
        "with scratch_folder() as folder:\n"
        "    print(folder, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=False).stdout
    folder = Path(said.decode().strip())
    assert folder.is_dir()
    sweep.__wrapped__()
    assert not folder.exists()
