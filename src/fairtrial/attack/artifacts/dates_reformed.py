"""ISO dates in words: 2024-05-31 as 31 May 2024. Certified by reading them; free only where the task says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import ISO_DATE
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="dates_reformed",
    family="equivalent",
    surface="workspace",
    submits="the reference's ISO dates written as `31 May 2024`",
    sound="passes it, where the form is free",
    proof="proof.toml lists `date_form` under `free`; else a lead, if the instruction says nothing of date forms",
    classes=("BGW-120",),
)
_ASKED = re.compile(r"\bISO\b|\bformat\b|YYYY|\d{4}-\d\d-\d\d", re.I)
FREE = Freeness(
    freedom="date_form", form="how dates are written", asked=lambda one: bool(_ASKED.search(one.demands.text))
)
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's dates in words."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    del document
    content = one.altered(one.answers, _in_words)
    if content is not None:
        yield Rewriting("words", content, "dates as `31 May 2024`")


def _in_words(leaf: Leaf) -> Put | None:
    """Return the date in words, where it reads back as the same day."""
    if not ISO_DATE.fullmatch(leaf.text):
        return None
    try:
        day = date.fromisoformat(leaf.text)
    except ValueError:
        return None
    text = f"{day.day} {_MONTHS[day.month - 1]} {day.year:04d}"
    back = datetime.strptime(text.replace(_MONTHS[day.month - 1], str(day.month)), "%d %m %Y").date()
    return Put(text, leaf.kind) if back == day else None


PROBE = ArtifactProbe(card=CARD, propose=propose)
