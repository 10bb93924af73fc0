"""What became of an instance, by its report, its log, a summary or a submission's lists.

Passed is `resolved`, as the harness says. A patch that is empty or cannot be applied is the agent's doing: failed. What
broke is ungraded. `patch_successfully_applied` says less than its name: it is false wherever the tests' output could
not be read, and the harness stops before any report where a patch does not apply. So the log decides, and where
there is none it is `no_test_output`. A report whose `resolved` its own tests, or an empty patch, contradict is
`conflict`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.formats.json_files import Fields, read_fields
from fairtrial.formats.swebench.finding import REPORT
from fairtrial.records import CheckResult, CheckStatus, FormatError, Outcome, storable

_COUNTED = ("FAIL_TO_PASS", "PASS_TO_PASS")
_MARKS: tuple[tuple[str, str], ...] = (
    (">>>>> Patch Apply Failed", "patch_not_applied"), (">>>>> Reset Failed", "reset_failed"),
    (">>>>> Tests Errored", "test_error"), (">>>>> Tests Timed Out", "test_timeout"),
    ("seconds exceeded", "test_timeout"),
)  # fmt: skip
OWN_DOING = frozenset({"no_patch", "patch_not_applied"})
"""Endings that are the agent's own: failed."""
_MOST_LOG = 16_000_000
_TAIL = 4000

