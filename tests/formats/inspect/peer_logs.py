"""Writes logs with Inspect's own library, or reads logs with it: run by an interpreter that holds inspect_ai.

python peer_logs.py write FOLDER      evaluates a scripted model on several tasks, and tells what it wrote
python peer_logs.py read PATH...      tells what is in these logs: {name: {status, samples: [...]}} on the last line
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Epochs, Task, eval
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, match, mean, scorer
from inspect_ai.solver import generate, solver
from inspect_ai.tool import tool

MODEL = "mockllm/model"
PNG = ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ"
       "RU5ErkJggg==")  # fmt: skip
SAMPLES = [Sample(input=f"what is {i} " + "and so on " * 30, target=str(i % 2), id=i if i % 2 else f"s/{i} x",
                  metadata={"n": i}) for i in range(6)]  # fmt: skip


@tool
def add() -> Any:
    async def execute(x: int, y: int) -> str:
        """Add.

        Args:
            x: One number.
            y: Another one.
        """
        if x == 4:
            raise ValueError("bad luck")
        return str(x + y) * 100

    return execute


@scorer(metrics=[mean()])
def odd() -> Any:
    async def score(state: Any, target: Any) -> Score:
        del target
        values = [float("nan"), "P", "N", 0.75, 1.25, True]
        return Score(value=values[state.metadata["n"]], explanation="…" * 2000)

    return score


@scorer(metrics={"a": [mean()], "b": [mean()]})
def two() -> Any:
    async def score(state: Any, target: Any) -> Score:
        del state, target
        return Score(value={"a": 1, "b": 0.5})

    return score


@solver
def breaking() -> Any:
    async def solve(state: Any, generate: Any) -> Any:
        if state.metadata["n"] == 3 and state.epoch == 1:
            raise RuntimeError("boom")
        return await generate(state)

    return solve


def said(output: ModelOutput) -> ModelOutput:
    """Return the output with its usage: without, Inspect counts tokens by a file that it fetches."""
    output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=20, input_tokens_cache_read=7)
    return output


def model(*outputs: ModelOutput) -> Any:
    return get_model(MODEL, custom_outputs=[said(one) for one in outputs])


def ones() -> Any:
    return model(*(ModelOutput.from_content(MODEL, "1") for _ in range(60)))


def adding() -> Any:
    return model(*(one for i in range(6) for one in (
        ModelOutput.for_tool_call(MODEL, "add", {"x": i, "y": 2}, content="I add. " * 40),
        ModelOutput.for_tool_call(MODEL, "submit", {"answer": str(i % 2)}))))  # fmt: skip


def write(folder: str) -> None:
    image = [ChatMessageUser(content=[ContentText(text="look"), ContentImage(image=PNG)])]
    told: dict[str, Any] = {"log_dir": folder, "display": "none", "max_samples": 1}
    react_ = {"dataset": SAMPLES, "solver": react(tools=[add()]), "scorer": [match(), two()], "fail_on_error": False}
    plain = {"dataset": SAMPLES, "solver": generate(), "scorer": match()}
    eval(Task(**plain, name="plain", version=3), model=ones(), epochs=2, **told)
    broken = plain | {"solver": breaking()}
    eval(Task(**broken, name="broken", fail_on_error=False), model=ones(), epochs=Epochs(2, "max"), **told)
    eval(Task(**broken, name="ended"), model=ones(), **told)
    eval(Task(**broken, name="scored"), model=ones(), fail_on_error=False, score_on_error=True, **told)
    eval(Task(**plain | {"scorer": odd()}, name="odd"), model=ones(), **told)
    eval(Task(**plain | {"scorer": two()}, name="two"), model=ones(), **told)
    eval(Task(**plain, name="unscored"), model=ones(), score=False, **told)
    eval(Task(**react_, name="agent"), model=adding(), **told)
    eval(Task(**react_, name="messages"), model=adding(), message_limit=3, **told)
    eval(Task(**react_, name="tokens"), model=adding(), token_limit=2, **told)
    eval(Task([Sample(input=image, target="1")], solver=generate(), scorer=match(), name="image"), model=ones(), **told)
    eval(Task(**plain, name="json"), model=ones(), log_format="json", **told)
    eval(Task(**plain, name="bare"), model=ones(), log_samples=False, **told)


def text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(one.text for one in content if one.type == "text")


def read(path: Path) -> dict[str, Any]:
    log = read_eval_log(str(path), resolve_attachments="full")
    samples = []
    for sample in log.samples or []:
        usage = sample.model_usage.values()
        samples.append({
            "id": sample.id, "epoch": sample.epoch, "error": sample.error and sample.error.message,
            "limit": sample.limit and sample.limit.type,
            "scores": {name: score.value for name, score in (sample.scores or {}).items()},
            "output_tokens": sum(one.output_tokens for one in usage) if usage else None,
            "messages": [[one.role, text(one.content)] for one in sample.messages],
            "inputs": [[[one.role, text(one.content)] for one in event.input]
                       for event in sample.events if event.event == "model"],
        })  # fmt: skip
    return {"status": log.status, "task": log.eval.task, "samples": samples}


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
        sys.argv[2:] = [str(one) for one in sorted(Path(sys.argv[2]).iterdir()) if one.suffix in (".eval", ".json")]
    print(json.dumps({one: read(Path(one)) for one in sys.argv[2:]}))
