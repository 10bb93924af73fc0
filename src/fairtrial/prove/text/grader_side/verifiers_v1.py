"""Score with a `verifiers` taskset of the second generation: a task's rewards over a trace with one completion.

Rewards that need a runtime cannot run without one: such a task is ungraded, never 0. The cases are the taskset's own.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from types import ModuleType
from typing import Any

from .errors import UnscoredError
from .rows import Row, content_of

ANSWERS = ("answer", "solution", "target", "expected", "label", "gold")
OWN = "fairtrial_position"


def adapter(found: Any) -> Tasks | None:
    """Return an adapter where `found` is a taskset, its class, or a module with one; else None."""
    module = sys.modules.get("verifiers.v1.taskset")
    if module is None:
        return None
    if isinstance(found, ModuleType):
        kinds = [one for one in vars(found).values() if inspect.isclass(one) and issubclass(one, module.Taskset)]
        found = next((one for one in kinds if one is not module.Taskset), found)
    if inspect.isclass(found) and issubclass(found, module.Taskset):
        found = _made(found)
    return Tasks(found) if isinstance(found, module.Taskset) else None


def _made(kind: Any) -> Any:
    """Return the taskset with the settings that its own config class declares."""
    from verifiers.v1.configs.taskset import TasksetConfig
    from verifiers.v1.taskset import Taskset
    from verifiers.v1.utils.generic import concrete_type

    config = concrete_type(kind, TasksetConfig, origin=Taskset) or TasksetConfig
    return kind(config())


class Tasks:
    """A taskset, read once."""

    framework = "verifiers"

    def __init__(self, taskset: Any) -> None:
        self.taskset = taskset
        self.tasks: list[Any] = []
        self.function = next(iter(vars(taskset.task_type()).values()), None)

    def own_cases(self, most: int, seed: int) -> list[dict[str, Any]]:
        """Return the first tasks as cases."""
        del seed
        self.tasks = list(itertools.islice(iter(self.taskset), most))
        return [self._case(number, task) for number, task in enumerate(self.tasks)]

    def _case(self, number: int, task: Any) -> dict[str, Any]:
        data = task.data
        answer = next((getattr(data, name) for name in ANSWERS if getattr(data, name, None) not in (None, "")), "")
        system = getattr(data, "system_prompt", None)
        asked = data.prompt if isinstance(data.prompt, str) else data.prompt_text
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": asked}] if system else asked
        kept = (str, int, float, list, dict)
        plain = {name: value for name, value in data.model_dump(mode="json").items()
                 if name not in ("prompt", "system_prompt") and isinstance(value, kept)}  # fmt: skip
        return {"id": str(number), "prompt": prompt, "answer": answer, "info": {**plain, OWN: number}}

    async def score(self, row: Row) -> float:
        """Return the weighted reward. Raise UnscoredError where a reward did not run."""
        position = row.info.get(OWN)
        if position is None:
            raise UnscoredError("needs its own tasks", "a taskset scores its own tasks; leave --cases out")
        task = self.tasks[position]
        trace = _trace(task, row)
        await task.score(trace, None)
        declared = {one.__name__ for one in task.hooks("reward")}
        missing = sorted(name for name, reward in trace.rewards.items() if reward is None)
        missing += sorted(declared - set(trace.rewards)) if not trace.rewards else []
        if missing or not trace.rewards:
            needed = ", ".join(missing or sorted(declared)) or "no reward is declared"
            raise UnscoredError("needs a runtime", f"did not run without a runtime: {needed}")
        return float(trace.reward)

    def described(self) -> dict[str, Any]:
        """Say how the grader is called."""
        return {"parameters": {"trace": "trace"}}


def _trace(task: Any, row: Row) -> Any:
    from verifiers.v1.configs.agent import AgentConfig
    from verifiers.v1.graph import MessageNode
    from verifiers.v1.trace import AgentInfo, Trace, TraceTask
    from verifiers.v1.types import AssistantMessage, SystemMessage, ToolMessage, UserMessage

    kinds = {"system": SystemMessage, "user": UserMessage, "assistant": AssistantMessage, "tool": ToolMessage}
    nodes = []
    asked = [*row.asked(), *row.messages()]
    for number, message in enumerate(asked):
        role = str(message.get("role"))
        more = {"tool_call_id": str(message.get("tool_call_id", number))} if role == "tool" else {}
        said = kinds.get(role, UserMessage)(content=content_of(message), **more)
        nodes.append(MessageNode(message=said, sampled=role == "assistant" and number >= len(row.asked()),
                                 parent=number - 1 if number else None))  # fmt: skip
    told = TraceTask(type=type(task).__name__, data=task.data)
    return Trace(task=told, agent=AgentInfo(config=AgentConfig()), nodes=nodes)
