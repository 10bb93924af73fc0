"""What an agent was told: the instruction, and what it can read in its environment.

A name is stated where it stands there letter for letter, whatever the case: who is told of a "due date" cannot know
that the grader reads `due_date`. Binary files count too, as a database names its columns in its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 4_000_000
_ORDER = re.compile(
    r"\b(order(ed)?|sort(ed|ing)?|ascending|descending|alphabetical(ly)?|chronological(ly)?|first|last|"
    r"(largest|smallest|newest|oldest|highest|lowest) first|in the same order|rank(ed|ing)?)\b",
    re.IGNORECASE,
)
_LAYOUT = re.compile(
    r"\b(columns?|headers?|fields?|lines?|rows?|format(ted)?|layout|separated|delimited|exactly|one per|one a)\b",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Told:
    """The texts that an agent can read."""

    instruction: str
    everything: str
    """Instruction and environment, folded to lower case."""

    def states(self, name: str) -> bool:
        """Say whether `name` stands in what the agent can read."""
        return _folded(name) in self.everything

    @property
    def states_an_order(self) -> bool:
        """Say whether the instruction speaks of an order."""
        return bool(_ORDER.search(self.instruction))

    @property
    def states_a_layout(self) -> bool:
        """Say whether the instruction speaks of a layout."""
        return bool(_LAYOUT.search(self.instruction))


def told(instruction: str, environment: Path) -> Told:
    """Return what an agent is told by `instruction` and by the files below `environment`."""
    texts = [instruction, *_texts(environment)]
    return Told(instruction, _folded("\n".join(texts)))


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _texts(folder: Path) -> Iterator[str]:
    """Yield names and contents of the files below `folder`, up to a number of bytes in all."""
    left = MOST_BYTES
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or left <= 0:
            continue
        yield path.name
        content = path.read_bytes()[:left]
        left -= len(content)
        yield content.decode("utf-8", "replace")
