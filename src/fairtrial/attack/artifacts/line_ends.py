"""The same lines ended with CRLF (or LF), and without the last line end. Free only where the task says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="line_ends",
    family="equivalent",
    surface="workspace",
    submits="the reference's text with the other line ends, and without the last one",
    sound="passes it, where line ends are free",
    proof="proof.toml lists `line_ends` under `free`; else a lead, if the instruction says nothing of them",
    classes=("BGW-120",),
)
_ASKED = re.compile(r"\b(CRLF|LF|line[- ]end\w*|newlines?|bytes?|unix|dos)\b", re.I)
FREE = Freeness(freedom="line_ends", form="line ends", asked=lambda one: bool(_ASKED.search(one.demands.text)))


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's text with other line ends."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    text = document.text
    if document.form == "json" or re.search(r'"[^"\n]*\n[^"]*"', text):
        return
    other = text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")
    for name, made, words in (
        ("other", other, "the other line ends"),
        ("no-last", text.rstrip("\r\n"), "no end of its last line"),
    ):
        content = document.encoded(made)
        if content != one.content and made.split() == text.split():
            yield Rewriting(name, content, words)


PROBE = ArtifactProbe(card=CARD, propose=propose)
