"""Training rows that lie near one item, or near each other, as clusters with the template that they were made from.

A reader who sees forty rows and their one skeleton knows how they were made; forty pairs side by side do not say it.
Rows near an item form its cluster. Rows that no item draws are grouped among themselves: near copies, and what else
the template of such a group explains. Does not cover: which rows lie near an item (`variants`), or whether a template
was meant to copy it; that is for the reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.contamination.near_copies import near_copies
from fairtrial.contamination.rows import Row
from fairtrial.contamination.templates import Template, grown, templates_of

SMALLEST = 3
"""Rows of a cluster, at least."""
MOST_AMONG_THEMSELVES = 20_000
"""Rows without an item that are grouped among themselves; above it that is not done, and said."""
LOOKED_AT = 10_000
"""Rows of one cluster that templates are made of, evenly spaced."""
SHOWN = 3
CUT = 600
"""Rows of a cluster shown whole, up to so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Rows that lie near one item, or near each other."""

    item_id: str | None
    """None: they lie near each other and no item."""
    rows: tuple[int, ...]
    """Numbers of the training rows, ascending."""
    ids: tuple[str, ...]
    """Ids of the first of them."""
    texts: tuple[str, ...]
    """Texts of the first of them, cut."""
    templates: tuple[Template, ...]
    """The one that explains most rows first; their `rows` are numbers of training rows."""
    looked_at: int
    """Rows that templates were made of."""

    @property
    def explained(self) -> float:
        """Return the share of the rows looked at that a template explains."""
        return sum(len(template.rows) for template in self.templates) / self.looked_at

    def document(self) -> dict[str, Any]:
        """Return the JSON object; of the rows only how many there are and the first ids."""
        return {
            "item_id": self.item_id, "rows": len(self.rows), "train_ids": list(self.ids),
            "explained": round(self.explained, 4), "looked_at": self.looked_at,
            "templates": [template.document() for template in self.templates], "texts": list(self.texts),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """The clusters, largest first."""

    shown: tuple[Cluster, ...] = ()
    found: int = 0
    """Clusters in all; more than are shown where they are many."""
    abstained: tuple[str, ...] = ()


def clusters_of(rows: Mapping[int, Row], item_of: Mapping[int, str], most: int = 20) -> Clusters:
    """Return the clusters of `rows` (by number of the training row); `item_of` names the item that a row lies near.

    The `most` largest are shown with their templates; the rest is counted.
    """
    by_item: dict[str, list[int]] = {}
    alone = []
    for number in sorted(rows):
        if number in item_of:
            by_item.setdefault(item_of[number], []).append(number)
        else:
            alone.append(number)
    groups: list[tuple[str | None, Sequence[int]]] = [*by_item.items()]
    abstained: tuple[str, ...] = ()
    if len(alone) > MOST_AMONG_THEMSELVES:
        abstained = (f"clusters: {len(alone)} rows near no item were not grouped among themselves; at most "
                     f"{MOST_AMONG_THEMSELVES} are",)  # fmt: skip
    elif len(alone) >= SMALLEST:
        texts = [rows[number].text for number in alone]
        copies = [group for group in near_copies(texts, None).groups if len(group) >= SMALLEST]
        groups += [(None, [alone[place] for place in group]) for group in grown(texts, copies)]
    large = sorted(
        (group for group in groups if len(group[1]) >= SMALLEST),
        key=lambda group: (-len(group[1]), group[0] is None, group[0] or "", group[1][0]),
    )
    return Clusters(shown=tuple(_cluster(rows, item, numbers) for item, numbers in large[:most]), found=len(large),
                    abstained=abstained)  # fmt: skip


def _cluster(rows: Mapping[int, Row], item: str | None, numbers: Sequence[int]) -> Cluster:
    step = -(-len(numbers) // LOOKED_AT)
    looked_at = numbers[::step]
    made = templates_of([rows[number].text for number in looked_at])
    templates = tuple(
        Template(parts=each.parts, rows=tuple(looked_at[place] for place in each.rows), fixed=each.fixed)
        for each in made
    )
    first = numbers[:SHOWN]
    return Cluster(
        item_id=item, rows=tuple(numbers), ids=tuple(rows[number].id for number in first),
        texts=tuple(_cut(rows[number].text) for number in first), templates=templates, looked_at=len(looked_at),
    )  # fmt: skip


def _cut(text: str) -> str:
    """Return `text`, or its beginning with how much was cut.

    >>> _cut("a" * 700)[-26:]
    ' [... 100 characters more]'
    """
    return text if len(text) <= CUT else f"{text[:CUT]} [... {len(text) - CUT:,} characters more]"
