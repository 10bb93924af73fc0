"""What `fairtrial criteria` prints as JSON: each criterion with its figures, and from how much they were made."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from fairtrial.train.criteria.criterion import Tried
from fairtrial.train.criteria.file import SCHEMA
from fairtrial.train.criteria.making import MadeCriteria
from fairtrial.train.criteria.reading import Material


def document_of(made: MadeCriteria, material: Material) -> dict[str, Any]:
    """Return the JSON object."""
    criteria, parts = made.criteria, made.halves
    return {
        "schema": SCHEMA,
        "hash": criteria.hash,
        "kept": len(criteria.kept),
        "dropped": dict(sorted(Counter(one.reason for one in criteria.tried if not one.is_kept).items())),
        "criteria": [_row(one) for one in criteria.tried],
        "judge": asdict(criteria.judge) if criteria.judge is not None else None,
        "made": asdict(criteria.made) if criteria.made is not None else None,
        "tasks": {
            "passed_often": material.passed_often,
            "contrasted": material.contrasted,
            "left_out": sorted(parts.left_out),
        },
        "rollouts": {
            "studied": len(parts.studied),
            "held_out": len(parts.held_out),
            "same": parts.same,
            "disputed": parts.disputed,
            "without_instruction": material.without_instruction,
        },
        "left_out": dict(material.left_out),
        "writer": {"requests": made.written.requests, "failed": list(made.written.failed)},
    }


def _row(tried: Tried) -> dict[str, Any]:
    told = asdict(tried)
    return {**told.pop("criterion"), "kept": tried.is_kept, **told}
