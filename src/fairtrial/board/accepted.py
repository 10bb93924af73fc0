"""The runs of every track as they count: locks, what was accepted under them, what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fairtrial.board.acceptance import Accepted, Problem, accept, of_rollouts
from fairtrial.board.locking import Lock, lock_of, sorted_by_track
from fairtrial.board.result import Refused
from fairtrial.board.runs import Records, Run, Who
from fairtrial.board.scoring import Integers, Tally, clusters_of, tally_of
from fairtrial.records import Withdrawal
from fairtrial.rules.schema import BenchmarkRules


@dataclass(frozen=True, slots=True)
class Entry:
    """An accepted run and its outcomes by task."""

    accepted: Accepted
    tally: Tally

    @property
    def who(self) -> Who:
        """Return whose run it is."""
        return self.accepted.run.who


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Everybody who is accepted on one track."""

    lock: Lock
    cluster: Integers
    entries: Mapping[Who, Entry]

    def of_model(self, model: str, like: Who | None = None) -> Entry | None:
        """Return the run of `model`: in the scaffold and effort of `like` where there is one, else the only one."""
        mine = [entry for who, entry in self.entries.items() if who.is_called(model)]
        alike = [entry for entry in mine if like is not None and entry.who[1:] == like[1:]]
        return alike[0] if alike else mine[0] if len(mine) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """All tracks of a board."""

    by_track: Mapping[str, Field]
    refused: tuple[Refused, ...]
    labels: Mapping[Who, str]
    withdrawals: Mapping[str, Withdrawal] = field(default_factory=dict)

    def everybody(self) -> list[Who]:
        """Return everybody who is accepted on some track."""
        return sorted({who for each in self.by_track.values() for who in each.entries})


def fields_of(records: Records, rules: BenchmarkRules) -> Fields:
    """Lock every track and accept or refuse each run. Raise InputError where a track's suite is left open."""
    withdrawals = of_rollouts(records.withdrawals)
    by_track, stray = sorted_by_track(sorted(records.runs, key=lambda run: (run.who, run.where)), rules)
    labels = _labels(run.who for run in records.runs)
    suites = ", ".join(track.suite for track in rules.tracks)
    refused = [_refused(run, "", (Problem(field="suite", got=run.where.suite or "none recorded",
                                          wants=f"that of a track: {suites}"),), labels) for run in stray]  # fmt: skip
    found: dict[str, Field] = {}
    for track in rules.tracks:
        runs = by_track[track.name]
        lock = lock_of(track, runs, withdrawals)
        entries: dict[Who, Entry] = {}
        for run in runs:
            word = accept(run, lock, withdrawals)
            if isinstance(word, Accepted):
                entries[run.who] = Entry(word, tally_of(word.run, lock))
            else:
                refused.append(_refused(run, track.name, word, labels))
        found[track.name] = Field(lock=lock, cluster=clusters_of(lock), entries=entries)
    refused.sort(key=lambda one: (one.run, one.track, one.where))
    return Fields(by_track=found, refused=tuple(refused), labels=labels, withdrawals=withdrawals)


def _refused(run: Run, track: str, problems: Sequence[Problem], labels: Mapping[Who, str]) -> Refused:
    return Refused(
        run=labels[run.who],
        who=run.who,
        where=run.where,
        track=track,
        rollouts=len(run.attempts),
        problems=tuple(problems),
    )


def _labels(everybody: Iterable[Who]) -> dict[Who, str]:
    """Return MODEL, MODEL@EFFORT, and with the scaffold before it where a model ran in several.

    >>> _labels([Who("m", "a", ""), Who("m", "b", "high"), Who("n", "a", "low")])[Who("m", "b", "high")]
    'b/m@high'
    """
    each = set(everybody)
    scaffolds: dict[str, set[str]] = {}
    for who in each:
        scaffolds.setdefault(who.model, set()).add(who.agent)
    found = {}
    for who in sorted(each):
        named = who.model.strip() or "no model recorded"  # a row without a name would be a link without text
        label = f"{named}@{who.effort}" if who.effort else named
        found[who] = f"{who.agent}/{label}" if who.agent and len(scaffolds[who.model]) > 1 else label
    return found
