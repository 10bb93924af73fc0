"""Changes: what goes and what comes, whole; the lines of a diff under the numbers of its headers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.serve.steps.diffs import changes_of, is_change, unified

LINES = st.lists(st.sampled_from(["a", "b", " c", "", "- d", "+e", "@@ f"]), max_size=12).map("\n".join)


def kept(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


@given(LINES, LINES)
def test_an_edit_holds_all_of_the_old_text_and_all_of_the_new(old: str, new: str) -> None:
    arguments = {"path": "x", "old_str": old, "new_str": new}
    changes = changes_of(arguments)
    if not changes:
        assert old in ("", "\n")
        assert new in ("", "\n")
        return
    assert is_change(arguments)
    lines = changes[0].lines
    assert [line.text for line in lines if line.sign in "− "] == kept(old)
    assert [line.text for line in lines if line.sign in "+ "] == kept(new)
    assert [line.number for line in lines if line.sign == "+"] == sorted(
        line.number for line in lines if line.sign == "+" and line.number
    )


def test_two_long_texts_are_not_aligned_but_whole() -> None:
    old, new = "\n".join(map(str, range(2000))), "\n".join(map(str, range(1, 2001)))
    (change,) = changes_of({"old_string": old, "new_string": new})
    assert change.size == "2,000 lines out, 2,000 in"


def alternating(count: int, every: int) -> str:
    """Return lines of which many are alike: each stretch that is found is found again and again."""
    return "\n".join(str(at) if at % every else "alike" for at in range(count))


@pytest.mark.parametrize("edits", [1, 40])
def test_texts_that_are_alike_everywhere_are_aligned_in_bounds(edits: int) -> None:
    old, new = alternating(1_000 // edits, 2), alternating(1_000 // edits, 2).replace("1", "x")
    began = time.thread_time()
    made = changes_of({"path": "x", "edits": [{"old_str": old, "new_str": new}] * edits})
    assert time.thread_time() - began < 1.0
    assert len(made) == edits
    assert [line.text for line in made[0].lines if line.sign != "−"] == new.split("\n")


def test_a_long_text_is_aligned_where_little_changes() -> None:
    old = "\n".join(str(at % 50) for at in range(4_000))
    (change,) = changes_of({"old_str": old, "new_str": old.replace("\n7\n", "\nseven\n", 1)})
    assert change.size == "1 line out, 1 in"


def test_a_heading_of_five_thousand_digits_is_text() -> None:
    assert [line.sign for line in unified("@@ -" + "9" * 5_000 + " +1 @@\n-x")] == ["@", "@"]


def test_an_edit_that_deletes_gives_no_new_text() -> None:
    (change,) = changes_of({"path": "x", "old_str": "gone"})
    assert [(line.sign, line.text) for line in change.lines] == [("−", "gone")]


def test_several_edits_in_one_call_are_several_changes() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    assert len(changes_of({"file_path": "x", "edits": edits})) == 2


def test_a_command_is_no_change_and_a_patch_in_an_argument_is() -> None:
    assert changes_of({"command": "ls"}) == ()
    patch = "*** Begin Patch\n*** Update File: a.py\n@@ def f\n-x\n+y\n*** End Patch"
    assert [line.sign for line in changes_of({"input": patch})[0].lines] == ["@", "@", "@", "−", "+", "@"]


def test_lines_of_several_files_count_anew() -> None:
    text = "diff --git a/x b/x\n@@ -5 +5 @@\n-o\n+n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1,2 +1,2 @@\n k\n-o\n+n"
    numbered = [(line.sign, line.number) for line in unified(text) if line.sign != "@"]
    assert numbered == [("−", 5), ("+", 5), (" ", 1), ("−", 2), ("+", 2)]
