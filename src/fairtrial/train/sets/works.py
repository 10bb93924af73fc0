"""Where the text of a rollout comes from: a text task and the rollout's answer, else its trajectory in the ledger.

With a file of text tasks, only its tasks are taken: the prompt is the task's as it stands there, the reply is what the
rollout answered. Without one, both come from the trajectory. A rollout that has neither has no text, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.formats.exports import Prompt, Turn, conversation, has_pictures
from fairtrial.ledger import Ledger
from fairtrial.records import FormatError, LedgerError
from fairtrial.tasks.text import TextSuite, TextTask
from fairtrial.train.sets.pool import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The text of one rollout."""

    prompt: Prompt
    reply: tuple[Turn, ...]
    tools: tuple[Mapping[str, object], ...] = ()
    trajectory: Trajectory | None = None
    """As recorded; None where prompt and answer alone are known."""

    @property
    def text(self) -> str:
        """Return all that the model said and did, as one text to compare."""
        said = []
        for turn in self.reply:
            if turn.role == "assistant":
                calls = (f"{call.function_name} {dict(call.arguments)}" for call in turn.tool_calls)
                said += [turn.content, *calls]
        return "\n".join(part for part in said if part)

    @property
    def length(self) -> int:
        """Return how many characters the model said."""
        return len(self.text)


class Works:
    """Reads the text of rollouts; a trajectory is read once."""

    def __init__(self, ledger: Ledger, suite: TextSuite | None) -> None:
        self._ledger = ledger
        self._tasks: Mapping[str, TextTask] = {task.name: task for task in suite.tasks} if suite else {}
        self._only_these = suite is not None
        self._held: dict[str, Work | str] = {}

    def unfit(self, entry: Entry) -> str:
        """Return why the task of a rollout is none of those named; empty where it is, or none were named."""
        task = self._tasks.get(entry.task)
        if self._only_these and task is None:
            return "not_in_tasks"
        return "task_changed" if task and entry.task_hash and task.hash != entry.task_hash else ""

    def of(self, entry: Entry) -> Work | str:
        """Return the text of a rollout, or the reason why there is none to train on."""
        if entry.id not in self._held:
            self._held[entry.id] = self._read(entry)
        return self._held[entry.id]

    def work(self, entry: Entry) -> Work:
        """Return the text of a rollout that was kept."""
        found = self.of(entry)
        assert isinstance(found, Work)  # only those with a text are kept
        return found

    def why_none(self, entry: Entry) -> str:
        """Return the reason why there is no text to train on; empty where there is one."""
        found = self.of(entry)
        return found if isinstance(found, str) else ""

    def _read(self, entry: Entry) -> Work | str:
        task = self._tasks.get(entry.task)
        if task is not None and entry.answer is not None:
            if not entry.answer.strip():
                return "empty_completion"
            return Work(prompt=prompt_of(task), reply=(Turn(role="assistant", content=entry.answer),))
        if not entry.trajectory:
            return "no_text"
        try:
            told = read_trajectory(self._ledger.get_blob(entry.trajectory))
        except (FormatError, LedgerError):
            return "trajectory_unreadable"
        if has_pictures(told):
            return "has_pictures"
        prompt, reply = conversation(told)
        if not prompt:
            return "no_instruction"
        if not reply:
            return "no_turn_of_a_model"
        return Work(prompt=prompt, reply=reply, tools=told.tools, trajectory=told)


def prompt_of(task: TextTask) -> Prompt:
    """Return the prompt of a text task, as it stands there."""
    if isinstance(task.prompt, str):
        return task.prompt
    return tuple(Turn(role=one.role, content=one.content) for one in task.prompt)  # type: ignore[arg-type]


def prompt_text(prompt: Prompt) -> str:
    r"""Return a prompt as one text to compare.

    >>> prompt_text((Turn(role="system", content="Be brief."), Turn(role="user", content="2+2")))
    'Be brief.\n2+2'
    """
    return prompt if isinstance(prompt, str) else "\n".join(turn.content for turn in prompt)
