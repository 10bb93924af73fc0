"""A live box lets us listen inside it, counts its time, and can end before its files are taken."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.records import Environment, Limits, SandboxError
from fairtrial.sandbox import Bubblewrap, Command
from fairtrial.sandbox.live_box import LiveBox
from fairtrial.sandbox.protocol import Box

ASK = "exec 3<>/dev/tcp/127.0.0.1/4000; echo asked >&3; read -r said <&3; echo $said"


@pytest.fixture
def live(plain_box_opener: Callable[..., Box]) -> LiveBox:
    box = plain_box_opener(live=True)
    assert isinstance(box, LiveBox)
    return box


def test_a_socket_of_ours_listens_inside_and_nowhere_else(live: LiveBox) -> None:
    heard: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            heard.append(connection.recv(100))
            connection.sendall(b"answered\n")

    with live, live.listen(4000) as listening:
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", 4000), timeout=2)
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        assert live.run(Command(("bash", "-c", ASK))).output == "answered\n"
        thread.join()
        assert heard == [b"asked\n"]
        with pytest.raises(SandboxError, match="cannot listen inside the box"):
            live.listen(4000)


def test_an_ended_box_still_gives_its_files(live: LiveBox, tmp_path: Path) -> None:
    with live:
        live.run(Command(("sh", "-c", "echo kept > /app/a; sleep 60 &")))
        live.end()
        assert live.first is None
        assert live.take(["/app"], tmp_path / "taken", 1000).files == 1
        with pytest.raises(SandboxError, match="has ended"):
            live.run(Command(("true",)))
        with pytest.raises(SandboxError, match="has ended"):
            live.listen(4001)


def test_stopping_all_ends_the_command_that_runs(live: LiveBox) -> None:
    with live:
        stopper = threading.Timer(0.3, live.stop_all)
        stopper.start()
        done = live.run(Command(("sh", "-c", "sleep 50 & wait"), limits=Limits(seconds=30)))
        stopper.join()
        assert done.seconds < 20
        assert done.exit_code == 137
        assert live.run(Command(("echo", "alive"))).output == "alive\n"


def test_processor_time_of_all_that_ran_is_counted(live: LiveBox) -> None:
    with live:
        if live.group is None or live.group.cpu_seconds() is None:
            pytest.skip("no control group counts processor time here")
        before = live.group.cpu_seconds()
        live.run(Command(("python3", "-c", "import time\nwhile time.process_time() < 0.2: pass")))
        after = live.group.cpu_seconds()
        assert before is not None
        assert after is not None
        assert 0.15 < after - before < 5
        assert live.first in live.group.members()


def test_boxes_for_large_files_lie_on_the_disk(bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRTRIAL_BOXES", raising=False)
    large = Environment(limits=Limits(file_mb=16_384))
    with bubblewrap.open(bubblewrap.prepare(large)) as box:
        assert not str(getattr(box, "root", "")).startswith("/dev/shm")
