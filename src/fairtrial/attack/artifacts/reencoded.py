"""The same text with a byte order mark, or JSON with escapes beyond ASCII. Free only where the task says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared, json_values
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="reencoded",
    family="equivalent",
    surface="workspace",
    submits="the reference's text with a UTF-8 byte order mark; its JSON with characters beyond ASCII escaped, or not",
    sound="passes it, where the encoding is free",
    proof="proof.toml lists `encoding` under `free`; else a lead, if the instruction says nothing of it",
    classes=("BGW-120",),
)
_ASKED = re.compile(r"\b(utf-?8|encod\w+|ascii|byte|bytes|bom)\b", re.I)
FREE = Freeness(freedom="encoding", form="the encoding", asked=lambda one: bool(_ASKED.search(one.demands.text)))


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's text in other encodings."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    if document.form in ("json", "jsonl"):
        content = _escaped(document)
        same = json_values(document, content.decode("utf-8-sig"), ordered=True)
        if same == json_values(document, document.text, ordered=True) and content != one.content:
            yield Rewriting("escaped", content, "characters beyond ASCII escaped")
    elif document.encoding == "utf-8":
        yield Rewriting("mark", b"\xef\xbb\xbf" + one.content, "a byte order mark")


def _escaped(document: Spliced) -> bytes:
    """Return JSON with an escape for each character beyond ASCII."""
    text = re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], document.text.lstrip("\ufeff"))
    return text.encode("ascii", errors="replace")


PROBE = ArtifactProbe(card=CARD, propose=propose)
