"""envdoctor on graders from stdin: its own scan and checks; flagged is what it rates medium or worse."""

from __future__ import annotations

from typing import Any

from envdoctor.checks import run_checks  # type: ignore[import-not-found]
from envdoctor.runner import scan  # type: ignore[import-not-found]
from envdoctor.targets.function import FunctionTarget  # type: ignore[import-not-found]
from envdoctor.types import Case, Severity  # type: ignore[import-not-found]
from graders import answer_all, caller


def judge(grader: dict[str, Any]) -> list[str]:
    """Return the checks that fired."""
    cases = [Case(id=case["id"], prompt=case["prompt"], answer=case["answer"]) for case in grader["cases"]]
    call, by_id = caller(grader["file"], grader["path"]), {case["id"]: case for case in grader["cases"]}

    def reward(completion: str, case: Any) -> float:
        return call(completion, by_id[case.id])

    report = run_checks(scan(FunctionTarget(reward, cases, name=grader["name"]), n_cases=len(cases), repeats=2))
    least = Severity.rank(Severity.MEDIUM)
    return sorted({one.check for one in report.findings if Severity.rank(one.severity) <= least})


if __name__ == "__main__":
    answer_all(judge)
