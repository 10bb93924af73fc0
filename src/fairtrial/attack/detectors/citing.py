"""Quotes for hits: the words of a part of the trajectory that say it, exactly as they stand there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.protocol import Hit, Seen
from fairtrial.records import Citation

MOST_QUOTED = 160
"""Characters of a quote."""


def cite(seen: Seen, place: str, *fragments: str) -> Citation:
    """Return a citation of the line of `place` that holds the first of `fragments` found there, else its first line."""
    text = seen.texts.get(place, "")
    for fragment in fragments:
        wanted = next((line.strip() for line in fragment.splitlines() if line.strip()), "")[:MOST_QUOTED]
        at = text.find(wanted) if wanted else -1
        if at >= 0:
            return Citation(place, _line_around(text, at, len(wanted)))
    return Citation(place, next((line.strip()[:MOST_QUOTED] for line in text.splitlines() if line.strip()), ""))


def cite_act(seen: Seen, act: Act, *fragments: str) -> tuple[Citation, ...]:
    """Return citations of an act: where its script was written, and where it happened."""
    wanted = (*fragments, act.text, act.old, *act.paths)
    first = cite(seen, act.origin_place or act.place, *wanted)
    if not act.origin_place or act.origin_place == act.place:
        return (first,)
    return (first, cite(seen, act.place, *wanted))


def hit(
    seen: Seen, group: str, detector: str, acts: Sequence[Act], claim: str, score: float, quote: Iterable[str] = ()
) -> Hit:
    """Return a hit of some acts, which cites the steps of all of them."""
    steps = tuple(sorted({step for act in acts for step in act.steps}))
    citations = tuple(dict.fromkeys(one for act in acts for one in cite_act(seen, act, *quote)))
    return Hit(group=group, detector=detector, steps=steps, claim=claim, score=score, citations=citations)


def short(text: str, most: int = 80) -> str:
    """Return a text on one line, cut.

    >>> short("a\\n  b", 10)
    'a b'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "\u2026"


def _line_around(text: str, at: int, length: int) -> str:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at + length)
    line = text[start : end if end >= 0 else len(text)].strip()
    return line if len(line) <= MOST_QUOTED else text[at : at + max(min(length, MOST_QUOTED), 1)].split("\n")[0].strip()
