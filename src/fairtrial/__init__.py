"""fairtrial says what post-training data is worth.

The package root carries the nouns only; verbs live in the sub-packages named after them.
"""

from fairtrial.records import (
    CheckResult,
    Estimate,
    FairtrialError,
    Finding,
    InputError,
    Proof,
    Review,
    Rollout,
    Verdict,
)

__version__ = "0.1.0"

__all__ = [
    "CheckResult",
    "Estimate",
    "FairtrialError",
    "Finding",
    "InputError",
    "Proof",
    "Review",
    "Rollout",
    "Verdict",
    "__version__",
]
