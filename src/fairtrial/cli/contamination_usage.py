"""`fairtrial contamination usage PATH…`: calls of external models and reads of credentials, as leads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.contamination_leads import document_of, keep, show, subject_of
from fairtrial.cli.output import JsonFlag, note
from fairtrial.contamination.usage import ExternalHosts, usage_of
from fairtrial.rules.schema import read_rules

Conduct = Annotated[list[Path], typer.Argument(help="Trajectories (ATIF), files that the agent left, folders of both.")]
RulesFile = Annotated[Path, typer.Option("--rules", help="The benchmark's rules.toml.")]
KeptIn = Annotated[Path | None, typer.Option("--keep", help="Ledger that keeps the result as a screening.")]
Submitted = Annotated[str, typer.Option("--model", help="The submission it is of, as rollouts name the model.")]


def usage(
    paths: Conduct,
    rules: RulesFile,
    to: KeptIn = None,
    model: Submitted = "",
    as_json: JsonFlag = False,
) -> None:
    """Find calls to external models and reads of credentials in trajectories and artifacts.

    External are the hosts that the rules name. Each finding is a lead with its place and quote; exit code 1 where a
    call, an attempt, or a program that would call is among them.
    """
    stated = read_rules(rules)
    hosts = ExternalHosts(tuple(stated.toml.usage.external_hosts), tuple(stated.toml.usage.allowed_hosts))
    found = usage_of(paths, hosts)
    document = document_of("usage", found, stated.name)
    if to is not None:
        settings = {"external_hosts": list(hosts.external), "allowed_hosts": list(hosts.allowed), "rules": stated.name}
        kept = keep(to, "usage", found, document, subject=subject_of(paths), model=model, settings=settings)
        note(f"note: kept as screening {kept} in {to}")
    raise typer.Exit(show("usage", found, document, as_json))
