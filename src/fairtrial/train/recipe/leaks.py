"""Which held-out task a row or a training task asks: the same words, whatever form they are written in.

A text and a chat of one message are held against each other, and a system message is left out where the held-out tasks
can be told apart without it. Not covered: near copies (`contamination split`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairtrial.tasks import Task
from fairtrial.tasks.text import TextTask

Said = str | Sequence[tuple[str, str]]
"""A text, or (role, content) of messages."""


class Asked:
    """What the held-out tasks ask."""

    def __init__(self, tasks: Iterable[TextTask | Task]) -> None:
        """Take tasks; of a folder its instruction is asked."""
        said = {task.name: prompt_of(task) for task in tasks}
        users = Counter(words(prompt) for prompt in said.values())
        self._whole = {words(prompt, whole=True): name for name, prompt in said.items()}
        self._user = {asked: name for name, prompt in said.items() if users[asked := words(prompt)] == 1}
        self._lengths = sorted({len(asked) for asked in self._whole if asked})

    def task(self, prompt: Said) -> str:
        """Return the name of the task that `prompt` asks; empty where it asks none."""
        return self._whole.get(words(prompt, whole=True), "") or self._user.get(words(prompt), "")

    def begins(self, text: Said) -> str:
        """Return the name of the task whose prompt `text` begins with; empty where it begins with none."""
        if not isinstance(text, str):
            return self.task([(role, content) for role, content in text if role != "assistant"])
        said = text.strip()
        found = (self._whole.get(said[:length]) for length in self._lengths)
        return next((name for name in found if name), "")

    def in_row(self, row: Mapping[str, Any]) -> str:
        """Return the name of the task that a row of a training set asks; empty where it asks none."""
        if "prompt" in row:
            return self.task(_said(row["prompt"]))
        return self.begins(_said(row["text"] if "text" in row else row["chosen"]))


def prompt_of(task: TextTask | Task) -> Said:
    """Return what a task asks."""
    if isinstance(task, Task):
        return task.instruction
    return task.prompt if isinstance(task.prompt, str) else [(said.role, said.content) for said in task.prompt]


def words(prompt: Said, *, whole: bool = False) -> str:
    r"""Return a prompt as one text, blanks around it apart: of messages what the user said, or the `whole`.

    >>> words(" 2+2= "), words([("system", "Add."), ("user", "2+2="), ("assistant", "4"), ("user", "Sure?")])
    ('2+2=', '2+2=\nSure?')
    """
    if isinstance(prompt, str):
        return prompt.strip()
    return "\n".join(content for role, content in prompt if whole or role == "user").strip()


def _said(value: Any) -> Said:
    return value if isinstance(value, str) else [(each["role"], each["content"]) for each in value]
