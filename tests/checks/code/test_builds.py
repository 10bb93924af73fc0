"""A build counts by what it makes now, by the recipe of the key. Not covered: whether the product is right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairtrial.checks.code import CHECKS
from fairtrial.checks.protocol import CheckError

COPY = {"Makefile": "out/a.bin: a.src\n\tmkdir -p out\n\tcp a.src out/a.bin\n"}


@pytest.mark.extra
@pytest.mark.parametrize(
    ("files", "passed"),
    [
        (COPY | {"a.src": "x"}, True),
        (COPY, False),
        (COPY | {"a.src": ""}, False),
        ({"Makefile": "all:\n\ttrue\n", "out/a.bin": "made before"}, False),
        ({"Makefile": "all:\n\tsleep 1000\n"}, False),
        ({"Makefile": "all:\n\tln -s /etc/passwd a.bin\n"}, False),
    ],
)
def test_builds(lay: Callable[..., str], files: dict[str, str], passed: bool) -> None:
    named = {"command": "make", "makes": ["out/a.bin"], "run": {"seconds": 5}}
    assert CHECKS["builds"](code=lay("code", files), **named).passed is passed


@pytest.mark.parametrize("command", ["sh build.sh", "./build.sh", "./none.sh"])
def test_a_build_that_says_127_is_no_missing_tool(lay: Callable[..., str], command: str) -> None:
    assert not CHECKS["builds"](code=lay("code", {"build.sh": "#!/bin/sh\nexit 127\n"}), command=command).passed


def test_the_recipe_of_the_key_is_used(lay: Callable[..., str]) -> None:
    code = lay("code", {"Makefile": "out/a.bin:\n\tmkdir out; echo fake > out/a.bin\n"})
    assert CHECKS["builds"](code=code, command="make", makes=["out/a.bin"]).passed
    assert not CHECKS["builds"](code=code, command="make", makes=["out/a.bin"], recipe=lay("recipe", COPY)).passed


def test_no_such_tool_breaks(lay: Callable[..., str]) -> None:
    with pytest.raises(CheckError):
        CHECKS["builds"](code=lay("code", COPY), command="no-such-make")
