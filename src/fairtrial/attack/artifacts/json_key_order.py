"""JSON objects with their keys in another order: reversed and sorted. Certified by reading it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.reading.json_text import Node, scan
from fairtrial.attack.artifacts.rewriting import Rewriting, json_values, proposed, texts
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="json_key_order",
    family="equivalent",
    surface="workspace",
    submits="the reference's JSON with the keys of its objects reversed, or sorted",
    sound="passes it",
    proof="it reads the same; a lead where the instruction speaks of an order",
    classes=("BGW-120",),
)
Member = tuple[str, int, Node]
ORDERS: dict[str, Callable[[list[Member]], list[Member]]] = {
    "reversed": lambda members: members[::-1],
    "sorted": lambda members: sorted(members, key=lambda member: member[0]),
}


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's JSON with keys in other orders."""
    for one in texts(target):
        document = one.document
        if not isinstance(document, Spliced) or document.form not in ("json", "jsonl") or one.demands.layout:
            continue
        for name, order in ORDERS.items():
            content = document.encoded(_reordered(document, order))
            same = json_values(document, content.decode(document.encoding), ordered=False)
            if same == json_values(document, document.text, ordered=False) and content != one.content:
                why = ("A lead only: the instruction speaks of an order." if one.demands.order
                       else "The order of keys means nothing in JSON.")  # fmt: skip
                rewriting = Rewriting(name, content, f"its keys {name}")
                yield proposed(one, rewriting, why, is_proof=not one.demands.order)


def _reordered(document: Spliced, order: Callable[[list[Member]], list[Member]]) -> str:
    text = document.text
    if document.form == "jsonl":
        return "".join(_line(line, order) for line in text.splitlines(keepends=True))
    return _line(text, order)


def _line(text: str, order: Callable[[list[Member]], list[Member]]) -> str:
    if not text.strip():
        return text
    root = scan(text)
    return text[: root.start] + _written(text, root, order) + text[root.end :]


def _written(text: str, node: Node, order: Callable[[list[Member]], list[Member]]) -> str:
    """Return a value with the members of its objects in another order; what stands between two members stays."""
    if not node.members:
        return text[node.start : node.end]
    members = list(node.members)
    chosen = order(members) if node.kind == "object" else members
    pieces = [text[node.start : members[0][1]]]
    for place, (_, start, value) in enumerate(chosen):
        if place:
            pieces.append(text[members[place - 1][2].end : members[place][1]])
        pieces += [text[start : value.start], _written(text, value, order)]
    return "".join([*pieces, text[members[-1][2].end : node.end]])


PROBE = ArtifactProbe(card=CARD, propose=propose)
