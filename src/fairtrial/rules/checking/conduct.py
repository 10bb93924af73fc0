"""Were other models asked, credentials read, the benchmark looked up? By the hosts and names of the rules file.

Looked through are the trajectories and artifacts that were handed in. Without a trajectory nothing is measured: scripts
alone do not show what was done, and a file that was handed in as a trajectory and is none is a gap.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.contamination.conduct.leads import BREAKING, CERTAINTIES, OPEN, Leads
from fairtrial.contamination.lookup import BenchmarkNames, lookups_of
from fairtrial.contamination.usage import ExternalHosts, usage_of
from fairtrial.records import Rule, Screening, canonical_json, digest
from fairtrial.rules.checking.result import Checked, Finding, not_run, now
from fairtrial.rules.checking.steps_shown import steps_shown
from fairtrial.rules.checking.trajectories import gaps_in
from fairtrial.rules.current import KINDS
from fairtrial.rules.schema import BenchmarkRules
from fairtrial.rules.submission import HandedIn

NO_TRAJECTORY = "no trajectory was handed in"


def hosts_of(rules: BenchmarkRules) -> ExternalHosts:
    """Return the hosts that the rules count as external, and those that they allow."""
    usage = rules.toml.usage
    return ExternalHosts(external=tuple(usage.external_hosts), allowed=tuple(usage.allowed_hosts))


def names_of(rules: BenchmarkRules) -> BenchmarkNames:
    """Return the names by which the benchmark is looked up."""
    told = rules.toml.benchmark
    return BenchmarkNames(repository=tuple(told.repository), leaderboard=tuple(told.leaderboard),
                          traces=tuple(told.traces), names=tuple(told.names))  # fmt: skip


def check_usage(rules: BenchmarkRules, handed_in: HandedIn) -> Checked:
    """Look for calls of external models and reads of credentials. Raise InputError for a path that is not there."""
    paths = _paths(handed_in)
    if not handed_in.toml.trajectories:
        return _lacking("usage", rules, handed_in, usage_of(paths, hosts_of(rules)) if paths else None)
    return _with_gaps(_checked("usage", rules, handed_in, usage_of(paths, hosts_of(rules))), handed_in)


def check_lookup(rules: BenchmarkRules, handed_in: HandedIn) -> Checked:
    """Look for look-ups of the benchmark. Raise InputError for a path that is not there."""
    names, paths = names_of(rules), _paths(handed_in)
    if names.is_empty:
        why = "the rules name nothing by which the benchmark is found"
        return Checked(rule="lookup", findings=(not_run("lookup", handed_in.toml.model, "trajectories", why),))
    if not handed_in.toml.trajectories:
        return _lacking("lookup", rules, handed_in, lookups_of(paths, names) if paths else None)
    return _with_gaps(_checked("lookup", rules, handed_in, lookups_of(paths, names)), handed_in)


def _with_gaps(checked: Checked, handed_in: HandedIn) -> Checked:
    """Add what was handed in as a trajectory and is none: what was done is then not known."""
    toml = handed_in.toml
    gaps = gaps_in(handed_in.all_beside(toml.trajectories))
    missing = tuple(not_run(checked.rule, toml.model, f"trajectories ({number})", why)
                    for number, why in enumerate(gaps, 1))  # fmt: skip
    return replace(checked, findings=(*checked.findings, *missing))


def _paths(handed_in: HandedIn) -> list[Path]:
    return handed_in.all_beside([*handed_in.toml.trajectories, *handed_in.toml.artifacts])


def _lacking(rule: Rule, rules: BenchmarkRules, handed_in: HandedIn, found: Leads | None) -> Checked:
    """Return what is said where no trajectory was handed in: what the artifacts show, and that the rest is missing."""
    missing = not_run(rule, handed_in.toml.model, "trajectories", NO_TRAJECTORY)
    if found is None:
        return Checked(rule=rule, findings=(missing,))
    checked = _checked(rule, rules, handed_in, found)
    return Checked(rule=rule, findings=(*checked.findings, missing), exhibits=checked.exhibits)


def _checked(rule: Rule, rules: BenchmarkRules, handed_in: HandedIn, found: Leads) -> Checked:
    document = document_of(rule, found)
    toml = handed_in.toml
    screening = Screening(
        kind=KINDS[rule], subject=", ".join([*toml.trajectories, *toml.artifacts]), subject_hash=found.subject_hash,
        holds=found.holds, summary=summary_of(found), against=rules.name, model=toml.model,
        not_measured=_not_measured(found), document=digest(canonical_json(document)), recorded_at=now(),
    )  # fmt: skip
    shown = steps_shown(found, _paths(handed_in))
    return Checked(rule=rule, findings=(Finding(screening=screening, document=document),), exhibits=shown)


def document_of(rule: Rule, found: Leads) -> dict[str, Any]:
    """Return what was found as JSON."""
    return {
        "schema": f"fairtrial.{KINDS[rule]}/1",
        "holds": found.holds,
        "findings": [one.row() for one in found.findings],
        "certainties": CERTAINTIES,
        "read": list(found.read),
        "left_out": found.left_out,
        "unreadable": [{"path": one.path, "why": one.why} for one in found.unreadable],
        "not_measured": list(found.not_measured),
    }


def summary_of(found: Leads) -> str:
    """Return in one sentence what was found."""
    counts: Counter[str] = Counter(one.certainty for one in found.findings)
    told = ", ".join(f"{counts[name]} {name}" for name in CERTAINTIES if counts[name]) or "no lead"
    if any(counts[name] for name in BREAKING):
        sure = "something was found"
    else:
        sure = "a question is open" if any(counts[name] for name in OPEN) else "nothing was found"
    return f"{sure} in {len(found.read)} file{'' if len(found.read) == 1 else 's'}: {told}"


def _not_measured(found: Leads) -> tuple[str, ...]:
    unread = [f"{one.path}: {one.why}" for one in found.unreadable]
    return tuple(dict.fromkeys([*found.not_measured, *unread]))
