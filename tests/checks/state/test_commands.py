"""A command is judged by how it ended and what it printed, and a strange one fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks import CheckError
from fairtrial.checks.state.commands import command_output, command_succeeds


@pytest.mark.parametrize(
    ("stated", "holds"),
    [
        ({"command": "true"}, True),
        ({"command": "exit 3"}, False),
        ({"command": "exit 3", "code": 3}, True),
        ({"command": ["sh", "-c", "exit 0"]}, True),
        ({"command": "no-such-program"}, False),
        ({"command": ["no-such-program"]}, False),
        ({"command": "sleep 100", "seconds": 0.2}, False),
        ({"command": "kill -9 $$"}, False),
        ({"command": "read x; test $x = given", "stdin": "given\n"}, True),
        ({"command": "test $STATED = 1", "environment": {"STATED": "1"}}, True),
        ({"command": "test -f here"}, True),
    ],
)
def test_how_a_command_ends(stated: dict[str, Any], holds: bool, tmp_path: Path) -> None:
    (tmp_path / "here").write_text("")
    assert command_succeeds(folder=str(tmp_path), **stated).passed is holds


@pytest.mark.parametrize(
    ("stated", "holds"),
    [
        ({"command": "echo ' hi '", "equals": "hi"}, True),
        ({"command": "echo hi; exit 2", "equals": "hi"}, True),
        ({"command": "echo hi; exit 2", "equals": "hi", "run": {"code": 0}}, False),
        ({"command": "echo hi", "equals": "hi", "contains": "ho"}, False),
        ({"command": "echo hi >&2", "equals": ""}, True),
        ({"command": "echo hi >&2", "equals": "hi", "stream": "stderr"}, True),
        ({"command": "echo a; echo b >&2", "contains": ["a", "b"], "stream": "both"}, True),
        ({"command": "printf '\\377\\n'", "contains": "\\xff"}, True),
        ({"command": "printf 'a\\r\\nb'", "regex": "(?m)^a$", "lacks": "c"}, True),
        ({"command": "echo hi; sleep 100", "contains": "hi", "run": {"seconds": 0.2}}, False),
        ({"command": "yes", "contains": "y", "run": {"seconds": 20}}, False),
    ],
)
def test_what_a_command_prints(stated: dict[str, Any], holds: bool) -> None:
    assert command_output(**stated).passed is holds


def test_a_folder_that_is_not_there_fails(tmp_path: Path) -> None:
    assert not command_succeeds("true", folder=str(tmp_path / "none")).passed


def test_its_last_words_are_told() -> None:
    found = command_succeeds("echo broken pipe >&2; exit 1")
    assert found.why == "`echo broken pipe >&2; exit 1` ended with 1, not with 0; it printed 'broken pipe'"


@pytest.mark.parametrize("stated", [{"command": ""}, {"command": []}])
def test_no_command_says_nothing_of_the_work(stated: dict[str, Any]) -> None:
    with pytest.raises(CheckError):
        command_succeeds(**stated)


def test_unknown_ways_to_run_say_nothing_of_the_work() -> None:
    with pytest.raises(CheckError, match="no key 'colour'"):
        command_output("true", equals="", run={"colour": "red"})
