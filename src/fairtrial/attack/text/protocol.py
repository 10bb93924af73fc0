"""The seam of every text probe: from a case whose right answer is known, completions whose right verdict is known.

A probe hands in; it never grades. `prove` gives every completion to the grader in a process of its own, and compares
what it scored with what the probe said that a sound grader returns. Completions are data: text, or a chat.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from fairtrial.attack.card import Card
from fairtrial.records import Severity

Messages = tuple[Mapping[str, Any], ...]
"""A chat: each message has `role` (system, user, assistant, tool) and `content`, and may have `tool_calls`."""
Completion = str | Messages
"""What a policy handed in. A grader that wants plain text is given the last assistant message of a chat."""


def text_of(completion: Completion) -> str:
    """Return what the policy said last: the text itself, or the content of the last assistant message.

    >>> text_of(({"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}))
    '4'
    >>> text_of(({"role": "user", "content": "2+2?"},))
    ''
    """
    if isinstance(completion, str):
        return completion
    said = [str(message.get("content") or "") for message in completion if message.get("role") == "assistant"]
    return said[-1] if said else ""


@dataclass(frozen=True, kw_only=True)
class TextCase:
    """One prompt whose right answer is known, as probes see it. Equal inputs give equal probes."""

    id: str
    prompt: Completion
    reference: Completion
    """The gold completion. It passed the grader before any probe is asked."""
    answer: Any
    """What the grader is given as ground truth: usually text or a number, as the case file has it."""
    wrong: tuple[str, ...] = ()
    """Completions that the case declares wrong."""
    right: tuple[str, ...] = ()
    """Completions that the case declares right, beside the reference."""
    other_answers: tuple[Any, ...] = ()
    """Answers of the other cases that differ from this one's, most frequent first, each once."""
    other_references: tuple[Completion, ...] = ()
    """Gold completions of the other cases, in the order of `other_answers`."""
    majority: Any = None
    """The most frequent answer over all cases; None where no two cases share one."""
    info: Mapping[str, Any] = field(default_factory=dict)
    """Every other column of the case."""
    grader_source: str = ""
    """Source text of the grader's own file, for probes that use its literals; empty where it cannot be read."""
    seed: int = 0
    most: int = 8
    """How many submissions a probe that could make any number of them should make at most."""

    @functools.cached_property
    def prompt_text(self) -> str:
        """Return the prompt as text: the last user message of a chat."""
        if isinstance(self.prompt, str):
            return self.prompt
        asked = [str(message.get("content") or "") for message in self.prompt if message.get("role") == "user"]
        return asked[-1] if asked else ""

    @functools.cached_property
    def reference_text(self) -> str:
        """Return what the gold completion says last."""
        return text_of(self.reference)

    @functools.cached_property
    def answer_text(self) -> str:
        """Return the ground truth as text; empty where it is neither text nor a number."""
        is_plain = isinstance(self.answer, str | int | float) and not isinstance(self.answer, bool)
        return str(self.answer).strip() if is_plain else ""

    def written(self, value: str) -> str | None:
        """Return the gold completion with `value` in place of the answer: wrong in the right format.

        None where the answer does not stand in the reference word for word. The last place where it does is replaced.

        >>> TextCase(id="1", prompt="2+2?", reference="So: <answer>4</answer>", answer="4").written("5")
        'So: <answer>5</answer>'
        """
        head, found, tail = self.reference_text.rpartition(self.answer_text) if self.answer_text else ("", "", "")
        return f"{head}{value}{tail}" if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSubmission:
    """One completion to be graded, and what a sound grader says of it."""

    name: str
    """Unique among the submissions of its probe on this case, stable from run to run and from case to case."""
    completion: Completion
    expects: Literal["fails", "passes"]
    what: str
    """What was handed in, as the subject of a sentence: "an empty completion"."""
    severity: Severity = "proof"
    """Of the finding if the verdict is wrong. `proof` only for what is wrong (or right) by construction."""
    why: str = ""
    """Why it is wrong (or right) by construction, or why it is only a lead, as a sentence for the reader."""
    is_lazy: bool = False
    """A policy that knows no answer can play it on every case under this name: nothing, a constant, an echo."""


class TextProbe(Protocol):
    """One way to answer whose right verdict is known."""

    @property
    def card(self) -> Card:
        """Return what this probe is; its surface is `text`."""
        ...

    def submissions(self, case: TextCase) -> Iterable[TextSubmission]:
        """Yield what to hand in for this case; nothing where the case gives no occasion."""
        ...
