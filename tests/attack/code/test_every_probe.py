"""What holds of every probe of programs: the same each time, few, and unmoved by odd deliverables."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from tests.attack.code.places import target_from

from fairtrial.attack import Probe
from fairtrial.attack.code import PROBES

PROGRAM = """import sys


def double(number, times=1):
    total = number
    for _ in range(times):
        total = total * 2
    return total


def label(number: int) -> str:
    return "big" if number > 10 else "small"


if __name__ == "__main__":
    print(label(double(int(sys.argv[1]))))
"""
SHELL = '#!/bin/bash\nif [ $# -gt 1 ]; then\n  sort -r "$1" | head -n 3\nfi\nexit 0\n'
INSTRUCTION = "Write `/app/calc.py`: `double(3)` -> 6, and `python3 calc.py 2` prints `small`. Also `/app/top.sh`.\n"

ODD: dict[str, str | bytes] = {
    "empty.py": "",
    "no_python.py": "def (:\n",
    "latin.py": "# caf\xe9\n".encode("latin-1"),
    "null.py": b"x = 1\0\n",
    "deep.py": "x = " + "(" * 90 + "1" + ")" * 90 + "\ny = " + "+".join(["1"] * 900) + "\n",
    "bom.py": b"\xef\xbb\xbfx = 1\n",
    "crlf.py": "def f(a):\r\n    b = a + 1\r\n    return b\r\n",
    "tabs.py": "def f(a):\n\tif a:\n\t\treturn a + 1\n\treturn '''x\n\ty'''\n",
    "feed.py": "def f(a):\n    return a + 1\n\x0c\nx = '\u2028'\n",
    "star.py": "from os import *\nnonlocal x\n",
    "late.py": "return 3\n",
    "match.py": "def f(a):\n    match a:\n        case {'k': v, **rest}:\n            return v + 1\n"
    "        case [1, *_] | 2:\n            return 0\n",
    "new.py": "async def f(*, a: int = 3, **k):\n    async with a as b, b as (c, d):\n"
    "        return [x async for x in c]\n",
    "strings.py": 'x = f"{1 + 2!r:>{3}}"\ndef f(a):\n    """Doc."""\n    return f"{a=}" f"{a + 1}"\n',
    "broken.sh": "if then fi (\n",
    "here.sh": "#!/bin/sh\ncat <<'END'\n  if [ 1 ]\nEND\n",
    "huge.py": "x = 1\n" * 60_000,
    "image.bin": bytes(range(256)),
    "sub/page.html": "<p>1</p>\n",
    "data.yaml": "a: 1\n",
    "model.pkl": b"\x80\x04N.",
    "query.sql": "SELECT 1;\n",
}  # fmt: skip


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.card.id)
def test_submissions_are_the_same_each_time_few_and_fit_for_a_worker(probe: Probe, tmp_path: Path) -> None:
    before = {"calc.py": PROGRAM.replace("* 2", "* 3"), "notes.txt": "a\nb\n"}
    after = {"calc.py": PROGRAM, "top.sh": SHELL, "notes.txt": "a\nc\n", "sum.json": "{}\n"}
    target = target_from(tmp_path, before, after, instruction=INSTRUCTION, most=10)
    first, again = list(probe.submissions(target)), list(probe.submissions(target))
    assert [one.name for one in first] == [one.name for one in again]
    assert [one.agent.settings() for one in first] == [one.agent.settings() for one in again]
    assert len({one.name for one in first}) == len(first) <= 24
    assert all(one.what and one.why for one in first)
    assert pickle.loads(pickle.dumps(first)) == first


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.card.id)
def test_odd_deliverables_raise_nothing(probe: Probe, tmp_path: Path) -> None:
    target = target_from(tmp_path, {"crlf.py": "x = 1\r\n", "latin.py": b"\xff", "feed.py": "a\x0cb\n"}, ODD)
    (tmp_path / "after" / "app" / "link.py").symlink_to("crlf.py")
    for one in probe.submissions(target):
        assert all(path.is_file() for path in one.agent.files.values())


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.card.id)
def test_no_occasion_gives_no_submission(probe: Probe, tmp_path: Path) -> None:
    assert list(probe.submissions(target_from(tmp_path, {"a.txt": "a\n"}, {"a.txt": "a\n"}))) == []
