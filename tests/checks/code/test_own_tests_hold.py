"""Tests that the work brings count where they tell behaviour, and not where they read code or ask for names."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks.code import CHECKS
from fairtrial.checks.protocol import CheckError, Result

BUG = "def top(xs):\n    best = 0\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n"
SAME_BUG = "def top(xs):\n    return max([0, *xs])\n"
FIXED = (
    "def top(xs):\n    best = xs[0]\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n"
)
OTHER = "def top(xs):\n    return sorted(xs)[-1]\n"
NEW_NAME = FIXED + "\n\ndef lowest(xs):\n    return -top([-x for x in xs])\n"
OTHER_NEW_NAME = OTHER + "\n\ndef lowest(xs):\n    return min(xs)\n"
HEAD = "import inspect\nimport pathlib\nimport tops\nfrom tops import top\n\n\n"
TELLS = HEAD + "def test_negative():\n    assert top([-3, -2]) == -2\n"
TELLS_NOTHING = HEAD + "def test_positive():\n    assert top([3, 2]) == 3\n"


def _as_unittest(tests: str) -> str:
    """Return tests that are functions as methods of classes: unittest starts in a third of pytest's time."""

    def method(found: re.Match[str]) -> str:
        name, body = found.groups()
        return f"class {name.title()}(unittest.TestCase):\n    def {name}(self):\n{textwrap.indent(body, '    ')}"

    return "import unittest\n" + re.sub(r"^def (test_\w+)\(\):\n((?: .*\n)+)", method, tests, flags=re.MULTILINE)


def held(lay: Callable[..., str], tests: str, code: str = FIXED, runner: str = "unittest", **named: Any) -> Result:
    if runner == "unittest":
        tests = _as_unittest(tests)
    work = lay("work", {"tops.py": code, "tests/test_top.py": tests, "README.md": "fixed", "mark.json": "1"})
    original = lay("original", {"tops.py": BUG, "README.md": "new"})
    return CHECKS["own_tests_hold"](code=work, original=original, runner=runner, **named)


@pytest.mark.extra
@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_a_test_that_tells_holds(lay: Callable[..., str], runner: str) -> None:
    tests = TELLS if runner == "pytest" else (
        "import unittest\nfrom tops import top\n\n\nclass Top(unittest.TestCase):\n"
        "    def test_negative(self):\n        self.assertEqual(top([-3, -2]), -2)\n"
    )  # fmt: skip
    result = held(lay, tests, runner=runner, passes_on=[lay("other", {"tops.py": OTHER})],
                  fails_on=[lay("same", {"tops.py": SAME_BUG})])  # fmt: skip
    assert result.passed, result.why
    assert result.value == 1


REFUSED = {
    "none": "x = 1\n",
    "no difference": TELLS_NOTHING,
    "fails on its own code": TELLS + "def test_wrong():\n    assert top([1]) == 2\n",
    "skipped": "import pytest\npytest.skip(allow_module_level=True)\n",
    "reads the file": HEAD + "def test_text():\n    assert 'best = xs[0]' in pathlib.Path(tops.__file__).read_text()\n",
    "reads the source": HEAD + "def test_text():\n    assert 'xs[0]' in inspect.getsource(tops)\n",
    "misses the old text": HEAD + "def test_text():\n    assert 'best = 0' not in inspect.getsource(tops)\n",
    "hashes the file": HEAD
    + f"def test_hash():\n    assert len(pathlib.Path(tops.__file__).read_text()) == {len(FIXED)}\n",
    "asks whether a name is there": HEAD + "def test_name():\n    assert tops.lowest\n",
    "takes a name that only it has": HEAD
    + "from tops import lowest\n\n\ndef test_low():\n    assert lowest([1]) == 1\n",
    "looks for a new word in the prose": HEAD
    + "def test_word():\n    assert 'fixed' in pathlib.Path('README.md').read_text()\n",
    "looks for a file that it brings": HEAD + "def test_mark():\n    assert pathlib.Path('mark.json').exists()\n",
    "passes at the first time": HEAD + (
        "def test_once():\n    mark = pathlib.Path('/tmp', 'mark-' + str(len(inspect.getsource(top))))\n"
        "    there = mark.exists()\n    mark.unlink() if there else mark.touch()\n    assert not there\n"
    ),
}  # fmt: skip


@pytest.mark.extra
@pytest.mark.parametrize("fails_from", [3, 4, 5])
def test_a_test_that_counts_its_runs_is_not_sure_of_the_order(
    lay: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_from: int
) -> None:
    """Whatever number it fails from, one of two orders has the work's own code run after it."""
    counts = HEAD + (
        f"def test_count():\n    mark = pathlib.Path({str(tmp_path / 'count')!r})\n"
        "    runs = len(mark.read_text()) if mark.exists() else 0\n    mark.write_text('x' * (runs + 1))\n"
        f"    assert runs < {fails_from}\n"
    )
    held_in = []
    for wrong_first in (True, False):
        monkeypatch.setattr("secrets.choice", lambda _, first=wrong_first: first)
        (tmp_path / "count").unlink(missing_ok=True)
        held_in.append(held(lay, counts).passed)
    assert not all(held_in)


