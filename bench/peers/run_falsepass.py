"""falsepass on graders from stdin: its own runner over each as a reward function, in a folder of its own.

Flagged is a probe whose known-bad completion was paid, or whose reference was not. Its harmless variations of right
answers (P2, P14) are left out, as it calls them judgement calls, and so are tool probes.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from falsepass import runner  # type: ignore[import-not-found]
from graders import answer_all

_WRAPPER = """import sys
sys.path.insert(0, {here!r})
from graders import caller
_call = caller({file!r}, {path!r})


def graded(completions, prompts, answer, **kwargs):
    return [_call(text, {{"answer": a, "prompt": p}}) for text, a, p in zip(completions, answer, prompts)]
"""
_LEFT_OUT = ("P2", "P14", "T7")


def judge(grader: dict[str, Any]) -> list[str]:
    """Return the probes that failed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here = str(Path(__file__).parent)
        (folder / "rewards.py").write_text(_WRAPPER.format(here=here, file=grader["file"], path=grader["path"]))
        rows = [{"prompt": case["prompt"], "answer": case["answer"]} for case in grader["cases"]]
        (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        settings = {"id": "graded", "framework": "reward", "task": str(folder / "rewards.py"),
                    "dataset": str(folder / "rows.jsonl"), "functions": ["graded"]}  # fmt: skip
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
        (folder / "env.toml").write_text(f"[env]\n{lines}")
        if runner.main([str(folder), "-n", str(len(rows)), "--jobs", "1"]):
            raise RuntimeError((folder / "stopped.md").read_text().partition("\n\n")[2].partition("\n\n")[2].strip())
        found = json.loads((folder / "probe-results.json").read_text())
    rows = found["results"] if isinstance(found, dict) else found
    failed = {row["probe"] for row in rows if not row["passed"] and row["probe"] not in _LEFT_OUT}
    return sorted(failed)


if __name__ == "__main__":
    answer_all(judge)
