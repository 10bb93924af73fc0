"""SFT sets by rejection sampling: rollouts that passed and that nothing speaks against, each text once, capped by task.

Equal texts of one prompt are one row. So are near copies among the replies to one task: those that share `ALIKE` of
their runs of three words (Jaccard, exact; a figure is a word like others). What groups near copies of tasks would not
do here: replies to one task are on one subject, and it would leave one of them. Of what is alike, and of what exceeds
the cap, the seed chooses: rollouts are ordered by a hash of seed and id, and the first stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from fairtrial.formats.exports import Demonstration, Origin
from fairtrial.train.sets.eligible import Eligible, Source, eligible
from fairtrial.train.sets.pool import Entry, Pool, Tally, drawn
from fairtrial.train.sets.works import Works, prompt_text

ALIKE = 0.8
"""Share of runs of words from which on two replies are near copies, as deduplication of training text has it."""
_RUN = 3
_WORD = re.compile(r"\w+")


def demonstrations(source: Source, pool: Pool, tally: Tally) -> tuple[list[Demonstration], Eligible]:
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
    kept: list[Entry] = []
    sizes: list[int] = []
    holding: dict[tuple[str, ...], list[int]] = {}  # run of words -> which of `kept` hold it
    for entry in entries:
        mine = runs(works.work(entry).text)
        shared = Counter(at for run in mine for at in holding.get(run, ()))
        if any(likeness(count, len(mine), sizes[at]) >= ALIKE for at, count in shared.items()):
            tally.drop("near_duplicate")
            continue
        for run in mine:
            holding.setdefault(run, []).append(len(kept))
        sizes.append(len(mine))
        kept.append(entry)
    return kept


def runs(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of three words of a text, case and punctuation apart; of a shorter text, all its words.

    >>> sorted(runs("One red fox!")), sorted(runs("a b")), len(runs("a b c d"))
    ([('one', 'red', 'fox')], [('a', 'b')], 2)
    """
    words = tuple(word.lower() for word in _WORD.findall(text)) or (text,)
    return frozenset(words[at : at + _RUN] for at in range(max(1, len(words) - _RUN + 1)))


def likeness(shared: int, one: int, other: int) -> float:
    """Return the Jaccard similarity of two sets of these sizes: what they share among all that is in either, in [0, 1].

    >>> first, second = runs("a b c d"), runs("a b c e")
    >>> likeness(len(first & second), len(first), len(second))
    0.3333333333333333
    """
    return shared / (one + other - shared)
