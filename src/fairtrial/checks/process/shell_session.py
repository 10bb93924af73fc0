"""What the commands of one trajectory leave for later ones: files written in sight, variables, functions, aliases.

It also bounds the work: a trajectory whose commands unfold without end is found fault with, and not read for ever.
Not covered: which harness keeps a shell between its calls; what an earlier call defined may be meant, or may not.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

import tree_sitter

from fairtrial.checks.reading import WorkError

MOST_NODES = 200_000
"""Nodes of syntax trees that are read of one trajectory; a command has about five."""
CHARACTERS_A_NODE = 50
MOST_KEPT = 100_000
"""Characters of a variable that is remembered."""
MOST_OF_A_NAME = 50
"""Files of one name, in several folders, that are looked through."""


@dataclass(slots=True)
class Session:
    """Texts of files that were written in sight, and what shells were told to remember."""

    texts: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=lambda: {"IFS": " ", "SHELL": "bash", "BASH": "bash"})
    functions: dict[str, tree_sitter.Node] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    read: int = 0
    _by_name: dict[str, list[str]] = field(default_factory=dict)

    def charge(self, nodes: int) -> None:
        """Count work. Raise WorkError where it is more than anybody's work takes."""
        self.read += nodes
        if self.read > MOST_NODES:
            raise WorkError("the commands of the trajectory unfold into more than can be read")

    def put(self, path: str, text: str, *, appends: bool = False) -> None:
        """Remember what a file holds."""
        path = posixpath.normpath(path)
        if path not in self.texts:
            self._by_name.setdefault(posixpath.basename(path), []).append(path)
        self.texts[path] = (self.texts.get(path, "") if appends else "") + text
        if appends:
            self.charge(len(self.texts[path]) // CHARACTERS_A_NODE // 10)

    def get(self, path: str) -> str | None:
        """Return the text of a file, by its path or by the end of it, as folders may have been changed."""
        path = posixpath.normpath(path)
        if path in self.texts:
            return self.texts[path]
        held = self._by_name.get(posixpath.basename(path), [])[-MOST_OF_A_NAME:]
        ends = [one for one in held if one.endswith(f"/{path}") or path.endswith(f"/{one}")]
        return self.texts[ends[-1]] if ends else None

    def assign(self, name: str, value: str) -> None:
        """Remember a variable; one that is very long is forgotten."""
        self.charge(len(value) // CHARACTERS_A_NODE)
        if len(value) <= MOST_KEPT:
            self.variables[name] = value
        else:
            self.variables.pop(name, None)
