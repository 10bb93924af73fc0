"""One value changed by one step: a digit, a sign, a unit, a day, a letter, a word of comparison, a flag.

Leads, unless the task declares an oracle: one value may lie within a tolerance, or be left to the solver. Drawn from
all values and all ways to change one, each way and each column by turns.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, chance_of, deliverables
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import ISO_DATE, NUMBER
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="one_value_changed",
    family="mutant",
    surface="workspace",
    submits="the reference's work with one value changed: a digit, sign, unit, day, letter, comparison or flag",
    sound="fails it, unless the value is free",
    proof="an oracle that the task declares rejects it; else a lead",
    classes=("BGW-119", "BGW-123", "BGW-134", "BGW-137"),
)
Change = Callable[[str, random.Random], str | None]
WHY = "A lead only: one value may be free, or within a tolerance."
_COMPARISONS = {
    "at least": "more than", "at most": "less than", "more than": "at least", "less than": "at most", "above": "below",
    "below": "above", "before": "after", "after": "before", ">=": ">", "<=": "<", "not": "always", "all": "some",
}  # fmt: skip


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work with one value changed."""
    sites = [
        (one, index, way)
        for one in deliverables(target)
        for index in one.answers
        for way in WAYS
    ]  # fmt: skip
    chance = chance_of(target, CARD.id)
    made = 0
    for one, index, way in _by_turns(sites, chance):
        leaf = one.leaves[index]
        put = _changed(leaf, way, chance)
        content = one.altered([index], lambda _, put=put: put) if put is not None else None  # type: ignore[misc]
        if content is None:
            continue
        made += 1
        place = re.sub(r"[\s,]+", "-", leaf.place)
        yield Proposal(name=f"{one.inside.lstrip('/')}:{place}:{way}", files={one.inside: content}, severity="lead",
                       what=f"{one.name} with {leaf.place} {WAYS[way][0]}", why=WHY)  # fmt: skip
        if made >= target.most:
            return


Site = tuple[Deliverable, int, str]


def _by_turns(sites: list[Site], chance: random.Random) -> Iterator[Site]:
    """Yield every site, the ways by turns, and within a way the columns by turns, each in seeded order."""
    piles: dict[str, dict[tuple[str, str], list[Site]]] = {way: {} for way in WAYS}
    for site in sites:
        one, index, way = site
        piles[way].setdefault((one.inside, one.leaves[index].group), []).append(site)
    queues = {way: _interleaved(list(columns.values()), chance) for way, columns in piles.items()}
    while any(queues.values()):
        for queue in queues.values():
            if queue:
                yield queue.pop(0)


def _interleaved(columns: list[list[Site]], chance: random.Random) -> list[Site]:
    for column in columns:
        chance.shuffle(column)
    longest = max((len(column) for column in columns), default=0)
    return [column[turn] for turn in range(longest) for column in columns if turn < len(column)]


def _changed(leaf: Leaf, way: str, chance: random.Random) -> Put | None:
    if leaf.kind == "bool":
        return Put("false" if leaf.text == "true" else "true", "bool") if way == "flag" else None
    if leaf.kind == "null" or not leaf.text:
        return None
    other = WAYS[way][1](leaf.text, chance)
    return Put(other, leaf.kind) if other is not None and other != leaf.text else None


def _digit(text: str, chance: random.Random) -> str | None:
    places = [place for place, mark in enumerate(text) if mark.isdigit()]
    if not places or ISO_DATE.fullmatch(text):
        return None
    place = chance.choice(places)
    return text[:place] + str((int(text[place]) + chance.randint(1, 8)) % 10) + text[place + 1 :]


def _sign(text: str, chance: random.Random) -> str | None:
    del chance
    if not NUMBER.fullmatch(text) or not float(text):
        return None
    return text[1:] if text[0] in "+-" else f"-{text}"


def _unit(text: str, chance: random.Random) -> str | None:
    """Return the number a hundred times as large, or a hundredth."""
    if not NUMBER.fullmatch(text) or not float(text):
        return None
    whole, _, decimals = text.partition(".")
    if not decimals:
        return f"{whole}00" if chance.random() < 0.5 or len(whole.lstrip("+-")) < 3 else whole[:-2]
    return f"{whole}{decimals[:2].ljust(2, '0')}" + (f".{decimals[2:]}" if decimals[2:] else "")


def _day(text: str, chance: random.Random) -> str | None:
    """Return a date a day, a month or a year away, or with day and month swapped."""
    if not ISO_DATE.fullmatch(text):
        return None
    try:
        day = date.fromisoformat(text)
        swapped = [f"{text[:4]}-{text[8:]}-{text[5:7]}"] if day.day <= 12 and day.day != day.month else []
        steps = [(day + timedelta(days=days)).isoformat() for days in (-1, 1, -31, 31, -365, 365)]
    except (ValueError, OverflowError):
        return None
    return chance.choice([*steps, *swapped])


def _letter(text: str, chance: random.Random) -> str | None:
    places = [place for place, mark in enumerate(text) if mark.isalpha()]
    if not places:
        return None
    place = chance.choice(places)
    letters = "bcdfghklmnprstvwz".replace(text[place].casefold(), "")
    letter = chance.choice(letters)
    return text[:place] + (letter.upper() if text[place].isupper() else letter) + text[place + 1 :]


def _cut(text: str, chance: random.Random) -> str | None:
    del chance
    return text[:-1] if len(text) > 1 and not NUMBER.fullmatch(text) and not ISO_DATE.fullmatch(text) else None


def _longer(text: str, chance: random.Random) -> str | None:
    return text + chance.choice("abcdefgh") if not NUMBER.fullmatch(text) and not ISO_DATE.fullmatch(text) else None


def _comparison(text: str, chance: random.Random) -> str | None:
    del chance
    for word, other in _COMPARISONS.items():
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.I)
        if found:
            return text[: found.start()] + other + text[found.end() :]
    return None


def _flag(text: str, chance: random.Random) -> str | None:
    del chance
    pairs = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
    return pairs.get(text.casefold())


WAYS: dict[str, tuple[str, Change]] = {
    "digit": ("off by a digit", _digit),
    "sign": ("with the other sign", _sign),
    "unit": ("in another unit", _unit),
    "day": ("on another day", _day),
    "letter": ("off by a letter", _letter),
    "cut": ("without its last letter", _cut),
    "longer": ("with one letter more", _longer),
    "comparison": ("with another comparison", _comparison),
    "flag": ("turned round", _flag),
}
PROBE = ArtifactProbe(card=CARD, propose=propose)
