"""What a judge is shown beside the findings, kept by a check: rows of the training set, items, steps, scripts.

A check has the files at hand; a judge works from the ledger alone. Not covered: which exhibits are chosen (`checking`),
and how they are shown (`judging`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import orjson

from fairtrial.ledger import Ledger
from fairtrial.records import LedgerError, Rule, Submission, canonical_json, storable
from fairtrial.rules.current import EXHIBITS

SCHEMA = "fairtrial.exhibits/1"
MOST_CHARACTERS = 3_000
"""Of one exhibit; a longer one is cut, and its mark says so."""
OVERVIEW = "overview"
"""Place of what says how much of the whole is shown; it stands first, so that there is room for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One thing to be shown, at a place by which it is cited."""

    place: str
    text: str
    title: str = ""
    begins: int = 0
    """Characters of the whole that come before a piece."""
    whole: int = 0
    """Length of the whole, where this is a piece of it."""

    def row(self) -> dict[str, Any]:
        """Return it as JSON."""
        piece = {"begins": self.begins, "whole": self.whole} if self.whole else {}
        return {"place": self.place, "title": self.title, "text": self.text} | piece


def exhibit(place: str, text: str, title: str = "", at: int = 0) -> Exhibit:
    """Return an exhibit of `text`, cut to what can be shown around character `at`.

    >>> cut = exhibit("item q1", "x" * 5000)
    >>> len(cut.text), cut.begins, cut.whole
    (3000, 0, 5000)
    """
    told = storable(text)
    if len(told) <= MOST_CHARACTERS:
        return Exhibit(place=place, text=told, title=title)
    start = max(0, min(at - MOST_CHARACTERS // 3, len(told) - MOST_CHARACTERS))
    text = told[start : start + MOST_CHARACTERS]
    return Exhibit(place=place, text=text, title=title, begins=start, whole=len(told))


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
        found += [Exhibit(**each) for each in told["exhibits"]]
    return tuple(found)
