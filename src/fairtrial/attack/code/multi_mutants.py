"""Probe: the reference's Python with three changes at once, far apart where it is long enough.

What one change hides from a weak grader three seldom do: a program that passes with three faults is hardly graded.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_sites import Site, mutated, sites
from fairtrial.attack.code.sources import mutant, named_for, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

AT_ONCE = 3
MOST_A_FILE = 6
_TRIES = 4
"""Draws for each mutant wanted: places within each other cannot both be changed."""


_CARD = Card(
    id="python_mutants_at_once",
    family="mutant",
    surface="workspace",
    submits="the reference's Python with three unrelated changes at once",
    sound="fails it",
    proof="Always a lead: changes can undo each other, or none of them matter.",
    classes=("BGW-119", "BGW-137"),
)


@dataclass(frozen=True, slots=True)
class MultiMutants:
    """Change three places at once."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield up to six a program, at most `target.most`."""
        programs = sources(target, "python")
        made = 0
        for source in programs[: target.most // 2]:
            chance = random.Random(f"{target.seed} {source.inside}")
            seen: set[str] = set()
            places = sites(source.after)
            for _ in range(_TRIES * MOST_A_FILE if made < target.most else 0):
                chosen = _apart(places, chance)
                text = mutated(source.after, *chosen) if len(chosen) == AT_ONCE else None
                if text is None or text in seen or made >= target.most or len(seen) >= MOST_A_FILE:
                    continue
                seen.add(text)
                made += 1
                label = f"{named_for(source, programs)}:{len(seen)}"
                yield mutant(target, source, text, label=label, what="; ".join(site.what for site in chosen))


def _apart(places: Sequence[Site], chance: random.Random) -> list[Site]:
    """Draw places of different lines, none within another."""
    chosen: list[Site] = []
    for site in chance.sample(list(places), len(places)):
        if all(site.end <= one.start or site.start >= one.end for one in chosen) and all(
            site.line != one.line for one in chosen
        ):
            chosen.append(site)
        if len(chosen) == AT_ONCE:
            break
    return sorted(chosen, key=lambda site: site.start)
