"""Read the document that `fairtrial audit sample --json` printed: which rollouts were drawn, with which probability.

`rows` and `strata` are needed; `seed`, `id`, `readers` and `reader_probability` are taken where they are there. A
document that another tool wrote will do as well.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, TypeGuard

import orjson

from fairtrial.audit.estimating.matching import Roster, named
from fairtrial.records import Draw, FormatError, InputError, Sample, Stratum


def read_sample(path: Path, roster: Roster) -> Sample:
    """Return the sample. A drawn rollout that the ledger does not hold is refused: it was drawn from another one."""
    document = _document(path)
    strata = _strata(path, document.get("strata"))
    sizes = {stratum.name: stratum for stratum in strata}
    rows: list[Draw] = []
    seen: dict[str, int] = {}
    if not isinstance(document.get("rows"), list):
        raise FormatError("is missing, or no list", path=path, field="rows")
    for number, row in enumerate(document["rows"]):
        where = f"rows[{number}]"
        if not isinstance(row, dict):
            raise FormatError("is no JSON object", path=path, field=where)
        unit = roster.find(row, (path, None))
        if unit is None:
            raise InputError(f"the ledger holds no such rollout of a policy: {named(row)}", path=path, field=where,
                             hint="The sample was drawn from another ledger, or other rollouts.")  # fmt: skip
        if unit.rollout in seen:
            raise FormatError(f"is the rollout of rows[{seen[unit.rollout]}] again", path=path, field=where)
        seen[unit.rollout] = number
        if row.get("stratum") not in sizes:
            raise FormatError("is none of `strata`", path=path, field=f"{where}.stratum")
        probability = _probability(path, row.get("probability"), f"{where}.probability")
        rows.append(
            Draw(rollout=unit.rollout, stratum=row["stratum"], probability=probability, **_readers(path, row, where))
        )
    if not rows:
        raise InputError("no rollout was drawn", path=path, field="rows")
    seed = document.get("seed")
    return Sample(seed=seed if isinstance(seed, int) else 0, by=tuple(map(str, document.get("by") or ())),
                  strata=strata, rows=tuple(rows), name=str(document.get("id") or ""))  # fmt: skip


def _document(path: Path) -> dict[str, Any]:
    try:
        document = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path,
                         hint="--sample takes a document of `audit sample --json`, an id, or `last`.",
                         ) from error  # fmt: skip
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is no JSON: {error}", path=path) from error
    if not isinstance(document, dict) or not str(document.get("schema", "")).startswith("fairtrial.sample/"):
        raise FormatError("is no fairtrial.sample/1", path=path, field="schema")
    if document["schema"] != "fairtrial.sample/1":
        raise FormatError(f"is {document['schema']}, which this version does not read", path=path, field="schema")
    return document


def _strata(path: Path, told: Any) -> tuple[Stratum, ...]:
    if not isinstance(told, dict) or not told:
        raise FormatError("is missing, or no object", path=path, field="strata")
    found = []
    for name, counts in told.items():
        where = f"strata.{name}"
        told_here = counts if isinstance(counts, dict) else {}
        population, sampled = told_here.get("population"), told_here.get("sampled")
        if not _is_count(population) or not _is_count(sampled):
            raise FormatError("has no `population` and `sampled`", path=path, field=where)
        if not 0 <= sampled <= population:
            raise FormatError(f"samples {sampled} of {population}", path=path, field=where)
        found.append(Stratum(name=name, population=population, sampled=sampled))
    return tuple(found)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _readers(path: Path, row: dict[str, Any], where: str) -> dict[str, Any]:
    readers = row.get("readers") or 0
    if isinstance(readers, bool) or not isinstance(readers, int) or readers < 0:
        raise FormatError("is no count", path=path, field=f"{where}.readers")
    chance = row.get("reader_probability") or 0
    if readers or chance:
        chance = _probability(path, chance, f"{where}.reader_probability")
    return {"readers": readers, "reader_probability": float(chance)}


def _probability(path: Path, value: Any, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 < value <= 1:
        raise FormatError("is no probability above 0", path=path, field=field)
    return float(value)
