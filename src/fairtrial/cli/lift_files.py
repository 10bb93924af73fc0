"""The page of a lift as files, `fairtrial lift --out`: loaded only when it is asked for, since charts take seconds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial import __version__
from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.report.lift import LiftSubject, page_of, write
from fairtrial.train.lift import Lifted, Options
from fairtrial.train.price import Worth
from fairtrial.train.watch import watch_log


def written(
    ledger: Ledger, lifted: Lifted, worth: Worth, document: Mapping[str, Any], runs: Sequence[Path], out: Path,
    options: Options,
) -> dict[str, Path]:  # fmt: skip
    """Write lift.html, lift.md and lift.json into `out` and return their paths. Raise InputError where it cannot."""
    subject = LiftSubject(
        lifted=lifted, worth=worth, checkpoints=all_checkpoints(ledger),
        watched=tuple(each for run in runs for each in watch_log(run)), ledger=str(ledger.path),
        tool=f"fairtrial {__version__}", commands=(_command(ledger, lifted, runs, out, options),),
    )  # fmt: skip
    return write(page_of(subject), document, out)


def _command(ledger: Ledger, lifted: Lifted, runs: Sequence[Path], out: Path, options: Options) -> str:
    """Return the command that makes the page again."""
    base = lifted.comparisons[0].base if lifted.comparisons else ""
    words = ["fairtrial", "lift", str(ledger.path), "--base", base]
    for name in (*(one.trained for one in lifted.comparisons), *(name for name, _ in lifted.refused)):
        words += ["--control" if name in options.controls else "--trained", name]
    for name in ("suite", "settings", "environment", "agent", "step", "base_step", "base_seeds"):
        if (value := getattr(options, name)) not in ("", None):
            words += [f"--{name.replace('_', '-')}", str(value)]
    for option, paths in (("--training", _named(options, runs)), ("--run", runs)):
        words += [word for path in paths for word in (option, str(path))]
    changed = {"--split": (options.split, "held_out"), "--seeds": (options.seeds, "auto")}
    words += [word for option, (value, usual) in changed.items() if value != usual for word in (option, value)]
    words += ["--shared-tasks"] if options.shared_tasks else []
    return shlex.join([*words, "--seed", str(options.seed), "--out", str(out)])


def _named(options: Options, runs: Sequence[Path]) -> list[Path]:
    """Return the ledgers of training that were named; those in the folders of `runs` are found again."""
    return [path for path in options.training if path.parent not in runs]
