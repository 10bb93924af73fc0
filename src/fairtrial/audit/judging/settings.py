"""How a judge is let work, and the record of it that each of its reviews carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairtrial.models import ModelSpec
from fairtrial.records import canonical_json

CHARACTERS_PER_TOKEN = 3
"""Fewer than the usual four: code, logs and numbers take more tokens than prose does."""
CONTEXT_TOKENS = 100_000
LEAST_TOKENS = 4_000
TURNS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """How a judge is let work."""

    context_tokens: int = CONTEXT_TOKENS
    """Room for one conversation, the reply not counted; longer trajectories are read in parts."""
    turns: int = TURNS
    """Most replies of the model in one pass that call tools."""
    command_seconds: float = 60.0
    """Longest time of one command that the judge runs."""
    shows_images: bool = True
    """Images go to the model; a model that takes none would refuse the whole request."""
    most_images: int = 20
    """At once: servers refuse more, from 1 to some hundreds, or shrink what is more than 20."""

    @property
    def images_at_once(self) -> int | None:
        """Return how many images one message may hold; None where it holds none, whatever the work has."""
        return self.most_images if self.shows_images else None

    @property
    def characters(self) -> int:
        """Return the room of one conversation in characters."""
        return self.context_tokens * CHARACTERS_PER_TOKEN

    @property
    def part_characters(self) -> int:
        """Return how much of the trajectory is shown at once."""
        return self.characters * 55 // 100

    @property
    def notes_characters(self) -> int:
        """Return how long the notes may be that are carried from part to part."""
        return self.characters * 12 // 100

    @property
    def file_characters(self) -> int:
        """Return how much of the files is shown without being asked for."""
        return self.characters * 12 // 100

    @property
    def tool_characters(self) -> int:
        """Return how much one call of a tool shows."""
        return min(self.characters // 10, 20_000)

    @property
    def most_characters(self) -> int:
        """Return how long a conversation may get before the judge must decide."""
        return self.characters * 85 // 100


def reviewer_name(spec: ModelSpec, repeat: int = 1) -> str:
    """Return the name under which a judge's reviews are kept; a repeat is a reviewer of its own.

    >>> reviewer_name(ModelSpec(name="m", effort="high"), 2)
    'm@high#2'
    """
    name = f"{spec.name}@{spec.effort}" if spec.effort else spec.name
    return name if repeat == 1 else f"{name}#{repeat}"


def recorded(spec: ModelSpec, settings: JudgeSettings, words: str, key: str, has_shell: bool) -> str:
    """Return the JSON that a review carries; two judgements with the same one were given by the same judge.

    `words` is the address of what it is told, `key` the hash of the task whose key it had, empty for none. The server's
    address is left out: a judge that moved is the same judge.
    """
    asked: Mapping[str, Any] = {name: value for name, value in spec.identity().items() if name != "url"}
    return canonical_json({
        "model": dict(asked), "words": words, "key": key, "shell": has_shell, "images": settings.shows_images,
        "context_tokens": settings.context_tokens, "turns": settings.turns,
        "command_seconds": settings.command_seconds,
    }).decode()  # fmt: skip
