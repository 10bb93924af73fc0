"""The template that rows were made from: the tokens they share, kept in order, with slots where they vary.

Rows out of a generator agree in most of what they say. One row in the middle is aligned with a sample of the others
(longest common subsequence of tokens); its tokens that most of them have, in order, are the skeleton. Then every row
is aligned with the skeleton: what stands between two kept tokens is the value of the slot there. Rows that hold nearly
all of the skeleton are explained by it; from the rest a second template is made, and a third.

Covers prose, code and JSON alike (tokens are words, numbers and single signs; white space is not one). Does not cover
parts that change places, and rewordings one by one, which have no template: then none is returned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TOKEN = re.compile(r"\w+|[^\w\s]")
LONGEST = 1_500
"""Tokens of a row that are aligned; what follows counts as one slot at the end."""
SAMPLED = 60
"""Rows that the skeleton is made from, evenly spaced among all."""
KEPT = 0.8
"""Share of the sample that must hold a token of the skeleton. Below 1, for one stray row would else erase it."""
EXPLAINED = 0.9
"""Share of the skeleton that a row must hold to be explained by it."""
FIXED = 0.3
"""Share of an explained row that must be fixed text, or there is no template but common words."""
SHORTEST = 4
"""Tokens of a skeleton, at least."""
FEWEST = 3
"""Rows that a template must explain, at least."""
EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place where rows vary."""

    values: int
    """How many different ones there are."""
    empty: int
    """Rows that have nothing here."""
    examples: tuple[str, ...]
    """The most frequent, and by text where these are equal."""

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"values": self.values, "empty": self.empty, "examples": list(self.examples)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A skeleton with its slots."""

    parts: tuple[str | Slot, ...]
    """Fixed text (of the first row that it explains, its white space kept) and slots, in order."""
    rows: tuple[int, ...]
    """Places of the rows that it explains, among those given."""
    fixed: float
    """Mean share of an explained row's tokens that are fixed."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return the slots, in order."""
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def text(self) -> str:
        """Return it in one line of text, slots marked by their number of values and the most frequent one."""
        return "".join(part if isinstance(part, str) else f"⟨{part.values}: {_first(part)}⟩" for part in self.parts)

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        parts = [part if isinstance(part, str) else part.document() for part in self.parts]
        return {"parts": parts, "rows": len(self.rows), "fixed": round(self.fixed, 4), "text": self.text}


def templates_of(texts: Sequence[str], most: int = 3) -> tuple[Template, ...]:
    """Return up to `most` templates of `texts`, the one that explains most rows first; none where they share nothing.

    >>> found = templates_of([f"What is the weather in {city} today?" for city in ("Lima", "Oslo", "Quito", "Oslo")])
    >>> found[0].text, found[0].rows
    ('What is the weather in ⟨3: Oslo⟩ today?', (0, 1, 2, 3))
    """
    rows = [_Row.of(text) for text in texts]
    left, found = list(range(len(rows))), []
    for _ in range(most):
        made = _template(rows, left, left)
        if made is None:
            break
        found.append(made)
        explained = set(made.rows)
        left = [number for number in left if number not in explained]
    return tuple(sorted(found, key=lambda template: (-len(template.rows), template.rows)))


