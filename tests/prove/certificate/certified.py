"""A suite of one task that a fake sandbox grades, proven with planted probes, and its certificate in a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.prove.test_attacking import Isolating, Planted
from tests.prove.worlds import Grade, Said, make_task, sandbox_with, suite_of

from fairtrial.prove import ProvenTask, ProveOptions, prove
from fairtrial.prove.certificate import (
    Verification,
    certificate,
    certificate_document,
    circumstances,
    plan,
    read_certificate,
    verify,
)
from fairtrial.run import InlineEngine

CANDIDATES = {"other": ("alternative", "also right"), "slip": ("defect", "wrong"), "trick": ("hack", "tricky")}
PROBES = (Planted(("righ", "left", "up", "down")), Planted(("rigged",), family="hack", identifier="forged"))


def sound(word: str | None) -> Said:
    """Grade as it should be."""
    return Said("1" if word in ("right", "also right") else "0")


def also_passing(*wrong: str) -> Grade:
    """Return a grader that passes these words too."""
    return lambda word: Said("1") if word in wrong else sound(word)


def options(**more: Any) -> ProveOptions:
    """Return options that are quick."""
    return ProveOptions(**{"repeats": 2, "concurrency": 2, "probes": PROBES, "fresh": True, **more})


def proven_by(grade: Grade, folder: Path, **more: Any) -> list[ProvenTask]:
    """Prove the suite at `folder` by `grade`; make it first where it is not there."""
    if not folder.exists():
        make_task(folder / "word", candidates=CANDIDATES)
    sandbox = Isolating(sandbox_with(grade).script)
    return prove(suite_of(folder), sandbox, InlineEngine(), options(**more), tool="1", on_tried=lambda _: None)


def document_of(proven: Sequence[ProvenTask], folder: Path, **more: Any) -> dict[str, Any]:
    """Return the certificate of what was proven at `folder`."""
    made_in = circumstances("1", Isolating(), options(**more))
    whole = certificate([suite_of(folder)], proven, made_in, {})
    return json.loads(json.dumps(certificate_document(whole, proven)))


def write(document: dict[str, Any], folder: Path) -> Path:
    """Write a certificate beside the suite."""
    path = folder.parent / "certificate.json"
    path.write_text(json.dumps(document))
    return path


def verified(
    document: dict[str, Any],
    grade: Grade,
    folder: Path,
    *,
    sample: int = 50,
    tool: str = "1",
    change: Callable[[], None] = lambda: None,
) -> Verification:
    """Verify a certificate against the suite at `folder` after a `change`, graded by `grade` now."""
    change()
    sandbox = Isolating(sandbox_with(grade).script)
    chosen = plan(
        read_certificate(write(document, folder)), [suite_of(folder)], sandbox, tool=tool, sample=sample, seed=0,
        probes=PROBES,
    )  # fmt: skip
    return verify(chosen, sandbox, InlineEngine(), lambda: None)
