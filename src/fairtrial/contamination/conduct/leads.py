"""What a screening of conduct comes to: leads with their place and quote, what was read, what could not be.

A lead says what was seen and how sure that is; nothing is accused on it. What holds: no call, no attempt and no
program that would call is in sight, and all of what was given could be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Certainty = Literal[
    "call", "attempt", "written", "unnamed", "unresolved", "incidental", "harmless", "mention"
]  # fmt: skip
CERTAINTIES: dict[str, str] = {
    "call": "it was run, and nothing shows that it failed",
    "attempt": "it was run, and what came back says that it was refused, unreachable or not there",
    "written": "a program that would do it was left; nothing shows that it was run",
    "unnamed": "it was run against a host that the rules neither name nor allow",
    "unresolved": "it was run, and the host is not in sight",
    "incidental": "it stands in what came back of something else, and was not opened",
    "harmless": "it was run, and what came back holds nothing of the kind",
    "mention": "it is only named: in words, a comment, an import, a setting",
}
"""Certainty -> what it says, surest first."""
BREAKING = frozenset({"call", "attempt", "written"})
OPEN = frozenset({"unnamed", "unresolved"})
MOST_QUOTE = 200
MOST_LEADS = 500
"""Leads that one result keeps; more are counted."""
_ORDER = {name: number for number, name in enumerate(CERTAINTIES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """One thing that was seen."""

    kind: str
    """What it is: `model_api`, `credential_read`, `key`; `repository`, `leaderboard`, `traces`, `name`."""
    certainty: Certainty
    path: str
    """The file."""
    claim: str
    """What was seen, in one sentence."""
    quote: str
    """The words it rests on, keys masked, cut to 200 characters."""
    host: str = ""
    """The host that was asked, or the name that was looked up."""
    step: int | None = None
    """Of a trajectory, from 1."""
    line: int | None = None
    """Of another file, from 1."""
    place: str = ""
    """Of a trajectory, as a citation names it: `step 7 call 1`."""
    times: int = 1
    """How often the same was seen in the file; the place is the first."""

    def row(self) -> dict[str, Any]:
        """Return it as a document holds it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file, or a part of one, that could not be read; it was not screened, which is not clean."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leads:
    """What one screening of conduct found."""

    findings: tuple[Lead, ...] = ()
    """Surest first."""
    read: tuple[str, ...] = ()
    unreadable: tuple[UnreadFile, ...] = ()
    not_measured: tuple[str, ...] = ()
    """Why a part says nothing."""
    left_out: int = 0
    """Files of folders that no rule reads: data, pictures, weights, installed packages."""
    subject_hash: str = ""
    """Content address of what was read."""

    @property
    def holds(self) -> bool | None:
        """Say whether nothing was found; None where a part could not be measured and nothing was found in the rest.

        >>> Leads(read=("a.json",)).holds, Leads().holds
        (True, None)
        """
        if any(one.certainty in BREAKING for one in self.findings):
            return False
        if self.unreadable or self.not_measured or not self.read:
            return None
        return True

    def count(self, *certainties: str) -> int:
        """Return how many leads have one of these certainties."""
        return sum(one.certainty in certainties for one in self.findings)


def gathered(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """Return leads surest first; the same thing seen again in a file counts up the first.

    What is sure of a host or a name takes the place of a mention of it in the same file.
    """
    held: dict[tuple[object, ...], Lead] = {}
    for one in leads:
        where = (one.step, one.line) if one.certainty in BREAKING else ()
        key = (one.path, one.kind, one.certainty, one.host, *where)
        before = held.get(key)
        held[key] = one if before is None else replace(before, times=before.times + one.times)
    sure = {(one.path, one.kind, one.host) for one in held.values() if one.certainty in BREAKING}
    kept = [one for one in held.values() if one.certainty != "mention" or (one.path, one.kind, one.host) not in sure]
    return tuple(sorted(kept, key=_rank))


def _rank(lead: Lead) -> tuple[int, str, int, str, str]:
    return _ORDER[lead.certainty], lead.path, lead.step or lead.line or 0, lead.kind, lead.quote


def questions(leads: Sequence[Lead]) -> tuple[str, ...]:
    """Return why some leads leave open whether anything was found, each reason once."""
    hosts = sorted({one.host for one in leads if one.certainty == "unnamed"})
    found = [f"a model was asked at {host}, which the rules neither name nor allow" for host in hosts]
    if computed := sum(one.certainty == "unresolved" for one in leads):
        found.append(f"the host of {computed} calls of models is not in sight")
    return tuple(found)
