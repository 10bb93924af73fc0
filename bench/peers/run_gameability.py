"""gameability on graders from stdin: its null probes of rewards; flagged is what it calls gameable."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gameability.probe import probe_env  # type: ignore[import-not-found]
from graders import answer_all, caller


class Rows(list):  # type: ignore[type-arg]
    """A list of rows that answers as a data set does."""

    column_names = ("prompt", "answer")

    def __getitem__(self, key: Any) -> Any:
        return [row[key] for row in self] if isinstance(key, str) else super().__getitem__(key)


def judge(grader: dict[str, Any]) -> list[str]:
    """Return the probes that were paid; `unreachable` is no flag."""
    call = caller(grader["file"], grader["path"])
    rows = Rows({"prompt": case["prompt"], "answer": case["answer"]} for case in grader["cases"])

    async def score_rollout(prompt: Any, completion: Any, answer: Any, **_: Any) -> Any:
        return {"reward": call(completion, {"answer": answer, "prompt": prompt})}

    rubric = SimpleNamespace(score_rollout=score_rollout, weights=[1.0])
    environment = SimpleNamespace(message_type="completion", rubric=rubric, dataset=rows)
    found = probe_env(environment, n_items=len(rows))
    if found["status"] not in ("MEASURED", "UNREACHABLE"):
        raise RuntimeError(found.get("error", found["status"]))
    return list(found["gameable_probes"]) if found.get("gameable") else []


if __name__ == "__main__":
    answer_all(judge)
