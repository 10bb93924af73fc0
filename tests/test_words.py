"""The project holds nothing of the machine it was made on, and nothing unfinished.

Only files that git tracks (or would) are read. The words are put together here, so that this file does not hold them.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FORBIDDEN = {
    "a registry's host name": ["pypi" + ".org", "python" + "hosted.org", "registry." + "npmjs", "deb." + "debian.org"],
    "a folder of one machine": ["/wo" + "rk/", "/ro" + "ot/.py" + "env", "pip." + "conf", "--index" + "-url"],
    "work that was left": ["TO" + "DO", "FIX" + "ME", "XX" + "X"],
}


def texts() -> dict[str, str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a git checkout: there is no list of the project's files")
    names = [
        name
        for name in listed.stdout.split("\0")
        if name and (ROOT / name).is_file() and not (ROOT / name).is_symlink()
    ]
    return {name: (ROOT / name).read_bytes().decode(errors="replace") for name in names}


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_no_file_holds(kind: str) -> None:
    pattern = re.compile("|".join(re.escape(word) for word in FORBIDDEN[kind]))
    found = [
        f"{name}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group()}"
        for name, text in texts().items()
        for hit in pattern.finditer(text)
    ]
    assert found == []


def test_pins_are_exact_and_name_no_place() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+==[\w.+!-]+", line)] == []
