"""Probe: the reference's Python with one small change, drawn over all kinds of change.

A mutant that passes is a lead: it may behave as the reference does where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_sites import Site, mutated, sites
from fairtrial.attack.code.sampling import stratified
from fairtrial.attack.code.sources import Source, mutant, named_for, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

_CARD = Card(
    id="python_mutant",
    family="mutant",
    surface="workspace",
    submits="the reference's Python with one comparison, operator, constant, condition, bound, argument, return, "
    "statement or exception changed",
    sound="fails it",
    proof="Always a lead: the changed place may not matter to what was asked.",
    classes=("BGW-119", "BGW-137"),
)


@dataclass(frozen=True, slots=True)
class PythonMutants:
    """Change one place at a time."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one a drawn place, at most `target.most`."""
        programs = sources(target, "python")
        places = [(source, n, site) for source in programs for n, site in enumerate(sites(source.after))]
        for source, n, site in stratified(places, _kind, target.most, target.seed):
            text = mutated(source.after, site)
            if text is not None:
                label = f"{named_for(source, programs)}:{site.line}:{site.operator}:{n}"
                yield mutant(target, source, text, label=label, what=site.what)


def _kind(place: tuple[Source, int, Site]) -> tuple[str, str]:
    source, _, site = place
    return source.inside, site.operator
