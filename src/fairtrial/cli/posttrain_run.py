"""`fairtrial posttrain run BENCH`: let agents post-train base models, evaluate and check what they hand in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.options import SandboxName
from fairtrial.cli.output import JsonFlag, note
from fairtrial.cli.posttrain_page import show
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.posttrain.attempt import attempt, check_sandbox
from fairtrial.posttrain.bench import Agent, Bench, read_bench
from fairtrial.posttrain.document import read_told
from fairtrial.posttrain.evaluating import terms_of
from fairtrial.posttrain.judging import check_needs
from fairtrial.posttrain.running import Ran, Results, Wanted, Work, references_of, run_all
from fairtrial.records import InputError
from fairtrial.run.engine import LocalEngine

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def run(
    bench: Annotated[Path, typer.Argument(help="BENCH.toml of the benchmark.")],
    agent: Annotated[
        list[str], typer.Option("--agent", help="NAME=COMMAND, for a shell in the workspace; may be repeated.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder of the results; the same one goes on where it stopped.")],
    files: Annotated[
        list[str] | None,
        typer.Option("--files", help="DIR, or NAME=DIR for one agent: shown read-only at /agent; may be repeated."),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Runs of each agent, base model and track.")] = 1,
    base: Annotated[list[str] | None, typer.Option("--base", help="Only this base model; may be repeated.")] = None,
    track: Annotated[list[str] | None, typer.Option("--track", help="Only this track; may be repeated.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Runs at once.")] = 1,
    sandbox: SandboxName = "",
    as_json: JsonFlag = False,
) -> None:
    """Let each agent make every base model of BENCH better on every track; evaluate it, and check how it was made."""
    read = read_bench(bench)
    check_needs(read)
    wanted = Wanted(agents=agents_of(agent, files or ()), repeats=repeats, bases=base or (), tracks=track or ())
    _must_name(read, wanted)
    where = choose(sandbox)
    check_sandbox(where)
    results = Results(out)
    with results.held():
        terms = terms_of(read, where.name)
        results.bind(read, terms)
        work = Work(bench=read, results=out, terms=terms, sandbox=where, attempter=attempt)
        ran = _run(work, wanted, workers)
        told = read_told(read, results, ran.lost)
        code = show(told, as_json)
    raise typer.Exit(code)


def agents_of(named: Sequence[str], folders: Sequence[str]) -> list[Agent]:
    """Return the agents of `NAME=COMMAND` and `[NAME=]DIR`. Raise InputError for what is not written so.

    >>> agents_of(["ada=sh /agent/go.sh"], [])[0].command
    'sh /agent/go.sh'
    """
    of_all, of_one = _folders(folders)
    found: list[Agent] = []
    for one in named:
        name, equals, command = one.partition("=")
        if not equals or not command.strip() or not _NAME.fullmatch(name):
            raise InputError(f"`{one}` is no agent", field="--agent",
                             hint="NAME=COMMAND; a name has letters, digits and ._- alone.")  # fmt: skip
        if name in [each.name for each in found]:
            raise InputError(f"two agents are called `{name}`", field="--agent")
        found.append(Agent(name=name, command=command, files=of_one.pop(name, of_all)))
    if of_one:
        raise InputError(f"`{next(iter(of_one))}` is no agent that is named", field="--files")
    return found


def _folders(folders: Sequence[str]) -> tuple[Path | None, dict[str, Path]]:
    of_all: Path | None = None
    of_one: dict[str, Path] = {}
    for one in folders:
        name, equals, path = one.partition("=")
        folder = Path(path if equals else one)
        if not folder.is_dir():
            raise InputError("is no folder", path=folder, field="--files")
        if equals:
            of_one[name] = folder
        else:
            of_all = folder
    return of_all, of_one


def _must_name(read: Bench, wanted: Wanted) -> None:
    """Raise InputError for a base or track that the bench has not."""
    bases = [base.model for base in read.rules.toml.base]
    tracks = [one.track for one in read.toml.benchmark]
    for field, named, held in (("--base", wanted.bases, bases), ("--track", wanted.tracks, tracks)):
        if missing := next((name for name in named if name not in held), ""):
            raise InputError(f"the bench has no `{missing}`", field=field, hint=f"It has: {', '.join(held)}.")


def _run(work: Work, wanted: Wanted, workers: int) -> Ran:
    many = len(list(references_of(work.bench))) + len(wanted.cells(work.bench))
    # Processes of their own, one too: whatever an agent left costs its own run, and no other.
    with Ticker("posttrain", many) as ticker, LocalEngine(workers) as engine:
        return run_all(work, wanted, engine, note, ticker.tick)
