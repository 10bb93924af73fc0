"""What a running server serves: one ledger, to the readers it was started for, each with a token of their own."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from fairtrial.ledger import Ledger
from fairtrial.records import InputError

Role = Literal["owner", "reviewer", "adjudicator"]
"""An owner sees everything and reviews nothing; a reviewer sees only what is blind until the sample is closed; an
adjudicator sees what two reviewers disagree on, with their reviews, and no verdict."""

TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Somebody who may look, and as what."""

    name: str
    role: Role
    token: str = field(repr=False, default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    csrf: str = field(repr=False, default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    """Sent back in the header `X-Fairtrial` by everything that changes something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One server: who may come in, by which names, to which ledger."""

    ledger: Ledger
    readers: tuple[Reader, ...]
    hosts: frozenset[str]
    """Values of the Host header that are answered, ports included: `127.0.0.1:8321`, `localhost:8321`."""
    sample: str = ""
    """Id of the sample under review; empty: the last one of the ledger."""

    def reader_of(self, token: str) -> Reader | None:
        """Return whose token it is, comparing in constant time; None for nobody's."""
        return reader_with(token, self.readers)


def reader_with(token: str, readers: Iterable[Reader]) -> Reader | None:
    """Return whose token it is, comparing in constant time; None for nobody's."""
    found = None
    for reader in readers:
        if secrets.compare_digest(reader.token.encode(), token.encode()):
            found = reader
    return found


def readers_named(
    owner: str = "owner", reviewers: Iterable[str] = (), adjudicators: Iterable[str] = ()
) -> tuple[Reader, ...]:
    """Return readers with fresh tokens. Raise InputError where a name is empty or given twice."""
    made = [Reader(name=owner, role="owner")]
    made += [Reader(name=name, role="reviewer") for name in reviewers]
    made += [Reader(name=name, role="adjudicator") for name in adjudicators]
    names = [reader.name.strip() for reader in made]
    if not all(names):
        raise InputError("a reader has no name", field="--reviewer")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"`{twice[0]}` is named twice", field="--reviewer", hint="One name, one token, one role.")
    return tuple(made)
