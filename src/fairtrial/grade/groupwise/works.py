"""What a judge is shown of a rollout in a ledger: its answer, the text files that it handed in, the steps that it took.

Deliverables are unpacked file by file: plain files alone, no links, no more than `MOST_BYTES` in all. What is not kept
in the ledger, or no longer as it was, cannot be shown.
"""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from fairtrial.checks.judged import Source, artifacts_of, steps_of, text_source
from fairtrial.formats.atif import read_trajectory
from fairtrial.grade.groupwise.criteria import Part
from fairtrial.grade.groupwise.reading import Chosen
from fairtrial.ledger import Ledger
from fairtrial.records import FormatError, LedgerError
from fairtrial.sandbox import scratch_folder

MOST_BYTES = 32_000_000


def work_of(ledger: Ledger, chosen: Chosen, looks_at: Sequence[Part]) -> tuple[Source, ...] | None:
    """Return the sources of what a judge looks at; None where the ledger holds nothing of it."""
    found: list[Source] = []
    if "answer" in looks_at and chosen.answer:
        found.append(text_source("A", "answer", chosen.answer))
    if "deliverable" in looks_at:
        found += _deliverable(ledger, chosen.deliverable)
    if "steps" in looks_at:
        found += _steps(ledger, chosen.trajectory)
    return tuple(replace(source, name=f"A{number}") for number, source in enumerate(found, 1)) or None


def _steps(ledger: Ledger, address: str) -> list[Source]:
    data = _blob(ledger, address)
    try:
        return steps_of(read_trajectory(data)) if data else []
    except FormatError:
        return []


def _deliverable(ledger: Ledger, address: str) -> list[Source]:
    data = _blob(ledger, address)
    if not data:
        return []
    with scratch_folder() as scratch:
        root = scratch / "deliverable"
        root.mkdir()
        try:
            for name, content in _files(data):
                place = root / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
        except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError):
            return []
        return artifacts_of(root, [root])[0]


def _blob(ledger: Ledger, address: str) -> bytes:
    try:
        return ledger.get_blob(address) if address else b""
    except LedgerError:
        return b""


def _files(data: bytes) -> Iterator[tuple[Path, bytes]]:
    """Yield the plain files of a packed deliverable. Raise ValueError where they are too much."""
    left = MOST_BYTES
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|gz") as tar:
        for member in tar:
            left -= member.size
            if left < 0:
                raise ValueError("more than can be shown")
            path = PurePosixPath(member.name)
            if not member.isreg() or path.is_absolute() or ".." in path.parts:
                continue
            file = tar.extractfile(member)
            if file is not None:
                yield Path(*path.parts), file.read()
