"""What checking a submission by one rule came to: screenings with their documents, and exhibits for its judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from fairtrial.records import Rule, Screening
from fairtrial.rules.current import KINDS, found_by
from fairtrial.rules.exhibits import Exhibit


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One screening, and the document that it names."""

    screening: Screening
    document: Mapping[str, Any] | None = None
    """None where nothing could be run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What one rule's checks came to."""

    rule: Rule
    findings: tuple[Finding, ...]
    exhibits: tuple[Exhibit, ...] = ()

    @property
    def holds(self) -> bool | None:
        """Say whether nothing was found; None where something could not be measured, which is not clean."""
        found = found_by([one.screening for one in self.findings])
        return None if found is None else not found

    @property
    def not_measured(self) -> tuple[str, ...]:
        """Return why parts could not be measured, each reason once."""
        return tuple(dict.fromkeys(why for one in self.findings for why in one.screening.not_measured))

    def row(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "rule": self.rule, "holds": self.holds,
            "screenings": [_row(one) for one in self.findings],
            "not_measured": list(self.not_measured), "exhibits": len(self.exhibits),
        }  # fmt: skip


def _row(one: Finding) -> dict[str, Any]:
    told = one.screening
    names = ("kind", "subject", "subject_hash", "against", "against_hash", "suite", "holds", "summary")
    return {name: getattr(told, name) for name in names} | {
        "not_measured": list(told.not_measured), "document": one.document,
    }  # fmt: skip


def not_run(rule: Rule, model: str, subject: str, why: str, *, against: str = "", suite: str = "") -> Finding:
    """Return a finding that says why a check was not run."""
    return Finding(screening=Screening(
        kind=KINDS[rule], subject=subject, subject_hash="", holds=None, summary=f"not measured: {why}", against=against,
        model=model, suite=suite, not_measured=(why,), recorded_at=now(),
    ))  # fmt: skip


def now() -> str:
    """Return the time, as screenings record it."""
    return datetime.now(UTC).isoformat()
