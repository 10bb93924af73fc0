"""`fairtrial audit WHAT`: how often the verdict is wrong, and who says so. Each WHAT has a module of its own."""

from __future__ import annotations

from typing import Any

from fairtrial.cli.loading import Subcommand, group, loaded

SUBCOMMANDS: dict[str, Subcommand] = {
    "sample": Subcommand(
        "fairtrial.cli.audit_sample", "sample",
        "Draw N rollouts of LEDGER for review, as many passes as failures, each with a known probability.",
    ),
    "judge": Subcommand(
        "fairtrial.cli.audit_judge", "judge",
        "Re-grade rollouts of LEDGER by a language model that must cite, and keep its reviews.",
    ),
    "agreement": Subcommand(
        "fairtrial.cli.audit_agreement", "agreement_",
        "Say how far the reviews of LEDGER agree: people with people, judges with people, with intervals.",
    ),
    "estimate": Subcommand(
        "fairtrial.cli.audit_estimate", "estimate_",
        "Say how often the verdicts of LEDGER are wrong: false passes, false failures, hacks, by whose word.",
    ),
    "hacks": Subcommand(
        "fairtrial.cli.audit_hacks", "hacks_",
        "Say which share of the rollouts of LEDGER are hacks, by training step: reviews weighted back, with intervals.",
    ),
    "pairs": Subcommand(
        "fairtrial.cli.audit_pairs", "pairs",
        "Rank models by what reviewers preferred, seen blind in pairs; ties count, the effect of the place is told.",
    ),
    "checklist": Subcommand(
        "fairtrial.cli.audit_checklist", "checklist",
        "Write a form for a random sample of tasks, read filled ones, and say whether the benchmark is flawed.",
    ),
    "task": Subcommand(
        "fairtrial.cli.audit_task", "task",
        "Write a review form, read filled ones, try a second design on the grader, or say which sign-offs stand.",
    ),
}  # fmt: skip
"""In the order of the work: rollouts first, then what is said of tasks."""


def command(name: str) -> Any:
    """Load the subcommand `name` and return it as typer makes it."""
    return loaded(SUBCOMMANDS[name], name)


app = group(SUBCOMMANDS)


@app.callback()
def audit() -> None:
    """Say how often the verdict is wrong on real rollouts, with intervals, and who says so.

    Each command takes --json, and --help says more.
    """
