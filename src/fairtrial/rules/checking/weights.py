"""Are the submitted weights the given base, trained? Compared tensor by tensor with the base and with known models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairtrial.contamination.identity import Identity, compare_models
from fairtrial.records import Rule, Screening, canonical_json, digest
from fairtrial.rules.checking.result import Checked, Finding, not_run, now
from fairtrial.rules.schema import BenchmarkRules
from fairtrial.rules.submission import HandedIn

RULE: Rule = "identity"


def check_weights(rules: BenchmarkRules, handed_in: HandedIn) -> Checked:
    """Compare the weights with the base. Raise InputError or FormatError where a model cannot be read."""
    toml = handed_in.toml
    base = handed_in.base_weights(rules)
    if not toml.weights or base is None:
        why = "no weights were handed in" if not toml.weights else "the weights of the base are not at hand"
        return Checked(rule=RULE, findings=(not_run(RULE, toml.model, "weights", why),))
    weights = handed_in.beside(toml.weights)
    found = compare_models(weights, base, handed_in.known(rules))
    return Checked(rule=RULE, findings=(_finding(found, toml.model, weights, base),))


def _finding(found: Identity, model: str, weights: Path, base: Path) -> Finding:
    document = found.document()
    return Finding(screening=Screening(
        kind="identity", subject=str(weights), subject_hash=_hash(found.submitted), holds=found.holds,
        summary=f"{found.verdict}: {found.why}", against=str(base), against_hash=_hash(found.base), model=model,
        not_measured=found.not_measured, document=digest(canonical_json(document)), recorded_at=now(),
    ), document=document)  # fmt: skip


def _hash(told: Mapping[str, Any]) -> str:
    return str(told.get("hash") or "")
