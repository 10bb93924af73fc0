"""A SQL script with its rows inserted in another order. Certified by running both; free only where the task says so."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import MOST_BYTES, Spliced
from fairtrial.attack.artifacts.reading.database import MAGIC, opened
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="statements_reordered",
    family="equivalent",
    surface="workspace",
    submits="the reference's SQL script with neighbouring INSERTs, UPDATEs or DELETEs in reverse order",
    sound="passes it, where the order is free",
    proof="proof.toml lists `statement_order` under `free`, and both scripts leave the same rows; else a lead",
    classes=("BGW-120",),
)
FREE = Freeness(freedom="statement_order", form="the order of statements", asked=lambda one: one.demands.order)
_CHANGES = re.compile(r"\s*(insert|update|delete)\b", re.I)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's script with statements in another order."""
    starts = [b"", *(path.read_bytes() for path in sorted(target.before.rglob("*"))
                     if path.is_file() and path.stat().st_size <= MOST_BYTES)]  # fmt: skip
    bases = [content for content in starts if not content or content.startswith(MAGIC)]
    yield from declared(target, FREE, lambda one, document: _rewritten(one, document, bases))


def _rewritten(one: Deliverable, document: Spliced, bases: list[bytes]) -> Iterator[Rewriting]:
    del one
    if document.form != "sql" or re.search(r"--|/\*", document.text):
        return
    made = _reordered(document.text)
    ran = [(_left(base, document.text), _left(base, made)) for base in bases]
    if made != document.text and any(first is not None and first == second for first, second in ran):
        yield Rewriting("reversed", document.encoded(made), "neighbouring statements reversed")


def _reordered(text: str) -> str:
    """Return the script with each run of changes of one kind reversed.

    >>> _reordered("insert into a values(1);\\ninsert into a values(2);\\n")
    'insert into a values(2);\\ninsert into a values(1);\\n'
    """
    runs: list[tuple[str, list[str]]] = []
    for statement in _statements(text):
        found = _CHANGES.match(statement)
        kind = found[1].casefold() if found else ""
        if runs and kind and runs[-1][0] == kind:
            runs[-1][1].append(statement)
        else:
            runs.append((kind, [statement]))
    return "".join(statement for kind, run in runs for statement in (run[::-1] if kind else run))


def _statements(text: str) -> Iterator[str]:
    """Yield statements with their semicolon and the white space behind it."""
    start = 0
    for found in re.finditer(r";\s*", text):
        if sqlite3.complete_statement(text[start : found.end()]):
            yield text[start : found.end()]
            start = found.end()
    if text[start:].strip():
        yield text[start:]


def _left(base: bytes, script: str) -> list[str] | None:
    """Return what a script leaves in a copy of a database, in no order; None where it cannot run or takes too long."""
    try:
        with closing(opened(base)) as connection:
            connection.set_authorizer(_within)
            connection.executescript(script)
            connection.set_authorizer(None)
            return sorted(connection.iterdump())
    except sqlite3.Error:
        return None


def _within(action: int, *about: str | None) -> int:
    """Forbid a script of somebody else's to reach outside its database."""
    forbidden = (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA)
    outside = action in forbidden or "load_extension" in about
    return sqlite3.SQLITE_DENY if outside else sqlite3.SQLITE_OK


PROBE = ArtifactProbe(card=CARD, propose=propose)
