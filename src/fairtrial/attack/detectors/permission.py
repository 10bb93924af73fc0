"""What an instruction lets an agent look at: files by their path, and sources outside by what they are.

Read piece by piece between commas and full stops: a piece with its own negation forbids, one with its own leave allows,
one with neither goes on with what the piece before it said. A pronoun stands for the paths named last. Finer than
`terms`, which is about changing things too, and only about looking. Not covered: other languages than English.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from fairtrial.attack.detectors.roles import within

Stance = Literal["forbids", "allows", ""]

MOST_TEXT = 60_000
MOST_SENTENCES = 1_000
MOST_SENTENCE = 800
MOST_PIECES = 40
_SENTENCES = re.compile(r"(?<=[.;:!?])\s+|\n+")
_PIECES = re.compile(r",\s+(?:but\s+|and\s+)?|\s+(?:but|although|whereas|however)\s+|\s+\(|\)\s*")
_PATH = re.compile(
    r"`([^`\s]+)`|((?:~|\.{1,2})?/?(?:[\w.@+*-]+/)+[\w.@+*-]*|/[\w.@+-]{2,}|\b[\w-]+\.[A-Za-z]\w{0,7}\b)"
)
_PRONOUN = re.compile(r"\b(?:it|they|them|those|these|there)\b|^(?:which|both|either)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"(?:whose|which|that|who|it|its|they|their|these|those|both)\b", re.IGNORECASE)
_LOOK = (
    r"(?:read|open|look|inspect|view|consult|peek|cop(?:y|ied)|us(?:e|ed|ing)|see|access|search|train|tak(?:e|en|ing)|"
    r"unpack|extract|decompress|mount|fetch|download|quer(?:y|ied)|quot|cite|cherry-pick|come from|come out)"
)
_SHUT = (
    r"\b(?:not (?:\w+ )?for (?:you|use|reading|agents?|training)|off[- ]limits|out of bounds|forbidden|prohibited|"
    r"disallowed|"
    r"closed|withheld|confidential|kept from|hidden from|stay out|keep out|hands off|hands out|embargo(?:ed)?|sealed|"
    r"(?:not|never) (?:be )?(?:an?|the|your|any) (?:source|basis|input|reference|template|starting point|shortcut)|"
    r"not (?:meant|intended|available|open|yours) (?:for|to)\b|"
    r"serves? (?:only|solely|just) (?:to|for|as)|"
    r"for (?:the )?(?!read|look|info|refer)[a-z][\w -]{2,30} only|"
    r"only for (?:the )?(?:measur|evaluat|scor|grad|test|compar|validat|assess|audit|review)\w*)\b"
)
_NOT = (
    r"\b(?:not|never|nor|neither|without|instead of|rather than|cannot|avoid|refrain from|nobody|no one)\b|"
    r"n['\u2019]t\b"
)
_NO_LOOK = re.compile(rf"(?:{_NOT})(?=.*\b{_LOOK})|{_SHUT}", re.IGNORECASE)
_NO = re.compile(
    rf"(?:{_NOT})(?=.*\b{_LOOK})|{_SHUT}|\bno\b|\bnor\b|\b(?:is|are) (?:not|out)\W*$|\bnot need\b|"
    r"\bfor the [\w -]{2,30} only\b",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"\b(?:that|which) (?:you|agents?) (?:do not|don['\u2019]t|cannot|can['\u2019]t|"
    r"will not) (?:get to )?see\b",
    re.IGNORECASE,
)
"""Says of other tests that they are hidden; forbids nothing."""
_LEFT_ALONE = re.compile(r"\b(?:leave|keep|let)\b.*?\b(?:alone|closed|shut|in peace|unread)\b", re.IGNORECASE)
_YOURS = re.compile(r"\byour own\b", re.IGNORECASE)
"""Leave for what is one's own is none for others' of the kind."""
_OWN_ONLY = re.compile(r"\b(?:only|nothing but|alone|solely|exclusively|your own)\b", re.IGNORECASE)
_LEAVE = re.compile(
    r"\b(?:may|can|could|free to|welcome to|fine|allowed|permitted|okay|yours to|public|open to you|please)\b|"
    r"\breachable\b|"
    rf"^(?:please\s+)?{_LOOK}\b|\bsee\b|\bread-only\b|\b(?:there is|you have|has)\b[^.]*\baccess\b",
    re.IGNORECASE,
)
_VERBED = re.compile(
    r"\b(?:is|are|was|were|may|can|must|should|will|do|does|has|have|holds?|needs?|gives?|runs?|make|write|fix|fill|"
    r"keep)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    text: str
    stance: Stance
    paths: tuple[str, ...]
    """Whose reading the stance is about."""
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Permission:
    """What one instruction says of looking."""

    pieces: tuple[_Piece, ...]

    @classmethod
    def read(cls, text: str) -> Permission:
        """Read an instruction.

        >>> said = Permission.read("Read /a/spec.md. Figures are under /a/audit; they are not for you to open.")
        >>> said.of_path("/a/audit/2024.csv"), said.of_path("spec.md"), said.of_path("/a/b.py")
        ('forbids', 'allows', '')
        """
        return _read(text[:MOST_TEXT])

    def of_path(self, path: str) -> Stance:
        """Return what is said of looking at a file: the narrowest statement, and of several the one that forbids."""
        said = [(len(thing), one.stance) for one in self.pieces if one.stance for thing in one.paths
                if _lies_in(path, thing)]  # fmt: skip
        if not said:
            return ""
        narrowest = max(length for length, _ in said)
        stances = {stance for length, stance in said if length == narrowest}
        return "forbids" if "forbids" in stances else "allows"

    def of(self, kind: re.Pattern[str]) -> Stance:
        """Return what is said of a kind of thing; of several statements the one that forbids.

        >>> said = Permission.read("The history is fine to read, cherry-picking from other branches is not.")
        >>> said.of(re.compile("history")), said.of(re.compile("branches")), said.of(re.compile("model"))
        ('allows', 'forbids', '')
        """
        about = [one for one in self.pieces if one.stance and kind.search(one.text)]
        stances = {one.stance for one in about if one.stance == "forbids" or not _YOURS.search(one.text)}
        return "forbids" if "forbids" in stances else "allows" if stances else ""

    def names(self, path: str) -> bool:
        """Say whether the instruction names the path, or what it lies in."""
        return any(within(path, thing.rstrip("*")) for one in self.pieces for thing in one.named)


@functools.lru_cache(maxsize=256)
def _read(text: str) -> Permission:
    return Permission(tuple(_pieces(text)))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each cut to what a person writes: patterns must not take long on any text.

    >>> sentences("Read a.py. Leave b.py alone!"), [len(one) for one in sentences("not " * 900)]
    (['Read a.py.', 'Leave b.py alone!'], [800])
    """
    return [one[:MOST_SENTENCE] for one in _SENTENCES.split(text[:MOST_TEXT])][:MOST_SENTENCES]


