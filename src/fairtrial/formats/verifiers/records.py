"""What both generations of verifiers' files make alike: a verdict, a kept trajectory, a hash, a reason of an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif_pictures import with_pictures
from fairtrial.formats.batch import Options
from fairtrial.formats.verifiers.rewards import Graded, finite
from fairtrial.records import CheckResult, FormatError, Rollout, Verdict, canonical_json, digest

HASH_DIGITS = 12
_MOST_NAME = 60

Record = tuple[Rollout, Verdict | None]


@dataclass(slots=True)
class Kept:
    """Trajectories and their images, and what is to be told of them, since they were last taken."""

    blobs: list[bytes] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def keep(self, document: bytes, folder: Path) -> str:
        """Keep a trajectory with the images that it names; return its address."""
        found = with_pictures(document, folder)
        self.notes += [f"{why}; the trajectory is kept without it" for why in found.missing]
        self.blobs += [*found.blobs, found.document]
        return digest(found.document)

    def without_trajectory(self, error: FormatError) -> None:
        """Say that a rollout is kept and its messages are not."""
        place = f"{error.field}: " if error.field else ""
        self.notes.append(f"{place}{error.what}; the rollout is kept without its trajectory")


def verdict_of(
    rollout: Rollout, found: Graded, evidence: Mapping[str, Any], options: Options, expected: str | None
) -> Verdict:
    """Return the verdict of a rollout."""
    return Verdict(
        rollout=rollout.id, outcome=found.outcome, reason=found.reason, score=found.score, expected=expected,
        grader="verifiers/as-recorded" if options.as_recorded else "verifiers", task_hash=rollout.task_hash,
        checks=tuple(CheckResult(name, status) for name, status in found.checks),
        evidence=orjson.dumps(evidence).decode(), recorded_at=rollout.recorded_at,
    )  # fmt: skip


def error_reason(error: Any) -> str:
    """Return an exception, by its name or as it was printed, as a reason.

    >>> error_reason("ProviderError"), error_reason("ModelError('no answer')"), error_reason(None)
    ('provider_error', 'model_error', 'error')
    """
    name = error.partition("(")[0].rpartition(".")[2].strip() if isinstance(error, str) else ""
    if not name.isidentifier() or len(name) > _MOST_NAME:
        return "error"
    return "".join(f"_{c.lower()}" if c.isupper() and at and not name[at - 1].isupper() else c.lower()
                   for at, c in enumerate(name))  # fmt: skip


def hash_of(told: Mapping[str, Any]) -> str:
    """Return twelve digits of the hash of an object; empty where it is."""
    return digest(canonical_json(told)).removeprefix("sha256:")[:HASH_DIGITS] if told else ""


def plain_text(value: Any) -> str | None:
    """Return text or a number as text; None for anything else, and for an empty text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return None
    return str(value)


def seconds_of(start: Any, end: Any) -> float | None:
    """Return the seconds between two times; None where one is none, or 0, which verifiers writes for not measured.

    >>> seconds_of(10.0, 12.5), seconds_of(10.0, 0.0)
    (2.5, None)
    """
    first, last = finite(start), finite(end)
    return last - first if first and last and last >= first > 0 else None