@pytest.mark.extra
@pytest.mark.parametrize("tests", REFUSED)
def test_a_test_that_tells_nothing_is_refused(lay: Callable[..., str], tests: str) -> None:
    runner = "pytest" if tests == "skipped" else "unittest"
    assert not held(lay, REFUSED[tests], code=NEW_NAME if "name" in tests else FIXED, runner=runner).passed


@pytest.mark.extra
def test_a_name_counts_where_right_code_has_it_too(lay: Callable[..., str]) -> None:
    tests = "from tops import lowest\n\n\ndef test_low():\n    assert lowest([1, 2]) == 1\n"
    with_it, without = lay("with", {"tops.py": OTHER_NEW_NAME}), lay("without", {"tops.py": OTHER})
    assert held(lay, tests, code=NEW_NAME, passes_on=[with_it]).passed
    assert not held(lay, tests, code=NEW_NAME, passes_on=[without]).passed


def test_a_test_of_its_own_helper_neither_helps_nor_harms(lay: Callable[..., str]) -> None:
    tests = TELLS + "def test_helper():\n    assert tops.lowest([1, 2]) == 1\n"
    assert held(lay, tests, code=NEW_NAME, passes_on=[lay("other", {"tops.py": OTHER})]).value == 1


def test_tests_that_refuse_right_code_are_refused(lay: Callable[..., str]) -> None:
    tests = TELLS + "def test_kind():\n    assert top([-2.0, -3]) is not None and len(inspect.getsource(top)) > 60\n"
    assert held(lay, tests).passed
    assert not held(lay, tests, passes_on=[lay("other", {"tops.py": OTHER})]).passed


@pytest.mark.extra
def test_wrong_code_that_they_let_pass_is_named(lay: Callable[..., str]) -> None:
    mutant = lay("mutant", {"tops.py": FIXED.replace("x > best", "x < best")})
    tests = HEAD + "def test_one():\n    assert top([-3]) == -3\n"
    assert held(lay, tests).passed
    result = held(lay, tests, fails_on=[mutant])
    assert not result.passed
    assert "mutant" in result.why


@pytest.mark.extra
def test_a_bug_that_crashes_or_never_ends_is_caught(lay: Callable[..., str]) -> None:
    for number, bug in enumerate(("while True:\n        pass\n", "__import__('os')._exit(0)\n")):
        code = lay("work", {"tops.py": FIXED, "tests/test_top.py": TELLS_NOTHING})
        original = lay(f"original{number}", {"tops.py": f"def top(xs):\n    {bug}"})
        assert CHECKS["own_tests_hold"](code=code, original=original, run={"seconds": 3}).passed


def test_at_least_so_many(lay: Callable[..., str]) -> None:
    assert not held(lay, TELLS, at_least=2).passed
    assert held(lay, TELLS + "def test_more():\n    assert top([-1]) == -1\n", at_least=2).passed
    with pytest.raises(CheckError):
        held(lay, TELLS, at_least=0)


def test_a_conftest_that_makes_reports_pass_is_not_believed(lay: Callable[..., str]) -> None:
    rigged = "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    r = (yield).get_result()\n    r.outcome = 'passed'\n"  # noqa: E501
    code = lay("work", {"tops.py": FIXED, "tests/test_top.py": TELLS, "tests/conftest.py": rigged})
    result = CHECKS["own_tests_hold"](code=code, original=lay("original", {"tops.py": BUG}))
    assert not result.passed
    assert "must fail" in result.why


@pytest.mark.extra
def test_tests_that_lie_between_the_code(lay: Callable[..., str]) -> None:
    code = lay("work", {"tops.py": FIXED, "test_top.py": TELLS})
    assert CHECKS["own_tests_hold"](code=code, original=lay("original", {"tops.py": BUG}), at=".").passed


@pytest.mark.extra
@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_a_given_test_that_failed_before_is_not_charged(lay: Callable[..., str], runner: str) -> None:
    head = "import unittest\nfrom tops import top\n\n\nclass Tops(unittest.TestCase):\n"
    given = {"tests/test_given.py": head + "    def test_given(self):\n        self.assertEqual(top([1]), 2)\n"}
    own = {"tests/test_own.py": head + "    def test_negative(self):\n        self.assertEqual(top([-3]), -3)\n"}
    original = lay("original", {"tops.py": BUG}, given)
    hold = CHECKS["own_tests_hold"]
    assert hold(code=lay("work", {"tops.py": FIXED}, given, own), original=original, runner=runner).passed
    edited = {"tests/test_given.py": given["tests/test_given.py"] + "\n\n# more\n"}
    assert not hold(code=lay("work", {"tops.py": FIXED}, edited, own), original=original, runner=runner).passed
