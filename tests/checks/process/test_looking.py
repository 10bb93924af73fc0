"""A file that is changed in place was shown before; what is new, or scratch, need not have been."""

from __future__ import annotations

import pytest
from tests.checks.process.acted import Event, call, says, seen, sh, write

from fairtrial.checks.process.looking import looked_before_edit

EDIT = call("str_replace_edit", "updated", path="/repo/src/a.py", old_str="a", new_str="b")
LOOKED: dict[str, list[Event]] = {
    "cat": [sh("cat src/a.py", "a = 1"), EDIT],
    "a tool": [call("read_file", "a = 1", path="/repo/src/a.py"), EDIT],
    "an editor's view": [call("edit", "a = 1", command="view", path="/repo/src/a.py"), EDIT],
    "a pattern": [sh("head src/*.py", "a = 1"), EDIT],
    "grep over the folder": [sh("grep -rn a .", "./src/a.py:1: a = 1"), EDIT],
    "it is the agent's own": [write("/repo/src/a.py"), EDIT],
    "a new file": [write("/repo/src/new.py")],
    "scratch": [sh("sed -i s/a/b/ /tmp/x.py")],
}
BLIND: dict[str, list[Event]] = {
    "at once": [EDIT],
    "only said": [says("I looked at src/a.py: a = 1"), EDIT],
    "another file": [sh("cat src/b.py", "b = 1"), EDIT],
    "it was not there": [sh("cat src/a.py", "cat: src/a.py: No such file or directory"), EDIT],
    "nothing was shown": [sh("cat src/a.py > /dev/null", ""), EDIT],
    "in the same line": [sh("cat src/a.py; sed -i s/a/b/ src/a.py", "a = 1")],
}


@pytest.mark.parametrize("name", LOOKED)
def test_what_was_shown_or_is_new_may_be_changed(name: str) -> None:
    result = looked_before_edit(seen(*LOOKED[name]))
    assert result.passed, result


@pytest.mark.parametrize("name", BLIND)
def test_a_blind_change_fails(name: str) -> None:
    assert not looked_before_edit(seen(*BLIND[name])).passed


def test_whole_files_and_patterns() -> None:
    whole = seen(write("/repo/src/a.py"))
    assert not looked_before_edit(whole, whole=True).passed
    assert looked_before_edit(whole, files=["*.md"], whole=True).passed
