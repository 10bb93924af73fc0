"""A run of tests is believed only where it can be: what works against every runner is told apart. Nothing is timed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks.code import CHECKS
from fairtrial.checks.protocol import CheckError, Result

CODE = "def double(x):\n    return {}\n"
TESTS = {
    "test_double.py": (
        "import unittest\nfrom double import double\n\n\nclass Double(unittest.TestCase):\n"
        "    def test_two(self):\n        self.assertEqual(double(2), 4)\n\n"
        "    def test_three(self):\n        assert double(3) == 6\n"
    )
}
RIGHT, WRONG = CODE.format("2 * x"), CODE.format("x + 2")
RUNNERS = ["pytest", "unittest"]


def passes(code: str, tests: str = "", **named: Any) -> Result:
    return CHECKS["tests_pass"](code=code, tests=tests, **named)


@pytest.mark.parametrize(
    "runner", [*RUNNERS, f"{sys.executable} -m pytest -k two", "pytest tests/test_double.py::Double"]
)
def test_right_code_passes(lay: Callable[..., str], runner: str) -> None:
    assert passes(lay("code", {"double.py": RIGHT}), lay("hidden", TESTS), runner=runner).passed


@pytest.mark.parametrize("runner", RUNNERS)
def test_wrong_code_fails_by_name_with_its_share(lay: Callable[..., str], runner: str) -> None:
    result = passes(lay("code", {"double.py": WRONG}), lay("hidden", TESTS), runner=runner)
    assert not result.passed
    assert result.value == 0.5
    assert "test_three" in result.why


HACKS = {
    "leaves with 0 as it is imported": "import os\nos._exit(0)\n",
    "leaves with 1 as it is imported": "import os\nos._exit(1)\n",
    "leaves as if there were no Python": "import os\nos._exit(127)\n",
    "tells nonsense under the secret": (
        "import gc, json, os\nfor o in gc.get_objects():\n    if type(o) is dict and type(o.get('secret')) is str:\n"
        "        for odd in ('7', '{\"collected\": 1}', '{\"when\": \"call\"}', '[]'):\n"
        "            for fd in range(3, 12):\n                try:\n"
        "                    os.write(fd, f\"{o['secret']} {odd}\\n\".encode())\n"
        "                except OSError:\n                    pass\n" + WRONG
    ),
    "leaves folders two thousand deep": (
        "import os\ntop = os.getcwd()\nfor _ in range(2000):\n    os.mkdir('d')\n    os.chdir('d')\nos.chdir(top)\n"
        + WRONG
    ),
    "leaves in the call": "import os\ndef double(x):\n    os._exit(0)\n",
    "exits": "import sys\ndef double(x):\n    sys.exit(0)\n",
    "kills its process": "import os\ndef double(x):\n    os.kill(os.getpid(), 9)\n",
    "kills its group": "import os\ndef double(x):\n    os.killpg(0, 9)\n",
    "skips": "import unittest\ndef double(x):\n    raise unittest.SkipTest('later')\n",
    "skips as it is imported": "import unittest\nraise unittest.SkipTest('later')\n",
    "loops": "def double(x):\n    while True:\n        pass\n",
    "patches unittest's assertions": (
        "import unittest\nfor n in dir(unittest.TestCase):\n    if n.startswith('assert'):\n"
        "        setattr(unittest.TestCase, n, lambda *a, **k: None)\n" + WRONG.replace("x + 2", "6")
    ),
    "makes every test of unittest return": (
        "import unittest\n"
        "unittest.TestCase.run = lambda s, r=None: r.startTest(s) or r.addSuccess(s) or r.stopTest(s)\n" + WRONG
    ),
    "makes pytest report passes": (
        "import sys\nif 'pytest' in sys.modules:\n    import _pytest.reports as r\n    init = r.TestReport.__init__\n"
        "    def new(self, *a, **k):\n        init(self, *a, **k)\n        self.outcome = 'passed'\n"
        "    r.TestReport.__init__ = new\n" + WRONG
    ),
    "replaces pytest's call": (
        "import sys\nif 'pytest' in sys.modules:\n    import _pytest.runner as r\n    import _pytest.python as p\n"
        "    p.Function.runtest = lambda self: None\n    import _pytest.unittest as u\n"
        "    u.TestCaseFunction.runtest = lambda self: None\n" + WRONG
    ),
    "writes a report to every stream": (
        "import os, json\nfor fd in range(1, 30):\n    try:\n"
        '        os.write(fd, b\'\\n{"test": "tests/test_double.py::Double::test_two", "outcome": "passed"}\\n\')\n'
        "    except OSError:\n        pass\n" + WRONG
    ),
    "deletes the tests": (
        "import os, shutil, pathlib\nfor p in pathlib.Path(__file__).parent.rglob('test_*'):\n    p.unlink()\n" + WRONG
    ),
    "takes the tests out of their module": (
        "import sys, unittest\nclass Gone(unittest.TestLoader):\n    pass\n"
        "unittest.TestLoader.getTestCaseNames = lambda s, c: []\n" + WRONG
    ),
}


@pytest.mark.extra
@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize("hack", HACKS)
def test_a_hack_fails(lay: Callable[..., str], hack: str, runner: str) -> None:
    tests = lay("hidden", TESTS)
    names = "tests/test_double.py::Double::" if runner == "pytest" else "test_double.Double."
    code = lay("code", {"double.py": HACKS[hack]})
    seconds = {"seconds": 3 if hack == "loops" else 60}
    wanted = [f"{names}test_two", f"{names}test_three"]
    assert not passes(code, tests, runner=runner, must_pass=wanted, run=seconds).passed


FILES = {
    "a conftest that makes reports pass": {
        "conftest.py": "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
        "    r = (yield).get_result()\n    r.outcome = 'passed'\n"
    },
    "a conftest beside the tests": {"tests/conftest.py": "collect_ignore_glob = ['*']\n"},
    "a setting that selects none": {"pytest.ini": "[pytest]\naddopts = -k nothing\n"},
    "a setting in pyproject": {"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-k nothing"\n'},
    "a sitecustomize": {"sitecustomize.py": "import os\nos._exit(0)\n"},
    "a module called pytest": {"pytest.py": "import os\nos._exit(0)\n", "_pytest/__init__.py": ""},
    "a module called json": {"json.py": "import os\nos._exit(0)\n"},
    "a plugin": {"evil.py": "import os\nos._exit(0)\n", "setup.cfg": "[tool:pytest]\naddopts = -p evil\n"},
    "a stale cache": {"tests/__pycache__/test_double.cpython-311-pytest-9.2.0.pyc": b"\0" * 20},
}


@pytest.mark.extra
@pytest.mark.parametrize("files", FILES)
def test_files_of_the_work_do_not_take_the_run_over(lay: Callable[..., str], files: str) -> None:
    tests = lay("hidden", TESTS)
    assert passes(lay("right", {"double.py": RIGHT}, FILES[files]), tests).passed
    assert not passes(lay("wrong", {"double.py": WRONG}, FILES[files]), tests).passed


def test_links_in_place_of_tests_are_neither_followed_nor_written_through(
    lay: Callable[..., str],
) -> None:
    outside = Path(lay("outside", {"test_double.py": "def test_all():\n    pass\n"}))
    code = Path(lay("code", {"double.py": WRONG}))
    (code / "tests").symlink_to(outside)
    assert not passes(str(code), lay("hidden", TESTS)).passed
    assert not passes(str(code)).passed
    assert (outside / "test_double.py").read_text() == "def test_all():\n    pass\n"


def test_what_is_left_running_is_ended(lay: Callable[..., str], tmp_path: Path) -> None:
    code = (
        "import os, subprocess\ndef double(x):\n"
        "    p = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
        f"    open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid))\n    return 2 * x\n"
    )
    tests = {"test_double.py": "from double import double\ndef test_two():\n    assert double(2) == 4\n"}
    assert passes(lay("code", {"double.py": code}), lay("hidden", tests)).passed
    left = Path("/proc", (tmp_path / "pid").read_text(), "cmdline")
    deadline = time.monotonic() + 10
    while left.exists() and b"sleep" in left.read_bytes() and time.monotonic() < deadline:
        time.sleep(0.02)  # a process that was killed is there until the kernel has it out of the way
    assert not left.exists() or b"sleep" not in left.read_bytes()


ENDS = {
    "skipped": "import pytest\n@pytest.mark.skip\ndef test_a():\n    pass\n",
    "xfailed": "import pytest\n@pytest.mark.xfail\ndef test_a():\n    assert False\n",
    "xpassed": "import pytest\n@pytest.mark.xfail\ndef test_a():\n    pass\n",
    "broken set-up": "import pytest\n@pytest.fixture\ndef x():\n    assert False\ndef test_a(x):\n    pass\n",
    "broken tear-down": "import pytest\n@pytest.fixture\ndef x():\n    yield\n    1 / 0\ndef test_a(x):\n    pass\n",
    "unreadable": "def test_a(:\n",
    "none": "x = 1\n",
}


@pytest.mark.parametrize("end", ENDS)
def test_only_a_pass_passes(lay: Callable[..., str], end: str) -> None:
    assert not passes(lay("code", {"double.py": RIGHT}), lay("hidden", {"test_a.py": ENDS[end]})).passed


def test_a_skip_may_be_stated(lay: Callable[..., str]) -> None:
    tests = {"test_a.py": ENDS["skipped"], "test_b.py": "def test_b():\n    pass\n"}
    code, hidden = lay("code", {}), lay("hidden", tests)
    assert passes(code, hidden, may_skip=["test_a"]).passed
    assert not passes(code, hidden, may_skip=["test_b"]).passed


def test_a_test_that_is_wanted_and_missing_fails(lay: Callable[..., str]) -> None:
    code, hidden = lay("code", {"double.py": RIGHT}), lay("hidden", TESTS)
    assert passes(code, hidden, must_pass=["test_two"]).passed
    assert not passes(code, hidden, must_pass=["test_two", "test_four"]).passed


def test_wanted_tests_come_from_swe_bench_lists(lay: Callable[..., str]) -> None:
    code, hidden = lay("code", {"double.py": WRONG}), lay("hidden", TESTS)
    lists = lay(
        "key", {"a.json": '{"FAIL_TO_PASS": ["test_two"], "PASS_TO_PASS": "[]"}', "b.txt": "test_two\ntest_three\n"}
    )
    assert passes(code, hidden, must_pass=f"{lists}/a.json").passed
    assert not passes(code, hidden, must_pass=f"{lists}/b.txt").passed
    with pytest.raises(CheckError):
        passes(code, hidden, must_pass=f"{lists}/c.json")


WRITES = "python3 -c \"import sys; open(sys.argv[1], 'w').write(open('report').read()); sys.exit({})\" {{report}}"


@pytest.mark.parametrize(
    ("report", "code", "passed"),
    [
        ('<testsuites><testsuite><testcase classname="a" name="b"/></testsuite></testsuites>', 0, True),
        ('<testsuites><testsuite><testcase classname="a" name="b"/></testsuite></testsuites>', 1, False),
        ('<testsuite><testcase classname="a" name="b"><failure message="no"/></testcase></testsuite>', 1, False),
        ('<testsuite><testcase classname="a" name="b"><failure message="no"/></testcase></testsuite>', 0, False),
        ('<testsuite><testcase classname="a" name="b"><skipped/></testcase></testsuite>', 0, False),
        ("<testsuite></testsuite>", 0, False),
        ("", 0, False),
        ("nonsense", 0, False),
        ('{"results": {"tests": [{"name": "b", "status": "passed"}]}}', 0, True),
        ('{"results": {"tests": [{"name": "b", "status": "failed"}]}}', 1, False),
        ('{"results": {"tests": [{"name": "b", "status": "pending"}]}}', 0, False),
    ],
)
def test_reports_of_any_runner_count_with_the_exit_code(
    lay: Callable[..., str], report: str, code: int, passed: bool
) -> None:
    named = {"runner": WRITES.format(code), "must_pass": ["b"]}
    assert passes(lay("code", {"report": report}), **named).passed is passed


def test_an_exit_code_alone_counts(lay: Callable[..., str]) -> None:
    code = lay("code", {"a": ""})
    assert passes(code, runner="test -f a").passed
    assert not passes(code, runner="test -f b").passed
    assert not passes(code, runner="sleep 1000", run={"seconds": 0.2}).passed


@pytest.mark.parametrize(
    "named",
    [
        {"runner": "no-such-program --x"},
        {"runner": ""},
        {"runner": "pytest 'x"},
        {"runner": "true", "must_pass": ["a"]},
        {"runner": "true {report}"},
        {"reference": "/nothing/here"},
        {"runner": "unittest -v"},
        {"runner": "pytest -x"},
        {"run": {"second": 3}},
        {"run": {"seconds": 0}},
        {"run": {"user": "nobody-of-that-name"}},
        {"tests": "/nothing/here"},
        {"tests": "{hidden}", "at": "../x"},
    ],
    ids=str,
)
def test_what_makes_no_sense_breaks_and_fails_nobody(lay: Callable[..., str], named: dict[str, Any]) -> None:
    hidden = lay("hidden", TESTS)
    stated = {name: value.replace("{hidden}", hidden) if name == "tests" else value for name, value in named.items()}
    with pytest.raises(CheckError):
        passes(lay("code", {"double.py": RIGHT}), **stated)


def test_a_python_without_pytest_breaks(lay: Callable[..., str], tmp_path: Path) -> None:
    bare = tmp_path / "python3"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(CheckError, match="pytest is not installed"):
        passes(lay("code", {"double.py": RIGHT}), lay("hidden", TESTS), runner=f"{bare} -m pytest")


def test_a_source_layout_and_variables(lay: Callable[..., str]) -> None:
    code = lay("code", {"src/double.py": "import os\n" + RIGHT.replace("2 *", "int(os.environ['FACTOR']) *")})
    run = {"import_from": ["src"], "environment": {"FACTOR": "2"}}
    assert passes(code, lay("hidden", TESTS), run=run).passed
    assert not passes(code, lay("hidden", TESTS)).passed


def test_memory_is_bounded(lay: Callable[..., str]) -> None:
    hungry = lay("code", {"double.py": "def double(x):\n    held = bytearray(4_000_000_000)\n    return 2 * x\n"})
    assert not passes(hungry, lay("hidden", TESTS), run={"memory_mb": 1_500}).passed


@pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/usr/bin/python3").exists(),
    reason="only root can run code as another user, by a Python that this one may read",
)
def test_another_user_cannot_read_the_key(lay: Callable[..., str], tmp_path: Path) -> None:
    secret = tmp_path / "answer"
    secret.write_text("4")
    code = f"def double(x):\n    return open({str(secret)!r}).read() and 2 * x\n"
    tests = lay("hidden", TESTS)
    assert passes(lay("code", {"double.py": code}), tests).passed
    named: dict[str, Any] = {"runner": "/usr/bin/python3 -m unittest", "run": {"user": "nobody"}}
    assert not passes(lay("code", {"double.py": code}), tests, **named).passed
    assert passes(lay("right", {"double.py": RIGHT}), tests, **named).passed


LOSES_ONE = (
    "import unittest\nnames = unittest.TestLoader.getTestCaseNames\n"
    "unittest.TestLoader.getTestCaseNames = lambda s, c: [n for n in names(s, c) if n != 'test_three']\n" + WRONG
)


@pytest.mark.parametrize("runner", ["pytest", "unittest", "cp report {report}"])
def test_what_passes_on_the_reference_must_pass(lay: Callable[..., str], runner: str) -> None:
    cases = "<testsuite><testcase name='test_two'/>{}</testsuite>"
    whole = {"double.py": RIGHT, "report": cases.format("<testcase name='test_three'/>")}
    lost = {"double.py": LOSES_ONE, "report": cases.format("")}
    named = {"runner": runner, "reference": lay("reference", whole)}
    assert passes(lay("code", whole), lay("hidden", TESTS), **named).passed
    assert not passes(lay("code", lost), lay("hidden", TESTS), **named).passed
