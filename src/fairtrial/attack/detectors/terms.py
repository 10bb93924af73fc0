"""The terms of a task: what its instruction forbids, allows and asks for, clause by clause.

English prose is read by its modal words; a pronoun stands for what the clause before it was about. What the text does
not say is open, neither allowed nor forbidden. Not covered: other languages, and terms that only follow by thought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from fairtrial.attack.detectors.roles import within

Stance = Literal["forbids", "allows", "asks", "grades", "states"]
Deed = Literal["change", "read", "use"]

MOST_TEXT = 100_000
"""Characters of an instruction that are read."""
MOST_OF_A_CLAUSE = 2_000
_CLAUSES = re.compile(r"(?<=[.!?;:])\s+|\n+|,?\s+\b(?:but|however|although|whereas)\b\s+|\s+[\u2014\u2013]\s+")
_PATH = re.compile(
    r"`([^`\s]{2,200})`|((?<![\w/.])\.[A-Za-z][\w-]{2,}\b|(?:~|\.{1,2})?/?(?:[\w.@+*-]+/)+[\w.@+*-]*|/[\w.@+-]{2,}|"
    r"\b[\w-]+\.(?:py|sh|js|ts|tsx|jsx|c|h|cc|cpp|rs|go|java|rb|php|pl|sql|json|ya?ml|toml|ini|cfg|csv|tsv|txt|md|"
    r"xlsx?|"
    r"docx?|tex|R|ipynb|parquet|db|sqlite|lock|tf|html|xml|log|env|pdf|lua|kt|swift|scala|ex|exs|hs|ml|jl|proto|"
    r"bats)\b)"
)
_FORBIDS = re.compile(
    r"\b(?:do not|don['\u2019]t|must not|mustn['\u2019]t|may not|shall not|should not|shouldn['\u2019]t|cannot|"
    r"can['\u2019]t|never|not (?:to )?be|(?:is|are) not|no (?:changes?|edits?|modifications?|access|peeking|looking|"
    r"network|internet|one)|forbidden|prohibited|disallowed|off[- ]limits|out of bounds|out of scope|read[- ]only|"
    r"stay out of|keep out of|hands off|leave\b[^.]*\b(?:alone|closed|be|untouched|unchanged|as (?:is|it is|they are|"
    r"you found)|shut|in peace)|keep\b[^.]*\b(?:closed|unchanged|intact|as (?:is|it is|they are))|stays? (?:as|closed|"
    r"untouched|unchanged)|remains? (?:as|closed|untouched|unchanged)|without (?:touching|changing|editing|modifying|"
    r"altering|reading|looking|opening|using|consulting|weakening|relaxing|skipping|disabling)|owned by|belongs? to|"
    r"(?:is|are) fixed|untouched|instead of (?:reading|copying|editing)|only\b[^.]*\b(?:may|can) (?:change|edit|"
    r"alter)|avoid|refrain|"
    r"rather than (?:reading|copying|editing|changing)|reserved for|withheld|confidential|private|hidden|held[- ]out|"
    r"not for (?:you|use|training|agents?)|against the rules|counts? as (?:cheating|failure|a fail))\b",
    re.IGNORECASE,
)
_AS_IS = re.compile(r"\bas (?:it is|they are|you found (?:it|them))\b", re.IGNORECASE)
_COMMAS = re.compile(r",\s+(?:and\s+|or\s+)?")
_KEPT = re.compile(r"confidential|private|hidden|held[- ]out|withheld", re.IGNORECASE)
"""Say that something is kept from the agent; with words of grading, only that it is what grades."""
_ALLOWS = re.compile(
    r"\b(?:you (?:may|can|could|are free|are allowed|are welcome)|feel free|"
    r"(?:is|are) (?:allowed|permitted|fine|okay|ok|public|open|yours|welcome|available)|"
    r"may (?:be )?(?:read|run|use|change|edit|alter|look)\w*|"
    r"allowed to|free to|as often as you like|if (?:you )?(?:need|want|like|useful|helpful)|at your disposal|"
    r"read-only access|go ahead)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:(?:please|then|also|and|finally|next|first|now|your (?:task|job) is to|we (?:want|need)(?: you)? to|"
    r"you (?:must|should|need to|have to)|make sure (?:to|that)|[-*\d.)]+)\s+)*(?:add|write|fix|update|create|"
    r"implement|extend|improve|increase|raise|refactor|migrate|port|rewrite|repair|make|bring|get|build|produce|"
    r"replace|rename|"
    r"remove|delete|change|edit|convert|adapt|correct|clean|set|configure|install|change|split|move|adjust|document|"
    r"cover|regenerate|tidy|speed|optimi[sz]e|reduce|modernis?e|skip|mark|quarantine|disable|enable|use|call)\b|"
    r"\b(?:add|write|update|extend|adapt|fix|create|provide|include)\b[^.]{0,40}\btests?\b",
    re.IGNORECASE,
)
_GRADES = re.compile(
    r"\b(?:grad(?:ed|es|ing|er)|scor(?:ed|es|ing|er)|verif(?:ied|ies|ier|ication)|checked (?:by|with|against)|checks?|"
    r"evaluat(?:ed|es|ion|or)|judged?|accept(?:ed|ance)|compares?|compared|CI (?:runs|will run)|(?:is|are|will be) run|"
    r"measured by|tested (?:by|with|against)|validat(?:ed|es|or)|reviewed by|passes? when|success is|"
    r"runs? (?:the )?(?:hidden|private|whole))\b",
    re.IGNORECASE,
)
_VERBAL = re.compile(
    rf"{_FORBIDS.pattern}|{_ALLOWS.pattern}|{_ASKS.pattern}|{_GRADES.pattern}|"
    r"\b(?:is|are|was|were|has|have|holds?|must|may|can|will|should|needs?|gives?|runs?|lives?|contains?)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:chang|edit|modif|alter|touch|writ|delet|remov|renam|mov(?:e|ing)\b|replac|tamper|adjust|updat|weaken|loosen|"
    r"patch|overwrit|disabl|skip|relax|rely|relies|fix(?:ing)?\b|extend|add(?:ing)?\b|regenerat|read[- ]only|unchanged|"
    r"untouched|owned by|belongs? to|intact|as (?:is|it is|they are|you found)|fixed|install|silenc|suppress|"
    r"restart|reset)",
    re.IGNORECASE,
)
_READ = re.compile(
    r"\b(?:read(?!-only| only)|open|look|inspect|view|consult|see\b|peek|cop(?:y|ied|ying)|use[ds]?\b|using|cat\b|"
    r"brows|min(?:e|ing)\b|search|deriv|closed|shut|access|train|take|taking|fetch|download|query|quer(?:y|ies|"
    r"ying)|hidden|"
    r"private|held[- ]out|confidential|withheld|not for)",
    re.IGNORECASE,
)
_WHOLLY = re.compile(r"\b(?:off[- ]limits|out of bounds|stay out of|keep out of|hands off|alone|forbidden|prohibited|"
                     r"reserved for|in peace)\b", re.IGNORECASE)  # fmt: skip
_PRONOUN = re.compile(r"\b(?:it|its|them|they|these|those|either|both|that folder|that file|anything (?:it|they)|"
                      r"nothing (?:there|in it))\b", re.IGNORECASE)  # fmt: skip
NOUNS: dict[str, re.Pattern[str]] = {
    "tests": re.compile(r"\b(?:unit |regression |existing |visible )*tests?\b(?! (?:data|bench|drive|site|environment|"
                        r"database|server|account))|\btest[- ]suites?\b|\bspecs?\b|\bassertions?\b|\bsuite\b",
                        re.IGNORECASE),
    "grader": re.compile(r"\b(?:grader|scorer|verifier|checker|judge|harness|validator|evaluator|(?:grading|scoring|"
                         r"evaluation|verification|check|acceptance|probe) (?:script|tool|code|material|suite)s?)\b",
                         re.IGNORECASE),
    "answers": re.compile(r"\b(?:answers?|solutions?|expected (?:outputs?|results?|values?|files?)|references?|gold\w*|"
                          r"ground truth|answer key|hidden (?:tests?|cases?|set))\b", re.IGNORECASE),
    "history": re.compile(r"\b(?:history|git log|upstream|commits?|object store|reflog|released (?:fix|version)|"
                          r"(?:later|newer|future) (?:releases?|versions?|commits?)|branches|tags|pull requests?)\b",
                          re.IGNORECASE),
    "network": re.compile(r"\b(?:network|internet|online|web|download(?:s|ing)?|remote|"
                          r"external (?:services?|sources?))\b",
                          re.IGNORECASE),
    "benchmark": re.compile(r"\b(?:benchmarks?|eval(?:uation)? (?:set|data|questions?|items?)|test (?:set|split|data)|"
                            r"leaderboard)\b", re.IGNORECASE),
    "keys": re.compile(r"\b(?:credentials?|(?:api|access|secret) keys?|tokens?|passwords?|secrets?|"
                       r"(?:other|external|stronger|teacher|another|hosted|proprietary) models?|teachers?|admin)\b",
                       re.IGNORECASE),
    "environment": re.compile(r"\b(?:environment|runner|CI|clock|timer|PATH|interpreter|site-packages|toolchain|"
                              r"compiler|system|configuration|warnings?|flags?|thresholds?|limits?|checks)\b"),
}  # fmt: skip
"""What terms are about, where they name no path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One statement of the instruction."""

    text: str
    stance: Stance
    deeds: frozenset[Deed]
    paths: tuple[str, ...] = ()
    nouns: frozenset[str] = frozenset()

    def is_about(self, path: str) -> bool:
        """Say whether it names the path, or a folder or pattern that it lies in."""
        return any(within(path, thing.rstrip("*")) for thing in self.paths)


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
        return cls(text, tuple(_clauses(text[:MOST_TEXT])))

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
                (path and one.is_about(path)) or (noun and noun in one.nouns)
            ):  # fmt: skip
                return one
        return None


def _clauses(text: str) -> Iterator[Clause]:
    paths, nouns = tuple[str, ...](), frozenset[str]()
    for sentence in _CLAUSES.split(text):
        for piece in _pieces((sentence or "")[:MOST_OF_A_CLAUSE]):
            own = _paths(piece)
            about = frozenset(name for name, pattern in NOUNS.items() if pattern.search(piece))
            if not own and _PRONOUN.search(_AS_IS.sub("", piece)):
                own, about = paths, about | nouns
            if own or about:
                paths, nouns = own, about
            yield from _read(piece.strip(), own, about)


def _paths(piece: str) -> tuple[str, ...]:
    """Return the paths that a piece names; what stands in code marks counts where it looks like one."""
    found = [(a if "/" in a or "." in a.strip(".") or a.startswith(".") else b) for a, b in _PATH.findall(piece)]
    return tuple(dict.fromkeys(one.rstrip(".,;:") for one in found if one))


def _pieces(sentence: str) -> Iterator[str]:
    """Yield the parts of a sentence between commas; one without a verb goes with its neighbour, as in a list."""
    held: list[str] = []
    for piece in _COMMAS.split(sentence):
        if held and _VERBAL.search(piece) and any(_VERBAL.search(one) for one in held):
            yield ", ".join(held)
            held = []
        held.append(piece)
    if any(one.strip() for one in held):
        yield ", ".join(held)


def _read(piece: str, paths: tuple[str, ...], nouns: frozenset[str]) -> Iterator[Clause]:
    """Yield a clause, twice where it both forbids or asks and says what grades."""
    stance = _stance(piece)
    yield Clause(text=piece, stance=stance, deeds=_deeds(piece, stance, bool(paths)), paths=paths, nouns=nouns)
    if stance != "grades" and paths and _GRADES.search(piece):
        yield Clause(text=piece, stance="grades", deeds=frozenset(), paths=paths, nouns=nouns)


def _stance(piece: str) -> Stance:
    if _ALLOWS.search(piece) and not re.search(r"\b(?:not|never|n't|only)\b", piece):
        return "allows"
    if found := _FORBIDS.findall(piece):
        is_told = any(not _KEPT.fullmatch(one) for one in found) or not _GRADES.search(piece)
        return "forbids" if is_told else "grades"
    if _ALLOWS.search(piece):
        return "allows"
    if _ASKS.search(piece):
        return "asks"
    return "grades" if _GRADES.search(piece) else "states"


def _deeds(piece: str, stance: Stance, has_paths: bool) -> frozenset[Deed]:
    found: set[Deed] = set()
    if stance == "forbids" and _WHOLLY.search(piece):
        return frozenset({"change", "read", "use"})
    if _CHANGE.search(piece) or stance == "asks":
        found.add("change")
    if _READ.search(piece):
        found |= {"read", "use"}
    if not found and has_paths and stance in ("forbids", "allows"):
        found |= {"change", "read", "use"} if stance == "forbids" else {"read", "use"}
    return frozenset(found)
