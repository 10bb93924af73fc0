"""Run the checks of the rules on one submission. Not covered: ruling on what they find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairtrial.records import Rule
from fairtrial.rules.checking.conduct import check_lookup, check_usage
from fairtrial.rules.checking.result import Checked
from fairtrial.rules.checking.training import check_training
from fairtrial.rules.checking.weights import check_weights
from fairtrial.rules.command import commands_of
from fairtrial.rules.schema import BenchmarkRules
from fairtrial.rules.submission import HandedIn, check_rules_paths

SCHEMA = "fairtrial.rules_check/1"
CHECKS: dict[Rule, Callable[[BenchmarkRules, HandedIn], Checked]] = {
    "contamination": check_training, "usage": check_usage, "lookup": check_lookup, "identity": check_weights,
}  # fmt: skip


def check_submission(
    rules: BenchmarkRules, handed_in: HandedIn, progress: Callable[[str], None] = lambda _: None
) -> tuple[Checked, ...]:
    """Run the check of every rule that the benchmark has. Raise InputError for files that cannot be read."""
    check_rules_paths(rules)
    found = []
    for rule in rules.toml.benchmark.checked:
        progress(rule)
        found.append(CHECKS[rule](rules, handed_in))
    return tuple(found)


def exit_status(checked: Sequence[Checked]) -> int:
    """Return 1 where something was found, else 3 where something could not be measured, else 0."""
    held = {one.holds for one in checked}
    return 1 if False in held else 3 if None in held or not held else 0


def document_of(rules: BenchmarkRules, handed_in: HandedIn, checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the JSON document `fairtrial.rules_check/1`."""
    held = {one.holds for one in checked}
    return {
        "schema": SCHEMA,
        "rules": rules.name,
        "submission": handed_in.toml.model,
        "tracks": [track.name for track in handed_in.tracks],
        "holds": False if False in held else None if None in held or not held else True,
        "commands": list(commands_of(rules)),
        "checks": [one.row() for one in checked],
    }
