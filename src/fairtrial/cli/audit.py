"""`fairtrial audit WHAT`: how often the verdict is wrong, and who says so. Each WHAT has a module of its own."""

from __future__ import annotations

import typer

from fairtrial.cli import (
    audit_agreement,
    audit_checklist,
    audit_estimate,
    audit_hacks,
    audit_judge,
    audit_pairs,
    audit_sample,
    audit_task,
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def audit() -> None:
    """Say how often the verdict is wrong on real rollouts, with intervals, and who says so."""


app.command("sample")(audit_sample.sample)
app.command("agreement")(audit_agreement.agreement_)
app.command("hacks")(audit_hacks.hacks_)
app.command("pairs")(audit_pairs.pairs)
app.command("judge")(audit_judge.judge)
app.command("checklist")(audit_checklist.checklist)
app.command("estimate")(audit_estimate.estimate_)
app.command("task")(audit_task.task)
