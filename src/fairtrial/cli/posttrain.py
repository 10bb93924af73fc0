"""`fairtrial posttrain WHAT`: the post-training benchmark. Each WHAT has a module of its own."""

from __future__ import annotations

from typing import Any

from fairtrial.cli.loading import Subcommand, group, loaded

SUBCOMMANDS: dict[str, Subcommand] = {
    "run": Subcommand(
        "fairtrial.cli.posttrain_run", "run",
        "Let agents post-train the base models of BENCH, evaluate what they hand in, and check how it was made.",
    ),
    "board": Subcommand(
        "fairtrial.cli.posttrain_board", "board",
        "Say again what the runs in OUT came to, as after a ruling.",
    ),
}  # fmt: skip


def command(name: str) -> Any:
    """Load the subcommand `name` and return it as typer makes it."""
    return loaded(SUBCOMMANDS[name], name)


app = group(SUBCOMMANDS)


@app.callback()
def posttrain() -> None:
    """Give agents a base model, a benchmark and a budget, and say what they made of it, and how.

    Each command takes --json, and --help says more.
    """