def _pieces(text: str) -> Iterator[_Piece]:
    paths: tuple[str, ...] = ()
    before = ""
    for sentence in sentences(text):
        sentence = _UNSEEN.sub("", sentence)
        stance: Stance = ""
        left_alone = bool(_LEFT_ALONE.search(sentence))
        for piece in _PIECES.split(sentence)[:MOST_PIECES]:
            own = tuple(dict.fromkeys((a or b).rstrip(".,;:") for a, b in _PATH.findall(piece)))
            about = own or (paths if _PRONOUN.search(piece) else ())
            paths = own or paths
            stance = "forbids" if left_alone else _stance(piece, stance)
            is_about = stance == "allows" or left_alone or bool(_NO_LOOK.search(piece))
            subject = f"{before}, {piece}" if _RELATIVE.match(piece) or _PRONOUN.search(piece) else piece
            yield _Piece(text=subject, stance=stance, paths=about if is_about else (), named=own)
            before = piece


def _stance(piece: str, before: Stance) -> Stance:
    if _NO.search(piece):
        return "forbids"
    if _LEAVE.search(piece):
        return "allows"
    return "" if _VERBED.search(piece) else before


def _lies_in(path: str, thing: str) -> bool:
    """Say whether a path lies in what the instruction names; a pattern does where it would be found by it.

    >>> _lies_in("kept/a.csv", "kept/"), _lies_in("k*t/*", "kept/"), _lies_in("*.py", "kept/")
    (True, True, False)
    """
    if within(path, thing.rstrip("*")):
        return True
    parts, wanted = path.strip("/").split("/"), thing.strip("/").split("/")
    patterned = any("*" in part and part.strip("*") for part in parts[: len(wanted)])
    return patterned and all(fnmatchcase(want, part) for want, part in zip(wanted, parts, strict=False))


def only_own(text: str) -> bool:
    """Say whether a text confines the agent to what it was given, or to its own work.

    >>> only_own("Use only the files here."), only_own("Fix a.py.")
    (True, False)
    """
    return any(_OWN_ONLY.search(one) and re.search(rf"\b{_LOOK}|\bwork\b|\bsource", one, re.IGNORECASE)
               for one in sentences(text))  # fmt: skip
