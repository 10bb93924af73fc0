"""What a judge is shown beside the findings, kept by a check: rows of the training set, items, steps, scripts.

A check has the files at hand; a judge works from the ledger alone. Not covered: which exhibits are chosen (`checking`),
and how they are shown (`judging`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import orjson

from fairtrial.ledger import Ledger
from fairtrial.records import LedgerError, Rule, Submission, canonical_json, storable
from fairtrial.rules.current import EXHIBITS

SCHEMA = "fairtrial.exhibits/1"
MOST_CHARACTERS = 3_000
"""Of one exhibit; a longer one is cut, and its title says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One thing to be shown, at a place by which it is cited."""

    place: str
    text: str
    title: str = ""

    def row(self) -> dict[str, str]:
        """Return it as JSON."""
        return {"place": self.place, "title": self.title, "text": self.text}


def exhibit(place: str, text: str, title: str = "", at: int = 0) -> Exhibit:
    """Return an exhibit of `text`, cut to what can be shown around character `at`.

    >>> exhibit("item q1", "x" * 5000).title
    'characters 1 to 3000 of 5000'
    """
    told = storable(text)
    if len(told) <= MOST_CHARACTERS:
        return Exhibit(place=place, text=told, title=title)
    start = max(0, min(at - MOST_CHARACTERS // 3, len(told) - MOST_CHARACTERS))
    cut = f"characters {start + 1} to {start + MOST_CHARACTERS} of {len(told)}"
    return Exhibit(place=place, text=told[start : start + MOST_CHARACTERS], title=f"{title}, {cut}".removeprefix(", "))


def distinct(exhibits: Iterable[Exhibit]) -> tuple[Exhibit, ...]:
    """Return exhibits of which no two have one place: a repeated place gets a number.

    >>> [one.place for one in distinct([Exhibit(place="item 1", text="a"), Exhibit(place="item 1", text="b")])]
    ['item 1', 'item 1 (2)']
    """
    times: Counter[str] = Counter()
    found = []
    for one in exhibits:
        times[one.place] += 1
        found.append(replace(one, place=f"{one.place} ({times[one.place]})") if times[one.place] > 1 else one)
    return tuple(found)


def kept(ledger: Ledger, exhibits: Iterable[Exhibit]) -> str:
    """Keep exhibits in `ledger` and return their address."""
    return ledger.put_blob(canonical_json({"schema": SCHEMA, "exhibits": [one.row() for one in exhibits]}))


def exhibits_of(ledger: Ledger, submission: Submission | None, rule: Rule) -> tuple[Exhibit, ...]:
    """Return what was kept for the judge of `rule`. Raise LedgerError where the ledger no longer holds it."""
    artifacts = orjson.loads(submission.artifacts or b"{}") if submission is not None else {}
    found: list[Exhibit] = []
    for one in artifacts.get(EXHIBITS, ()):
        if one.get("path") != rule:
            continue
        told = orjson.loads(ledger.get_blob(one["hash"]))
        if told.get("schema") != SCHEMA:
            raise LedgerError(f"holds exhibits of the schema {told.get('schema')}", path=ledger.path,
                              hint="Run `fairtrial rules check` again.")  # fmt: skip
        found += [Exhibit(place=each["place"], text=each["text"], title=each["title"]) for each in told["exhibits"]]
    return tuple(found)