def grown(texts: Sequence[str], groups: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return `groups` of near copies among `texts`, each with all other rows that its template explains.

    Rows of one generator may share too little to be near copies of each other, pair by pair. Larger groups grow first;
    what one has taken is gone from the rest, and a group that is left with nothing is left out.
    """
    rows = [_Row.of(text) for text in texts]
    left = set(range(len(texts)))
    made = []
    for group in sorted(groups, key=lambda group: (-len(group), tuple(group))):
        seeds = [number for number in group if number in left]
        template = _template(rows, seeds, sorted(left)) if len(seeds) >= FEWEST else None
        members = sorted({*seeds, *(template.rows if template else ())})
        left -= set(members)
        if members:
            made.append(tuple(members))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: str) -> _Row:
        found = []
        for match in TOKEN.finditer(text):
            found.append(match)
            if len(found) == LONGEST:
                break
        return cls(text, tuple(match.group() for match in found), tuple(match.span() for match in found))


def _template(rows: Sequence[_Row], seeds: Sequence[int], left: Sequence[int]) -> Template | None:
    """Return the template of the rows at `seeds`, with all at `left` that it explains; None where they have none."""
    if len(seeds) < FEWEST:
        return None
    skeleton = _skeleton([rows[number] for number in seeds])
    if len(skeleton) < SHORTEST:
        return None
    explained: list[int] = []
    places: list[list[int]] = []
    aligned, needed = _Aligner(skeleton), EXPLAINED * len(skeleton)
    for number in left:
        tokens = rows[number].tokens
        there = set(tokens)
        if sum(token in there for token in skeleton) < needed:
            continue
        found = aligned.places(tokens)
        held = sum(place >= 0 for place in found)
        if held >= needed and held >= FIXED * len(tokens):
            explained.append(number)
            places.append(found)
    if len(explained) < FEWEST:
        return None
    shares = [sum(p >= 0 for p in found) / len(rows[n].tokens) for n, found in zip(explained, places, strict=True)]
    parts = _parts([rows[number] for number in explained], places, skeleton)
    return Template(parts=parts, rows=tuple(explained), fixed=sum(shares) / len(shares))


def _skeleton(rows: Sequence[_Row]) -> list[str]:
    """Return the tokens that most of a sample of `rows` have in one order.

    The row in the middle is the one of a few that holds most of what the sample often has, so that a stray one is not
    chosen; it is aligned with each of the sample, and of its tokens those are kept that `KEPT` of rows like it have.
    """
    step = max(1, len(rows) // SAMPLED)
    sample = rows[::step][:SAMPLED]
    often = Counter(token for row in sample for token in set(row.tokens))
    middle = max(sample, key=lambda row: _typical(row, often))
    aligned = _Aligner(middle.tokens)
    support, counted = [0] * len(middle.tokens), 0
    for row in sample:
        found = aligned.places(row.tokens)
        if 2 * sum(place >= 0 for place in found) < max(len(middle.tokens), len(row.tokens)) * FIXED:
            continue
        counted += 1
        for number, place in enumerate(found):
            support[number] += place >= 0
    if counted < min(FEWEST, len(rows)):
        return []
    return [token for token, held in zip(middle.tokens, support, strict=True) if held >= KEPT * counted]


def _typical(row: _Row, often: Counter[str]) -> float:
    """Return how many rows of the sample hold a token of this row, on average over its tokens."""
    return sum(often[token] for token in row.tokens) / len(row.tokens) if row.tokens else 0.0


class _Aligner:
    """Aligns rows with one sequence of tokens by their longest common subsequence, a whole column in one integer.

    Bit-parallel (Hyyrö 2004): bit i of a column is 0 where the subsequence of the first i + 1 tokens is longer than
    that of the first i. Columns are kept, and walked back for the pairs.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self._size = len(tokens)
        self._masks: dict[str, int] = {}
        for number, token in enumerate(tokens):
            self._masks[token] = self._masks.get(token, 0) | 1 << number

    def places(self, row: Sequence[str]) -> list[int]:
        """Return, for each token of the sequence, its place in `row`, ascending; -1 where it has none."""
        whole = (1 << self._size) - 1
        columns, column = [whole], whole
        for token in row:
            mask = self._masks.get(token)
            if mask is not None:
                shared = column & mask
                column = ((column + shared) | (column - shared)) & whole
            columns.append(column)
        return self._walk_back(columns)

    def _walk_back(self, columns: Sequence[int]) -> list[int]:
        found = [-1] * self._size
        i, j = self._size - 1, len(columns) - 1
        while i >= 0 and j > 0:
            if columns[j] >> i & 1:
                i -= 1
            elif not columns[j - 1] >> i & 1:
                j -= 1
            else:
                found[i] = j - 1
                i -= 1
                j -= 1
        return found


def _parts(rows: Sequence[_Row], places: Sequence[Sequence[int]], skeleton: Sequence[str]) -> tuple[str | Slot, ...]:
    """Return fixed text and slots in order: a gap between kept tokens is a slot where any row has a token in it."""
    filled = _filled(places)
    gaps = [
        [_between(row, found[gap - 1] if gap else -1, found[gap] if gap < len(skeleton) else len(row.tokens))
         for row, found in zip(rows, filled, strict=True)]
        for gap in range(len(skeleton) + 1)
    ]  # fmt: skip
    shown = max(range(len(rows)), key=lambda number: sum(place >= 0 for place in places[number]))
    parts: list[str | Slot] = []
    for gap, values in enumerate(gaps):
        before, after = _white(rows[shown], places[shown], gap)
        if any(values):
            parts += [before, _slot(values), after]
        else:
            parts.append(before)
        if gap < len(skeleton):
            parts.append(skeleton[gap])
    return _joined(parts)


def _filled(places: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return places with a missing token put where the one before it ends, so that its gap holds nothing twice."""
    made = []
    for found in places:
        filled, last = [], -1
        for place in found:
            last = place if place >= 0 else last
            filled.append(last)
        made.append(filled)
    return made


def _between(row: _Row, before: int, after: int) -> str:
    """Return the text of the tokens after `before` and up to `after`; of the last gap, all that is left of the row."""
    if after == len(row.tokens):
        return row.text[row.spans[before][1] if before >= 0 else 0 :].strip()
    return row.text[row.spans[before + 1][0] : row.spans[after - 1][1]].strip() if after > before + 1 else ""


def _white(row: _Row, found: Sequence[int], gap: int) -> tuple[str, str]:
    """Return the white space that `row` has at the two ends of a gap; the second is empty where the gap is."""
    last = found[gap - 1] if gap else -1
    here = found[gap] if gap < len(found) else len(row.tokens)
    if (gap and last < 0) or here < 0:
        return " ", ""
    start = row.spans[last][1] if gap else 0
    end = row.spans[here][0] if here < len(row.tokens) else len(row.text)
    text = row.text[start:end]
    if not text.strip():
        return (text if 0 < gap < len(found) else ""), ""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _slot(values: Sequence[str]) -> Slot:
    counted = Counter(value for value in values if value)
    ordered = sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    return Slot(values=len(counted), empty=sum(not value for value in values),
                examples=tuple(value for value, _ in ordered[:EXAMPLES]))  # fmt: skip


def _joined(parts: Sequence[str | Slot]) -> tuple[str | Slot, ...]:
    """Return parts without empty texts, neighbouring ones joined."""
    made: list[str | Slot] = []
    for part in parts:
        if part == "":
            continue
        if isinstance(part, str) and made and isinstance(made[-1], str):
            made[-1] += part
        else:
            made.append(part)
    return tuple(made)


def _first(slot: Slot) -> str:
    """Return the most frequent value on one line, cut."""
    value = " ".join(slot.examples[0].split())
    return value if len(value) <= 40 else value[:39] + "…"
