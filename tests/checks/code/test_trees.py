"""Trees of strangers are read and laid out without harm. No link leads out, no pipe is waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.checks.code import CHECKS, trees
from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.laying import in_place_of, laid
from fairtrial.checks.code.trees import key, work
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError


def hostile(folder: str) -> str:
    top = Path(folder)
    os.mkfifo(top / "pipe")
    (top / "loop").symlink_to("loop")
    (top / "up").symlink_to("../secret")
    (top / "hop").symlink_to("self/self/../../secret")
    (top / "self").symlink_to(".")
    (top / "root").symlink_to("/")
    (top / "inside").symlink_to("a/b.py")
    (top / os.fsdecode(b"\xff\xfe")).write_text("odd")
    with (top / "sparse").open("wb") as file:
        file.truncate(10**8)
    return folder


def test_odd_names_links_and_pipes(lay: Callable[..., str]) -> None:
    secret = lay("secret", {"key": "42"})
    tree = work(hostile(lay("code", {"a/b.py": "x = 1\n"})))
    with laid(tree) as folder:
        assert (folder / "inside").read_text() == "x = 1\n"
        assert not os.path.lexists(folder / "pipe")
        reached = [path for path in folder.rglob("*") if path.exists() and not path.resolve().is_relative_to(folder)]
        assert reached == []
        (folder / "a/b.py").write_text("y = 2\n")
    assert not folder.exists()
    assert Path(secret, "key").read_text() == "42"
    assert tree["a/b.py"].data() == b"x = 1\n"


@pytest.mark.extra
@pytest.mark.parametrize("check", ["scope", "tests_untouched", "no_regression"])
def test_checks_of_a_hostile_tree_come_to_an_end(lay: Callable[..., str], check: str) -> None:
    base = {"a.py": "x = 1\n", "tests/test_a.py": "import a\ndef test_a():\n    assert a.x == 1\n"}
    result = CHECKS[check](code=hostile(lay("code", base)), original=lay("original", base))
    assert result.why


def test_layers_take_the_place_of_folders_links_and_files(lay: Callable[..., str], tmp_path: Path) -> None:
    code, outside = Path(lay("code", {"a.py": "", "x/y": "old"})), Path(lay("outside", {"test_a.py": "theirs"}))
    (code / "tests").symlink_to(outside)
    layer = in_place_of(key(lay("hidden", {"test_a.py": "ours"}), "tests"), "tests")
    over = in_place_of(key(lay("more", {"x": "now a file"}), "more"), ".")
    with laid(work(str(code)), [layer, over]) as folder:
        assert (folder / "tests/test_a.py").read_text() == "ours"
        assert (folder / "x").read_text() == "now a file"
    assert (outside / "test_a.py").read_text() == "theirs"
    assert tmp_path.exists()


def test_too_many_files_and_too_deep(lay: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    code = lay("code", {f"{n}.py": "" for n in range(9)})
    monkeypatch.setattr(trees, "MOST_FILES", 8)
    with pytest.raises(WorkError):
        work(code)
    with pytest.raises(CheckError):
        key(code, "original")
    monkeypatch.setattr(trees, "MOST_FILES", 100_000)
    deep = Path(lay("deep", {}))
    for _ in range(trees.MOST_DEEP + 5):
        deep = deep / "d"
        deep.mkdir()
    with pytest.raises(WorkError):
        work(lay("deep", {}))


def test_the_key_over_a_link_is_no_work(lay: Callable[..., str], tmp_path: Path) -> None:
    lay("tests", {"checks.toml": "", "reference/a.py": "x = 1\n"})
    (tmp_path / "app").symlink_to(tmp_path / "tests")
    with pytest.raises(WorkError, match="grader's own"):
        work(str(tmp_path / "app" / "reference"))


@pytest.mark.parametrize("at", ["../x", "/x", "a/../../x"])
def test_tests_are_laid_inside(at: str) -> None:
    with pytest.raises(CheckError):
        in_place_of({}, at)


@pytest.mark.parametrize(
    ("pattern", "path", "meant"),
    [
        ("*.py", "a/b/c.py", True), ("a/*.py", "a/b/c.py", False), ("a/**/c.py", "a/c.py", True),
        ("a/**", "a/b/c", True), ("a/**", "a", False), ("b/", "a/b/c.py", True), ("b/", "a/b", False),
        ("a.c", "abc", False), ("?.c", "a.c", True), ("./a.c", "a.c", True), ("[a].c", "a.c", False),
        ("**/t.py", "t.py", True), ("a*c", "a/c", False),
    ],
)  # fmt: skip
def test_patterns(pattern: str, path: str, meant: bool) -> None:
    assert matches(path, [pattern]) is meant
