"""One row: the runs that it needs, what became of them, its score, its status, and all that speaks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairtrial.board.accepted import Entry, Field, Fields
from fairtrial.board.bases import Bases
from fairtrial.board.entrants import Entrant, Wanted, handed_in_nothing
from fairtrial.board.judged import Bench, doubts, held_back, judged, unruled, violations
from fairtrial.board.result import Options, Part, Row, Status, TaskTally
from fairtrial.board.runs import Attempt, Who
from fairtrial.board.scoring import Floats, Tally, accuracy, weighted
from fairtrial.board.spend import spent_making, spent_on
from fairtrial.records import Estimate, Submission
from fairtrial.records.ruling import Rule
from fairtrial.rules.rulings import Standing
from fairtrial.rules.schema import BenchmarkRules

_MOST_NAMES = 5
_ByBase = Literal["", "ruled", "awaiting", "nothing"]
"""Why the base model's results count."""


@dataclass(frozen=True, slots=True)
class Made:
    """A row without its rank, and the rates of its tasks by track, which rank it."""

    row: Row
    rates: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class _Scored:
    part: Part
    entry: Entry | None
    counted: Tally | None
    """The tally whose rates count: the base model's where it is penalised. None: no score."""
    by_base: _ByBase = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes rows: the tracks with everybody on them, the judges' words, the submissions, the weights."""

    fields: Fields
    bench: Bench
    submissions: Mapping[str, Submission]
    weights: Mapping[str, float]
    options: Options

    def row(self, entrant: Entrant) -> Made:
        """Return the row of `entrant`."""
        standings = self.bench.standings_of(entrant.who, entrant.models)
        scored = [self._part(wanted, standings) for wanted in entrant.wanted]
        attempts = [one for each in scored if each.entry for one in each.entry.accepted.run.attempts]
        gone = {one.id for each in scored for one in each.part.withdrawn}
        lacking = [each.part.why for each in scored if each.counted is None]
        rates = {} if lacking else self._rates(scored)
        status, why = _status(standings, self.bench.rules, lacking, self._told(scored))
        return Made(
            Row(
                key=entrant.key, label=entrant.label, models=entrant.models, who=entrant.who, entrant=entrant.entrant,
                rank=None, last_rank=None, score=None if lacking else self._score(rates, scored),
                bounds=None if lacking else self._bounds(scored), status=status, why=why,
                judged=judged(tuple(standings.values())), standings=standings,
                parts=tuple(each.part for each in scored), spent=spent_on(attempts),
                making=spent_making(entrant.submissions), submissions=entrant.submissions,
                rulings=tuple(one for one in self.bench.records.rulings if one.model in standings),
                screenings=tuple(one for model in standings for one in self.bench.screenings(model)),
                withdrawals=tuple({each.id: each for rollout, each in sorted(self.fields.withdrawals.items())
                                   if rollout in gone}.values()),
            ),
            rates,
        )  # fmt: skip

    def _part(self, wanted: Wanted, standings: Mapping[str, Mapping[Rule, Standing]]) -> _Scored:
        """Return one part of a row: its own runs, and those whose results count for it."""
        field = self.fields.by_track[wanted.track]
        entry = _entry(wanted, field)
        counted, why = (entry.tally, "") if entry else (None, _absent(wanted, field))
        scored_by = self.fields.labels[entry.who] if entry else ""
        if entry is not None and entry.accepted.waits_for:
            counted, why = None, _waits(entry)
        by_base = self._by_base(wanted, entry, standings, field)
        if by_base:
            who = entry.who if entry else Who(wanted.model, "", "")
            bases = Bases(bench=self.bench, submissions=self.submissions)
            base, why = bases.below(wanted.base, who, field, ruled=by_base == "ruled")
            counted, scored_by = (base.tally, self.fields.labels[base.who]) if base else (None, "")
        if counted is not None and (blank := _without_grade(counted, field)):
            whose = f"{scored_by}: " if by_base else ""
            counted, why = None, f"{whose}every run of {_some(blank)} is ungraded: it needs reruns"
        own = entry.tally if entry and not entry.accepted.waits_for and not _without_grade(entry.tally, field) else None
        part = Part(
            track=wanted.track, model=wanted.model, label=self.fields.labels[entry.who] if entry else wanted.model,
            base=wanted.base, scored_by=scored_by if counted is not None else "",
            accuracy=self._accuracy(counted, field), own_accuracy=self._accuracy(own, field),
            tasks=_tallies(entry, field) if entry else (), withdrawn=entry.accepted.withdrawn if entry else (), why=why,
        )  # fmt: skip
        return _Scored(part, entry, counted, by_base)

    def _by_base(
        self, wanted: Wanted, entry: Entry | None, standings: Mapping[str, Mapping[Rule, Standing]], field: Field
    ) -> _ByBase:
        """Return why the base model's results count for a part; empty where its own do, or where these broke."""
        if entry is None:
            return "nothing" if handed_in_nothing(self.submissions.get(wanted.model)) else ""
        spoken = [standings[name] for name in _names(wanted) if name in standings]
        if any(violations(each) for each in spoken):
            return "ruled"
        is_graded = not _without_grade(entry.tally, field)
        held = any(held_back(each, self.bench.rules, is_graded=is_graded) for each in spoken)
        return "awaiting" if held else ""

    def _told(self, scored: Sequence[_Scored]) -> list[str]:
        """Return what a reader must know of the parts that nobody ruled on and that have the base's score."""
        found = []
        if nothing := [one.part.model for one in scored if one.by_base == "nothing" and one.counted is not None]:
            found.append(f"no model was handed in, so the base model's score counts: {', '.join(nothing)}")
        if any(one.by_base == "awaiting" for one in scored):
            found.append("it has its base model's score until somebody rules")
        return found

    def _accuracy(self, tally: Tally | None, field: Field) -> Estimate | None:
        if tally is None:
            return None
        return accuracy(tally.rates(), field.cluster, tally.ungraded, self.options.confidence)

    def _rates(self, scored: Sequence[_Scored]) -> dict[str, Floats]:
        """Return the rates of the tasks by track, the mean over its models."""
        return {track: np.mean([tally.rates() for tally in _counted(scored, track)], axis=0)
                for track in self.fields.by_track}  # fmt: skip

    def _score(self, rates: Mapping[str, Floats], scored: Sequence[_Scored]) -> Estimate:
        parts = []
        for track, each in rates.items():
            ungraded = sum(tally.ungraded for tally in _counted(scored, track))
            parts.append(accuracy(each, self.fields.by_track[track].cluster, ungraded, self.options.confidence))
        return weighted(parts, [self.weights[track] for track in rates])

    def _bounds(self, scored: Sequence[_Scored]) -> tuple[float, float]:
        low = high = 0.0
        for track, weight in self.weights.items():
            each = [tally.bounds() for tally in _counted(scored, track)]
            low += weight * sum(one[0] for one in each) / len(each)
            high += weight * sum(one[1] for one in each) / len(each)
        return low, high


