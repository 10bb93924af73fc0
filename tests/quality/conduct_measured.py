"""Recall and false alarms of `contamination usage` and `lookup` on the labelled sets; run as a program it tells."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from fairtrial.contamination.lookup import BenchmarkNames, lookups_of
from fairtrial.contamination.usage import ExternalHosts, usage_of
from quality import (
    conduct_fifth,
    conduct_first,
    conduct_fourth,
    conduct_second,
    conduct_sixth,
    conduct_third,
)
from quality.conduct_case import Case

SETS = (conduct_first, conduct_second, conduct_third, conduct_fourth, conduct_fifth, conduct_sixth)
NAMES = BenchmarkNames(
    repository=("https://github.com/ada/FigBench",),
    leaderboard=("https://figbench.example/leaderboard",),
    traces=("https://huggingface.co/datasets/ada/figbench-traces",),
    names=("FigBench",),
)
OF = {True: "clean", False: "found", None: "open"}


def usage_says(path: Path) -> str:
    return OF[usage_of([path], ExternalHosts()).holds]


def lookup_says(path: Path) -> str:
    return OF[lookups_of([path], NAMES).holds]


def wrong(cases: Iterable[Case], says: Callable[[Path], str]) -> dict[str, tuple[str, str]]:
    """Return case -> (expected, said) where they differ."""
    with tempfile.TemporaryDirectory() as folder:
        said = {case.name: (case.expected, says(case.lay(Path(folder)))) for case in cases}
    return {name: pair for name, pair in said.items() if pair[0] != pair[1]}


def main() -> None:
    for module in SETS:
        for name, cases, says in (("usage", module.USAGE, usage_says), ("lookup", module.LOOKUP, lookup_says)):
            missed = wrong(cases, says)
            bad = [case for case in cases if case.expected != "clean"]
            lost = sum(pair[0] != "clean" for pair in missed.values())
            alarms = sum(pair[0] == "clean" for pair in missed.values())
            sys.stdout.write(f"{module.__name__} {name}: {len(bad) - lost} of {len(bad)} told right, "
                             f"{alarms} false alarms in {len(cases) - len(bad)}: {missed}\n")  # fmt: skip


if __name__ == "__main__":
    main()
