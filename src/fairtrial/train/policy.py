"""The seam of what is sampled in training and in evaluation: prompts in, completions out. No key passes through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fairtrial.tasks.text import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One sampled completion."""

    text: str
    tokens: int
    finished: bool
    """False: cut off at the limit."""
    input_tokens: int = 0


class Policy(Protocol):
    """A model that completes text."""

    def complete(
        self, prompts: Sequence[str | tuple[Message, ...]], *, seed: int, temperature: float, max_new_tokens: int
    ) -> list[Completion]:
        """Return one completion a prompt, in order. The same seed and prompts give the same completions."""
        ...
