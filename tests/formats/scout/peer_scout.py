"""Run by an interpreter that holds inspect_scout: `write FOLDER` or `open FOLDER`; prints one JSON line.

`write` runs an evaluation with a scripted model, some samples of which fail, break or are not scored, and has Scout
make a transcript database of its log. `open` has Scout check, list, filter and load what lies in a folder.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from pathlib import Path
from typing import Any

VALUES = {"right": "C", "wrong": "I", "half": "P", "unscored": math.nan, "broken": "C", "several": {"a": 1, "b": 0}}


def evaluated(folder: Path) -> str:
    """Run the evaluation and return its log's folder."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, accuracy, scorer
    from inspect_ai.solver import generate, solver, system_message

    @scorer(metrics=[accuracy()])
    def by_name() -> Any:
        async def score(state: Any, _: Any) -> Score:
            return Score(value=VALUES[state.sample_id], explanation="as its name says")

        return score

    @solver
    def breaking() -> Any:
        async def solve(state: Any, _: Any) -> Any:
            if state.sample_id == "broken":
                raise RuntimeError("the box died")
            return state

        return solve

    def said() -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", "4")
        output.usage = ModelUsage(input_tokens=5, output_tokens=2, total_tokens=7)  # else it would be counted online
        return output

    samples = [Sample(id=name, input="2+2", target="4", metadata={"family": "sum"}) for name in VALUES]
    task = Task(name="sums", dataset=samples, solver=[system_message("Be brief."), breaking(), generate()],
                scorer=by_name(), epochs=2)  # fmt: skip
    outputs = (said() for _ in range(100))
    eval(task, model=get_model("mockllm/model", custom_outputs=outputs), log_dir=str(folder / "logs"), display="none",
         fail_on_error=False)  # fmt: skip
    return str(folder / "logs")


async def kept(folder: Path, logs: str) -> list[dict[str, Any]]:
    """Make transcripts of the logs, and return what Scout says of each."""
    from inspect_scout import transcripts_db, transcripts_from

    async with transcripts_db(str(folder / "db")) as database:
        await database.insert(transcripts_from(logs))
    return await listed(folder / "db", None)


async def opened(folder: Path) -> dict[str, Any]:
    """Return what Scout finds wrong with a folder, what it says of each transcript, and which it finds to be hacks."""
    from inspect_scout import columns, transcripts_from
    from inspect_scout._transcript.database.schema import validate_transcript_schema

    async with transcripts_from(str(folder)).where(columns.hack == True).reader() as reader:  # noqa: E712
        hacks = [info.transcript_id async for info in reader.index()]
    wrong = [error.message for error in validate_transcript_schema(folder)]
    return {"wrong": wrong, "transcripts": await listed(folder, "all"), "hacks": hacks}


async def listed(folder: Path, events: Any) -> list[dict[str, Any]]:
    """Return what Scout says of each transcript."""
    from inspect_scout import transcripts_from
    from inspect_scout._transcript.types import TranscriptContent

    told: list[dict[str, Any]] = []
    async with transcripts_from(str(folder)).reader() as reader:
        async for info in reader.index():
            whole = await reader.read(info, TranscriptContent(messages="all", events=events))
            told.append({
                "id": info.transcript_id, "task": info.task_id, "repeat": info.task_repeat, "success": info.success,
                "score": info.score, "error": info.error, "tokens": info.total_tokens,
                "messages": [[one.role, one.text] for one in whole.messages], "reviews": info.metadata.get("reviews"),
            })  # fmt: skip
    return told


if __name__ == "__main__":
    place = Path(sys.argv[2])
    told = kept(place, evaluated(place)) if sys.argv[1] == "write" else opened(place)
    print(json.dumps(asyncio.run(told)))
