"""Who makes up a row: one model, or the submissions of one entrant over base models and tracks.

Submissions of one entrant are one row where each is from another base model, or for another suite; else each is a row
of its own. Base models that the rules name, and their instruct siblings, are the scale and no rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from fairtrial.board.accepted import Fields
from fairtrial.board.locking import is_of_suite
from fairtrial.board.runs import Who
from fairtrial.records import Submission
from fairtrial.rules.current import NOTHING
from fairtrial.rules.schema import BenchmarkRules


@dataclass(frozen=True, slots=True)
class Wanted:
    """One run that a row needs."""

    track: str
    model: str
    """Empty where the entrant handed in nothing from that base."""
    base: str
    who: Who | None = None
    """Scaffold and effort, where the row is of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A row to be: what it needs, and what was handed in for it."""

    key: str
    label: str
    entrant: str
    who: Who | None
    wanted: tuple[Wanted, ...]
    submissions: tuple[Submission, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """Return its models, each once."""
        return tuple(dict.fromkeys(one.model for one in self.wanted if one.model))


def last_submissions(submissions: Sequence[Submission]) -> dict[str, Submission]:
    """Return the submission of each model that counts: the last one recorded."""
    return {one.model: one for one in submissions}


def entrants_of(fields: Fields, submissions: Mapping[str, Submission], rules: BenchmarkRules) -> list[Entrant]:
    """Return every row to be, rows of several models first."""
    groups = groups_of(submissions)
    bases = bases_of(rules, groups)
    found = [_of_group(name, group, bases, fields) for name, group in groups.items()]
    taken = {one.model for group in groups.values() for one in group}
    taken |= set(references_of(rules, groups))
    for who in fields.everybody():
        if taken.isdisjoint(who.names):
            submission = next((submissions[name] for name in who.names if name in submissions), None)
            found.append(_of_one(who, submission, fields))
    ran = {name for who in fields.everybody() for name in who.names}
    empty = [one for name, one in submissions.items() if name not in taken | ran and handed_in_nothing(one)]
    return [*found, *(_of_one(Who(one.model, "", ""), one, fields) for one in empty)]


def handed_in_nothing(submission: Submission | None) -> bool:
    """Say whether a submission records that its entrant had no model to hand in: it counts as its base."""
    return submission is not None and bool(orjson.loads(submission.artifacts or b"{}").get(NOTHING))


def bases_of(rules: BenchmarkRules, groups: Mapping[str, Sequence[Submission]]) -> tuple[str, ...]:
    """Return the base models from which rows of several models are made: those of the rules, else of most such rows.

    Of what as many rows have, the first by name; `differing` says that they differ.
    """
    if rules.toml.base:
        return tuple(base.model for base in rules.toml.base)
    had = Counter(each for each in _had(groups).values())
    return min(had, key=lambda each: (-had[each], each), default=())


def differing(rules: BenchmarkRules, groups: Mapping[str, Sequence[Submission]]) -> tuple[str, ...]:
    """Return the entrants whose base models are not those of most, where the rules name none."""
    bases = bases_of(rules, groups)
    return () if rules.toml.base else tuple(name for name, each in _had(groups).items() if each != bases)


def _had(groups: Mapping[str, Sequence[Submission]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted({one.base for one in group})) for name, group in groups.items()}


def references_of(rules: BenchmarkRules, groups: Mapping[str, Sequence[Submission]]) -> tuple[str, ...]:
    """Return the models that are a scale: bases and siblings of the rules, else the bases of rows of several models."""
    named = [name for base in rules.toml.base for name in (base.model, base.instruct) if name]
    return tuple(named) or bases_of(rules, groups)


def groups_of(submissions: Mapping[str, Submission]) -> dict[str, tuple[Submission, ...]]:
    """Return the entrants whose submissions are one row."""
    by_entrant: dict[str, list[Submission]] = {}
    for one in submissions.values():
        if one.entrant:
            by_entrant.setdefault(one.entrant, []).append(one)
    groups = {}
    for name, mine in sorted(by_entrant.items()):
        places = Counter((one.base, one.benchmark) for one in mine)
        if len(mine) > 1 and all(one.base for one in mine) and max(places.values()) == 1:
            groups[name] = tuple(sorted(mine, key=lambda one: (one.base, one.benchmark, one.model)))
    return groups


def _of_group(name: str, group: Sequence[Submission], bases: Sequence[str], fields: Fields) -> Entrant:
    wanted = []
    for track, each in fields.by_track.items():
        for base in bases:
            mine = [one for one in group if one.base == base and _is_for(one, track, each.lock.where.suite)]
            mine.sort(key=lambda one: one.benchmark == "")  # one made for the suite before one for all
            wanted.append(Wanted(track, mine[0].model if mine else "", base))
    return Entrant(key=f"entrant {name}", label=name, entrant=name, who=None, wanted=tuple(wanted),
                   submissions=tuple(group))  # fmt: skip


def _is_for(submission: Submission, track: str, suite: str) -> bool:
    return submission.benchmark in ("", track) or is_of_suite(suite, submission.benchmark)


def _of_one(who: Who, submission: Submission | None, fields: Fields) -> Entrant:
    base, entrant = (submission.base, submission.entrant) if submission else ("", "")
    return Entrant(
        key="model " + "\t".join(who), label=fields.labels.get(who, who.model), entrant=entrant,
        who=who, wanted=tuple(Wanted(track, who.model, base, who) for track in fields.by_track),
        submissions=(submission,) if submission else (),
    )  # fmt: skip
