"""The rows of a set, whichever kind, with the counts of what was left out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fairtrial.formats.exports import Row
from fairtrial.train.sets.demonstrations import demonstrations
from fairtrial.train.sets.eligible import Eligible, Source
from fairtrial.train.sets.pairs import pairs
from fairtrial.train.sets.pool import Entry, Tally, read_pool
from fairtrial.train.sets.prompts import prompts


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The rows, and how they were chosen."""

    rows: Sequence[Row]
    pool: Sequence[Entry]
    found: Eligible
    counted: str
    """What `left_out` counts: `rollouts` or `tasks`."""
    left_out: Mapping[str, int]
    also: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Counts of other things: pairs by where they are from, rollouts that are in no rate."""


def choose(source: Source) -> Chosen:
    """Return the rows of the kind that the options name. Raise InputError for a selection that is not there."""
    pool, tally = read_pool(source.ledger, source.options), Tally()
    if source.options.kind == "sft":
        demos, found = demonstrations(source, pool, tally)
        return Chosen(rows=demos, pool=pool.meant, found=found, counted="rollouts", left_out=dict(tally.counts))
    if source.options.kind == "preferences":
        made, found, of_pairs = pairs(source, pool, tally)
        return Chosen(rows=made, pool=pool.meant, found=found, counted="rollouts", left_out=dict(tally.counts),
                      also={"pairs": of_pairs})  # fmt: skip
    asked, found, of_rollouts = prompts(source, pool, tally)
    return Chosen(rows=asked, pool=pool.meant, found=found, counted="tasks", left_out=dict(tally.counts),
                  also={"rollouts_in_no_rate": of_rollouts})  # fmt: skip
