"""ErrorRates as the JSON document `fairtrial.audit/1` of the command-line contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fairtrial.audit.estimating.result import ErrorRates

SCHEMA = "fairtrial.audit/1"


def document_of(rates: ErrorRates) -> dict[str, Any]:
    """Return the document: the fields of the contract first, then everything else."""
    return {"schema": SCHEMA, "sentence": rates.sentence, **asdict(rates)}
