"""Check that what a judge cites exists: the source is there, the lines are there, the words stand in those lines.

Words are compared as shown, runs of white space as one space and typographic quotes and dashes as plain ones. Not
covered: whether a claim follows from what it cites.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fairtrial.checks.judged.reply import Citation, Notes
from fairtrial.checks.judged.sources import Source

_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "−": "-", "\u00a0": " "})
_UNSEEN = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩|[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]")
"""Signs for what cannot be seen, and the thing itself: a quote may leave either out."""
_NUMBER = re.compile(r"^[ \t]*\d+\| ?", re.MULTILINE)


def plain(text: str) -> str:
    """Return `text` as quotes are compared.

    >>> plain("a “b”\\n  c")
    'a "b" c'
    """
    return " ".join(_UNSEEN.sub("", text).translate(_PLAIN).split())


def fault(citation: Citation, sources: Mapping[str, Source]) -> str:
    """Return why `citation` does not hold, empty where it does.

    >>> memo = {"A1": Source("A1", "/memo", ("EBITDA: 4.2", "Debt: 9"))}
    >>> fault(Citation(source="A1", first_line=1, last_line=1, quote="EBITDA: 4.2"), memo)
    ''
    >>> fault(Citation(source="A1", first_line=1, last_line=1, quote="Debt"), memo)
    'the quote `Debt` is not in A1 line 1; it is in line 2'
    """
    source = sources.get(citation.source)
    if source is None:
        return f"there is no source `{citation.source[:40]}`; there are {', '.join(list(sources)[:20])}"
    if source.unshown:
        quotes = citation.quote or citation.absent
        return f"{source.name} is not shown, so nothing in it can be quoted" if quotes.strip() else ""
    first, last, held = citation.first_line, citation.last_line, len(source.lines)
    if not 1 <= first <= last <= max(held, 1):
        return f"{source.name} has no lines {first} to {last}: it has {held}"
    within = plain("\n".join(source.lines[first - 1 : last]))
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    if citation.absent.strip() and plain(citation.absent).casefold() in within.casefold():
        return f"`{citation.absent[:80]}` is said to be absent, and stands in {source.name} {lines}"
    if citation.quote.strip() and not _stands(citation.quote, within):
        return f"the quote `{citation.quote[:80]}` is not in {source.name} {lines}{_elsewhere(citation.quote, source)}"
    return ""


def _stands(quote: str, within: str) -> bool:
    return plain(quote) in within or plain(_NUMBER.sub("", quote)) in within


def _elsewhere(quote: str, source: Source) -> str:
    found = next((n for n, line in enumerate(source.lines, 1) if _stands(quote, plain(line))), None)
    return f"; it is in line {found}" if found else ""


def faults(notes: Notes, sources: Sequence[Source]) -> list[str]:
    """Return what is wrong with the citations of a reply, empty where each claim cites and each citation holds."""
    by_name = {source.name: source for source in sources}
    found = []
    for number, reason in enumerate(notes.reasons, 1):
        if not reason.claim.strip():
            found.append(f"reason {number} claims nothing")
        if not reason.cites:
            found.append(f"reason {number} cites nothing")
        if wrong := [cited for cited in reason.cites if not 1 <= cited <= len(notes.citations)]:
            found.append(f"reason {number} cites {wrong[0]}, and there are {len(notes.citations)} citations")
    for number, citation in enumerate(notes.citations, 1):
        if why := fault(citation, by_name):
            found.append(f"citation {number}: {why}")
    return found
