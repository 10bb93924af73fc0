"""JSON with other white space: compact, spaced, indented, with and without a final newline. Certified by reading it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Rewriting, json_values, proposed, texts
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="json_laid_out",
    family="equivalent",
    surface="workspace",
    submits="the reference's JSON with other white space: compact, spaced, indented, another end of file",
    sound="passes it",
    proof="it reads the same value by value; not handed in where the instruction speaks of white space or bytes",
    classes=("BGW-120",),
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's JSON in other layouts."""
    for one in texts(target):
        document = one.document
        if isinstance(document, Spliced) and document.form in ("json", "jsonl") and not one.demands.layout:
            for rewriting in _layouts(document):
                same = json_values(document, rewriting.content.decode(document.encoding), ordered=True)
                if same == json_values(document, document.text, ordered=True) and rewriting.content != one.content:
                    yield proposed(one, rewriting, "White space means nothing in JSON.", is_proof=True)


def _layouts(document: Spliced) -> Iterator[Rewriting]:
    text = document.text.strip("\ufeff \t\r\n")
    if document.form == "jsonl":
        lines = [line for line in text.splitlines() if line.strip()]
        for name, joint in (("compact", ""), ("spaced", " ")):
            made = "\n".join(joint.join(_TOKEN.findall(line)) for line in lines) + "\n"
            yield Rewriting(name, document.encoded(made), f"{name} lines")
        return
    yield Rewriting("compact", document.encoded("".join(_TOKEN.findall(text))), "no white space")
    yield Rewriting("spaced", document.encoded(" ".join(_TOKEN.findall(text)) + "\n"), "a space around every mark")
    yield Rewriting("indented", document.encoded(indented(text) + "\n"), "every value on a line of its own")
    yield Rewriting("final-newline", document.encoded(text + "\n"), "one newline at its end")
    yield Rewriting("no-final-newline", document.encoded(text), "no newline at its end")


def indented(text: str) -> str:
    r"""Return JSON with every member on a line of its own.

    >>> indented('{"a":[1,{}]}')
    '{\n  "a": [\n    1,\n    {}\n  ]\n}'
    """
    made, level = "", 0
    tokens = _TOKEN.findall(text)
    for index, token in enumerate(tokens):
        opened = index > 0 and tokens[index - 1] in ("{", "[")
        if token in ("}", "]"):
            level -= 1
            made += token if opened else "\n" + "  " * level + token
            continue
        if opened:
            made += "\n" + "  " * level
        made += {",": ",\n" + "  " * level, ":": ": "}.get(token, token)
        level += token in ("{", "[")
    return made


PROBE = ArtifactProbe(card=CARD, propose=propose)
