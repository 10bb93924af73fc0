"""Attacks what the report says of failures that nobody tagged: that is not measured, and no share of nothing."""

from __future__ import annotations

from dataclasses import replace

from tests.report.fixed import fixed_measurement
from tests.report.fixed_audit import fixed_audit, rate
from tests.report.suites import context

from fairtrial.report import build


def test_failures_without_any_tag_are_nobodys_fault_that_was_measured() -> None:
    audited = fixed_audit()
    assert audited.rates is not None
    failures = replace(audited.rates.failures, environment=rate(0.0, 0.0, 0.2), capability=rate(0.0, 0.0, 0.2),
                       both=rate(0.0, 0.0, 0.2), untagged=rate(1.0, 0.8, 1.0))  # fmt: skip
    found = replace(audited, rates=replace(audited.rates, failures=failures))
    report = build(fixed_measurement(), (), (), context(), found)
    blocks = next(section for section in report.sections if section.key == "audit").blocks
    (block,) = [one for one in blocks if "fault" in one.claim]
    assert block.claim == "Whose fault failures are was not measured"
    assert block.empty is not None
    assert not block.tables
