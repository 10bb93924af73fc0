"""A baseline: known findings that somebody accepted by name, so that CI fails on new ones alone.

Acceptance changes the exit code and nothing else: the task stays refuted, the finding is shown, with the reason. An
entry without a reason, or past its day, accepts nothing. An entry whose probe was measured and found nothing is stale.

    {"schema": "fairtrial.baseline/1", "findings": [
      {"task": "total", "probe": "defect:drops-last", "reason": "fixed in the next release", "expires": "2030-01-31"}]}
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from fairtrial.prove.certificate.reading import fitted, read_document
from fairtrial.prove.outcome import speaks_of
from fairtrial.prove.proof import ProvenTask
from fairtrial.records import Finding, FormatError, Severity

SCHEMA = "fairtrial.baseline/1"
KINDS = ("defect", "alternative", "hack", "wrong_repeat")
"""What the labels of declared candidates begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """One known finding, by name."""

    task: str
    probe: str
    """The finding's label, as `--only` takes it."""
    reason: str = ""
    """Why it may stay; an entry without one accepts nothing."""
    severity: Severity = "proof"
    """An accepted `lead` does not accept the proof that it may become."""
    accepted_by: str = ""
    expires: str = ""
    """Last day on which it holds, as 2030-01-31; empty for always."""

    def names(self, finding: Finding) -> bool:
        """Say whether `finding` is meant, whoever's reason and whatever day it is."""
        is_covered = finding.severity == self.severity or self.severity == "proof"
        return self.task == finding.task and is_covered and self.is_about(finding.probe)

    def is_about(self, probe: str) -> bool:
        """Say whether a finding's label is meant: an entry that names a whole probe names each of its submissions.

        >>> entry = Accepted(task="t", probe="exits_early")
        >>> [entry.is_about(label) for label in ("exits_early", "exits_early:a", "exits", "null")]
        [True, True, False, False]
        >>> Accepted(task="t", probe="defect").is_about("defect:slip")  # a kind is no name
        False
        """
        return probe == self.probe or (self.probe not in KINDS and probe.startswith(f"{self.probe}:"))

    def has_expired(self, today: datetime.date) -> bool:
        """Say whether its last day is over.

        >>> Accepted(task="t", probe="null", expires="2030-01-31").has_expired(datetime.date(2030, 2, 1))
        True
        """
        return bool(self.expires) and datetime.date.fromisoformat(self.expires) < today


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What somebody accepted, as it lay in a file."""

    findings: tuple[Accepted, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoned:
    """A baseline held against what was found."""

    accepted: Mapping[str, Accepted] = field(default_factory=dict)
    """Id of a finding -> the entry that accepts it."""
    stale: tuple[Accepted, ...] = ()
    expired: tuple[Accepted, ...] = ()
    unexplained: tuple[Accepted, ...] = ()

    @property
    def reasons(self) -> dict[str, str]:
        """Return id of a finding -> why it was accepted."""
        return {name: entry.reason for name, entry in self.accepted.items()}

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        kinds = {"stale": self.stale, "expired": self.expired, "unexplained": self.unexplained}
        listed = {kind: [asdict(entry) for entry in entries] for kind, entries in kinds.items()}
        return {"accepted": len(self.accepted)} | listed


_ADAPTER = TypeAdapter(Baseline)


def read_baseline(path: Path) -> Baseline:
    """Read the baseline at `path`. Raise FormatError where it is none, or a day is no day."""
    document = read_document(path, SCHEMA, "`fairtrial prove --write-baseline FILE` writes one.")
    if "findings" not in document:
        raise FormatError("is missing", path=path, field="findings", hint="A list, empty where nothing is accepted.")
    known = set(Accepted.__dataclass_fields__)
    baseline = fitted(_ADAPTER, document, path)
    for index, (entry, raw) in enumerate(zip(baseline.findings, document.get("findings", ()), strict=True)):
        if unknown := sorted(set(raw) - known):
            hint = f"An entry has: {', '.join(Accepted.__dataclass_fields__)}."
            raise FormatError(
                "is not a field of an entry", path=path, field=f"findings[{index}].{unknown[0]}", hint=hint
            )
        try:
            entry.has_expired(datetime.date.min)
        except ValueError as error:
            raise FormatError(f"is no day: `{entry.expires}`", path=path, field=f"findings[{index}].expires",
                              hint="Write it as 2030-01-31.") from error  # fmt: skip
    return baseline


def reckon(baseline: Baseline, proven: Sequence[ProvenTask], today: datetime.date, *, is_whole: bool) -> Reckoned:
    """Hold `baseline` against what was found, as of `today`; `is_whole` where no probe was left out on request."""
    expired = tuple(entry for entry in baseline.findings if entry.has_expired(today))
    silent = tuple(entry for entry in baseline.findings if not entry.reason.strip() and entry not in expired)
    live = [entry for entry in baseline.findings if entry not in expired and entry not in silent]
    findings = [finding for one in proven for finding in one.findings]
    accepted = {finding.id: entry for finding in findings for entry in live if entry.names(finding)}
    tasks = {one.proof.task: one for one in proven}
    stale = tuple(
        entry
        for entry in baseline.findings
        if entry.task in tasks
        and not any(entry.task == finding.task and entry.is_about(finding.probe) for finding in findings)
        and _had_its_chance(entry.probe, tasks[entry.task], is_whole)
    )
    return Reckoned(accepted=accepted, stale=stale, expired=expired, unexplained=silent)


def _had_its_chance(probe: str, one: ProvenTask, is_whole: bool) -> bool:
    """Say whether a finding of `probe` would have shown: it was measured, or nothing of that name is left to try."""
    outcomes = [outcome for outcome in one.outcomes if speaks_of(probe, outcome.probe)]
    if any(outcome.verdict == "not measured" for outcome in outcomes):
        return False
    if outcomes or probe in one.proof.measured:
        return True
    lacking = [name for name, _ in one.proof.not_measured]
    return is_whole and not any(probe == name or probe.startswith(f"{name}:") for name in lacking)


def baseline_of(proven: Sequence[ProvenTask], before: Baseline) -> dict[str, Any]:
    """Return the baseline that names every finding, as JSON; reasons are those given before, else empty."""
    given = {(entry.task, entry.probe, entry.severity): entry for entry in before.findings}
    found = {(f.task, f.probe, f.severity) for one in proven for f in one.findings}
    rows = [
        asdict(given.get((task, probe, severity), Accepted(task=task, probe=probe, severity=severity)))
        for task, probe, severity in sorted(found, key=lambda row: (row[0], row[2] != "proof", row[1]))
    ]
    return {"schema": SCHEMA, "findings": rows}
