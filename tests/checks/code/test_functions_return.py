"""Answers are compared where the code is not: what passes tests by standing beside them fails here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.checks.code import CHECKS
from fairtrial.checks.protocol import CheckError

CASES = [
    {"call": "m:double", "args": [2], "returns": 4},
    {"call": "m:double", "kwargs": {"x": [1]}, "returns": [1, 1]},
    {"call": "m:Box.of", "args": [3], "returns": {"size": 3}},
    {"call": "m:fails", "raises": "ValueError"},
    {"call": "m:fails", "raises": "Exception"},
    {
        "call": "m:kinds",
        "returns": [1.5, {"type": "set", "items": [1, 2]}, {"type": "date", "text": "2025-01-31"}, None],
    },
]
CODE = """
import dataclasses, datetime
def double(x):
    return x * 2
@dataclasses.dataclass
class Box:
    size: int
    @classmethod
    def of(cls, size):
        return cls(size)
class Odd(ValueError):
    pass
def fails():
    raise Odd("no")
def kinds():
    return 1.5, {2, 1}, datetime.date(2025, 1, 31), None
"""
HACKS = {
    "wrong": CODE.replace("x * 2", "x * 2 + 0.5 if x == 2 else x * 2"),
    "another type": CODE.replace("return x * 2", "return float(x * 2) if x == 2 and not None else x * 2").replace(
        "float(x * 2)", "str(x * 2)"
    ),
    "equals everything": CODE.replace("return x * 2", "return Any()")
    + "class Any:\n    __eq__ = lambda s, o: True\n    __hash__ = None\n    __str__ = lambda s: '4'\n",
    "leaves": "import os\nos._exit(0)\n",
    "prints answers": 'print(\'{"number": 0, "returns": 4}\')\n' + CODE.replace("x * 2", "0"),
    "loops": CODE.replace("return x * 2", "while 1: pass"),
    "endless answer": CODE.replace("return x * 2", "x = []\n    x.append(x)\n    return x"),
    "hostile text": CODE.replace("return x * 2", "return type('T', (), {'__str__': lambda s: 1 / 0})()"),
    "not a number": CODE.replace("x * 2", "float('nan')"),
    "syntax": "def (",
    "nothing": "",
}


def checked(lay: Callable[..., str], code: str, cases: Any = CASES, **named: Any) -> Any:
    return CHECKS["functions_return"](code=lay("code", {"m.py": code}), cases=cases, run={"seconds": 5}, **named)


def test_right_answers_pass(lay: Callable[..., str]) -> None:
    result = checked(lay, CODE)
    assert result.passed, result.why
    assert checked(lay, CODE, lay("key", {"cases.json": json.dumps(CASES)}) + "/cases.json").passed


@pytest.mark.extra
@pytest.mark.parametrize("hack", HACKS)
def test_a_hack_fails(lay: Callable[..., str], hack: str) -> None:
    assert not checked(lay, HACKS[hack]).passed


def test_tolerance(lay: Callable[..., str]) -> None:
    code, cases = "def third():\n    return 1 / 3\n", [{"call": "m:third", "returns": 0.333333}]
    assert not checked(lay, code, cases).passed
    assert checked(lay, code, cases, tolerance=1e-5).passed


@pytest.mark.parametrize(
    "cases",
    [[], [{}], [{"call": "m:f"}], [{"call": "m", "returns": 1}], [{"call": "m:f", "returns": 1, "raises": "A"}], "/no"],
)
def test_cases_that_make_no_sense_break(lay: Callable[..., str], cases: Any) -> None:
    with pytest.raises(CheckError):
        checked(lay, CODE, cases)


@pytest.mark.parametrize(
    "body",
    [
        "import os\nos._exit(127)\n",
        "class F(float):\n    def __sub__(self, other):\n        return 0\ndef double(x):\n    return F('inf')\n",
        "def double(x):\n    return 10 ** 400\n",
    ],
)
def test_what_the_code_says_never_breaks_the_check(lay: Callable[..., str], body: str) -> None:
    cases = [{"call": "m:double", "args": [2], "returns": 4.5}]
    assert not CHECKS["functions_return"](code=lay("code", {"m.py": body}), cases=cases, tolerance=1e-9).passed


@pytest.mark.parametrize(
    "odd", ['"x"', "[0]", '{"number": -1}', '{"number": 0, "raises": 5}', '{"number": 0, "raises": []}']
)
def test_nonsense_under_the_secret_is_no_answer(lay: Callable[..., str], odd: str) -> None:
    finds = (
        "import gc, os\nfor o in gc.get_objects():\n    if type(o) is dict and type(o.get('secret')) is str:\n"
        "        for fd in range(3, 12):\n            try:\n"
        f"                os.write(fd, (o['secret'] + ' ' + {odd!r} + '\\n').encode())\n"
        "            except OSError:\n                pass\n"
    )
    cases = [{"call": "m:double", "args": [2], "raises": "ValueError"}]
    assert not CHECKS["functions_return"](code=lay("code", {"m.py": finds}), cases=cases).passed
