"""SFT sets by rejection sampling: rollouts that passed and that nothing speaks against, each text once, capped by task.

Equal texts of one prompt are one row, and so are near copies among the replies to one task (MinHash and rare words,
figures masked). Of what is alike, and of what exceeds the cap, the seed chooses: rollouts are ordered by a hash of seed
and id, and the first stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairtrial.contamination.near_copies import near_copies
from fairtrial.formats.exports import Demonstration, Origin
from fairtrial.train.sets.eligible import Eligible, Source, eligible
from fairtrial.train.sets.pool import Entry, Tally, drawn
from fairtrial.train.sets.works import Works, prompt_text

LONGEST = 20_000
"""Characters of a reply that are compared."""


def demonstrations(source: Source, pool: Sequence[Entry], tally: Tally) -> tuple[list[Demonstration], Eligible]:
    """Return the rows, by task and id, and what was found on the way."""
    left = eligible(source, pool, tally, frozenset({"passed"}))
    seed = source.options.seed
    order = sorted(left.entries, key=lambda entry: drawn(seed, entry.id))
    order = _once(order, left.works, tally)
    kept: list[Entry] = []
    for entries in by_task(order).values():
        apart = _apart(entries, left.works, tally)
        cap = source.options.per_task or len(apart)
        tally.drop("over_the_cap", max(0, len(apart) - cap))
        kept += apart[:cap]
    kept.sort(key=lambda entry: (*entry.task_key, entry.id))
    return [demonstration(entry, left.works) for entry in kept], left


def demonstration(entry: Entry, works: Works) -> Demonstration:
    """Return a rollout as a row."""
    work = works.work(entry)
    return Demonstration(prompt=work.prompt, reply=work.reply, tools=work.tools, trajectory=work.trajectory,
                         origin=origin_of(entry))  # fmt: skip


def origin_of(*entries: Entry) -> Origin:
    """Return where a row is from."""
    first = entries[0]
    return Origin(task=first.task, suite=first.suite, task_hash=first.task_hash, family=first.family or first.domain,
                  cluster=first.cluster, rollouts=tuple(entry.id for entry in entries),
                  models=tuple(entry.label for entry in entries))  # fmt: skip


def by_task(entries: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """Return entries by suite and task, in their order."""
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.task_key, []).append(entry)
    return dict(sorted(found.items()))


def _once(order: Sequence[Entry], works: Works, tally: Tally) -> list[Entry]:
    """Return the first of each equal pair of prompt and reply, blanks apart."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for entry in order:
        work = works.work(entry)
        key = (" ".join(prompt_text(work.prompt).split()), " ".join(work.text.split()))
        if key in seen:
            tally.drop("duplicate")
        else:
            seen.add(key)
            kept.append(entry)
    return kept


def _apart(entries: Sequence[Entry], works: Works, tally: Tally) -> list[Entry]:
    """Return the first of each group of near copies among the replies to one task."""
    if len(entries) < 2:
        return list(entries)
    groups = near_copies([works.work(entry).text[:LONGEST] for entry in entries], None).groups
    kept = sorted(min(group) for group in groups)
    tally.drop("near_duplicate", len(entries) - len(kept))
    return [entries[at] for at in kept]
