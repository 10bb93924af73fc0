"""`fairtrial authoring WHAT`: make tasks, and say what made ones are worth. Each WHAT has a module of its own."""

from __future__ import annotations

from typing import Any

from fairtrial.cli.loading import Subcommand, group, loaded

SUBCOMMANDS: dict[str, Subcommand] = {
    "records": Subcommand(
        "fairtrial.cli.authoring_records", "records",
        "Make tasks of event records: what was visible then, what the expert chose, what came of it.",
    ),
    "synthetic": Subcommand(
        "fairtrial.cli.authoring_synthetic", "synthetic",
        "Say whether a generated suite is like real work, solvable, hard enough and diverse.",
    ),
    "calibrate": Subcommand(
        "fairtrial.cli.authoring_calibrate", "calibrate",
        "Tune the difficulty of a task family to a model's training band by sequential sampling.",
    ),
}  # fmt: skip


def command(name: str) -> Any:
    """Load the subcommand `name` and return it as typer makes it."""
    return loaded(SUBCOMMANDS[name], name)


app = group(SUBCOMMANDS)


@app.callback()
def authoring() -> None:
    """Make tasks of how experts work, and say what generated tasks are worth.

    Each command takes --json, and --help says more.
    """