SUMMARY: Mapping[str, tuple[Outcome, str]] = {
    "resolved_ids": ("passed", ""), "unresolved_ids": ("failed", ""), "empty_patch_ids": ("failed", "no_patch"),
    "error_ids": ("ungraded", "harness_error"), "incomplete_ids": ("ungraded", "not_run"),
}  # fmt: skip
RESULTS: Mapping[str, tuple[Outcome, str]] = {
    "resolved": ("passed", ""), "no_generation": ("failed", "no_patch"), "no_apply": ("failed", "patch_not_applied"),
    "no_logs": ("ungraded", "no_logs"), "install_fail": ("ungraded", "install_fail"),
    "reset_failed": ("ungraded", "reset_failed"), "test_errored": ("ungraded", "test_error"),
    "test_timeout": ("ungraded", "test_timeout"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is known of one instance of a run."""

    outcome: Outcome
    reason: str = ""
    """Why it is ungraded."""
    ending: str = ""
    """How a patch failed before any test ran: `no_patch`, `patch_not_applied`."""
    checks: tuple[CheckResult, ...] = ()
    recorded: Outcome | None = None
    """What the harness counts it as; None where it says nothing."""
    evidence: Mapping[str, Any] = field(default_factory=dict)


def of_folder(folder: Path) -> dict[str, Told]:
    """Return what became of the instance of a folder, or of all that its report names.

    Raise FormatError where the report cannot be read.
    """
    file = folder / REPORT
    if not file.is_file() or not file.stat().st_size:
        return {folder.resolve().name: _unreported(folder)}
    report = read_fields(file)
    entries = {name: report.inner(name) for name, entry in report.content.items()
               if isinstance(entry, dict) and "resolved" in entry}  # fmt: skip
    if not entries:
        raise FormatError("names no instance with `resolved`", path=file)
    return {name: of_report(entry, folder) for name, entry in entries.items() if entry is not None}


def of_report(entry: Fields, folder: Path) -> Told:
    """Return what a report says of its instance. Raise FormatError naming the field that is wrong."""
    resolved = entry.content["resolved"]
    if not isinstance(resolved, bool):
        raise entry.wrong("resolved", "is not true or false")
    recorded: Outcome = "passed" if resolved else "failed"
    told = {name: value for name, value in entry.content.items() if name != "tests_status"}
    checks = _checks(entry)
    if checks is not None:
        agrees = all(check.status == "passed" for check in checks) == resolved
        outcome: Outcome = recorded if agrees else "ungraded"
        return Told(outcome=outcome, reason="" if agrees else "conflict", checks=checks, recorded=recorded,
                    evidence=told)  # fmt: skip
    ending, tail = ("", "") if resolved and _has_patch(entry) else _ending(entry, folder)
    if resolved:
        return Told(outcome="ungraded" if ending else "passed", reason="conflict" if ending else "", recorded="passed",
                    evidence=told)  # fmt: skip
    evidence = told | ({"output": tail} if tail else {})
    if not ending or ending in OWN_DOING:
        return Told(outcome="failed", ending=ending, recorded="failed", evidence=evidence)
    return Told(outcome="ungraded", reason=ending, recorded="failed", evidence=evidence)


def _checks(entry: Fields) -> tuple[CheckResult, ...] | None:
    """Return each test that counts, its kind as the message; None where the report has none."""
    tests = entry.inner("tests_status")
    if tests is None:
        return None
    found: dict[str, CheckResult] = {}
    for kind in _COUNTED:
        lists = tests.inner(kind)
        for name, status in (("success", "passed"), ("failure", "failed")) if lists else ():
            assert lists is not None
            for test in _names(lists, name):
                found[storable(test)] = CheckResult(storable(test), _worse(status, found.get(test)), kind)
    return tuple(found.values())


def _worse(status: str, held: CheckResult | None) -> CheckStatus:
    return "failed" if status == "failed" or (held and held.status == "failed") else "passed"


def _names(fields: Fields, name: str) -> list[str]:
    value = fields.content.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise fields.wrong(name, "is not a list of names")
    return value


def _has_patch(entry: Fields) -> bool:
    return entry.content.get("patch_is_None") is not True and entry.content.get("patch_exists") is not False


def _ending(entry: Fields, folder: Path) -> tuple[str, str]:
    """Return how an instance without tests ended, and the log's tail; empty where its tests ran and failed."""
    content = entry.content
    if not _has_patch(entry):
        return "no_patch", ""
    if content.get("infra_failure") is True:
        return str(content.get("infra_failure_reason") or "infra_failure"), ""
    if content.get("patch_successfully_applied") is not False:
        return "", ""
    reason, tail = of_log(folder)
    return reason or "no_test_output", tail


def of_log(folder: Path) -> tuple[str, str]:
    """Return what the harness's log says went wrong, and its end; empty where it says nothing or is not there."""
    for name in ("run_instance.log", "test_output.txt"):
        file = folder / name
        if not file.is_file() or file.is_symlink() or file.stat().st_size > _MOST_LOG:
            continue
        text = file.read_bytes().decode(errors="replace")
        for mark, reason in _MARKS:
            if mark in text:
                return reason, storable(text[-_TAIL:])
    return "", ""


def _unreported(folder: Path) -> Told:
    """Return what the log says of an instance that has no report."""
    reason, tail = of_log(folder)
    evidence = {"output": tail} if tail else {}
    if reason in OWN_DOING:
        return Told(outcome="failed", ending=reason, evidence=evidence)
    return Told(outcome="ungraded", reason=reason or "no_report", evidence=evidence)


def of_lists(lists: Fields, meanings: Mapping[str, tuple[Outcome, str]]) -> dict[str, Told]:
    """Return what becomes of each instance that `lists` names; one in two lists that disagree is a conflict.

    >>> both = Fields(Path("m.r.json"), {"resolved_ids": ["a", "b"], "unresolved_ids": ["b"]})
    >>> [(name, told.outcome, told.reason) for name, told in of_lists(both, SUMMARY).items()]
    [('a', 'passed', ''), ('b', 'ungraded', 'conflict')]
    """
    found: dict[str, Told] = {}
    for name, (outcome, why) in meanings.items():
        recorded: Outcome = "passed" if outcome == "passed" else "failed"
        for instance in _names(lists, name):
            told = Told(outcome=outcome, reason=why if outcome == "ungraded" else "", recorded=recorded,
                        ending=why if outcome == "failed" else "", evidence={"listed": name})  # fmt: skip
            held = found.get(instance)
            found[instance] = told if held is None else _conflict(held, name)
    return found


def _conflict(held: Told, name: str) -> Told:
    return Told(outcome="ungraded", reason="conflict", evidence={"listed": f"{held.evidence['listed']}, {name}"})


def names_in(fields: Fields, *lists: str) -> set[str]:
    """Return the names in several lists."""
    return {instance for name in lists for instance in _names(fields, name)}
