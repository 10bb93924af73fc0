"""Event records to tasks and a report: read, rebuild, grade, split, write, search the folders for the future, count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from fairtrial.authoring.records import figures
from fairtrial.authoring.records.decisions import Rebuilt, rebuild
from fairtrial.authoring.records.emitting import emit, task_name
from fairtrial.authoring.records.events import Desk, read_events
from fairtrial.authoring.records.figures import Agreement, Outcomes, Space
from fairtrial.authoring.records.grading import Case, Graded, grade_by
from fairtrial.authoring.records.leaks.finding import Leak, accepting
from fairtrial.authoring.records.leaks.lines import search_lines
from fairtrial.authoring.records.leaks.predicting import Area, search_predicting
from fairtrial.authoring.records.leaks.shown import read_shown
from fairtrial.authoring.records.leaks.traces import search_traces
from fairtrial.authoring.records.leaks.values import search_values
from fairtrial.authoring.records.power import Power, label_error, power_of
from fairtrial.authoring.records.schema import Declared, SelfRecorded
from fairtrial.authoring.records.sides import HELD_OUT, TRAIN, Sides, by_hash, by_time
from fairtrial.authoring.records.sources import read_rows
from fairtrial.authoring.records.telling import case_text
from fairtrial.records import InputError

SCHEMA = "fairtrial.records/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How tasks are made."""

    out: Path
    source: str = ""
    """Records to read instead of those that RECORDS.toml names."""
    held_out: float = 0.3
    after: datetime | None = None
    """Hold out what was decided from then on, instead of a share."""
    seed: int = 0
    self_recorded: SelfRecorded | None = None
    gain: float = 0.1
    """The gain of pass rate for which `power` says how many decisions it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The tasks, and all that the report says of them."""

    declared: Declared
    options: Options
    desk: Desk
    rebuilt: Rebuilt
    graded: Graded
    sides: Sides
    places: Sequence[Path | None]
    leaks: Sequence[Leak]
    areas: Sequence[Area]
    together: Sequence[Area]
    not_measured: Sequence[str]
    untested: Sequence[str]
    """Of these, the tests of leakage that could not be made."""
    spaces: Sequence[Space]
    outcomes: Outcomes
    agreement: Agreement
    power: dict[str, Power]
    costs: dict[str, float]

    @property
    def proofs(self) -> list[Leak]:
        """Return the leaks that are proven."""
        return [leak for leak in self.leaks if leak.severity == "proof"]

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        cases = self.graded.cases
        return {
            "schema": SCHEMA,
            "records": {"rows": self.desk.rows, "entities": len(self.desk.entities), "odd": dict(self.desk.odd),
                        "where": self.desk.places},
            "decisions": {"found": len(self.rebuilt.decisions) + self.rebuilt.dropped.total(),
                          "rebuilt": len(self.rebuilt.decisions),
                          "dropped": dict(self.rebuilt.dropped + self.graded.dropped)},
            "hidden": dict(sum((case.decision.visible.hidden for case in cases), Counter())),
            "tasks": {"made": sum(place is not None for place in self.places), "out": str(self.options.out),
                      "graded_by": dict(Counter(case.graded_by for case in cases)),
                      "why_not_by_outcome": dict(Counter(case.why for case in cases if case.why))},
            "split": {"train": self.sides.of.count(TRAIN), "held_out": self.sides.of.count(HELD_OUT),
                      "units": self.sides.units, "straddling_units": self.sides.straddling,
                      "labels_after_the_cut": self.sides.late_labels, "seed": self.options.seed,
                      "after": self.options.after.isoformat() if self.options.after else None},
            "leaks": [leak.document() for leak in self.leaks],
            "areas": {"highest": [area.document() for area in self.areas],
                      "together": [area.document() for area in self.together]},
            "action_space": [asdict(space) for space in self.spaces],
            "outcomes": asdict(self.outcomes),
            "agreement": asdict(self.agreement),
            "experts": figures.documents(figures.experts(cases)),
            "costs": self.costs,
            "power": {name: asdict(one) for name, one in self.power.items()},
            "not_measured": list(self.not_measured),
        }  # fmt: skip


