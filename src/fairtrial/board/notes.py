"""What a reader of a board must know that stands on no row: majorities, conflicts, what never ran.

Values in, sentences out. Not covered: what a row says of itself (`rows`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fairtrial.board.accepted import Fields
from fairtrial.board.entrants import bases_of, differing, groups_of, handed_in_nothing
from fairtrial.board.result import Row
from fairtrial.board.runs import Records, Who
from fairtrial.records import Submission
from fairtrial.rules.schema import BenchmarkRules

_MOST_NAMES = 5


def notes_of(
    records: Records, fields: Fields, submissions: Mapping[str, Submission], rules: BenchmarkRules, rows: Sequence[Row]
) -> tuple[str, ...]:
    """Return what a reader must know that stands on no row."""
    notes = [f"track {name}: {note}" if len(fields.by_track) > 1 else note
             for name, each in fields.by_track.items() for note in each.lock.warnings]  # fmt: skip
    if records.told_apart:
        have = "rollout has" if records.told_apart == 1 else "rollouts have"
        notes.append(f"{records.told_apart} {have} one outcome in one ledger and another in another: ungraded")
    for who in fields.everybody():
        if tasks := _numbered_twice(who, fields):
            notes.append(f"{fields.labels[who]}: two runs of one number of {_some(tasks)}; if it is one that was "
                         "imported twice, its task is to be withdrawn and run again")  # fmt: skip
    notes += _bases(submissions, rules, rows)
    ran = {name for run in records.runs for name in run.who.names}
    idle = sorted(name for name, one in submissions.items() if name not in ran and not handed_in_nothing(one))
    if idle:
        notes.append(f"handed in, and not run: {', '.join(idle)}")
    spoken = {one.model for one in records.rulings} - ran - set(submissions)
    if spoken:
        notes.append(f"ruled, and neither run nor handed in: {', '.join(sorted(spoken))}")
    return tuple(notes)


def _numbered_twice(who: Who, fields: Fields) -> list[str]:
    """Return the tasks of which two runs that count have one number."""
    held = [each.entries[who].accepted.run for each in fields.by_track.values() if who in each.entries]
    seen = Counter((run.where, one.task, one.attempt) for run in held for one in run.attempts)
    return sorted({task for (_, task, _), count in seen.items() if count > 1})


def _bases(submissions: Mapping[str, Submission], rules: BenchmarkRules, rows: Sequence[Row]) -> list[str]:
    """Return who chose base models, where the rules name none."""
    if rules.toml.base:
        return []
    groups = groups_of(submissions)
    notes = []
    if other := differing(rules, groups):
        told = ", ".join(bases_of(rules, groups))
        notes.append(f"the rules name no [[base]]: rows of several models are made from {told}, as most are; others "
                     f"are named by {', '.join(other)}")  # fmt: skip
    if penalised := [row.label for row in rows if row.status == "penalised"]:
        notes.append("the rules name no [[base]]: each of these has the score of the base that its entrant names: "
                     f"{_some(penalised, mark='')}")  # fmt: skip
    return notes


def _some(names: Sequence[str], mark: str = "`") -> str:
    told = ", ".join(f"{mark}{name}{mark}" for name in names[:_MOST_NAMES])
    return told if len(names) <= _MOST_NAMES else f"{told} and {len(names) - _MOST_NAMES} more"
