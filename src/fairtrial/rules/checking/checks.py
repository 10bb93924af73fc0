"""Run the checks of the rules on one submission. Not covered: ruling on what they find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fairtrial.contamination.scan import Progress
from fairtrial.records import InputError, Rule
from fairtrial.rules.checking.conduct import check_lookup, check_usage
from fairtrial.rules.checking.edits import check_edits
from fairtrial.rules.checking.result import Checked, not_run
from fairtrial.rules.checking.training import check_training
from fairtrial.rules.checking.weights import check_weights
from fairtrial.rules.command import commands_of
from fairtrial.rules.schema import BenchmarkRules
from fairtrial.rules.submission import HandedIn, check_rules_paths

SCHEMA = "fairtrial.rules_check/1"
CHECKS: dict[Rule, Callable[[BenchmarkRules, HandedIn], Checked]] = {
    "usage": check_usage, "lookup": check_lookup, "identity": check_weights, "edits": check_edits,
}  # fmt: skip


def check_submission(
    rules: BenchmarkRules,
    handed_in: HandedIn,
    progress: Callable[[str], None] = lambda _: None,
    scanning: Progress = lambda *_: None,
) -> tuple[Checked, ...]:
    """Run the check of every rule that the benchmark has.

    `progress` is called with each rule before its check, `scanning` while a training set is scanned. What was
    handed in and cannot be read is not measured: a broken file hides nothing that other checks find. Raise
    InputError where a file of the rules cannot be read.
    """
    check_rules_paths(rules)
    found = []
    for rule in rules.toml.benchmark.checked:
        progress(rule)
        try:
            if rule == "contamination":
                found.append(check_training(rules, handed_in, scanning))
            else:
                found.append(CHECKS[rule](rules, handed_in))
        except InputError as error:
            if _is_of_the_rules(error, rules):
                raise
            why = f"{error.where}: {error.what}" if error.where else error.what
            found.append(Checked(rule=rule, findings=(not_run(rule, handed_in.toml.model, "what was handed in", why),)))
    return tuple(found)


def _is_of_the_rules(error: InputError, rules: BenchmarkRules) -> bool:
    """Say whether an error is about a file that the rules name."""
    named = [path for track in rules.tracks for path in (*track.against, *track.control, *track.decoys)]
    named += [track.evaluator for track in rules.tracks if track.evaluator]
    named += [*rules.toml.identity.known, *(base.weights for base in rules.toml.base if base.weights)]
    return error.path is not None and any(Path(error.path).is_relative_to(rules.beside(path)) for path in named)


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