def make(declared: Declared, options: Options, on_made: Callable[[Path], None] = lambda _: None) -> Made:
    """Make the tasks of the records and search them. Raise InputError where there is nothing to make tasks of."""
    desk = read_events(declared, read_rows(declared, options.source))
    rebuilt = rebuild(desk, declared)
    graded = grade_by(rebuilt.decisions, declared, options.self_recorded)
    cases = graded.cases
    if not cases:
        dropped = rebuilt.dropped + graded.dropped
        why = "; ".join(f"{reason}: {count:,}" for reason, count in dropped.most_common(4))
        raise InputError("the records hold no decision of which a task can be made", path=declared.path,
                         hint=why or "No event's action is one of [[action]].")  # fmt: skip
    sides = by_time(cases, options.after) if options.after else by_hash(cases, options.held_out, options.seed)
    if not any(sides.of):
        raise InputError("every unit has decisions on both sides of that time", field="--after",
                         hint="Name another time, or hold out a share.")  # fmt: skip
    places = emit(cases, sides, declared, options.out, on_made)
    found = _searched(cases, places, desk, declared)
    agreement = figures.agreement(rebuilt.decisions, declared)
    spaces = figures.spaces(cases)
    made = Made(
        declared=declared, options=options, desk=desk, rebuilt=rebuilt, graded=graded, sides=sides, places=places,
        spaces=spaces, outcomes=figures.outcomes(rebuilt.decisions, declared), agreement=agreement,
        power={space.graded_by: _power(space, cases, sides, agreement, options.gain) for space in spaces},
        costs=figures.costs(cases, declared), **found,
    )  # fmt: skip
    _write_beside(made)
    return made


def _searched(cases: Sequence[Case], places: Sequence[Path | None], desk: Desk, declared: Declared) -> dict[str, Any]:
    """Return what the tests of leakage found in the folders."""
    shown = [read_shown(case, place) for case, place in zip(cases, places, strict=True) if place is not None]
    if not shown:
        return {
            "leaks": [],
            "areas": [],
            "together": [],
            "not_measured": ["leakage: no task is on a side"],
            "untested": ["leakage"],
        }
    predicted = search_predicting(shown)
    tests = (
        search_lines(shown, desk),
        search_traces(shown, desk, declared.toml.records),
        search_values(shown, desk),
        predicted.searched,
    )
    untested = [why for test in tests for why in test.not_measured]
    missing = list(untested)
    if declared.toml.outcome is not None:
        missing.append("whether who recorded an outcome knew of the decision: records do not say")
    missing += [why for column, why in _UNTOLD.items() if not getattr(declared.toml.columns, column)]
    missing.append("notes in free text that were rewritten in place: records do not say")
    leaks = accepting([leak for test in tests for leak in test.leaks], declared.toml.fields.accepted)
    leaks.sort(key=lambda leak: (leak.severity != "proof", leak.is_accepted, leak.test, leak.field))
    return {"leaks": leaks, "areas": predicted.highest, "together": predicted.together, "not_measured": missing,
            "untested": untested}  # fmt: skip


_UNTOLD = {
    "recorded": "entries made later than they say: the records have one time, and what came late may show too early",
    "event": "corrections: the records have no id of events, and each row is one of its own",
}
"""Columns that the records do not have -> what that leaves open."""


def _power(space: Space, cases: Sequence[Case], sides: Sides, agreement: Agreement, gain: float) -> Power:
    """Return what the held-out cases of one kind can show; agreement bounds what can be reached where it grades."""
    mine = [case for case in cases if case.graded_by == space.graded_by]
    held = [case for case, side in zip(cases, sides.of, strict=True)
            if side == HELD_OUT and case.graded_by == space.graded_by]  # fmt: skip
    known = agreement.pairs.value if space.graded_by == "agreement" else None
    labels = None
    if known is not None:
        error = label_error(known, space.offered)
        labels = (0.5 if error is None else error, space.offered)
    units = len({case.decision.group for case in held})
    guess = sum(len(case.right) / len(case.offered) for case in mine) / len(mine)
    return power_of(space.majority_rate.value or 0.0, guess, (len(held), units), gain, labels)


def _write_beside(made: Made) -> None:
    """Write the split, the texts for a search for near copies, and the key's table of decisions beside the tasks."""
    out, cases = made.options.out, made.graded.cases
    ids: dict[str, list[str]] = {TRAIN: [], HELD_OUT: []}
    texts, keys = [], []
    for case, side in zip(cases, made.sides.of, strict=True):
        if not side:
            continue
        name = task_name(case, made.declared)
        ids[side].append(name)
        texts.append({"id": name, "prompt": case_text(case, made.declared), "side": side})
        keys.append({"task": name, "side": side, **_key(case)})
    try:
        (out / "split.json").write_bytes(orjson.dumps(ids, option=orjson.OPT_INDENT_2) + b"\n")
        (out / "cases.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in texts))
        (out / "key.jsonl").write_bytes(b"".join(orjson.dumps(row, default=str) + b"\n" for row in keys))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=out, field="--out") from error


def _key(case: Case) -> dict[str, Any]:
    decision, outcome = case.decision, case.decision.outcome
    return {"entity": decision.entity, "group": decision.group, "made_at": decision.made_at.isoformat(),
            "actor": decision.actor, "chosen": decision.action, "chosen_parameters": decision.parameters,
            "graded_by": case.graded_by, "why": case.why, "right": case.right, "right_parameters": case.parameters,
            "outcome": outcome.value if outcome else None, "recorder": outcome.recorder if outcome else None,
            "recorded_at": outcome.recorded_at.isoformat() if outcome else None,
            "independence": outcome.independence if outcome else None}  # fmt: skip
