"""The agent of one turn: a completion that a model gave beforehand is run as shell commands, and that is the attempt.

This is how a policy in training acts on task folders: prompts are completed in batches, then each completion is tried
in a box of its own. What stands in fenced code blocks is run, or the whole where there is none. Not covered: a second
look at what the commands printed (`terminal`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fairtrial.run.agents.shell import MOST_COMMAND_BYTES, START_IN
from fairtrial.run.protocol import Action, Episode, Situation
from fairtrial.sandbox import Command, Mount

_FENCED = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
ASKED = "Answer with shell commands. They are run by bash in {workdir}, once, as you write them."


def asked(instruction: str, workdir: str) -> str:
    """Return what a model is asked: the instruction, then that its answer is run.

    >>> asked("Write 7 to a file.", "/app").splitlines()[0]
    'Write 7 to a file.'
    """
    return f"{instruction.rstrip()}\n\n{ASKED.format(workdir=workdir)}\n"


def script_of(completion: str) -> str:
    r"""Return the commands of a completion: its fenced blocks one after another, or all of it.

    >>> script_of("So:\n```bash\necho 7\n```\nDone."), script_of("echo 8")
    ('echo 7\n', 'echo 8')
    """
    return "".join(_FENCED.findall(completion)) or completion


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionAgent:
    """Run one completion; a task of several steps is acted on in its first alone."""

    model: str
    completion: str
    finished: bool = True
    """False: the completion was cut off at the limit; what there is of it is run."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """What shaped the completion: temperature, most tokens."""
    name: str = "completion"
    effort: str = ""
    needs_isolation: bool = True

    def settings(self) -> Mapping[str, Any]:
        """Return how completions were sampled; the completion is what came of it, and no setting."""
        return dict(self.sampling)

    def mounts(self) -> Sequence[Mount]:
        """Return nothing: it needs nothing of the host."""
        return ()

    def act(self, situation: Situation) -> Episode:
        """Run the commands, once."""
        if situation.step != situation.task.steps[0]:
            return Episode(actions=(), stop="finished", answer=self.completion)
        script = script_of(self.completion).replace("\0", "").encode(errors="replace").decode()
        if len(script.encode()) > MOST_COMMAND_BYTES:
            said = f"[not run: a command may have at most {MOST_COMMAND_BYTES} bytes]"
            return self._episode(script, said, "agent_error")
        environment = situation.task.environment
        argv = ("bash", "-c", START_IN, "bash", environment.workdir, "bash", "-c", script)
        limits = replace(environment.limits, seconds=situation.step.agent_seconds)
        completed = situation.box.run(Command(argv, cwd="/", limits=limits))
        stop = "finished" if self.finished else "output_limit"
        if completed.killed:
            stop = "agent_timeout" if completed.killed == "timeout" else "agent_error"
        return self._episode(script, completed.output, stop)

    def _episode(self, script: str, observation: str, stop: str) -> Episode:
        action = Action(message=self.completion, tool="shell", arguments={"command": script}, observation=observation,
                        input_tokens=self.input_tokens, output_tokens=self.output_tokens)  # fmt: skip
        return Episode(actions=(action,), stop=stop, input_tokens=self.input_tokens, output_tokens=self.output_tokens,
                       answer=self.completion)  # fmt: skip
