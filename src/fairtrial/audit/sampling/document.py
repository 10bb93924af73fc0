"""A sample as the document that `fairtrial audit sample` prints and `fairtrial audit estimate` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairtrial.audit.sampling.frame import Unit
from fairtrial.records import Sample

SCHEMA = "fairtrial.sample/1"


def document_of(sample: Sample, units: Mapping[str, Unit]) -> dict[str, Any]:
    """Return the JSON object; `units` by rollout say what each row is. One that is not there has its id only."""
    rows = []
    for row in sample.rows:
        unit = units.get(row.rollout)
        told = {"task": unit.task, "model": unit.model, "attempt": unit.attempt, "suite": unit.suite,
                "agent": unit.agent, "effort": unit.effort} if unit else {}  # fmt: skip
        rows.append({"rollout": row.rollout, **told, "stratum": row.stratum, "probability": row.probability,
                     "readers": row.readers, "reader_probability": row.reader_probability})  # fmt: skip
    return {
        "schema": SCHEMA,
        "id": sample.id,
        "seed": sample.seed,
        "by": list(sample.by),
        "parent": sample.parent or None,
        "rows": rows,
        "strata": {one.name: {"population": one.population, "sampled": one.sampled} for one in sample.strata},
    }
