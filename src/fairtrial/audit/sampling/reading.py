"""Read from a ledger what is sampled: graded rollouts of a policy, with what detectors said of them.

Known candidates are left out. Ungraded rollouts are counted and left out unless asked for: there is no verdict of which
it could be asked whether it is right. Not covered: anything that a review says; a sample must not hang on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import duckdb
import orjson

from fairtrial.audit.sampling.draw import frame_address
from fairtrial.audit.sampling.frame import Frame, Unit
from fairtrial.ledger import Ledger, connect, damage
from fairtrial.ledger.audited import all_samples
from fairtrial.records import InputError, LedgerError, Sample

SUSPECTED = 0.5
"""Least score of a detector's finding that makes a rollout `suspected`."""
FAMILY = "trajectory"
"""Family of the findings of `fairtrial detect`."""

_COLUMNS = (
    "id", "task", "model", "attempt", "suite", "agent", "effort", "domain", "family", "cluster", "step", "outcome",
    "trajectory",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """Which rollouts of a ledger a sample is to speak for. Empty means all."""

    suite: str = ""
    """Name of the suite, with or without its `@hash`."""
    models: tuple[str, ...] = ()
    """Names of models, or MODEL@EFFORT."""
    tasks: tuple[str, ...] = ()
    ungraded: bool = False
    """Sample rollouts without a verdict too."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON; what is not set is left out."""
        return {name: value for name, value in asdict(self).items() if value}

    def holds(self, unit: Unit) -> bool:
        """Return whether `unit` is of the suite, models and tasks that are named."""
        return (
            (not self.suite or unit.suite == self.suite or unit.suite.startswith(f"{self.suite}@"))
            and (not self.models or unit.model in self.models or unit.label in self.models)
            and (not self.tasks or unit.task in self.tasks)
        )

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Population:
        """Return what `document` wrote."""
        return cls(suite=told.get("suite", ""), models=tuple(told.get("models", ())),
                   tasks=tuple(told.get("tasks", ())), ungraded=bool(told.get("ungraded", False)))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The rollouts, and those that were left out."""

    units: tuple[Unit, ...]
    ungraded: int
    """Left out because they have no verdict; 0 where they are sampled."""
    reasons: Mapping[str, int]
    """Why they have none."""
    leads: int
    """Rollouts with a finding of `fairtrial detect`."""


def read_units(ledger: Ledger, population: Population) -> Read:
    """Return what is to be sampled, sorted by id.

    Raise InputError for a suite, model or task that the ledger does not hold.
    """
    connection = connect(ledger)
    try:
        leads = _leads(connection)
        rows = connection.execute(
            f"select {', '.join(_COLUMNS)}, reason from outcomes where origin = 'policy' order by id"
        ).fetchall()
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()
    units, reasons = [], Counter[str]()
    chosen = [unit_and_reason for row in rows if population.holds((unit_and_reason := _unit(row, leads))[0])]
    if not chosen:
        _refuse(ledger, population, [_unit(row, leads)[0] for row in rows])
    for unit, reason in chosen:
        if unit.outcome == "ungraded" and not population.ungraded:
            reasons[reason or "not_graded"] += 1
        else:
            units.append(unit)
    return Read(units=tuple(units), ungraded=reasons.total(), reasons=dict(sorted(reasons.items())),
                leads=sum(unit.lead in ("suspected", "lead") for unit in units))  # fmt: skip


def _unit(row: tuple[Any, ...], leads: Mapping[str, float]) -> tuple[Unit, str]:
    told = dict(zip((*_COLUMNS, "reason"), row, strict=True))
    rollout, reason = told.pop("id"), told.pop("reason")
    score = leads.get(rollout)
    lead = "" if told.pop("trajectory") else "unread"
    if score is not None:
        lead = "suspected" if score >= SUSPECTED else "lead"
    given = {name: value for name, value in told.items() if value is not None}
    return Unit(rollout=rollout, lead=lead, **given), reason or ""


def _leads(connection: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """Return the highest score of the findings of each rollout; a finding that has none counts as suspected."""
    query = "select rollout, evidence from findings where family = ? and rollout <> ''"
    found: dict[str, float] = {}
    for rollout, evidence in connection.execute(query, [FAMILY]).fetchall():
        found[rollout] = max(found.get(rollout, 0.0), _score(evidence))
    return found


def _score(evidence: str | None) -> float:
    try:
        told = orjson.loads(evidence or "{}")
    except orjson.JSONDecodeError:
        return 1.0
    score = told.get("score", 1.0) if isinstance(told, dict) else 1.0
    return float(score) if isinstance(score, int | float) else 1.0


def _refuse(ledger: Ledger, population: Population, units: list[Unit]) -> None:
    if not units:
        raise InputError("holds no rollout of a policy", path=ledger.path,
                         hint="`fairtrial run` or `fairtrial import` adds rollouts.")  # fmt: skip
    for option, wanted, there in (
        ("--suite", (population.suite,) if population.suite else (),
         {name for unit in units for name in (unit.suite, unit.suite.split("@")[0])}),
        ("--model", population.models, {name for unit in units for name in (unit.model, unit.label)}),
        ("--task", population.tasks, {unit.task for unit in units}),
    ):  # fmt: skip
        missing = [name for name in wanted if name not in there]
        if missing:
            held = ", ".join(name or "(no name)" for name in sorted(there)[:9])
            raise InputError(f"no rollout of `{missing[0]}`", path=ledger.path, field=option, hint=f"It holds: {held}")
    raise InputError("holds no rollout that is all of what was named", path=ledger.path)


def sample_named(ledger: Ledger, name: str) -> Sample:
    """Return the sample with this id, its beginning (8 digits or more), or its name; `last` is the last one drawn.

    Raise InputError where there is none, or several.
    """
    samples = all_samples(ledger)
    if not samples:
        raise InputError("no sample was drawn from this ledger", path=ledger.path,
                         hint="`fairtrial audit sample LEDGER --n N` draws one.")  # fmt: skip
    if name == "last":
        return samples[-1]
    found = [one for one in samples if name == one.name or (len(name) >= 8 and one.id.startswith(name))]
    if len({one.id for one in found}) == 1:
        return found[-1]
    what = f"several samples are called `{name}`" if found else f"no sample is called `{name}`"
    raise InputError(what, path=ledger.path, hint=f"The last is {samples[-1].id}.")


def frame_of_sample(ledger: Ledger, sample: Sample) -> Frame:
    """Return the frame that `sample` was drawn from.

    Raise InputError where the sample names none, LedgerError where what it names is not there, or damaged.
    """
    address = frame_address(sample)
    if not address:
        raise InputError(f"the sample {sample.id} does not say what it was drawn from, so it cannot grow",
                         path=ledger.path, hint="Draw a new one.")  # fmt: skip
    return Frame.decoded(ledger.get_blob(address))