def _counted(scored: Sequence[_Scored], track: str) -> list[Tally]:
    """Return the tallies that count on one track."""
    return [one.counted for one in scored if one.part.track == track and one.counted is not None]


def _status(
    standings: Mapping[str, Mapping[Rule, Standing]], rules: BenchmarkRules, lacking: Sequence[str], said: Sequence[str]
) -> tuple[Status, str]:
    """Return the status of a row and why, each model named where there are several."""

    def told(words: Mapping[str, Sequence[str]]) -> list[str]:
        return [f"{model}: {word}" if len(standings) > 1 else word for model, each in words.items() for word in each]

    broken = told({model: violations(each) for model, each in standings.items()})
    open_ = told({model: doubts(each, rules) for model, each in standings.items()})
    silent = told({model: [f"not judged by {', '.join(left)}"] for model, each in standings.items()
                   if (left := unruled(each))})  # fmt: skip
    if lacking:
        return "removed", "; ".join(dict.fromkeys([*lacking, *broken, *open_]))
    if broken:
        return "penalised", "; ".join(["it has its base model's score", *broken, *open_, *said])
    return ("flagged", "; ".join([*said, *open_])) if open_ else ("clean", "; ".join([*said, *silent]))


def _entry(wanted: Wanted, field: Field) -> Entry | None:
    if wanted.who is not None:
        return field.entries.get(wanted.who)
    return field.of_model(wanted.model) if wanted.model else None


def _names(wanted: Wanted) -> tuple[str, ...]:
    return wanted.who.names if wanted.who is not None else (wanted.model,)


def _absent(wanted: Wanted, field: Field) -> str:
    if not wanted.model:
        return f"nothing was handed in from base {wanted.base} for track {wanted.track}"
    if sum(who.is_called(wanted.model) for who in field.entries) > 1:
        return f"{wanted.model} ran in several scaffolds or efforts on track {wanted.track}: which one counts?"
    return f"no run of {wanted.model} is accepted on track {wanted.track}"


def _waits(entry: Entry) -> str:
    missing = entry.accepted.waits_for
    runs = sum(count for _, count in missing)
    return f"{runs} withdrawn run{'s' if runs > 1 else ''} of {_some([task for task, _ in missing])} not run again"


def _without_grade(tally: Tally, field: Field) -> list[str]:
    return [field.lock.tasks[index] for index in np.flatnonzero(tally.graded == 0)]


def _tallies(entry: Entry, field: Field) -> tuple[TaskTally, ...]:
    attempts: dict[str, list[Attempt]] = {}
    for one in entry.accepted.run.attempts:
        attempts.setdefault(one.task, []).append(one)
    return tuple(
        TaskTally(task, int(counts[0]), int(counts[1]), int(counts[2]), tuple(attempts.get(task, ())))
        for task, counts in zip(field.lock.tasks, entry.tally.counts.T, strict=True)
    )


def _some(names: Sequence[str]) -> str:
    """Return some names of tasks, and how many more there are."""
    told = ", ".join(f"`{name}`" for name in names[:_MOST_NAMES])
    return told if len(names) <= _MOST_NAMES else f"{told} and {len(names) - _MOST_NAMES} more tasks"
