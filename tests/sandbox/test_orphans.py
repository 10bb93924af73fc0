"""A box whose bubblewrap was killed while it made it is ended later; one that somebody is there for is let be."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.sandbox import Command
from fairtrial.sandbox.bubblewrap_command import behind_gate
from fairtrial.sandbox.live_box import HOLDER
from fairtrial.sandbox.orphans import MARKS, end_orphans, is_orphan
from fairtrial.sandbox.protocol import Box


def words_of(process: int) -> bytes:
    """Return the command line of a process; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("command", [behind_gate(0), list(HOLDER)])
def test_a_first_process_that_nobody_gives_leave_is_ended(command: list[str]) -> None:
    told, (status, says), (waits, leave) = os.memfd_create("arguments"), os.pipe(), os.pipe()
    words = ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--info-fd", str(says),
             "--userns-block-fd", str(waits)]  # fmt: skip
    os.write(told, b"".join(word.encode() + b"\0" for word in words))
    os.lseek(told, 0, os.SEEK_SET)
    argv = ["bwrap", "--args", str(told), "--", *command, "true"]
    with subprocess.Popen(argv, pass_fds=(told, says, waits)) as starter:
        answer = b""
        while not answer.endswith(b"}\n"):
            answer += os.read(status, 4096)
        first = json.loads(answer)["child-pid"]
        end_orphans()
        assert b"bwrap" in words_of(first), "its starter is there"
        starter.kill()
    try:
        assert b"bwrap" in words_of(first), "it waits for ever"
        end_orphans()
        deadline = time.monotonic() + 30
        while words_of(first) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert words_of(first) == b""
    finally:
        for descriptor in (told, status, says, waits, leave):
            os.close(descriptor)


def test_boxes_at_work_are_let_be(plain_box_opener: Callable[..., Box]) -> None:
    with plain_box_opener(live=True) as live, plain_box_opener() as box:
        codes: list[int] = []
        work = threading.Thread(target=lambda: codes.append(box.run(Command(("sleep", "1"))).exit_code))
        work.start()
        while work.is_alive():
            end_orphans()
        assert codes == [0]
        assert live.run(Command(("true",))).exit_code == 0


BOX = b"bwrap\0--args\0" + b"8\0--\0/bin/bash\0-c\0" + MARKS[0] + b"\0"


@pytest.mark.parametrize(
    ("told", "numbers", "parent", "is_one"),
    [
        (BOX, "40\t1", b"init\0", True),
        (BOX, "40\t9\t1", b"init\0", True),
        (BOX, "40\t1", BOX, False),
        (BOX, "40", b"python\0", False),
        (BOX, "40\t9", b"python\0", False),  # what starts a box in a container, seen from outside
        (BOX.replace(MARKS[0], b"true"), "40\t1", b"init\0", False),
        (b"bash\0" + BOX, "40\t1", b"init\0", False),
    ],
)
def test_only_a_first_process_whose_starter_is_gone_is_an_orphan(
    tmp_path: Path, told: bytes, numbers: str, parent: bytes, is_one: bool
) -> None:
    for name, words in (("40", told), ("7", parent)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cmdline").write_bytes(words)
    (tmp_path / "40" / "status").write_bytes(b"Name:\tb\xff\nPPid:\t7\nNSpid:\t" + numbers.encode() + b"\n")
    assert is_orphan(tmp_path / "40") is is_one


def test_boxes_are_known_by_what_their_command_lines_say() -> None:
    told = (" ".join(behind_gate(9)).encode(), " ".join(HOLDER).encode())
    assert all(mark in line for mark, line in zip(MARKS, told, strict=True))
