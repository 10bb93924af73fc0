"""A trial whose answer is known is not made again: answers are kept by content in the cache folder.

The key covers all that a trial depends on: the task, what is handed in, the grader and its runner, the sandbox and the
state of its host, this version's own source. Not for trials whose company is the question (gradings in a crowd).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

import fairtrial
from fairtrial.grade import Grading, HarborGrader
from fairtrial.records import CheckResult, Rollout, Verdict, canonical_json, digest
from fairtrial.run import Trial, Tried
from fairtrial.sandbox import host_state, kept_folder

FOLDER = "trials"
_SHAPING = ("checks", "compare", "grade", "run", "sandbox", "formats", "tasks", "records")
"""Packages whose source shapes an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A trial, and whether it is made again although its answer is known."""

    trial: Trial
    is_fresh: bool = False

    def __call__(self) -> Tried:
        """Return the trial's answer, from the cache where it is there."""
        path = kept_folder(FOLDER) / f"{self.key()}.json"
        if not self.is_fresh and (known := _read(path)) is not None:
            return known
        tried = self.trial()
        if _is_settled(tried):
            _write(path, tried)
        return tried

    def carries(self) -> Iterator[Path]:
        """Yield the files and folders that the trial reads."""
        return self.trial.carries()

    def variables(self) -> Iterator[str]:
        """Yield the names of the variables that the trial reads."""
        return self.trial.variables()

    def why_not_here(self) -> str:
        """Return why this machine cannot make the trial."""
        return self.trial.why_not_here()

    def key(self) -> str:
        """Return the content address of everything that the answer depends on."""
        assignment, grader = self.trial.assignment, self.trial.grader
        by_runner = [grader.runner, grader.pass_at, grader.stands_in] if isinstance(grader, HarborGrader) else []
        content = [
            assignment.task.hash, assignment.task.live, assignment.settings, assignment.identity[1:],
            sorted((mount.inside, _content(mount.source)) for mount in assignment.agent.mounts()),
            grader.hash, by_runner, self.trial.times, source_state(), host_state(), sys.version,
        ]  # fmt: skip
        return digest(canonical_json(content)).removeprefix("sha256:")


def remembered(trial: Trial, *, is_fresh: bool) -> Callable[[], Tried]:
    """Return a job that makes `trial` or recalls it; made each time where the sandbox promises nothing."""
    if not trial.assignment.sandbox.capability().isolated:
        return trial
    return Remembered(trial=trial, is_fresh=is_fresh)


def _is_settled(tried: Tried) -> bool:
    """Say whether the answer is the grader's; what the machine could not do today it may do tomorrow."""
    return all(grading.outcome != "ungraded" for grading in tried.gradings)


@cache
def source_state() -> str:
    """Return what tells one state of fairtrial's own source from another."""
    base = Path(fairtrial.__file__).parent
    files = [path for name in _SHAPING for path in sorted((base / name).rglob("*.py"))]
    return digest(canonical_json([[str(p.relative_to(base)), p.stat().st_size, p.stat().st_mtime_ns] for p in files]))


def _content(source: Path) -> str:
    if source.is_file():
        return digest(source.read_bytes())
    files = sorted(path for path in source.rglob("*") if path.is_file())
    return digest(canonical_json([[str(path.relative_to(source)), digest(path.read_bytes())] for path in files]))


def _write(path: Path, tried: Tried) -> None:
    """Keep an answer: under a temporary name first, so that nobody reads a half."""
    content = {
        "rollout": asdict(tried.rollout),
        "gradings": [asdict(grading) for grading in tried.gradings],
        "verdicts": [asdict(verdict) for verdict in tried.verdicts],
        "left_out": tried.left_out,
        "said": tried.said,
    }
    descriptor, made = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS))
    Path(made).rename(path)


def _read(path: Path) -> Tried | None:
    """Return a kept answer; None where there is none, or where what is there cannot be read."""
    try:
        content = orjson.loads(path.read_bytes())
        return Tried(
            rollout=Rollout(**content["rollout"]),
            gradings=tuple(Grading(**_with_checks(one)) for one in content["gradings"]),
            verdicts=tuple(Verdict(**_with_checks(one)) for one in content["verdicts"]),
            left_out=tuple((place, why) for place, why in content["left_out"]),
            said=content["said"],
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None


def _with_checks(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "checks": tuple(CheckResult(**check) for check in content["checks"])}
