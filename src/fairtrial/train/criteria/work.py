"""What a criterion is asked of: the work of one rollout, with the instruction it answers. No key is in it.

Not covered: the work of rollouts that a ledger keeps (`kept`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fairtrial.checks.judged import Source, steps_of, text_source
from fairtrial.formats.atif import Trajectory
from fairtrial.records import digest
from fairtrial.tasks.text import Message
from fairtrial.train.criteria.criterion import About


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The work of one rollout."""

    task: str
    instruction: str = ""
    family: str = ""
    answer: str | None = None
    """The completion, or the final answer; None where there is none."""
    files: tuple[Source, ...] = ()
    """Files that were handed in."""
    trajectory: Trajectory | None = None

    @property
    def content(self) -> str:
        """Return the content address of what can be seen of it."""
        parts = [source.hash for source in (*self.files, *self._steps())]
        return digest(json.dumps([self.task, self.family, self.instruction, self.answer, parts]).encode())

    @property
    def is_empty(self) -> bool:
        """Say whether nothing of it is kept."""
        return self.answer is None and not self.files and self.trajectory is None

    def sources(self, about: About) -> tuple[Source, ...]:
        """Return what a judge is shown, as sources `A1`, `A2`, … and, of a behaviour, `S1`, `S2`, …"""
        shown = [] if self.answer is None else [text_source("A", "answer", self.answer)]
        shown += self.files if about == "solution" else ()
        steps = self._steps() if about == "behaviour" else []
        return (*(replace(source, name=f"A{number}") for number, source in enumerate(shown, 1)), *steps)

    def reference(self) -> tuple[Source, ...]:
        """Return the instruction as what the task's author gives to judge by."""
        return (text_source("R1", "the task", self.instruction),) if self.instruction else ()

    def _steps(self) -> list[Source]:
        return steps_of(self.trajectory) if self.trajectory is not None else []


def text_work(task: str, prompt: str | Sequence[Message], completion: str, family: str = "") -> Work:
    """Return one completion of a text task as work.

    >>> text_work("sort", "sort 31=", "13").sources("behaviour")[0].lines
    ('13',)
    """
    return Work(task=task, instruction=prompt_text(prompt), family=family, answer=completion)


def prompt_text(prompt: str | Sequence[Message]) -> str:
    """Return a prompt as one text.

    >>> prompt_text([Message("system", "Be brief."), Message("user", "sort 31=")])
    'system: Be brief.\\nuser: sort 31='
    """
    if isinstance(prompt, str):
        return prompt
    return "\n".join(f"{message.role}: {message.content}" for message in prompt)
