"""One piece of evidence on a model's identity: what was seen, with its numbers, and which verdict it speaks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["base_derived", "different_model", "untrained", "unknown"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A claim with numbers. `speaks_for` is empty where it only describes."""

    kind: str
    claim: str
    numbers: dict[str, Any]
    speaks_for: Verdict | Literal[""] = ""

    def document(self) -> dict[str, Any]:
        """Return it as JSON; numbers with five digits, which is what float32 sums hold."""
        return {
            "kind": self.kind,
            "claim": self.claim,
            "numbers": shortened(self.numbers),
            "speaks_for": self.speaks_for,
        }


def shortened(value: Any) -> Any:
    """Return `value` with floats of five digits.

    >>> shortened({"a": (0.1234567, 3)})
    {'a': [0.12346, 3]}
    """
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value] if isinstance(value, list | tuple) else value
