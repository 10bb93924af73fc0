"""Small graders, each with one weakness and a sound twin, for the rules of static reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fairtrial.attack.reading import Sources, sources_of
from fairtrial.tasks import Key, StepKey

START = "export PATH=/usr/bin:/bin\ncd /app\necho 0 > /logs/verifier/reward.txt\npython3 -I /tests/check.py\n"


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A weak grader that the rule must point at, and a sound one that it must leave alone."""

    rule: str
    weak: str
    sound: str
    mark: str
    """Text of the line that is pointed at."""
    file: str = "check.py"
    others: Mapping[str, str] | None = None
    """Other files of the task, by their path below it."""


def sources(folder: Path, file: str, text: str, others: Mapping[str, str] | None = None) -> Sources:
    """Write a task whose tests hold `text` in `file` (and, for Python, a sound test.sh), and read its grader."""
    files = {"tests/test.sh": START, **(others or {}), f"tests/{file}": text}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    step = StepKey(name="", tests=folder / "tests", solution=None, verifier_seconds=1.0)
    return sources_of(Key(task="t", path=folder, grader_hash="", steps=(step,)))


def python(rule: str, weak: str, sound: str, mark: str, others: Mapping[str, str] | None = None) -> Pair:
    """Return a pair of Python graders."""
    head = "import json, math, os, random, re, subprocess, sys, time\nfrom pathlib import Path\n"
    return Pair(rule=rule, weak=head + weak, sound=head + sound, mark=mark, others=others)


def shell(rule: str, weak: str, sound: str, mark: str, others: Mapping[str, str] | None = None) -> Pair:
    """Return a pair of test.sh."""
    return Pair(rule=rule, weak=weak, sound=sound, mark=mark, others=others, file="test.sh")


def text(rule: str, weak: str, sound: str, mark: str) -> Pair:
    """Return a pair of reward functions."""
    return Pair(rule=rule, weak=weak, sound=sound, mark=mark, file="reward.py")
