"""One value in place of every answer: 0, -1, 1, `n/a`, `x`, NaN, Infinity, or an empty container.

NaN compares false with everything, so `abs(have - want) > tolerance` never fires on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import NUMBER
from fairtrial.attack.artifacts.origins import normal
from fairtrial.attack.artifacts.scopes import Scope, scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="hollow_constant",
    family="mutant",
    surface="workspace",
    submits="the reference's fields with the same value in place of every answer: NaN, 0, -1, 1, infinity, n/a, []",
    sound="fails it",
    proof="the instruction asks for the file by name, and for a field that is replaced; else a lead",
    classes=("BGW-101", "BGW-119", "BGW-126", "BGW-134", "TRACE-4"),
)
NUMBERS = ("NaN", "0", "-1", "1", "Infinity", "-Infinity")
TEXTS = ("n/a", "x")
CONTAINERS = ("[]", "{}")
FEWEST_REPLACED = 0.5
"""Share of the answers that must be another value before a constant is no answer."""


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables of constants, numbers apart from texts."""
    for scope in scopes(target, "all", "answers"):
        for constant in (*NUMBERS, *TEXTS, *CONTAINERS):
            if not _mostly_other(scope, constant):
                continue
            proposal = scope.replaced(
                constant, f"`{constant}`", lambda one, leaf, constant=constant: _constant(one, leaf, constant)  # type: ignore[misc]
            )  # fmt: skip
            if proposal is not None:
                yield proposal


def _constant(one: Deliverable, leaf: Leaf, constant: str) -> Put | None:
    """Return the constant as the leaf's format writes it; None where it has no such value."""
    form = one.document.form if one.document is not None else "text"
    is_number = bool(NUMBER.fullmatch(leaf.text))
    if constant in CONTAINERS:
        return Put(constant, "raw") if form in ("json", "jsonl") else None
    if constant in TEXTS:
        return Put(constant, "text")
    if not is_number:
        return None
    if leaf.kind == "number" and form in ("json", "jsonl"):
        return Put(constant, "raw")
    if form == "sqlite" and "Inf" in constant:
        return Put(constant.replace("Infinity", "inf"), "number" if leaf.kind == "number" else "text")
    return Put(constant, "text" if constant == "NaN" else leaf.kind)


def _mostly_other(scope: Scope, constant: str) -> bool:
    texts = [one.leaves[index].text for one, chosen in scope.parts for index in chosen]
    if constant in NUMBERS:
        texts = [text for text in texts if NUMBER.fullmatch(text)]
    other = sum(_is_other(text, constant) for text in texts)
    return other > 0 and other >= FEWEST_REPLACED * len(texts)


def _is_other(text: str, constant: str) -> bool:
    """Say whether the constant is another value than `text`, further off than a tolerance goes.

    >>> _is_other("0.0004", "0"), _is_other("3", "1"), _is_other("x", "NaN")
    (False, True, True)
    """
    if not NUMBER.fullmatch(text) or constant not in ("0", "1", "-1"):
        return normal(text) != normal(constant)
    want, have = float(text), float(constant)
    return abs(want - have) > max(0.2 * abs(want), 0.01)


PROBE = ArtifactProbe(card=CARD, propose=propose)
