"""New findings are charged and old ones are not; the linter cannot be turned off. Not covered: linters themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.checks.code import CHECKS
from fairtrial.checks.protocol import CheckError

RUFF = f"{sys.executable} -m ruff check --output-format concise --no-cache ."
OLD = "import os\n\n\ndef f():\n    return 1\n"
ORIGINAL = {"a.py": OLD, "b/c.py": "import re\nx = 1\n", "ruff.toml": 'lint.select = ["F"]\n'}


@pytest.mark.parametrize(
    ("edit", "named", "passed"),
    [
        ({}, {}, True),
        ({"a.py": "\n\n\n" + OLD}, {}, True),
        ({"a.py": OLD.replace("import os\n\n\n", "")}, {}, True),
        ({"b/c.py": None, "d.py": "import re\nx = 1\n"}, {}, True),
        ({"a.py": "import sys\n" + OLD}, {}, False),
        ({"a.py": "import sys\n" + OLD}, {"allowed": 1}, True),
        ({"new.py": "import re\n"}, {}, False),
        ({"new.py": "import re  # noqa\n"}, {}, False),
        ({"new.py": "import re  # NoQA: F401\n"}, {}, False),
        ({"new.py": "import re\n", "ruff.toml": "lint.select = []\n"}, {}, False),
        ({"new.py": "import re\n", ".ruff.toml": "lint.select = []\n"}, {}, False),
        ({"new.py": "import re\n", "pyproject.toml": "[tool.ruff]\nexclude = ['new.py']\n"}, {}, False),
        ({"new.py": "import re\n", "b/ruff.toml": "lint.select = []\n", "b/c.py": "import re\nimport os\n"}, {}, False),
        ({"ruff/__main__.py": "", "ruff.py": "raise SystemExit(0)\n", "a.py": "import sys\n" + OLD}, {}, False),
        ({"a.py": "def (\n"}, {}, False),
    ],
)
def test_new_findings(lay: Callable[..., str], edit: Any, named: Any, passed: bool) -> None:
    pytest.importorskip("ruff")
    code = lay("code", ORIGINAL | edit)
    result = CHECKS["lints"](code=code, original=lay("original", ORIGINAL), command=RUFF, **named)
    assert result.passed is passed, result.why


@pytest.mark.parametrize("command", ["no-such-linter", "false", "sh -c 'echo broken; exit 2'", "", "a 'b"])
def test_a_linter_that_cannot_be_run_breaks(lay: Callable[..., str], command: str) -> None:
    with pytest.raises(CheckError):
        CHECKS["lints"](code=lay("code", ORIGINAL), original=lay("original", ORIGINAL), command=command)


def test_a_work_that_stops_the_linter_fails(lay: Callable[..., str]) -> None:
    command = "sh -c 'if [ -e stop ]; then exit 3; fi'"
    code, original = lay("code", ORIGINAL, {"stop": ""}), lay("original", ORIGINAL)
    assert not CHECKS["lints"](code=code, original=original, command=command).passed
    assert CHECKS["lints"](code=original, original=original, command=command).passed


@pytest.mark.parametrize("line", ["a.py:3: no", "a.py:3:1: no", "./a.py:3:1 no", "a.py(3,1): no", "a.py(3): no"])
def test_the_ways_that_linters_write(lay: Callable[..., str], line: str) -> None:
    command = "sh -c 'if [ -e bad ]; then cat bad; exit 1; fi'"
    code, original = lay("code", ORIGINAL, {"bad": line + "\n"}), lay("original", ORIGINAL)
    result = CHECKS["lints"](code=code, original=original, command=command)
    assert not result.passed
    assert result.evidence["new"] == ["a.py: no"]
