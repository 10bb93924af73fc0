"""The front door: finds the verb, loads only its module, turns errors into a message and an exit code.

A verb is one file in this folder with a typer `app`; it parses, calls one function, prints. Loading one verb at a time
keeps `fairtrial --help` quick: the list below says what each does without importing it.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial import __version__
from fairtrial.records import FairtrialError


@dataclass(frozen=True, slots=True)
class Verb:
    """Where a verb lives, and its line in the list of verbs."""

    module: str
    summary: str


VERBS: dict[str, Verb] = {
    "certify": Verb("fairtrial.cli.certify", "Prove a suite, run what applies, and write the report"),
    "prove": Verb("fairtrial.cli.prove", "Prove graders on candidates whose score is known"),
    "attack": Verb("fairtrial.cli.attack", "List the probes that try to get past a grader, and what each covers"),
    "verify": Verb("fairtrial.cli.verify", "Check a certificate's hashes, and grade a sample of its probes afresh"),
    "run": Verb("fairtrial.cli.run", "Let agents attempt the tasks of a suite, and grade what they hand in"),
    "import": Verb("fairtrial.cli.import_", "Read other people's results into a ledger"),
    "measure": Verb("fairtrial.cli.measure", "Say what the tasks of a ledger are worth as training data"),
    "lift": Verb("fairtrial.cli.lift", "Say what models gained on held-out tasks, on equal terms"),
    "detect": Verb("fairtrial.cli.detect", "Look for hacks in trajectories: leads with the steps they cite"),
    "audit": Verb("fairtrial.cli.audit", "Say how often the verdict is wrong, by reviews of people and judges"),
    "contamination": Verb("fairtrial.cli.contamination", "Say whether test sets leaked into training, near copies too"),
    "rules": Verb("fairtrial.cli.rules", "Make agent's text, judges' prompts and checks from one rules file"),
    "train": Verb("fairtrial.cli.train", "Train what a recipe says, and evaluate what it fixed before training"),
    "watch": Verb("fairtrial.cli.watch", "Watch a training run: outages, broken graders, hacks, collapse"),
    "posttrain": Verb(
        "fairtrial.cli.posttrain", "Let agents post-train a base model, and say what they made of it, and how"
    ),
    "board": Verb("fairtrial.cli.board", "Rank models on equal terms, with the rule breakers out"),
    "report": Verb("fairtrial.cli.report", "Write the report of a ledger as HTML, Markdown and JSON"),
    "export": Verb("fairtrial.cli.export", "Write training sets out of a ledger, each with a card"),
    "serve": Verb("fairtrial.cli.serve", "Serve the pages of a ledger: browse, review blind, compare pairs"),
    "aggregate": Verb("fairtrial.cli.aggregate", "Turn check results into a score by a grading.toml"),
    "rank": Verb("fairtrial.cli.rank", "Rank the passing rollouts of each group on criteria fixed before"),
    "criteria": Verb(
        "fairtrial.cli.criteria", "Let a model write criteria from better and worse rollouts, and try them"
    ),
    "check": Verb("fairtrial.cli.check", "Run a checks.toml on a deliverable or a trajectory at hand"),
    "compare": Verb("fairtrial.cli.compare", "Say whether two answers are the same, by kind"),
    "authoring": Verb("fairtrial.cli.authoring", "Make tasks of records of work, and say what made ones are worth"),
    "kit": Verb("fairtrial.cli.kit", "Write the one file with which a task's tests use the checks"),
    "lint": Verb("fairtrial.cli.lint", "Read a task folder and say what is wrong with it"),
    "sql": Verb("fairtrial.cli.sql", "Ask a ledger in SQL"),
}

INTERRUPTED = 130

_USAGE = """Usage: fairtrial VERB [ARGUMENTS]

Say what post-training data is worth: prove graders, measure gradient, with evidence and intervals.

Verbs:
{verbs}

`fairtrial VERB --help` says more. Exit codes: 0 holds, 1 does not hold, 2 bad input, 3 could not be measured.
"""


def usage() -> str:
    """Return the list of verbs, in the order of the work."""
    width = max(len(name) for name in VERBS)
    return _USAGE.format(verbs="\n".join(f"  {name:<{width}}  {verb.summary}" for name, verb in VERBS.items()))


def run(arguments: Sequence[str]) -> int:
    """Run one verb and return the exit code."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(usage())
        return 0 if arguments else 2
    if arguments[0] == "--version":
        sys.stdout.write(f"fairtrial {__version__}\n")
        return 0
    verb = VERBS.get(arguments[0])
    if verb is None:
        sys.stderr.write(f"error: no verb `{arguments[0]}`\n  `fairtrial --help` lists them.\n")
        return 2
    return _guarded(verb, arguments[0], arguments[1:])


def _guarded(verb: Verb, name: str, arguments: Sequence[str]) -> int:
    """Run `verb` and turn whatever leaves it into an exit code; no traceback unless FAIRTRIAL_DEBUG is set."""
    try:
        importlib.import_module(verb.module).app(args=list(arguments), prog_name=f"fairtrial {name}")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
        return _stopped() if code == INTERRUPTED else code  # typer turns Ctrl-C into this exit, without a word
    except KeyboardInterrupt:
        return _stopped()
    except FairtrialError as error:
        if os.environ.get("FAIRTRIAL_DEBUG"):
            raise
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except Exception as error:
        if os.environ.get("FAIRTRIAL_DEBUG"):
            raise
        sys.stderr.write(
            f"error: fairtrial itself failed ({type(error).__name__}: {error}); nothing was measured.\n"
            "  Run it again with FAIRTRIAL_DEBUG=1 for the traceback, and report it.\n"
        )
        return 3
    return 0


def _stopped() -> int:
    sys.stderr.write("stopped; what was done is kept\n")
    return INTERRUPTED


def main() -> None:
    """Run the command line."""
    sys.exit(run(sys.argv[1:]))
