"""Hollow code has the names and no work; programs that know the examples answer just those."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.code.places import target_from, texts

from fairtrial.attack import find

MODULE = """RATE = 3


class Desk:
    def __init__(self, cash=0):
        self.cash = cash

    def pay(self, amount: float) -> float:
        return amount * RATE


def label(days, late=False):
    if days > 3:
        return "late"
    return "on time"
"""
SCRIPT = """import sys
word = sys.argv[1]
print("valid" if len(word) > 3 else "invalid")
"""


def test_hollow_modules_keep_names_and_signatures(tmp_path: Path) -> None:
    made = texts(target_from(tmp_path, {}, {"m.py": MODULE}), find("python_hollow"))
    assert set(made) == {"returns-none", "not-implemented", "first-argument", "empty-answer", "full-answer",
                         "first-constant", "last-constant", "empty", "unreadable", "dead-code"}  # fmt: skip
    spaces: dict[str, dict] = {}
    for name, files in made.items():
        if name not in ("empty", "unreadable"):
            exec(files["/app/m.py"], spaces.setdefault(name, {}))
    assert spaces["returns-none"]["label"](5, late=True) is None
    assert spaces["first-argument"]["label"](5) == 5
    assert spaces["dead-code"]["label"](5) is None
    assert 'return "late"' in made["dead-code"]["/app/m.py"].replace("'", '"')
    assert spaces["first-constant"]["label"](1) == "late"
    assert spaces["last-constant"]["label"](9) == "on time"
    assert spaces["empty-answer"]["Desk"]().pay(4) == 0.0
    assert spaces["full-answer"]["Desk"](1).pay(4) == 1.0
    with pytest.raises(NotImplementedError):
        spaces["not-implemented"]["label"](1)


def test_hollow_scripts_print_nothing_their_input_or_a_word(tmp_path: Path) -> None:
    made = texts(target_from(tmp_path, {}, {"m.py": SCRIPT}), find("python_hollow"))
    assert set(made) == {"empty", "unreadable", "echo-input", "echo-arguments",
                         "one-word-1", "one-word-2", "one-word-3", "one-word-4", "dead-code"}  # fmt: skip
    assert made["one-word-1"]["/app/m.py"] == "print('valid')\n"
    assert made["dead-code"]["/app/m.py"] == f"raise SystemExit(0)\n{SCRIPT}"


@pytest.mark.parametrize("module", ["A = 1\n", "def f(a):\n    return a\n", "class A:\n    def f(self): pass\n"])
def test_code_that_does_nothing_itself_is_not_emptied(module: str, tmp_path: Path) -> None:
    assert texts(target_from(tmp_path, {}, {"m.py": module}), find("python_hollow")) == {}


def test_a_script_beside_the_data_that_it_made_is_a_lead(tmp_path: Path) -> None:
    target = target_from(tmp_path, {}, {"make.py": SCRIPT, "totals.json": "{}"})
    assert {one.severity for one in find("python_hollow").submissions(target)} == {"lead"}
    beside_notes = target_from(tmp_path / "notes", {}, {"make.py": SCRIPT, "README.md": "x"})
    assert {one.severity for one in find("python_hollow").submissions(beside_notes)} == {"proof"}


def run(program: str, *arguments: str, stdin: str = "") -> str:
    command = [sys.executable, "-I", "-c", program, *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=True).stdout.strip()


def test_a_program_that_knows_the_examples_answers_only_those(tmp_path: Path) -> None:
    told = "Examples: `12-34` valid, `9` invalid, `777-1` valid.\nInput `a b`, `c d` prints `2`.\n"
    made = texts(target_from(tmp_path, {}, {"m.py": SCRIPT}, instruction=told), find("examples_by_heart"))
    silent, common = made["else-nothing"]["/app/m.py"], made["else-the-most-common"]["/app/m.py"]
    assert [run(silent, word) for word in ("12-34", "9", "8")] == ["valid", "invalid", ""]
    assert [run(common, word) for word in ("9", "8")] == ["invalid", "valid"]
    assert run(silent, stdin="a b\nc d\n") == "2"


def test_a_module_that_knows_the_examples_answers_only_those(tmp_path: Path) -> None:
    told = "`label(5)` returns `'late'`.\n\n    >>> label(1, late=True)\n    'on time'  # should be 'late'\n"
    module = {"m.py": MODULE}
    before = {"m.py": MODULE.replace("> 3", "> 4")}
    made = texts(target_from(tmp_path, before, module, instruction=told), find("examples_by_heart"))
    space: dict = {}
    exec(made["else-nothing"]["/app/m.py"], space)
    assert [space["label"](5), space["label"](1, late=True), space["label"](4)] == ["late", "late", None]
    patched: dict = {"__name__": "m"}
    exec(made["else-as-before"]["/app/m.py"], patched)
    assert [patched["label"](1, late=True), patched["label"](4), patched["label"](6)] == ["late", "on time", "late"]


def test_a_table_that_holds_the_examples_is_a_lead(tmp_path: Path) -> None:
    told = "Example: `north` prints `1`, `south` prints `2`.\n"
    table = "import sys\nprint({'north': 1, 'south': 2}[sys.argv[1]])\n"
    target = target_from(tmp_path, {}, {"m.py": table}, instruction=told)
    assert {one.severity for one in find("examples_by_heart").submissions(target)} == {"lead"}


def test_a_shell_program_that_knows_the_examples_answers_only_those(tmp_path: Path) -> None:
    told = "`3 4` prints `7` and `it's $x` prints `$y`.\n"
    target = target_from(tmp_path, {}, {"add.sh": "#!/bin/bash\necho $(($1 + $2))\n"}, instruction=told)
    program = texts(target, find("examples_by_heart"))["else-nothing"]["/app/add.sh"]
    answers = [
        subprocess.run(["bash", "-c", program, "add.sh", *words], capture_output=True, text=True, check=True,
                       stdin=subprocess.DEVNULL).stdout
        for words in (["3", "4"], ["it's", "$x"], ["9", "9"])
    ]  # fmt: skip
    assert answers == ["7\n", "$y\n", "\n"]
