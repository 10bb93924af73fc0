"""Try to get out of a bubblewrap box, both of the kind that ends with each run and of the live kind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.sandbox import Command, Completed, Mount
from fairtrial.sandbox.box_user import box_user
from fairtrial.sandbox.protocol import Box

Shell = Callable[..., Completed]


def test_the_home_and_work_of_the_host_are_not_there(shell: Shell, tmp_path: Path) -> None:
    secret = tmp_path / "ledger.parquet"
    secret.write_text("secret")
    seen = shell(f"cat {secret} {Path.home()}/.bashrc {__file__}; ls {Path.cwd()}; ls -A /root /home")
    assert "secret" not in seen.output
    assert seen.output.count("No such file or directory") == 4
    assert shell("ls -A /root /home /opt | grep -v ':$' | grep .").output == ""


def test_other_boxes_are_not_there(shell: Shell, plain_box_opener: Callable[..., Box]) -> None:
    with plain_box_opener() as other:
        other.run(Command(("sh", "-c", "echo theirs > /app/mark")))
        seen = shell("find / -xdev -name mark 2>/dev/null; ls /tmp /var/tmp /dev/shm")
        assert "mark" not in seen.output
        assert "fairtrial" not in seen.output


def test_variables_of_the_host_do_not_enter(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_SECRET", "hunter2")
    seen = shell("env; cat /proc/*/environ | tr '\\0' '\\n'")
    assert "hunter2" not in seen.output
    names = {line.partition("=")[0] for line in shell("env").output.splitlines()}
    assert names <= {"PATH", "HOME", "LANG", "HOSTNAME", "PWD", "SHLVL", "_", "OLDPWD"}


def test_command_lines_in_the_box_name_no_host_folder(shell: Shell) -> None:
    seen = shell("cat /proc/*/cmdline | tr '\\0' ' '")
    assert "fairtrial-box" not in seen.output


def test_the_loopback_of_the_host_is_out_of_reach(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        seen = shell(f"python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2)\"")
    assert seen.exit_code != 0
    assert "refused" in seen.output or "unreachable" in seen.output


def test_there_is_no_way_out_to_the_network(shell: Shell) -> None:
    assert set(shell("ls /sys/class/net 2>/dev/null; cut -d: -f1 -s /proc/net/dev").output.split()) <= {"lo", "Inter-|"}
    seen = shell("python3 -c \"import socket; socket.create_connection(('192.0.2.1', 80), 2)\"")
    assert seen.exit_code != 0


def test_abstract_sockets_of_the_host_are_out_of_reach(shell: Shell) -> None:
    name = f"fairtrial-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + name)
        server.listen()
        seen = shell(f"python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect('\\\\0{name}')\"")
    assert seen.exit_code != 0


def test_processes_of_the_host_cannot_be_seen_or_ended(shell: Shell) -> None:
    with subprocess.Popen(["sleep", "60"]) as victim:
        try:
            shell(f"kill -9 {victim.pid}")
            shell("kill -9 -1")
            shell("kill -9 1")
            assert victim.poll() is None
            assert int(shell("ls -d /proc/[0-9]* | wc -l").output) < 10
        finally:
            victim.kill()


def test_nothing_gives_a_capability(shell: Shell) -> None:
    seen = shell("grep -E '^(Cap|NoNewPrivs)' /proc/self/status")
    values = dict(line.split(":\t") for line in seen.output.splitlines())
    assert values.pop("NoNewPrivs") == "1"
    assert {int(value, 16) for value in values.values()} == {0}


REFUSED = (
    "touch /usr/fairtrial-try",
    "mount -t tmpfs none /tmp",
    "mount -o remount,rw /usr",
    "mount -o remount,bind,rw /usr",
    "umount /usr",
    "umount -l /proc",
    "unshare -U true",
    "unshare -m true",
    "chroot / true",
    "hostname other",
    "echo 1 > /proc/sys/kernel/panic",
    "echo 1 > /proc/sys/vm/drop_caches",
    "mknod /tmp/disk b 254 0",
    "date -s 2001-01-01",
    "nsenter -t 1 -m true",
    "nsenter -t 1 -U true",
    "chown 1 /app",
    "ls /sys/kernel",
    "cat /etc/shadow",
    "dmesg",
    "chmod 666 /dev/null",
    "chmod 444 /proc/meminfo",
    "chmod 755 /usr/bin/env",
    "echo x > /etc/.host/services",
)


def test_what_only_the_owner_of_the_machine_may_do_is_refused(shell: Shell) -> None:
    script = "\n".join(f"({attempt}) >/dev/null 2>&1 && echo 'done: {attempt}'" for attempt in REFUSED)
    seen = shell(script + "\necho end")
    assert seen.output == "end\n"


def test_devices_are_the_harmless_ones_only(shell: Shell) -> None:
    seen = set(shell("ls /dev").output.split())
    harmless = {"console", "core", "fd", "full", "mqueue", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin",
                "stdout", "tty", "urandom", "zero"}  # fmt: skip
    assert seen <= harmless


def test_setuid_programs_give_nothing(shell: Shell) -> None:
    seen = shell("cp /bin/cat /tmp/cat && chmod 4755 /tmp/cat && /tmp/cat /proc/self/status | grep CapEff")
    assert "CapEff:\t0000000000000000" in seen.output


def test_the_first_process_shows_nothing_of_the_host(shell: Shell) -> None:
    seen = shell("ls -l /proc/1/root/ /proc/1/cwd/ 2>&1; ls /proc/1/root/work /proc/1/root/oldroot 2>&1")
    assert "fairtrial" not in seen.output
    assert "accept" not in seen.output


def test_no_descriptor_of_ours_is_left_open_in_the_box(shell: Shell) -> None:
    seen = shell("ls -l /proc/self/fd /proc/1/fd")
    targets = [line.partition(" -> ")[2] for line in seen.output.splitlines() if " -> " in line]
    assert targets
    for target in targets:
        assert target.startswith(("/dev/null", "pipe:", "/proc/", "anon_inode:", "socket:")) or "(deleted)" in target
        assert "arguments" not in target


def test_mounts_are_read_only_and_found_where_they_should_be(
    tmp_path: Path, plain_box_opener: Callable[..., Box]
) -> None:
    (tmp_path / "test.sh").write_text("echo graded")
    for live in (False, True):
        with plain_box_opener(mounts=[Mount(tmp_path, "/tests")], live=live) as box:
            assert box.run(Command(("sh", "/tests/test.sh"))).output == "graded\n"
            assert box.run(Command(("sh", "-c", "echo x > /tests/test.sh"))).exit_code != 0
            assert box.run(Command(("rm", "-rf", "/tests"))).exit_code != 0
    assert (tmp_path / "test.sh").read_text() == "echo graded"


def test_a_link_left_where_tests_are_mounted_leads_nowhere(
    tmp_path: Path, plain_box_opener: Callable[..., Box]
) -> None:
    tests, target = tmp_path / "tests", tmp_path / "target"
    tests.mkdir()
    target.mkdir()
    (tests / "mark").write_text("ours")
    with plain_box_opener(mounts=[Mount(tests, "/tests/deep")]) as box:
        assert isinstance(box.root, Path)  # type: ignore[attr-defined]
        (box.root / "tests").symlink_to(target)  # type: ignore[attr-defined]
        assert box.run(Command(("cat", "/tests/deep/mark"))).output == "ours"
    assert list(target.iterdir()) == []


def test_a_box_is_removed_with_all_that_it_held(plain_box_opener: Callable[..., Box]) -> None:
    with plain_box_opener() as box:
        folder = box.folder  # type: ignore[attr-defined]
        box.run(Command(("sh", "-c", "mkdir -p /app/a/b && touch /app/a/b/c && chmod 0 /app/a/b /app/a")))
        assert folder.exists()
    assert not folder.exists()


def test_a_box_of_root_does_not_run_as_root_of_the_host(plain_box_opener: Callable[..., Box]) -> None:
    if os.geteuid() != 0 or box_user() is None:
        pytest.skip("boxes run as this user, who is not root or the only one there is")
    for live in (False, True):
        with plain_box_opener(live=live) as box:
            assert box.run(Command(("id", "-u"))).output == "0\n"
            box.run(Command(("touch", "/app/mine")))
            assert (box.root / "app/mine").stat().st_uid == box_user() != 0  # type: ignore[attr-defined]


def test_standard_streams_can_be_opened_by_name(shell: Shell) -> None:
    assert shell("echo a > /dev/stdout; echo b > /dev/stderr; cat /dev/stdin", stdin=b"c").output == "a\nb\nc"


def test_python_of_the_host_works_inside(shell: Shell) -> None:
    assert shell("python3 -I -c 'import json, sqlite3, ssl; print(1)'").output == "1\n", sys.version


@pytest.mark.parametrize(
    "misdeed",
    [
        "mv /etc /x; touch /etc",
        "mv /etc /x; ln -s /nowhere /etc",
        "mv /etc /x; ln -s etc /etc",
        "chmod 0 /etc",
        "chmod 0 /",
    ],
)
def test_a_command_cannot_keep_the_next_one_from_starting(plain_box_opener: Callable[..., Box], misdeed: str) -> None:
    with plain_box_opener() as box:
        box.run(Command(("bash", "-c", misdeed)))
        assert box.run(Command(("echo", "next"), cwd="/")).output == "next\n"


def test_folders_made_for_what_is_put_are_the_boxes_own(plain_box_opener: Callable[..., Box], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with plain_box_opener() as box:
        box.put(tmp_path / "empty", "/logs/verifier")
        assert box.run(Command(("mkdir", "/logs/artifacts"))).exit_code == 0
