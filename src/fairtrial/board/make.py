"""`make_board(records, rules) -> Board`: lock, accept, score, rank. Pure: no files, no clock; same seed, same board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from fairtrial.board.accepted import Fields, fields_of
from fairtrial.board.entrants import entrants_of, groups_of, last_submissions, references_of
from fairtrial.board.judged import Bench
from fairtrial.board.notes import notes_of
from fairtrial.board.ranks import TrackRates, ranks
from fairtrial.board.result import Board, Options, Reference, Row
from fairtrial.board.rows import Made, Maker
from fairtrial.board.runs import Records
from fairtrial.board.scoring import accuracy, weighted
from fairtrial.board.weights import weights_of
from fairtrial.records import FairtrialError, Submission
from fairtrial.rules.schema import BenchmarkRules


def make_board(records: Records, rules: BenchmarkRules, options: Options | None = None) -> Board:
    """Return the board of `records` under `rules`, rows by rank, then score, then name; removed ones last.

    Raise FairtrialError (exit 3) where there is no run at all, or where tracks cannot be weighed; InputError where
    the rules leave open which run is on which track.
    """
    chosen = options or Options()
    if not records.runs:
        raise FairtrialError("no rollout of a policy is in the ledgers, so there is nothing to rank",
                             hint="`fairtrial run` or `fairtrial import` adds rollouts.")  # fmt: skip
    fields = fields_of(records, rules)
    submissions = last_submissions(records.submissions)
    entrants = entrants_of(fields, submissions, rules) if fields.everybody() else []
    weights, source = weights_of(fields, rules) if entrants else ({}, "nothing was accepted")
    maker = Maker(fields=fields, bench=Bench(rules=rules, records=records), submissions=submissions, weights=weights,
                  options=chosen)  # fmt: skip
    rows, separated = _ranked([maker.row(entrant) for entrant in entrants], fields, weights, chosen)
    standing = sum(row.rank is not None for row in rows)
    return Board(
        title=rules.toml.benchmark.title or rules.toml.benchmark.name, rules=rules.name,
        checked=tuple(rules.toml.benchmark.checked), locks=tuple(each.lock for each in fields.by_track.values()),
        weights=weights, weights_from=source, rows=rows,
        references=_references(fields, submissions, rules, weights, chosen),
        refused=fields.refused, pairs=standing * (standing - 1) // 2, separated=separated, options=chosen,
        notes=notes_of(records, fields, submissions, rules, rows),
    )  # fmt: skip


def _ranked(
    made: Sequence[Made], fields: Fields, weights: Mapping[str, float], options: Options
) -> tuple[tuple[Row, ...], int]:
    """Return the rows with their ranks, in the order in which they stand, and how many pairs are separated."""
    standing = sorted((one for one in made if one.row.score is not None), key=lambda one: one.row.key)
    rows = [one.row for one in made if one.row.score is None]
    separated = 0
    if standing:
        tracks = [TrackRates(rates=np.stack([one.rates[track] for one in standing]), cluster=each.cluster,
                             weight=weights[track]) for track, each in fields.by_track.items()]  # fmt: skip
        found = ranks(tracks, seed=options.seed, replicates=options.replicates, confidence=options.confidence)
        rows += [replace(one.row, rank=first, last_rank=last)
                 for one, first, last in zip(standing, found.first, found.last, strict=True)]  # fmt: skip
        separated = found.separated
    return tuple(sorted(rows, key=_order)), separated


def _order(row: Row) -> tuple[float, float, str, str]:
    value = row.score.value if row.score is not None else None
    return (float("inf") if row.rank is None else row.rank, 0.0 if value is None else -value, row.label, row.key)


def _references(
    fields: Fields, submissions: Mapping[str, Submission], rules: BenchmarkRules, weights: Mapping[str, float],
    options: Options,
) -> tuple[Reference, ...]:  # fmt: skip
    """Return the base models, and their instruct siblings, scored as a row is."""
    siblings = tuple(base.instruct for base in rules.toml.base if base.instruct)
    bases = tuple(name for name in references_of(rules, groups_of(submissions)) if name not in siblings)
    found = []
    if bases:
        found.append(_reference(Reference(role="base", models=bases, score=None), fields, weights, options))
    if siblings:
        found.append(_reference(Reference(role="instruct", models=siblings, score=None), fields, weights, options))
    return tuple(found)


def _reference(reference: Reference, fields: Fields, weights: Mapping[str, float], options: Options) -> Reference:
    parts = []
    for track, each in fields.by_track.items():
        entries = [each.of_model(model) for model in reference.models]
        tallies = [entry.tally for entry in entries if entry is not None and not entry.accepted.waits_for]
        lacking = [model for model, entry in zip(reference.models, entries, strict=True) if entry is None]
        rates = [tally.rates() for tally in tallies]
        if len(tallies) < len(entries) or not all(bool(np.isfinite(one).all()) for one in rates) or not weights:
            named = f": {', '.join(lacking)}" if lacking else ""
            return replace(reference, why=f"not measured: no whole accepted run on track {track}{named}")
        ungraded = sum(tally.ungraded for tally in tallies)
        parts.append(accuracy(np.mean(rates, axis=0), each.cluster, ungraded, options.confidence))
    return replace(reference, score=weighted(parts, [weights[track] for track in fields.by_track]))
