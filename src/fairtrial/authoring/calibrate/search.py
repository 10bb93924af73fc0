"""Which difficulty to look at next: bisection over an ordered list, easiest first, until one is in the band.

That harder ones are passed less is assumed to save attempts, and checked as they come in (`monotone`). Once it is
refuted, and before none is said to be in the band, every difficulty is looked at. A difficulty that all of a first few
attempts pass, or none, is left for its neighbour before it is decided; where the search ends between two such, both are
decided. Pure: no attempt is made here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from fairtrial.authoring.calibrate.evidence import Evidence, Says

Depth = Literal["pilot", "decide"]
Look = Callable[[int, Depth], Evidence]
"""Sample at a difficulty, to the end of the pilot or until decided, and return all that is known of it."""


@dataclass(slots=True)
class Search:
    """Where the search stands."""

    count: int
    look: Look
    is_monotone: Callable[[], bool]
    halted: Callable[[], bool]
    """Says that the budget is spent, or that nothing more can be learned."""
    visited: list[int] = field(default_factory=list)
    in_band: list[int] = field(default_factory=list)

    def one(self) -> int | None:
        """Return a difficulty that is in the band; None where there is none or the search was halted."""
        low, high = -1, self.count
        while high - low > 1 and not self.halted():
            middle = (low + high) // 2
            says = self._says(middle, "pilot")
            if says == "in_band":
                return middle
            low, high = (middle, high) if says == "too_easy" else (low, middle)
            if not self.is_monotone():
                return self._scan("decide")
        for edge in (high, low):  # the pilots may have leaned the wrong way
            if 0 <= edge < self.count and not self.halted() and self._says(edge, "decide") == "in_band":
                return edge
        found = self._scan("pilot")  # that none is in the band is said of all, so all are looked at
        return found if found is not None or self.is_monotone() else self._scan("decide")

    def edges(self, found: int) -> None:
        """Look for the easiest and the hardest difficulty in the band, from one that is."""
        for step in (-1, 1):
            inside, outside = found, self._nearest_outside(found, step)
            while abs(outside - inside) > 1 and not self.halted():
                middle = (inside + outside) // 2
                is_in = self._says(middle, "decide") == "in_band"
                inside, outside = (middle, outside) if is_in else (inside, middle)

    def _nearest_outside(self, found: int, step: int) -> int:
        beyond = [at for at in self.visited if at not in self.in_band and (at - found) * step > 0]
        end = -1 if step < 0 else self.count
        return min(beyond, key=lambda at: abs(at - found), default=end)

    def _scan(self, depth: Depth) -> int | None:
        """Look at every difficulty in order."""
        for at in range(self.count):
            if not self.halted() and self._says(at, depth) == "in_band":
                return at
        return None

    def _says(self, at: int, depth: Depth) -> Says:
        evidence = self.look(at, depth)
        if at not in self.visited:
            self.visited.append(at)
        if evidence.says == "in_band" and at not in self.in_band:
            self.in_band.append(at)
        return evidence.leans()
