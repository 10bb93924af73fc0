"""Which rollout of the ledger a row of a file means: by its id, or by task, model and attempt.

A model is named as the ledger has it, or as figures print it (`MODEL@EFFORT`). Where that leaves several, `suite`,
`agent` or `effort` tell them apart; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.audit.sampling import Unit
from fairtrial.records import FormatError

_APART = ("suite", "agent", "effort")
Place = tuple[Path, int | None]
"""File, and line or None."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The rollouts of a ledger, to be found by what a row says of them."""

    by_id: Mapping[str, Unit]
    by_name: Mapping[tuple[str, str, int], tuple[Unit, ...]]

    @classmethod
    def of(cls, units: Iterable[Unit]) -> Roster:
        """Return the roster of `units`."""
        by_id, by_name = {}, dict[tuple[str, str, int], list[Unit]]()
        for unit in units:
            by_id[unit.rollout] = unit
            for model in {unit.model, unit.label}:
                by_name.setdefault((unit.task, model, unit.attempt), []).append(unit)
        return cls(by_id, {name: tuple(found) for name, found in by_name.items()})

    def find(self, row: Mapping[str, Any], place: Place) -> Unit | None:
        """Return the rollout that `row` means; None where the ledger holds no such one.

        Raise FormatError for a row that names none, or several.
        """
        path, line = place
        if row.get("rollout") is not None:
            return self.by_id.get(_text(row, "rollout", place))
        task, model = _name(row, "task", place), _text(row, "model", place)
        attempt = row.get("attempt", 0)
        if isinstance(attempt, bool) or not isinstance(attempt, int):
            raise FormatError("is not a whole number", path=path, line=line, field="attempt")
        found = self.by_name.get((task, model, attempt), ())
        for field in _APART:
            if row.get(field) is not None:
                wanted = _text(row, field, place)
                found = tuple(unit for unit in found if getattr(unit, field) == wanted)
        if len(found) > 1:
            apart = [field for field in _APART if len({getattr(unit, field) for unit in found}) > 1]
            raise FormatError(
                f"task `{task}`, model `{model}`, attempt {attempt} are {len(found)} rollouts", path=path, line=line,
                hint=f"Name `{'`, `'.join(apart)}` too." if apart else "Name `rollout`, the id, instead.",
            )  # fmt: skip
        return found[0] if found else None


def named(row: Mapping[str, Any]) -> str:
    """Return how a message names the rollout of `row`."""
    if row.get("rollout") is not None:
        return str(row["rollout"])
    return f"task {row.get('task')}, model {row.get('model')}, attempt {row.get('attempt', 0)}"


def _name(row: Mapping[str, Any], field: str, place: Place) -> str:
    """Return a task's name, which tools that number their tasks write as a number."""
    value = row.get(field)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(row, field, place)


def _text(row: Mapping[str, Any], field: str, place: Place) -> str:
    path, line = place
    if field not in row:
        raise FormatError("is missing", path=path, line=line, field=field,
                          hint="A row names `rollout`, or `task`, `model` and `attempt`.")  # fmt: skip
    if not isinstance(row[field], str):
        raise FormatError("is not a text", path=path, line=line, field=field)
    return str(row[field])
