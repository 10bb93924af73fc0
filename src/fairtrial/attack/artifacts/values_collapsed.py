"""Different answers made equal: cut to a start (or an end) so short that two right values coincide, or to one letter.

What compares starts, substrings or initials passes it. Two rows whose right answers differ now have one answer, so at
least one of them is wrong by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import NUMBER, is_prose
from fairtrial.attack.artifacts.scopes import Scope, as_choice, scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="values_collapsed",
    family="mutant",
    surface="workspace",
    submits="texts cut to a start or end that they share with another answer, to one letter, or columns of one value",
    sound="fails it",
    proof="two right answers differ and are handed in as one, in a field that the instruction asks for; else a lead",
    classes=("BGW-107", "BGW-119", "BGW-123"),
)
WHY = "Right answers that differ are one and the same here, so at least one of them is wrong."
Cut = Callable[[str, Sequence[str]], str]
"""From a value and all values of its column to what is handed in for it."""


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables in which answers coincide."""
    for name, (words, cut) in CUTS.items():
        for scope in scopes(target, "answers", "column"):
            proposal = _collapsed(scope, name, words, cut)
            if proposal is not None:
                yield proposal


def shared(text: str, others: Sequence[str]) -> str:
    """Return the longest start of `text` that another of `others` has too, shorter than `text` itself.

    >>> shared("SOUTH-HUB", ["SOUTH-HUB", "SOUTH-COAST", "NORTH"])
    'SOUTH-'
    """
    starts = [_start(text, other) for other in set(others) if other != text]
    proper = [start for start in starts if len(start) < len(text)]
    return max(proper, key=len, default="") or (text if text in starts else "")


def _start(text: str, other: str) -> str:
    same = 0
    while same < min(len(text), len(other)) and text[same] == other[same]:
        same += 1
    return text[:same]


def _shared_end(text: str, others: Sequence[str]) -> str:
    return shared(text[::-1], [other[::-1] for other in others])[::-1]


def _letter(at: int, text: str, others: Sequence[str]) -> str:
    del others
    return text[at:][:1]


def _one_of_them(at: int, text: str, others: Sequence[str]) -> str:
    del text
    return others[at]


def _commonest(text: str, others: Sequence[str]) -> str:
    del text
    return max(others, key=others.count)


CUTS: dict[str, tuple[str, Cut]] = {
    "shared-start": ("cut to the longest start that another one shares", shared),
    "shared-end": ("cut to the longest end that another one shares", _shared_end),
    "first-letter": ("cut to the first letter", partial(_letter, 0)),
    "last-letter": ("cut to the last letter", partial(_letter, -1)),
    "one-value": ("set to the first of them", partial(_one_of_them, 0)),
    "one-value-last": ("set to the last of them", partial(_one_of_them, -1)),
    "common-value": ("set to the most frequent one", _commonest),
}


def _collapsed(scope: Scope, name: str, words: str, cut: Cut) -> Proposal | None:
    columns: dict[tuple[str, str], list[str]] = {}
    for one, chosen in scope.parts:
        for index in chosen:
            leaf = one.leaves[index]
            columns.setdefault((one.inside, leaf.group), []).append(leaf.text)
    whole_values = name.startswith(("one-value", "common-value"))

    def value(one: Deliverable, leaf: Leaf) -> Put | None:
        others = columns[one.inside, leaf.group]
        made = cut(leaf.text, others)
        is_text = leaf.kind == "text" and (whole_values or not NUMBER.fullmatch(leaf.text))
        if is_prose(leaf.text) or not (is_text or (whole_values and leaf.kind == "number")):
            return None
        return Put(made, leaf.kind) if _coincide(cut, others) else None

    proposal = scope.replaced(name, words, value, WHY)
    if proposal is None or _most_change(scope, value):
        return as_choice(proposal, scope) if whole_values else proposal
    why = "A lead only: most of the answers stay right, and a grader may look at a part of them."
    return replace(proposal, severity="lead", why=why)


def _most_change(scope: Scope, value: Callable[[Deliverable, Leaf], Put | None]) -> bool:
    leaves = [(one, one.leaves[index]) for one, chosen in scope.parts for index in chosen]
    made = [(leaf, value(one, leaf)) for one, leaf in leaves]
    touched = [(leaf, put) for leaf, put in made if put is not None]
    return 2 * sum(put.text != leaf.text for leaf, put in touched) > len(touched)


def _coincide(cut: Cut, values: Sequence[str]) -> bool:
    """Say whether two values that differ are one after the cut."""
    return len(set(values)) > len({cut(value, values) for value in values})


PROBE = ArtifactProbe(card=CARD, propose=propose)
