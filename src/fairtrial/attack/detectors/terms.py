"""The terms of a task: what its instruction forbids, allows and asks for, clause by clause.

English prose is read by its modal words; a pronoun stands for what the clause before it was about. What the text does
not say is open, neither allowed nor forbidden. Not covered: other languages, and terms that only follow by thought.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from fairtrial.attack.detectors.roles import within
from fairtrial.attack.detectors.terms_words import (
    ACTIVE,
    ALL_BUT,
    ALLOWS,
    ASKS,
    CHANGE,
    GRADES,
    NOUNS,
    ONLY,
    PASSIVE_CHANGE,
    PASSIVE_READ,
    READ,
    WHOLLY,
)

Stance = Literal["forbids", "allows", "asks", "grades", "states"]
Deed = Literal["change", "read", "use"]

MOST_TEXT = 100_000
"""Characters of an instruction that are read."""
MOST_OF_A_CLAUSE = 1_000
MOST_OF_AN_ITEM = 5
"""Words of an item of a list; what is longer says something of its own."""
_CLAUSES = re.compile(
    r"(?<=[.!?;:])\s+|\n+|,?\s+\b(?:but|however|although|whereas)\b\s+|\s+and\s+(?=(?:please |also )?(?:do not|"
    r"don['\u2019]t|never|must not|may not|leave|keep|write|put|save|fix|report|add|make|tell|say|list|give|send|"
    r"update|produce|create|print|then)\b)|\s+[\u2014\u2013]\s+"
)
_PATH = re.compile(
    r"`([^`\s]{2,200})`|((?<![\w/.])\.[A-Za-z][\w.-]{2,}(?:/[\w.@+*-]+)*\b|(?:~|\.{1,2})?/?(?:[\w.@+*-]+/)+[\w.@+*-]*|/[\w.@+-]{2,}|"
    r"\b(?:[\w-]+\.){1,4}(?:py|sh|[cm]?[jt]s|tsx|jsx|c|h|cc|cpp|rs|go|java|rb|php|p[lm]|sql|jsonl?|ya?ml|toml|ini|"
    r"cfg|conf|csv|tsv|txt|md|rst|xlsx?|docx?|od[st]|tex|bib|sty|cls|R|Rmd|ipynb|parquet|feather|rds|dta|db|sqlite|"
    r"lock|"
    r"tf|tfvars|hcl|rego|html|s?css|vue|svelte|svg|png|xml|xsd|log|env|pdf|lua|kts?|swift|scala|exs?|hs|mli?|jl|proto|"
    r"bats|mk|cmake|gradle|properties|service|cs|fs|dart|zig|nim|cu|cuh|f90|f|m|v|sv|vhdl?|asm|ld|sol|geojson|fasta|"
    r"fastq|vcf|pdb|h5|npz?|pt|bin|dat|wav|tar|gz|zip|snap|golden|expected|po|ics|graphql|bzl|nix)\b|"
    r"\b(?:GNUm|M|m)akefile\b|\bDockerfile\b|\bJenkinsfile\b|\bGemfile\b|\bRakefile\b)"
)
_BUT = re.compile(r"\b(anything|everything|nothing|all|any file) but\b", re.IGNORECASE)
_AS_IS = re.compile(r"\bas (?:it is|they are|you found (?:it|them))\b", re.IGNORECASE)
_PRONOUN = re.compile(r"^which\b|\b(?:it|them|they|these|those|either|both|that folder|that file|(?:any|"
                      r"every)thing (?:it|they)|"
                      r"nothing (?:there|in it)|their (?:number|severity|values|contents?|text|"
                      r"wording))\b", re.IGNORECASE)  # fmt: skip
_MODAL = re.compile(r"(?:must|may|shall|should|can|never|does)", re.IGNORECASE)
"""Negations that have a subject before them."""
_JOINS = frozenset(
    {
        "and",
        "or",
        "but",
        "please",
        "also",
        "then",
        "so",
        "in",
        "particular",
        "however",
        "again",
        "note",
        "important",
        "rules",
    }
)
_OTHER_THAN = re.compile(
    r"\b(?:outside|except|other than|beyond|apart from|besides|unless|so that|because|since|before|after|when|"
    r"while|how|whether|"
    r"the (?:\w+ )?(?:names?|formats?|interfaces?|signatures?|API|outputs?|behaviou?r|meaning|order|columns|schema|"
    r"headers?|results?) of)\b",
    re.IGNORECASE,
)
"""What follows is not what a negated deed is done to."""
_COMMAS = re.compile(r",\s+(?:and\s+|or\s+)?")
_ENDS_IN_VERB = re.compile(rf"(?:{CHANGE.pattern}|{READ.pattern})\s*$", re.IGNORECASE)
_VERBAL = re.compile(
    rf"{ACTIVE.pattern}|{ALLOWS.pattern}|{ASKS.pattern}|{GRADES.pattern}|"
    r"\b(?:is|are|was|were|has|have|holds?|must|may|can|will|should|needs?|gives?|runs?|lives?|contains?|stays?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One statement of the instruction."""

    text: str
    stance: Stance
    deeds: frozenset[Deed]
    paths: tuple[str, ...] = ()
    nouns: frozenset[str] = frozenset()
    is_of_others: bool = False
    """It is about all files but those that it names."""

    def is_about(self, path: str) -> bool:
        """Say whether it names the path, or a folder or pattern that it lies in."""
        return any(within(path, thing.rstrip("*")) or ("*" in thing and _matches(path, thing)) for thing in self.paths)


