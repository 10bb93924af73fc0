"""Numbers written in another way: without trailing zeros, with one more, whole numbers with a point.

Certified by their value. Free only where the task says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import NUMBER
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="numbers_reformed",
    family="equivalent",
    surface="workspace",
    submits="the reference's numbers without trailing zeros, or with one zero more",
    sound="passes it, where the form is free",
    proof="proof.toml lists `number_form` under `free`; else a lead, if the instruction says nothing of decimals",
    classes=("BGW-120",),
)
_ASKED = re.compile(
    r"\b(decimals?|places|digits|exact(?:ly)?|string|text|format|rounded|cents?|integers?|whole)\b", re.I
)
FREE = Freeness(
    freedom="number_form", form="how numbers are written", asked=lambda one: bool(_ASKED.search(one.demands.text))
)
FORMS: dict[str, tuple[Callable[[str], str], str]] = {
    "shortest": (lambda text: text.rstrip("0").rstrip(".") if "." in text else text, "no trailing zeros"),
    "longer": (lambda text: f"{text}0" if "." in text else text, "one more zero behind decimals"),
}


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's numbers in other forms."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    if document.form in ("markdown", "sql"):
        return
    for name, (form, words) in FORMS.items():
        content = one.altered(one.answers, lambda leaf, form=form: _reformed(leaf, form))  # type: ignore[misc]
        if content is not None:
            yield Rewriting(name, content, f"numbers written with {words}")


def _reformed(leaf: Leaf, form: Callable[[str], str]) -> Put | None:
    if not NUMBER.fullmatch(leaf.text):
        return None
    text = form(leaf.text)
    return Put(text, leaf.kind) if Decimal(text) == Decimal(leaf.text) and text != leaf.text else None


PROBE = ArtifactProbe(card=CARD, propose=propose)
