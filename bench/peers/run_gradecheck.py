"""gradecheck on graders from stdin: its attacks on completions; flagged is what it calls FOOLED."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gradecheck.attacks.base import FOOLED  # type: ignore[import-not-found]
from gradecheck.completion_attacks import run_all  # type: ignore[import-not-found]
from gradecheck.verifiers_env import VerifiersEnv  # type: ignore[import-not-found]
from graders import answer_all, caller


def judge(grader: dict[str, Any]) -> list[str]:
    """Return the attacks that fooled the grader."""
    call = caller(grader["file"], grader["path"])

    def reward(completion: str, answer: Any, prompt: Any) -> float:
        return call(completion, {"answer": answer, "prompt": prompt})

    rows = [{"prompt": case["prompt"], "answer": case["answer"]} for case in grader["cases"]]
    environment = SimpleNamespace(
        message_type="completion", rubric=SimpleNamespace(funcs=[reward], weights=[1.0]), get_dataset=lambda: rows,
    )  # fmt: skip
    findings = run_all(VerifiersEnv(environment, sample=len(rows)))
    return sorted(one.attack for one in findings if one.verdict == FOOLED)


if __name__ == "__main__":
    answer_all(judge)
