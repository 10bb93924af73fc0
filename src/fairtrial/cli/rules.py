"""`fairtrial rules WHAT`: one file with the rules of a benchmark, and all that is made from it."""

from __future__ import annotations

from typing import Any

from fairtrial.cli.loading import Subcommand, group, loaded

SUBCOMMANDS: dict[str, Subcommand] = {
    "text": Subcommand(
        "fairtrial.cli.rules_text", "text",
        "Print what RULES says to the agent, or to a judge, and the one decontamination command for both.",
    ),
    "check": Subcommand(
        "fairtrial.cli.rules_check", "check",
        "Run the checks of RULES on a submission: contamination, usage, look-up, identity.",
    ),
    "judge": Subcommand(
        "fairtrial.cli.rules_judge", "judge",
        "Let a language model judge a submission by RULES, several runs a rule, and keep its rulings.",
    ),
    "override": Subcommand(
        "fairtrial.cli.rules_override", "override",
        "Overrule the judges of one submission and rule, with your name and reason.",
    ),
    "withdraw": Subcommand(
        "fairtrial.cli.rules_withdraw", "withdraw",
        "Withdraw results of a model, with your name and reason: reruns replace them, or the row goes.",
    ),
}  # fmt: skip
"""In the order of the work."""


def command(name: str) -> Any:
    """Load the subcommand `name` and return it as typer makes it."""
    return loaded(SUBCOMMANDS[name], name)


app = group(SUBCOMMANDS)


@app.callback()
def rules() -> None:
    """Make the agent's text, the judges' prompts and the checks from one rules file, and keep what they found.

    Each command takes --json, and --help says more.
    """
