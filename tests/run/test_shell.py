"""The shell of an agent: the folder carries over, and a command runs as bash alone would run it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.run.on_host import on_host

from fairtrial.records import Environment
from fairtrial.run.agents.shell import Ran, Shell, shortened
from fairtrial.sandbox import Box, FakeSandbox


@pytest.fixture
def box() -> Iterator[Box]:
    sandbox = FakeSandbox(on_host)
    with sandbox.open(sandbox.prepare(Environment())) as opened:
        yield opened


def test_what_bash_says_of_a_command_is_what_it_would_say_of_it_alone(box: Box) -> None:
    shell = Shell(box=box, limits=Environment().limits, command_seconds=10, folder="/app")
    assert shell.run("true\nnonsense", 10).output == "bash: line 2: nonsense: command not found\n"
    ran = shell.run("echo (", 10)
    assert "syntax error" in ran.output
    assert ran.note == "[exit code 2]"
    assert shell.run("printf 'no newline'", 10).output == "no newline"
    assert shell.run("cat <<'END'\n$HOME \"quoted\"\nEND", 10).output == '$HOME "quoted"\n'
    assert shell.run("# only a comment", 10) == Ran(output="")
    assert shell.run("kill -9 $$", 10).note == "[exit code -9]"
    assert shell.run("set -e; false; echo never", 10) == Ran(output="", note="[exit code 1]")


def test_a_folder_that_is_gone_is_told_and_not_fatal(box: Box) -> None:
    shell = Shell(box=box, limits=Environment().limits, command_seconds=10, folder="/app")
    shell.run("mkdir gone && cd gone", 10)
    shell.run("rmdir ../gone", 10)
    ran = shell.run("pwd", 10)
    assert "is gone; now in" in ran.output
    assert ran.output.rstrip().endswith("/root")  # where the fake box starts its commands


@pytest.mark.parametrize("most", [1, 2, 5, 9])
def test_shortened_text_counts_what_is_left_out(most: int) -> None:
    short = shortened("0123456789", most, "left out")
    assert f"[... {10 - most} characters left out ...]" in short
    kept = short.replace(f"\n[... {10 - most} characters left out ...]\n", "")
    assert len(kept) == most
    assert kept[0] == "0"


@pytest.mark.parametrize("folder", ["/" + "a" * 200_000, "relative"])
def test_a_folder_in_which_nothing_could_start_is_not_remembered(box: Box, folder: str) -> None:
    shell = Shell(box=box, limits=Environment().limits, command_seconds=10, folder="/app")
    shell.run(f"PWD={folder}" if len(folder) < 100 else "PWD=/$(head -c 200000 /dev/zero | tr '\\0' a)", 10)
    assert shell.folder == "/app"
    assert shell.run("echo next", 10).output == "next\n"


def test_a_forged_mark_with_a_nul_is_no_folder(box: Box) -> None:
    shell = Shell(box=box, limits=Environment().limits, command_seconds=10, folder="/app")
    mark = "$(tr '\\0' '\\n' < /proc/$$/cmdline | tail -n 1)"
    shell.run(f"trap - EXIT; printf '\\n%s/a\\0b\\n' \"{mark}\"", 10)
    assert shell.run("echo next", 10).output == "next\n"
