"""Mutants with one place changed, drawn over all kinds of change: what Python and shell have in common.

Which places there are, and how one is changed, each language says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from fairtrial.attack.code.sampling import stratified
from fairtrial.attack.code.sources import Language, Source, mutant, named_for, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target


class Place(Protocol):
    """A place that can be changed."""

    @property
    def line(self) -> int:
        """Return its line, from 1."""
        ...

    @property
    def operator(self) -> str:
        """Name the kind of change."""
        ...

    @property
    def what(self) -> str:
        """Say what is changed, for the claim."""
        ...


AnyPlace = TypeVar("AnyPlace", bound=Place)


def single_site_mutants(
    target: Target, language: Language, find: Callable[[str], Sequence[AnyPlace]],
    change: Callable[[str, AnyPlace], str | None],
) -> Iterator[Submission]:  # fmt: skip
    """Yield one mutant a drawn place, at most `target.most`; a place that cannot be changed yields none."""
    programs = sources(target, language)
    places = [(source, n, place) for source in programs for n, place in enumerate(find(source.after))]

    def kind(drawn: tuple[Source, int, AnyPlace]) -> tuple[str, str]:
        source, _, place = drawn
        return source.inside, place.operator

    for source, n, place in stratified(places, kind, target.most, target.seed):
        text = change(source.after, place)
        if text is not None:
            label = f"{named_for(source, programs)}:{place.line}:{place.operator}:{n}"
            yield mutant(target, source, text, label=label, what=place.what)
