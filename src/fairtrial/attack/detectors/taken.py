"""Follows what was looked at into the work: by files kept aside, copied, printed into place or read by a program.

A file outside the work that holds what was looked at hands it on to what is written from it. Not covered: what an
agent remembers and types again in other words.
"""

from __future__ import annotations

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.roles import is_scratch

_LEAST_PATH = 5


class Taken:
    """The files that hold what was looked at, so far."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self._looked: str = ""
        self._code: dict[str, str] = {}

    def look(self, act: Act, *paths: str) -> None:
        """Remember that an act looked at something, and the files that it lies in."""
        self._looked = act.place
        self.held |= {path for path in paths if len(path) >= _LEAST_PATH}

    def is_here(self, act: Act) -> bool:
        """Say whether what was looked at last came up in the call that an act is part of."""
        return bool(self._looked) and act.place == self._looked

    def into_work(self, act: Act) -> bool:
        """Say whether an act brings what was looked at into the work; remember it where that is another file aside."""
        if act.kind == "run" and act.code:
            self._code[act.place] = act.code
        if act.kind not in ("write", "edit") or act.is_latent or not act.paths:
            return False
        piped = act.place == self._looked and not act.text and not act.sources
        if not piped and not self._names_held(act):
            return False
        if all(is_scratch(path) for path in act.paths):
            self.held |= {path for path in act.paths if len(path) >= _LEAST_PATH}
            return False
        return True

    def _names_held(self, act: Act) -> bool:
        if self.held & set(act.sources):
            return True
        told = " ".join((*act.words, *act.sources))
        if act.words and act.program not in ("python", "python3"):
            return any(path in told for path in self.held)
        code = self._code.get(act.place, "")
        return any(path in code for path in self.held)
