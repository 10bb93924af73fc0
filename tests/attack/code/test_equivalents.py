"""Rewritings that must pass change no behaviour, are certified, and accuse only where nothing was said of the text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.attack.code.places import target_from, texts

from fairtrial.attack import find
from fairtrial.attack.code.python_code import byte_code
from fairtrial.attack.code.rewritings import commented, reformatted, reindented, renamed
from fairtrial.attack.code.shell_code import meaning

TEXT = '''#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Doc."""
from __future__ import annotations
import os

TABLE = """
    four
  two
"""


def outer(n):
    """Doc of outer."""
    total = 0  # so far
    for item in range(n):
        square = item * item
        total += square

    def inner(total_too, step=total):
        more = [square for square in range(step)]
        return more, total_too, total

    try:
        import json as loader
    except ImportError as error:
        loader = error
    if (line := os.linesep):
        total += len(line)
    return inner, f"{total=}", loader


class Desk:
    name = "desk"

    def pay(self, amount):
        due = amount + 1
        return due
'''


def names(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("rewriting", [commented, reformatted, reindented, renamed], ids=lambda one: one.__name__)
def test_a_rewriting_differs_in_letters_and_in_nothing_else(rewriting) -> None:
    made = rewriting(TEXT)
    assert made is not None
    assert made != TEXT
    assert made.startswith("#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n")
    before: dict = {"__name__": "one"}
    after: dict = {"__name__": "one"}
    exec(TEXT, before)
    exec(made, after)
    assert before["TABLE"] == after["TABLE"]
    assert before["outer"](4)[1] == after["outer"](4)[1]
    assert before["outer"](4)[0](1) == after["outer"](4)[0](1)
    assert before["Desk"]().pay(3) == after["Desk"]().pay(3)


def test_only_variables_of_functions_are_renamed() -> None:
    made = renamed(TEXT)
    assert made is not None
    assert {"total_value", "item_value", "square_value", "due_value"} <= names(made)
    assert {"TABLE", "os", "inner", "total_too", "step", "loader", "name"} <= names(made) | {"step", "name"}
    assert "loader_value" not in made
    assert byte_code(made) != byte_code(TEXT)
    assert byte_code(made, {f"{n}_value": n for n in ("total", "item", "square", "more", "line", "due")}) == byte_code(
        TEXT
    )


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    global a\n    a = 1\n",
        "def f(a):\n    class B:\n        c = a\n    return B\n",
        "def f(a):\n    return [b for b in a]\n",
        "x = 1\n",
        "def (:\n",
    ],
)
def test_names_that_others_see_are_not_renamed(text: str) -> None:
    assert renamed(text) is None


def test_a_program_that_looks_at_itself_is_left_alone(tmp_path: Path) -> None:
    target = target_from(tmp_path, {}, {"m.py": "import inspect\ndef f(a):\n    b = a\n    return b\n"})
    assert list(find("python_rewritten").submissions(target)) == []


@pytest.mark.parametrize(
    ("instruction", "severity"),
    [("Write `/app/m.py`.\n", "proof"), ("Write `/app/m.py` in at most 20 lines.\n", "lead"),
     ("Do not modify the header of `/app/m.py`.\n", "lead")],
)  # fmt: skip
def test_a_task_that_speaks_of_the_text_is_not_accused(instruction: str, severity: str, tmp_path: Path) -> None:
    target = target_from(tmp_path, {}, {"m.py": TEXT}, instruction=instruction)
    made = {one.name: one.severity for one in find("python_rewritten").submissions(target)}
    assert made == {"comments": severity, "layout": severity, "indentation": severity, "local-names": severity,
                    "unused-import": "lead"}  # fmt: skip


@pytest.mark.parametrize(("proof", "severity"), [("", "lead"), ('free = ["statement_order"]\n', "proof")])
def test_order_of_functions_is_proof_where_it_is_declared_free(proof: str, severity: str, tmp_path: Path) -> None:
    text = "def f(): return 1\ndef g(): return f()\nX = g()\n@print\ndef h(a=X): ...\ndef i(a=X): ...\n"
    target = target_from(tmp_path, {}, {"m.py": text}, proof=proof)
    (one,) = find("statement_order").submissions(target)
    assert one.severity == severity
    made = texts(target, find("statement_order"))["functions"]["/app/m.py"]
    assert made.index("def g") < made.index("def f") < made.index("X =") < made.index("def h") < made.index("def i")


def test_shell_is_rewritten_outside_strings_and_here_documents(tmp_path: Path) -> None:
    text = "#!/bin/bash\nif true; then\n  cat <<'END'\n  kept\nEND\n  echo 'a\n  b'\nfi\necho c\n"
    made = texts(target_from(tmp_path, {}, {"run.sh": text}), find("shell_rewritten"))
    assert set(made) == {"comments", "indentation"}
    for files in made.values():
        assert meaning(files["/app/run.sh"]) == meaning(text)
        assert "\n  kept\nEND\n" in files["/app/run.sh"]
    assert "    echo 'a\n  b'" in made["indentation"]["/app/run.sh"]
    assert made["comments"]["/app/run.sh"].startswith("#!/bin/bash\n")