def _matches(path: str, pattern: str) -> bool:
    """Say whether a path is one of a pattern: `models/**/schema.yml`, `**/*.snap`."""
    plain = pattern.replace("**/", "*").removeprefix("./")
    return fnmatchcase(path.removeprefix("./"), plain) or fnmatchcase(path, f"*/{plain}")


@dataclass(frozen=True, slots=True)
class Terms:
    """All statements of one instruction."""

    text: str = ""
    clauses: tuple[Clause, ...] = field(default=())

    @classmethod
    def read(cls, text: str) -> Terms:
        """Read an instruction.

        >>> terms = Terms.read("Fix a.py. You may read tests/, but do not change it. /check/run.sh grades the work.")
        >>> [(one.stance, one.paths) for one in terms.clauses]
        [('asks', ('a.py',)), ('allows', ('tests/',)), ('forbids', ('tests/',)), ('grades', ('/check/run.sh',))]
        """
        return _read_terms(text)

    def forbids(self, deed: Deed, path: str = "", noun: str = "") -> Clause | None:
        """Return the clause that forbids a deed to a path or to a kind of thing; None where none does."""
        return self._stated("forbids", deed, path, noun)

    def allows(self, deed: Deed, path: str = "", noun: str = "") -> Clause | None:
        """Return the clause that allows a deed, or asks for it; None where none does."""
        return self._stated("allows", deed, path, noun) or self._stated("asks", deed, path, noun)

    def asks(self, deed: Deed, path: str = "", noun: str = "") -> Clause | None:
        """Return the clause that asks for a deed."""
        return self._stated("asks", deed, path, noun)

    def grades(self, path: str) -> Clause | None:
        """Return the clause that says that a file grades the work."""
        return next((one for one in self.clauses if one.stance == "grades" and one.is_about(path)), None)

    def names(self, path: str) -> Clause | None:
        """Return the first clause that names a path."""
        return next((one for one in self.clauses if one.is_about(path)), None)

    def _stated(self, stance: Stance, deed: Deed, path: str, noun: str) -> Clause | None:
        for one in self.clauses:
            if one.stance == stance and deed in one.deeds and (
                (path and one.is_about(path) != one.is_of_others) or (noun and noun in one.nouns)
            ):  # fmt: skip
                return one
        return None


@functools.lru_cache(maxsize=64)
def _read_terms(text: str) -> Terms:
    return Terms(text, tuple(_clauses(text[:MOST_TEXT])))


def _clauses(text: str) -> Iterator[Clause]:
    before: tuple[tuple[str, ...], frozenset[str]] = ((), frozenset())
    for sentence in _CLAUSES.split(_BUT.sub(r"\1 except", text)):
        for piece in _pieces((sentence or "")[:MOST_OF_A_CLAUSE]):
            yield from _read(piece, before)
            if (own := _paths(piece)) or _nouns(piece):
                before = own, _nouns(piece)


