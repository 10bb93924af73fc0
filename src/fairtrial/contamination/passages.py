"""Passages that people can read: the matching part of a row with a little of what stands around it.

Long rows are cut: a passage of more than `LONGEST` characters keeps its beginning and its end. Covers cutting only;
where the passages lie was found by the scan and the variants.
"""

from __future__ import annotations

from fairtrial.contamination.document import Passage
from fairtrial.contamination.result import Span
from fairtrial.contamination.rows import Row

AROUND = 80
"""Characters shown before and after a passage."""
LONGEST = 800
"""Characters of a passage that are shown."""
CUT = " [...] "


def passage_of(row: Row, span: Span | None) -> Passage:
    """Return what stands at `span` of `row`; of the whole row where it is None, or where the row has no such place.

    >>> row = Row("7", (("text", "one two three"),), "train.jsonl", 1)
    >>> passage_of(row, Span("text", 4, 7)).text
    'two'
    """
    texts = dict(row.texts)
    if span is None or span.place not in texts:
        whole = row.text
        return Passage(place="", start=0, end=len(whole), before="", text=_cut(whole), after="")
    text = texts[span.place]
    start, end = max(0, min(span.start, len(text))), max(0, min(span.end, len(text)))
    return Passage(
        place=span.place, start=start, end=end,
        before=("…" if start > AROUND else "") + text[max(0, start - AROUND) : start],
        text=_cut(text[start:end]),
        after=text[end : end + AROUND] + ("…" if end + AROUND < len(text) else ""),
    )  # fmt: skip


def _cut(text: str) -> str:
    """Return `text`, or its beginning and end where it is too long.

    >>> len(_cut("a" * 10_000)) == LONGEST
    True
    """
    if len(text) <= LONGEST:
        return text
    kept = LONGEST - len(CUT)
    return text[: kept - kept // 3] + CUT + text[len(text) - kept // 3 :]
