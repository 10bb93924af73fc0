"""`fairtrial contamination lookup PATH…`: look-ups of the benchmark's own repository, leaderboard and traces."""

from __future__ import annotations

import typer

from fairtrial.cli.contamination_leads import document_of, keep, show, subject_of
from fairtrial.cli.contamination_usage import Conduct, KeptIn, RulesFile, Submitted
from fairtrial.cli.output import JsonFlag, note
from fairtrial.contamination.lookup import BenchmarkNames, lookups_of
from fairtrial.rules.schema import read_rules


def lookup(
    paths: Conduct,
    rules: RulesFile,
    to: KeptIn = None,
    model: Submitted = "",
    as_json: JsonFlag = False,
) -> None:
    """Find look-ups of the benchmark itself in trajectories and artifacts, by the names in a rules file.

    What is fetched or searched for is a look-up; a name among results of another search is incidental, a name in words
    a mention. Exit code 1 where a look-up, an attempt, or a program that would look it up is among them.
    """
    stated = read_rules(rules)
    of = stated.toml.benchmark
    names = BenchmarkNames(repository=tuple(of.repository), leaderboard=tuple(of.leaderboard), traces=tuple(of.traces),
                           names=tuple(of.names))  # fmt: skip
    found = lookups_of(paths, names)
    document = document_of("lookup", found, stated.name)
    if to is not None:
        settings = {"repository": list(of.repository), "leaderboard": list(of.leaderboard), "traces": list(of.traces),
                    "names": list(of.names), "rules": stated.name}  # fmt: skip
        kept = keep(to, "lookup", found, document, subject=subject_of(paths), model=model, settings=settings)
        note(f"note: kept as screening {kept} in {to}")
    raise typer.Exit(show("lookup", found, document, as_json))
