"""`fairtrial audit WHAT`: how often the verdict is wrong, and who says so. Each WHAT has a module of its own."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def audit() -> None:
    """Say how often the verdict is wrong on real rollouts, with intervals, and who says so."""
