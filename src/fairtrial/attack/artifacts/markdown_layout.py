"""Markdown with other bullets, underlined headings or more blank lines. Free only where the task says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="markdown_layout",
    family="equivalent",
    surface="workspace",
    submits="the reference's Markdown with `*` for `-`, underlined headings, a blank line after each heading or none",
    sound="passes it, where the layout is free",
    proof="proof.toml lists `markdown_layout` under `free`; else a lead, if the instruction does not show the marks",
    classes=("BGW-120",),
)
_ASKED = re.compile(r"`(?:#+|[*-])[ `]|^\s*```|\b(?:exactly (?:this|as)|template|verbatim)\b", re.I | re.M)
FREE = Freeness(
    freedom="markdown_layout", form="Markdown's marks", asked=lambda one: bool(_ASKED.search(one.demands.text))
)
_FENCE = re.compile(r"^(?:```|~~~)", re.M)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's Markdown in other layouts."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    del one
    if document.form != "markdown" or _FENCE.search(document.text):
        return
    for name, (layout, words) in LAYOUTS.items():
        made = layout(document.text)
        if made != document.text and _plain(made) == _plain(document.text):
            yield Rewriting(name, document.encoded(made), words)


def _plain(text: str) -> list[str]:
    """Return the words of a page without its marks."""
    return re.findall(r"[^\s#*+=_-]+", text)


def _bullets(text: str) -> str:
    return re.sub(r"^(\s*)-(?= )", r"\1*", text, flags=re.M)


def _underlined(text: str) -> str:
    """Return first and second level headings underlined.

    >>> _underlined("# A\\n## Bc\\n- d\\n")
    'A\\n=\\n\\nBc\\n--\\n\\n- d\\n'
    """

    def under(found: re.Match[str]) -> str:
        mark = "=" if len(found[1]) == 1 else "-"
        return f"{found[2]}\n{mark * len(found[2])}\n\n"

    return re.sub(r"^(#{1,2}) +(.+?)[ #]*\n+", under, text, flags=re.M)


def _airy(text: str) -> str:
    return re.sub(r"^(#+ .*)\n(?!\n)", r"\1\n\n", text, flags=re.M)


def _dense(text: str) -> str:
    return re.sub(r"^(#+ .*)\n\n+", r"\1\n", text, flags=re.M)


LAYOUTS: dict[str, tuple[Callable[[str], str], str]] = {
    "bullets": (_bullets, "`*` for its bullets"),
    "underlined": (_underlined, "underlined headings"),
    "airy": (_airy, "a blank line after each heading"),
    "dense": (_dense, "no blank line after a heading"),
}
PROBE = ArtifactProbe(card=CARD, propose=propose)
