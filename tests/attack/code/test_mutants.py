"""Small changes are spread over their kinds, compile, differ from the reference, and touch nothing but behaviour."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.attack.code.places import target_from, texts

from fairtrial.attack import find
from fairtrial.attack.code.python_code import byte_code
from fairtrial.attack.code.python_sites import mutated, sites
from fairtrial.attack.code.shell_sites import shell_mutated, shell_sites

EVERY_KIND = '''"""Doc."""
__version__ = "1"
LIMIT: int = 10


def f(a, b=2, *, c=True):
    """Doc of f."""
    out = []
    for i in range(1, a):
        if i < LIMIT and not b:
            continue
        out.append(i * b - 1)
    try:
        x = max(a, b, key=abs)
    except ValueError:
        x = -1
    if c is True:
        raise KeyError("no such thing")
    out += [x]
    print(sorted(out, reverse=True), f"{a + 1}")
    return out[1:3] if x == a else divmod(a, b)
'''


def operators(text: str) -> set[str]:
    return {site.operator for site in sites(text)}


def test_every_kind_of_change_is_made() -> None:
    assert operators(EVERY_KIND) >= {
        "comparison", "arithmetic", "boolean", "constant", "return_value", "return_first_argument", "off_by_one",
        "removed_statement", "swapped_arguments", "negated_condition", "removed_raise", "swallowed_exception", "loop",
        "keyword_dropped", "condition", "sign",
    }  # fmt: skip


def test_every_mutant_compiles_and_compiles_to_something_else() -> None:
    made = [text for site in sites(EVERY_KIND) if (text := mutated(EVERY_KIND, site)) is not None]
    assert len(made) > 40
    assert all(byte_code(text) not in (None, byte_code(EVERY_KIND)) for text in made)


def test_one_place_is_changed_and_all_else_stays_letter_for_letter() -> None:
    for site in sites(EVERY_KIND):
        text = mutated(EVERY_KIND, site)
        if text is not None:
            data = EVERY_KIND.encode()
            assert text.encode().startswith(data[: site.start])
            assert text.encode().endswith(data[site.end :])


@pytest.mark.parametrize(
    "text",
    [
        '"""Doc."""\n',
        "def f(a: int) -> int:\n    '''Doc.'''\n",
        "__all__ = ['f']\n",
        "import os\nfrom a import b\n",
        "if __name__ == '__main__':\n    pass\n",
    ],
)
def test_what_is_no_behaviour_is_left_alone(text: str) -> None:
    assert sites(text) == []


def test_words_of_an_error_and_what_ends_a_loop_are_left_alone() -> None:
    text = "def f(a):\n    while a > 0:\n        a -= 1\n    raise ValueError('none left')\n"
    made = [mutated(text, site) for site in sites(text)]
    assert made
    assert all(one is None or ("a -= 1" in one and ("none left" in one or "pass" in one)) for one in made)


def test_places_after_letters_of_several_bytes_are_found() -> None:
    text = "x = 'é€'; y = 3 < 4\n"
    assert "x = 'é€'; y = (3 <= 4)\n" in [mutated(text, site) for site in sites(text)]


def test_mutants_are_drawn_over_all_kinds(tmp_path: Path) -> None:
    kinds = len(operators(EVERY_KIND))
    target = target_from(tmp_path, {}, {"f.py": EVERY_KIND}, most=kinds)
    names = [one.name for one in find("python_mutant").submissions(target)]
    assert len({name.split(":")[2] for name in names}) > kinds - 3


def test_three_changes_at_once_are_on_three_lines(tmp_path: Path) -> None:
    target = target_from(tmp_path, {}, {"f.py": EVERY_KIND})
    made = list(find("python_mutants_at_once").submissions(target))
    assert len(made) == 6
    assert all(one.what.count(" on line ") == 3 and one.severity == "lead" for one in made)


def test_hunks_are_taken_back_one_at_a_time_and_other_files_stay(tmp_path: Path) -> None:
    before = {"a.py": "a = 1\nb = 2\nc = 3\n", "b.txt": "one\n"}
    after = {"a.py": "a = 9\nb = 2\nc = 8\n", "b.txt": "two\n", "new.csv": "x\n"}
    made = texts(target_from(tmp_path, before, after), find("hunk_reverted"))
    assert made["a.py:hunk-1"] == {"/app/a.py": "a = 1\nb = 2\nc = 8\n", "/app/b.txt": "two\n", "/app/new.csv": "x\n"}
    assert made["a.py:hunk-3"]["/app/a.py"] == "a = 9\nb = 2\nc = 3\n"
    assert made["a.py:whole-file"]["/app/a.py"] == before["a.py"]
    assert made["b.txt:hunk-1"]["/app/b.txt"] == "one\n"


def test_a_hunk_taken_back_is_proof_only_where_nothing_that_runs_is_left(tmp_path: Path) -> None:
    apart = {"a.py": "a = 1\nb = 2\nc = 3\n"}, {"a.py": "a = 5\nb = 2\nc = 3  # three\n"}
    found = {one.name: one.severity for one in find("hunk_reverted").submissions(
        target_from(tmp_path, *apart))}  # fmt: skip
    assert found == {"a.py:hunk-1": "proof", "a.py:hunk-3": "lead"}


def test_taking_back_comments_of_a_change_that_is_comments_is_no_proof(tmp_path: Path) -> None:
    target = target_from(tmp_path, {"a.py": "a = 1\nb = 2\nc = 3\n"}, {"a.py": "a = 1  # one\nb = 2\nc = 3  # three\n"})
    assert {one.severity for one in find("hunk_reverted").submissions(target)} == {"lead"}


def test_docstrings_count_as_work(tmp_path: Path) -> None:
    before = {"a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n"}
    after = {"a.py": "def f():\n    'One.'\n    return 1\n\n\ndef g():\n    'Two.'\n    return 2\n"}
    assert {one.severity for one in find("hunk_reverted").submissions(target_from(tmp_path, before, after))} == {"lead"}


SHELL = """#!/bin/bash
# Comment 1
set -e
count=$(grep -c x "$1")
if [ "$count" -gt 3 ] && [[ -f $2 ]]; then
  sort -r "$1" | uniq | head -n 5 > out.txt
fi
echo "total 7"
cat <<'END'
keep 8
END
exit 2
"""


def test_every_kind_of_change_to_shell_is_made_and_strings_are_left_alone() -> None:
    found = shell_sites(SHELL)
    assert {site.operator for site in found} == {
        "test", "boolean", "constant", "flag", "pipeline_stage", "removed_command", "redirect",
    }  # fmt: skip
    made = [text for site in found if (text := shell_mutated(SHELL, site)) is not None]
    assert len(made) > 12
    assert all("keep 8" in text and "# Comment 1" in text and "set -e" in text for text in made)


def test_text_that_is_no_shell_gives_no_mutant() -> None:
    assert shell_sites("if then fi (") == []


def test_unparsed_parts_hold_their_meaning() -> None:
    text = "x = (1 + 2) * 3\n"
    values = {eval(ast.unparse(ast.parse(made).body[0].value)) for s in sites(text)
              if s.operator != "removed_statement" and (made := mutated(text, s))}  # fmt: skip
    assert 9 not in values
    assert {6, -3} <= values
