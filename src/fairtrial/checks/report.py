"""Write what checks found as Harbor reads it: ctrf.json, and reward.json by the task's grading.toml.

Where a broken check leaves the score open no reward is written, so the rollout is ungraded and not failed. Files are
written under another name that nobody can foresee and renamed, so that half a report is never read; what a program
under test wrote in their place, a reward.txt too, is taken away.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.checks.aggregation import Rules, aggregate
from fairtrial.checks.alone import remove
from fairtrial.checks.protocol import MOST_SAID, Result

REPORTS = ("ctrf.json", "reward.json", "reward.txt")
"""What a grader's log folder may hold that is read as its word."""


@dataclass(slots=True)
class Report:
    """Collects results by the name of the check."""

    results: dict[str, Result] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    """Name -> why it could not be run."""
    elsewhere: tuple[str, ...] = ()
    """Declared checks that are not run here."""

    def write(self, folder: Path, rules: Rules | None) -> float | None:
        """Write the report into `folder` and return the reward; None where what is broken leaves it open."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in REPORTS:
            remove(folder / name)
        _write(folder / "ctrf.json", self.ctrf())
        reward = self.reward(rules)
        if reward is not None:
            _write(folder / "reward.json", {"reward": reward})
        return reward

    def reward(self, rules: Rules | None) -> float | None:
        """Return the score by `rules`; without rules all or nothing; None where it could not be measured.

        A check that is broken or run elsewhere leaves open what `rules` hang on it; without rules, everything.
        """
        if rules is None:
            if self.broken or self.elsewhere or not self.results:
                return None
            return float(all(result.passed for result in self.results.values()))
        lacking: dict[str, bool | None] = dict.fromkeys((*self.elsewhere, *self.broken))
        return aggregate(rules, lacking | {name: result.passed for name, result in self.results.items()}).score

    def ctrf(self) -> dict[str, Any]:
        """Return the CTRF document; a broken check has the status `other`."""
        tests = [_test(name, result) for name, result in self.results.items()]
        tests += [_row(name, "other", why) for name, why in self.broken.items()]
        counts = {status: sum(t["status"] == status for t in tests) for status in ("passed", "failed", "other")}
        summary = {"tests": len(tests), "skipped": 0, "pending": 0, "start": 0, "stop": 0} | counts
        return {"results": {"tool": {"name": "fairtrial"}, "summary": summary, "tests": tests}}


def _test(name: str, result: Result) -> dict[str, Any]:
    row = _row(name, "passed" if result.passed else "failed", result.why)
    extra: dict[str, Any] = {} if result.value is None else {"value": result.value}
    if result.evidence:
        extra["evidence"] = dict(result.evidence)
    return row | ({"extra": extra} if extra else {})


def _row(name: str, status: str, message: str) -> dict[str, Any]:
    return {"name": name, "status": status, "duration": 0, "message": message[:MOST_SAID]}


def _write(path: Path, document: Mapping[str, Any]) -> None:
    number, begun = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(json.dumps(document, indent=1, default=str, skipkeys=True))
    Path(begun).chmod(0o644)
    Path(begun).replace(path)