def _pieces(sentence: str) -> Iterator[str]:
    """Yield the parts of a sentence between commas; one without a verb goes with its neighbour, as in a list."""
    held: list[str] = []
    for piece in _COMMAS.split(sentence):
        is_own = held and (_VERBAL.search(piece) or len(piece.split()) > MOST_OF_AN_ITEM)
        is_own = is_own and any(_VERBAL.search(one) for one in held)
        if is_own and not _ENDS_IN_VERB.search(held[-1]):
            yield ", ".join(held).strip()
            held = []
        held.append(piece)
    if any(one.strip() for one in held):
        yield ", ".join(held).strip()


def _paths(piece: str) -> tuple[str, ...]:
    """Return the paths that a piece names; what stands in code marks counts where it looks like one."""
    found = [(a if "/" in a or "." in a.strip(".") or a.startswith(".") else b) for a, b in _PATH.findall(piece)]
    return tuple(dict.fromkeys(one.rstrip(".,;:") for one in found if one))


def _nouns(piece: str) -> frozenset[str]:
    return frozenset(name for name, pattern in NOUNS.items() if pattern.search(piece))


def _read(piece: str, before: tuple[tuple[str, ...], frozenset[str]]) -> Iterator[Clause]:
    """Yield what a piece says, twice where it also says what grades."""
    confined, spared = _confined(piece)
    if confined:
        yield Clause(text=piece, stance="forbids", deeds=frozenset({"change"}), paths=confined, is_of_others=True)
    if spared:
        yield Clause(text=piece, stance="forbids", deeds=frozenset({"change"}), paths=_paths(spared))
        piece = piece[: -len(spared)]
    stance, deeds, part = _stance(piece)
    if confined and stance == "forbids" and "change" in deeds:
        return
    paths, nouns = _paths(part), _nouns(part)
    if not paths and _PRONOUN.search(_AS_IS.sub("", part)):
        paths, nouns = before[0], nouns | (before[1] if not nouns else frozenset())
    yield Clause(text=piece, stance=stance, deeds=deeds, paths=paths, nouns=nouns)
    if stance != "grades" and GRADES.search(piece) and (paths or _paths(piece)):
        yield Clause(text=piece, stance="grades", deeds=frozenset(), paths=_paths(piece) or paths, nouns=nouns)


def _confined(piece: str) -> tuple[tuple[str, ...], str]:
    """Return the paths that changes are confined to, and the part behind "anything except"; empty where none is said.

    >>> _confined("Only src/ may be changed"), _confined("You may edit anything except a.md")
    ((('src/',), ''), ((), ' a.md'))
    """
    if (but := ALL_BUT.search(piece)) and _paths(piece[but.end() :]) and not ACTIVE.search(piece):
        return (), piece[but.end() :]
    return (_paths(piece) if ONLY.search(piece) else ()), ""


def _stance(piece: str) -> tuple[Stance, frozenset[Deed], str]:
    """Return the stance of a piece, the deeds it is about, and the part of it that names what they are done to."""
    forbidden: set[Deed] = set()
    part = piece
    if WHOLLY.search(piece):
        forbidden = {"change", "read", "use"}
    elif (active := ACTIVE.search(piece)) and not (_MODAL.match(active[0]) and _is_of_another(piece[: active.start()])):
        part = _OTHER_THAN.split(piece[active.start() :])[0]
        forbidden = set(_deeds(part))
    else:
        forbidden |= {"change"} if PASSIVE_CHANGE.search(piece) else set()
        forbidden |= {"read", "use"} if PASSIVE_READ.search(piece) else set()
    if forbidden:
        return "forbids", frozenset(forbidden), part
    if ALLOWS.search(piece):
        return "allows", _deeds(piece) or frozenset({"read", "use"}), piece
    if ASKS.search(piece):
        return "asks", _deeds(piece) | {"change"}, piece
    return ("grades" if GRADES.search(piece) else "states"), _deeds(piece), piece


def _is_of_another(subject: str) -> bool:
    """Say whether what stands before a negation is another than the agent: `run.sh must never delete`, `it may not`."""
    words = re.findall(r"[\w./-]+", subject)
    if re.search(r"\b(?:you|agents?|we|nobody|one)\b", subject, re.IGNORECASE):
        return False
    return bool(_paths(subject)) or len([word for word in words if word.lower() not in _JOINS]) > 0


def _deeds(piece: str) -> frozenset[Deed]:
    found: set[Deed] = set()
    if CHANGE.search(piece):
        found.add("change")
    if READ.search(piece):
        found |= {"read", "use"}
    return frozenset(found)
