"""The shape in which a judge of one rule replies, and what may be wrong with it: citations that do not stand."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.audit.citations import named_place, stands
from fairtrial.records import Citation, Ruled

MOST_CITATIONS = 30


class Cited(BaseModel):
    """A place, and words that stand there."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    place: str
    quote: str

    @property
    def citation(self) -> Citation:
        """Return it as records have it."""
        return Citation(named_place(self.place), self.quote)


class Said(BaseModel):
    """One judge's word on one rule."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    citations: tuple[Cited, ...] = Field(max_length=MOST_CITATIONS)
    ruled: Ruled
    reason: str = Field(min_length=1)


def wrong_with(said: Said, texts: Mapping[str, str]) -> list[str]:
    """Return what is wrong with what a judge says, one line each; empty where every citation stands.

    >>> said = Said(citations=(Cited(place="item q1", quote="a pen"),), ruled="clean", reason="r")
    >>> wrong_with(said, {"item q1": "a pencil costs 2"}), wrong_with(said, {"item q1": "a pen  costs 2"})
    ([], [])
    >>> wrong_with(said, {"item q2": "a pen"})
    ['`[item q1] a pen`: there is no item q1']
    """
    wrong = [] if said.citations else ["it cites nothing"]
    for cited in said.citations:
        text = texts.get(named_place(cited.place))
        quote = cited.quote.strip()
        if text is None:
            why = f"there is no {named_place(cited.place)[:200]}"
        elif not any(character.isalnum() for character in quote):
            why = "it quotes nothing"
        elif not stands(quote, text):
            why = f"is not what stands at {named_place(cited.place)}"
        else:
            continue
        wrong.append(f"`{cited.citation.text[:300]}`: {why}")
    return wrong
