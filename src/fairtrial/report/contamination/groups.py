"""Clusters for reading: the template with its slots in words, what it explains, the item, and the first rows."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.contamination.clusters import Cluster
from fairtrial.contamination.document import FlaggedPair
from fairtrial.contamination.templates import Slot, Template
from fairtrial.report.contamination.data import Group, Part, Skeleton
from fairtrial.report.contamination.pairs import lines_shown
from fairtrial.report.numbers import count, of, percent
from fairtrial.report.words import plural, visible

LONGEST = 3_000
"""Characters of a template's fixed texts and slots that are shown."""
EXAMPLE = 32
"""Characters of a slot's value."""


def shown_groups(clusters: Sequence[Cluster], pairs: Sequence[FlaggedPair]) -> tuple[Group, ...]:
    """Return the clusters for the page; texts of items are taken from the flagged pairs."""
    items: dict[str, str] = {}
    for pair in pairs:
        if pair.item is not None:
            items.setdefault(pair.flag.item_id, pair.item.before + pair.item.text + pair.item.after)
    return tuple(_group(cluster, items) for cluster in clusters)


def _group(cluster: Cluster, items: dict[str, str]) -> Group:
    rows = plural(len(cluster.rows), "row")
    near = "each other and no item" if cluster.item_id is None else cluster.item_id
    about = "No template: the rows share too few words in one order, as rewordings one by one do."
    if cluster.templates:
        about = (
            f"{plural(len(cluster.templates), 'template')} {'explain' if len(cluster.templates) > 1 else 'explains'} "
            f"{of(sum(len(each.rows) for each in cluster.templates), cluster.looked_at)} rows, "
            f"{percent(cluster.explained)}."
        )
    if cluster.looked_at < len(cluster.rows):
        about += f" {count(cluster.looked_at)} of the rows were looked at, evenly spaced."
    return Group(
        title=visible(f"{rows} near {near}"),
        about=about,
        item=lines_shown(items.get(cluster.item_id or "", "")),
        skeletons=tuple(_skeleton(each, cluster.looked_at) for each in cluster.templates),
        examples=tuple((visible(i), lines_shown(text)) for i, text in zip(cluster.ids, cluster.texts, strict=True)),
    )


def _skeleton(template: Template, looked_at: int) -> Skeleton:
    parts: list[Part] = []
    left = LONGEST
    for number, part in enumerate(template.parts):
        made = Part(lines_shown(part)) if isinstance(part, str) else Part(slot_words(part), slot=True)
        if len(made.text) > left:
            parts += [Part(made.text[:left]), Part(f" [... {len(template.parts) - number:,} more parts]")]
            break
        parts.append(made)
        left -= len(made.text)
    slots = template.slots
    explains = (
        f"{of(len(template.rows), looked_at)} rows; {percent(template.fixed)} of their words are fixed, "
        f"{plural(len(slots), 'slot')}"
    )
    return Skeleton(explains=explains, parts=tuple(parts))


def slot_words(slot: Slot) -> str:
    """Return a slot in words: the most frequent values and how many more there are.

    >>> slot_words(Slot(values=9, empty=0, examples=("Lima", "Oslo", "Quito")))
    '⟨Lima · Oslo · Quito · 6 more⟩'
    >>> slot_words(Slot(values=1, empty=4, examples=("please",)))
    '⟨please · nothing⟩'
    """
    shown = [_short(example) for example in slot.examples]
    more = [f"{count(slot.values - len(shown))} more"] if slot.values > len(shown) else []
    return f"⟨{' · '.join([*shown, *more, *(['nothing'] if slot.empty else [])])}⟩"


def _short(value: str) -> str:
    line = visible(" ".join(value.split()))
    return line if len(line) <= EXAMPLE else line[: EXAMPLE - 1] + "…"
