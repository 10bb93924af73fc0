"""What the four renderers say of one fixed measurement, byte for byte.

After a change that is meant, `FAIRTRIAL_REFRESH=1 pytest tests/report/test_snapshots.py` writes them anew; read the
difference before you commit it, and open report.html at 1280 and at 400 pixels.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.report.fixed import fixed_measurement
from tests.report.fixed_audit import fixed_audit
from tests.report.suites import context, findings, proofs

from fairtrial.report import Report, build, json_bytes
from fairtrial.report.html import html
from fairtrial.report.markdown import markdown
from fairtrial.report.terminal import render

FOLDER = Path(__file__).parent / "snapshots"
RENDERERS: dict[str, Callable[[Report], str]] = {
    "report.html": html,
    "report.md": markdown,
    "report.json": lambda report: json_bytes(report).decode(),
    "report.txt": render,
}


@pytest.mark.parametrize("name", RENDERERS)
def test_renderer_says_what_it_said(name: str) -> None:
    said = RENDERERS[name](build(fixed_measurement(), proofs(), findings(), context(), fixed_audit()))
    path = FOLDER / name
    if os.environ.get("FAIRTRIAL_REFRESH") == "1":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(said, encoding="utf-8")
    assert said == path.read_text(encoding="utf-8")
