"""Is a submitted model the given base, trained? By tensors first; equal configurations tell nobody apart."""

from fairtrial.contamination.identity.comparing import SCHEMA, Identity, compare_models
from fairtrial.contamination.identity.evidence import Evidence, Verdict

__all__ = ["SCHEMA", "Evidence", "Identity", "Verdict", "compare_models"]
