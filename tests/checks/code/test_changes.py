"""What changed is counted as a reader would, apart from comments and space. Not covered: which files count (scope)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks.code import CHECKS
from fairtrial.checks.code.changes import _changed, changes
from fairtrial.checks.code.trees import work
from fairtrial.checks.protocol import CheckError

PYTHON = 'def f(a):\n    """Say a."""\n    # one\n    return a + 1\n'
SCRIPT = "function f(a) {\n  // one\n  return a + 1;\n}\n"


def longest(a: list[str], b: list[str]) -> int:
    """Return the length of the longest common subsequence, by trying."""
    if not a or not b:
        return 0
    return 1 + longest(a[1:], b[1:]) if a[0] == b[0] else max(longest(a[1:], b), longest(a, b[1:]))


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_lines_are_those_of_the_shortest_diff(a: list[str], b: list[str]) -> None:
    assert _changed(a, b) == len(a) + len(b) - 2 * longest(a, b)


@pytest.mark.parametrize(
    ("name", "before", "after", "counted"),
    [
        ("a.py", PYTHON, PYTHON.replace("+ 1", "+ 2"), (2, 0, 0)),
        ("a.py", PYTHON, PYTHON.replace("# one", "# two"), (0, 2, 0)),
        ("a.py", PYTHON, PYTHON.replace("Say a", "Return a"), (0, 2, 0)),
        ("a.py", PYTHON, PYTHON.replace("return a + 1", "return a + 1  # more"), (0, 2, 0)),
        ("a.py", PYTHON, PYTHON.replace("\n    #", "\n\n\n    #"), (0, 0, 2)),
        ("a.py", PYTHON, PYTHON.replace("\n", "  \n"), (0, 0, 8)),
        ("a.py", PYTHON, PYTHON.replace("    return", "    if a:\n        return"), (3, 0, 0)),
        ("a.py", "x = '# no'\n", "x = '# yes'\n", (2, 0, 0)),
        ("a.py", "def (\n", "def (\n# more\n", (0, 1, 0)),
        ("a.js", SCRIPT, SCRIPT.replace("// one", "// two"), (0, 2, 0)),
        ("a.js", SCRIPT, SCRIPT.replace("  return", "\t\treturn"), (0, 0, 2)),
        ("a.js", SCRIPT, SCRIPT + "/* a\n b */\n", (0, 2, 0)),
        ("a.txt", "a b\n", "a c\n", (2, 0, 0)),
        ("a.py", "", "x = [" + "1, " * 400 + "]\n", (7, 0, 0)),
    ],
)
def test_kinds_of_lines(
    lay: Callable[..., str], name: str, before: str, after: str, counted: tuple[int, int, int]
) -> None:
    (found,) = changes(work(lay("before", {name: before})), work(lay("after", {name: after})))
    assert (found.code, found.comments, found.spaces) == counted


def test_renames_binary_files_and_kinds(lay: Callable[..., str]) -> None:
    text = "".join(f"line {n}\n" for n in range(10))
    before = {"a.py": text, "b.bin": b"\0\1", "gone.md": "x\n", "c.py": PYTHON}
    after = {"z/a.py": text + "more = 1\n", "b.bin": b"\0\2", "new.txt": "y\n", "d.py": PYTHON}
    found = changes(work(lay("before", before)), work(lay("after", after)))
    assert [(one.path, one.kind, one.was, one.is_binary, one.lines) for one in found] == [
        ("b.bin", "edited", "", True, 0),
        ("d.py", "renamed", "c.py", False, 0),
        ("gone.md", "removed", "", False, 1),
        ("new.txt", "added", "", False, 1),
        ("z/a.py", "renamed", "a.py", False, 1),
    ]


BASE = {"src/a.py": "a = 1\n" * 20, "src/b.py": "b = 1\n", "poetry.lock": "1\n", "tests/test_a.py": "x = 1\n"}
REFERENCE = {"src/a.py": "a = 1\n" * 20 + "c = 2\n" * 5}


@pytest.mark.parametrize(
    ("edit", "named", "passed", "value"),
    [
        (REFERENCE, {}, True, 5),
        ({"src/a.py": "a = 1\n" * 20 + "d = 2\n" * 25}, {}, True, 25),
        ({"src/a.py": "a = 1\n" * 20 + "d = 2\n" * 26}, {}, False, 26),
        ({"src/a.py": "a = 1\n" * 20 + "# d\n" * 90}, {}, True, 0),
        ({"src/a.py": "a = 1\n" * 20 + "d = 2\n" * 2}, {"least": 0.5}, False, 2),
        ({"poetry.lock": "2\n" * 99, "build/a.js": "x\n" * 99}, {}, True, 0),
        ({"poetry.lock": "2\n" * 99}, {"deny": ["*.lock"]}, False, 0),
        ({"tests/test_a.py": "y = 1\n" * 99}, {}, False, 100),
        ({"tests/test_a.py": "y = 1\n" * 99}, {"apart": ["tests/"]}, True, 0),
        ({"docs/a.md": "x\n"}, {"allow": ["src/**"]}, False, 1),
        ({"src/c.py": "x\n"}, {"allow": ["src/**"]}, True, 1),
        ({f"src/n{n}.py": "" for n in range(9)}, {}, False, 0),
        ({"build/helper.py": "x = 1\n" * 30}, {}, False, 30),
        ({"build/helper.py": "x = 1\n" * 30}, {"allow": ["src/**"]}, False, 30),
        ({"build/lib/b.py": "b = 1\n", "dist/b.js": "x\n" * 99}, {}, True, 0),
        ({"src/large.py": "# filled up\n" * 500_000 + "x = 1\n" * 30}, {}, False, 500_030),
        ({"src/b.py": None, "other/b.py": "b = 1\n"}, {"allow": ["src/**"]}, False, 0),
    ],
)
def test_scope(lay: Callable[..., str], edit: Any, named: Any, passed: bool, value: float) -> None:
    result = CHECKS["scope"](
        code=lay("code", BASE | edit), original=lay("original", BASE), reference=lay("reference", REFERENCE), **named
    )
    assert (result.passed, result.value) == (passed, value)


def test_a_scope_that_makes_no_sense_breaks(lay: Callable[..., str]) -> None:
    with pytest.raises(CheckError):
        CHECKS["scope"](code=lay("code", BASE), original=lay("original", BASE), most=1.0, least=2.0)
