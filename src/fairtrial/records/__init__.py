"""The nouns of fairtrial: frozen, versioned, content-hashed. Imports nothing else of fairtrial."""

from fairtrial.records.checkpoint import Checkpoint, Degenerate
from fairtrial.records.citation import Citation
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
from fairtrial.records.inspection import Inspection
from fairtrial.records.preference import Preference
from fairtrial.records.proof import Proof, Status
from fairtrial.records.review import Label, Review, Stage
from fairtrial.records.rollout import Origin, Rollout
from fairtrial.records.ruling import Rule, Ruled, Ruling
from fairtrial.records.sample import Draw, Sample, Stratum
from fairtrial.records.screening import Screening, ScreeningKind
from fairtrial.records.signoff import Signoff, TaskPart
from fairtrial.records.submission import Submission
from fairtrial.records.verdict import CheckResult, CheckStatus, Outcome, Verdict
from fairtrial.records.withdrawal import Withdrawal

__all__ = [
    "CheckResult",
    "CheckStatus",
    "Checkpoint",
    "Citation",
    "Degenerate",
    "Draw",
    "Environment",
    "Estimate",
    "FairtrialError",
    "Finding",
    "FormatError",
    "GraderError",
    "InputError",
    "Inspection",
    "Instruction",
    "Label",
    "LedgerError",
    "Limits",
    "ModelError",
    "Origin",
    "Outcome",
    "Preference",
    "Proof",
    "Review",
    "Rollout",
    "Rule",
    "Ruled",
    "Ruling",
    "Runner",
    "Sample",
    "SandboxError",
    "Screening",
    "ScreeningKind",
    "Severity",
    "Signoff",
    "Stage",
    "Status",
    "Stratum",
    "Submission",
    "TaskPart",
    "Verdict",
    "Withdrawal",
    "canonical_json",
    "digest",
    "record_id",
    "storable",
]
