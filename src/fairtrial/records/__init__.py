"""The nouns of fairtrial: frozen, versioned, content-hashed. Imports nothing else of fairtrial."""

from fairtrial.records.environment import Environment, Instruction, Limits
from fairtrial.records.errors import (
    FairtrialError,
    FormatError,
    GraderError,
    InputError,
    LedgerError,
    ModelError,
    SandboxError,
)
from fairtrial.records.estimate import Estimate
from fairtrial.records.finding import Finding, Runner, Severity
from fairtrial.records.identity import canonical_json, digest, record_id, storable
from fairtrial.records.proof import Proof, Status
from fairtrial.records.review import Review
from fairtrial.records.rollout import Origin, Rollout
from fairtrial.records.verdict import CheckResult, CheckStatus, Outcome, Verdict

__all__ = [
    "CheckResult",
    "CheckStatus",
    "Environment",
    "Estimate",
    "FairtrialError",
    "Finding",
    "FormatError",
    "GraderError",
    "InputError",
    "Instruction",
    "LedgerError",
    "Limits",
    "ModelError",
    "Origin",
    "Outcome",
    "Proof",
    "Review",
    "Rollout",
    "Runner",
    "SandboxError",
    "Severity",
    "Status",
    "Verdict",
    "canonical_json",
    "digest",
    "record_id",
    "storable",
]
