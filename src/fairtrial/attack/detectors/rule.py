"""A detector that is one function: its name, its group, and what finds its hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fairtrial.attack.detectors.protocol import Hit, Seen


@dataclass(frozen=True, slots=True)
class Rule:
    """One detector."""

    name: str
    group: str
    find: Callable[[Seen], Iterable[Hit]]

    def hits(self, seen: Seen) -> Iterable[Hit]:
        """Yield what it finds."""
        return self.find(seen)
