"""The files that `fairtrial prove` writes beside its page, and the baseline that it reads."""

from __future__ import annotations

import datetime
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from fairtrial import __version__
from fairtrial.cli.output import note
from fairtrial.cli.prove_bohrin import fixture_of, write_bohrin
from fairtrial.ledger import Ledger
from fairtrial.ledger.signed import standing_signoffs
from fairtrial.prove import ProvenTask
from fairtrial.prove.certificate import (
    Accepted,
    Baseline,
    Circumstances,
    Reckoned,
    baseline_of,
    certificate,
    certificate_document,
    junit,
    read_baseline,
    reckon,
    sarif,
)
from fairtrial.records import InputError
from fairtrial.tasks import Suite

CertificateFile = Annotated[Path | None, typer.Option("--certificate", help="Write the certificate there.")]
SarifFile = Annotated[Path | None, typer.Option("--sarif", help="Write the findings there, for code review.")]
JunitFile = Annotated[Path | None, typer.Option("--junit", help="Write every probe's outcome there, for CI.")]
BaselineFile = Annotated[Path | None, typer.Option("--baseline", help="Known findings that were accepted by name.")]
NewBaselineFile = Annotated[
    Path | None, typer.Option("--write-baseline", help="Write the present findings there, to be given reasons.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFiles:
    """Where to write what, and what was accepted."""

    certificate: Path | None = None
    sarif: Path | None = None
    junit: Path | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    bohrin: Path | None = None

    def accepted(self) -> Baseline:
        """Return what the baseline accepts. Raise InputError now for what would be lost after a long proof."""
        written = {"--certificate": self.certificate, "--sarif": self.sarif, "--junit": self.junit,
                   "--write-baseline": self.write_baseline, "--bohrin": self.bohrin}  # fmt: skip
        for option, path in written.items():
            if path is not None and path.is_dir():
                raise InputError("is a folder", path=path, field=option, hint="Name a file.")
            if path is not None and not _can_be_written(path):
                raise InputError("cannot be written", path=path, field=option, hint="Name a file in a folder of yours.")
        return read_baseline(self.baseline) if self.baseline is not None else Baseline()

    def refuse_twins(self, suites: Sequence[Suite]) -> None:
        """Raise InputError where a certificate is wanted of two tasks of one name: it names each once."""
        names = [task.name for suite in suites for task in suite.tasks]
        twin = next((name for name in names if names.count(name) > 1), "")
        if twin and self.certificate is not None:
            raise InputError(f"two tasks are named `{twin}`, and a certificate names each once",
                             field="--certificate", hint="Write one certificate a suite.")  # fmt: skip

    def refuse_strangers(self, names: Sequence[str]) -> None:
        """Raise InputError where bohrin's results are wanted of what is named for no fixture."""
        for name in names if self.bohrin is not None else ():
            fixture_of(name)

    def refuse_certificate(self, of_what: str) -> None:
        """Raise InputError where a certificate is wanted of something that is no task."""
        if self.certificate is not None:
            raise InputError(f"{of_what} has no certificate: only tasks do", field="--certificate",
                             hint="--sarif, --junit and --json tell what was proven.")  # fmt: skip

    def certify(
        self, proven: Sequence[ProvenTask], suites: Sequence[Suite], made_in: Circumstances, reckoned: Reckoned,
        ledger: Ledger | None = None,
    ) -> None:  # fmt: skip
        """Write the certificate, where one is wanted, with what experts in `ledger` say of its tasks."""
        if self.certificate is not None:
            hashes = {task.name: task.hash for suite in suites for task in suite.tasks}
            signed = standing_signoffs(ledger, hashes) if ledger is not None else {}
            whole = certificate(suites, proven, made_in, reckoned.reasons, signed)
            _write(self.certificate, _json(certificate_document(whole, proven)))

    def conclude(
        self, known: Baseline, proven: Sequence[ProvenTask], suites: Sequence[Suite] = (), *, is_whole: bool,
        entries: Mapping[str, Mapping[str, Any]],
    ) -> Reckoned:  # fmt: skip
        """Hold the baseline against `proven`, write every file that was asked for, and say what is odd on stderr.

        `entries` maps names of tasks or graders to what the proof document says of each.
        """
        reckoned = reckon(known, proven, datetime.datetime.now(datetime.UTC).date(), is_whole=is_whole)
        keys = {name: key for suite in suites for name, key in suite.keys.items()}
        if self.bohrin is not None:
            write_bohrin(self.bohrin, entries)
        if self.sarif is not None:
            _write(self.sarif, _json(sarif(proven, keys, reckoned.accepted, __version__, Path.cwd())))
        if self.junit is not None:
            _write(self.junit, junit(proven, reckoned.accepted))
        if self.write_baseline is not None:
            _write(self.write_baseline, _json(baseline_of(proven, known)))
        _note("shows nothing any more", reckoned.stale)
        _note("is past its day and accepts nothing", reckoned.expired)
        _note("has no reason and accepts nothing", reckoned.unexplained)
        return reckoned


def document_of(task: ProvenTask, accepted: dict[str, str]) -> dict[str, Any]:
    """Return the task's part of the JSON document, each finding with what the baseline says of it."""
    document = task.document()
    document["findings"] = [
        row | {"accepted": finding.id in accepted, "reason": accepted.get(finding.id, "")}
        for row, finding in zip(document["findings"], task.findings, strict=True)
    ]
    return document


def is_refuted_anew(task: ProvenTask, accepted: Collection[str]) -> bool:
    """Say whether a task is refuted by a proof that nobody accepted."""
    proofs = [finding for finding in task.findings if finding.severity == "proof"]
    return task.proof.status == "refuted" and not (proofs and all(finding.id in accepted for finding in proofs))


def _can_be_written(path: Path) -> bool:
    """Say whether a file, and the folders that it lacks, can be made."""
    if path.exists():
        return os.access(path, os.W_OK)
    nearest = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _note(what: str, entries: Sequence[Accepted]) -> None:
    for entry in entries:
        note(f"note: the baseline's entry for {entry.probe} of {entry.task} {what}")


def _json(document: dict[str, Any]) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from error
