"""`fairtrial contamination WHAT`: did the test set leak into training? Each WHAT has a module of its own."""

from __future__ import annotations

from typing import Any

from fairtrial.cli.loading import Subcommand, group, loaded

SUBCOMMANDS: dict[str, Subcommand] = {
    "scan": Subcommand(
        "fairtrial.cli.contamination_scan", "scan_",
        "Find rows of TRAIN that hold, reword or are built around items of an evaluation set.",
    ),
    "split": Subcommand(
        "fairtrial.cli.contamination_split", "split_",
        "Split rows or tasks with near copies kept on one side, or check a split made elsewhere.",
    ),
    "identity": Subcommand(
        "fairtrial.cli.contamination_identity", "identity",
        "Say whether SUBMITTED is the given base model, trained: by tensors, tokenizer, template and config.",
    ),
    "usage": Subcommand(
        "fairtrial.cli.contamination_usage", "usage",
        "Find calls to external models and reads of credentials in trajectories and artifacts.",
    ),
    "lookup": Subcommand(
        "fairtrial.cli.contamination_lookup", "lookup",
        "Find look-ups of the benchmark itself in trajectories and artifacts, by the names in a rules file.",
    ),
}  # fmt: skip
"""Training data first, then what was trained, then how."""


def command(name: str) -> Any:
    """Load the subcommand `name` and return it as typer makes it."""
    return loaded(SUBCOMMANDS[name], name)


app = group(SUBCOMMANDS)


@app.callback()
def contamination() -> None:
    """Say whether test sets leaked into training sets, and whether a submitted model is what it is said to be.

    Each command takes --json, and --help says more.
    """
