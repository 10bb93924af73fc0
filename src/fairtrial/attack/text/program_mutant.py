"""Hand in the reference's program with one small change, drawn over all kinds of change.

A mutant is right on some inputs and wrong on others: graders that draw their tests show themselves on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_sites import mutated, sites
from fairtrial.attack.code.sampling import stratified
from fairtrial.attack.text.program import OfPrograms, handed_in
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong

CARD = Card(
    id="program_mutant", family="mutant", surface="text", classes=("BGW-119", "BGW-137", "BGW-127"),
    submits="the reference's program with one comparison, operator, constant, condition, return or statement changed",
    sound="fails it",
    proof="always a lead: the changed place may not matter to what was asked",
)  # fmt: skip
_WHY = "One place was changed; only its author can say whether that is wrong."


def _make(case: TextCase, source: str) -> Iterator[TextSubmission]:
    places = list(enumerate(sites(source)))
    for number, site in stratified(places, lambda place: place[1].operator, 2 * case.most, case.seed):
        text = mutated(source, site)
        if text is not None:
            name = f"line_{site.line}_{site.operator}_{number}"
            yield wrong(name, handed_in(case, text), f"the reference with {site.what}", why=_WHY, severity="lead")


PROGRAM_MUTANT = TextRule(card=CARD, make=OfPrograms(_make))
