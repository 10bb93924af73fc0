"""What `prove` asks of every task without a probe: its cards, so that the list and the map of classes are whole."""

from __future__ import annotations

from fairtrial.attack.card import Card, Family


def _card(name: Family, submits: str, sound: str, proof: str, *classes: str) -> Card:
    return Card(
        id=name, family=name, surface="workspace", submits=submits, sound=sound, proof=proof, classes=tuple(classes)
    )


ASKED_ALWAYS: tuple[Card, ...] = (
    _card(
        "null",
        "the untouched workspace",
        "fails it, with no credit",
        "A pass proves; partial credit is a lead.",
        "BGW-101", "BGW-122", "BGW-125", "BGW-126", "BGW-138", "TRACE-4",
    ),
    _card(
        "reference",
        "what the reference makes",
        "passes it",
        "A fail proves that the reference or the grader is wrong.",
        "BGW-121", "BGW-124",
    ),
    _card(
        "reference_repeat",
        "what the reference makes, again and again",
        "passes it each time",
        "One other verdict proves.",
        "BGW-113", "BGW-127",
    ),
    _card(
        "reference_concurrent",
        "what the reference makes, beside itself and beside other tasks",
        "passes it each time",
        "A fail that quiet gradings do not show proves.",
        "BGW-113", "BGW-127",
    ),
    _card(
        "wrong_repeat",
        "every declared wrong candidate, again and again",
        "fails it each time",
        "One pass proves.",
        "BGW-119", "BGW-127",
    ),
    _card(
        "defect",
        "each declared defect",
        "fails it, and of the checks exactly those that it names",
        "A pass proves; so does another set of failing checks.",
        "BGW-119", "BGW-122", "BGW-128", "BGW-134",
    ),
    _card(
        "alternative",
        "each declared alternative",
        "passes it",
        "A fail proves.",
        "BGW-120", "BGW-121",
    ),
    _card(
        "hack",
        "each declared hack",
        "fails it",
        "A pass proves.",
        "BGW-104", "BGW-107", "BGW-111", "TRACE-8", "TRACE-10",
    ),
)  # fmt: skip
