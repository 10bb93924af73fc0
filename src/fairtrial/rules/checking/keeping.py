"""Keep a checked submission in a ledger: documents and exhibits as blobs, then the submission, then its screenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.records import Submission, canonical_json
from fairtrial.rules.checking.hashes import path_hash
from fairtrial.rules.checking.result import Checked
from fairtrial.rules.current import EXHIBITS
from fairtrial.rules.exhibits import kept
from fairtrial.rules.schema import BenchmarkRules
from fairtrial.rules.submission import HandedIn


def keep(
    ledger: Ledger, rules: BenchmarkRules, handed_in: HandedIn, checked: Sequence[Checked], began: str
) -> Submission:
    """Keep what was handed in, and what was found; return the submission as it was recorded, at `began`."""
    for one in checked:
        for finding in one.findings:
            if finding.document is not None:
                ledger.put_blob(canonical_json(finding.document))
    toml = handed_in.toml
    submission = Submission(
        model=toml.model, base=toml.base, entrant=toml.entrant, benchmark=_suite(handed_in),
        artifacts=canonical_json(_artifacts(ledger, rules, handed_in, checked)).decode(),
        input_tokens=toml.cost.input_tokens, output_tokens=toml.cost.output_tokens, cost_usd=toml.cost.usd,
        source=str(handed_in.path), recorded_at=began,
    )  # fmt: skip
    ledger.append("submissions", [submission])
    ledger.append("screenings", [finding.screening for one in checked for finding in one.findings])
    return submission


def _suite(handed_in: HandedIn) -> str:
    """Return the suite of the track that a submission is handed in for; empty where it is for all."""
    return handed_in.tracks[0].suite if handed_in.toml.track else ""


def _artifacts(
    ledger: Ledger, rules: BenchmarkRules, handed_in: HandedIn, checked: Sequence[Checked]
) -> dict[str, list[dict[str, str]]]:
    toml = handed_in.toml
    base = handed_in.base_weights(rules)
    named: dict[str, list[Any]] = {
        "training_set": handed_in.all_beside(toml.training_set),
        "training_log": handed_in.all_beside([toml.training_log] if toml.training_log else []),
        "weights": handed_in.all_beside([toml.weights] if toml.weights else []),
        "base_weights": [base] if base is not None else [],
        "trajectory": handed_in.all_beside(toml.trajectories),
        "workspace": handed_in.all_beside(toml.artifacts),
        "evaluator": handed_in.all_beside([one for one in (toml.evaluator, toml.evaluator_versions) if one]),
    }
    found = {kind: [{"path": str(path), "hash": path_hash(path)} for path in paths] for kind, paths in named.items()
             if paths}  # fmt: skip
    exhibits = [{"path": one.rule, "hash": kept(ledger, one.exhibits)} for one in checked if one.exhibits]
    return found | ({EXHIBITS: exhibits} if exhibits else {})
