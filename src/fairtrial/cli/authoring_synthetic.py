"""`fairtrial authoring synthetic SUITE`: is a generated suite like real work, solvable, hard enough and diverse."""

from __future__ import annotations

import importlib
import shlex
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.authoring.synthetic import PARTS, Means, Options, examine, read_real, read_suite
from fairtrial.authoring.synthetic.options import Part
from fairtrial.authoring.synthetic.result import Synthetic
from fairtrial.cli.engines import EngineWords
from fairtrial.cli.options import SandboxName, Seed, Workers
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.report.synthetic import page_of
from fairtrial.report.terminal import terminal

_WRITE = "fairtrial.report.synthetic.write"
"""Loaded only for --out: charts take seconds to load."""


def synthetic(
    suite: Annotated[Path, typer.Argument(help="A folder of tasks, or a JSONL file of text tasks.")],
    real: Annotated[
        Path | None, typer.Option("--real", help="Real work of the same kind: a suite, or JSONL rows with a text.")
    ] = None,
    ledger: Annotated[Path | None, typer.Option("--ledger", help="Ledger with proofs and rollouts.")] = None,
    generator: Annotated[
        str, typer.Option("--generator", help="Model that wrote the suite; what the tasks say if not named.")
    ] = "",
    part: Annotated[
        list[str] | None, typer.Option("--part", help=f"Only this question: {', '.join(PARTS)}; may be repeated.")
    ] = None,
    cross: Annotated[
        int, typer.Option("--cross", min=0, help="Pairs of task folders whose reference meets the other's grader.")
    ] = 0,
    most_auc: Annotated[float, typer.Option("--most-auc", min=0.5, max=1, help="AUC that still holds.")] = 0.8,
    least_solvable: Annotated[
        float, typer.Option("--least-solvable", min=0, max=1, help="Share of tasks that must be solvable.")
    ] = 0.8,
    least_taught: Annotated[
        float, typer.Option("--least-taught", min=0, max=1, help="Share of tasks that the generator must fail once.")
    ] = 0.1,
    least_distinct: Annotated[
        float,
        typer.Option("--least-distinct", min=0, max=1, help="Share of tasks that their effective number reaches."),
    ] = 0.5,
    most_guessed: Annotated[
        float, typer.Option("--most-guessed", min=0, max=1, help="Share of answers that may be guessed unread.")
    ] = 0.5,
    sandbox: SandboxName = "",
    workers: Workers = 0,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the page: synthetic.html, .md and .json.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say whether a generated suite is like real work, solvable, hard enough, diverse, and rightly answered."""
    options = Options(
        parts=_parts(part or []), generator=generator, most_auc=most_auc, least_solvable=least_solvable,
        least_taught=least_taught, least_distinct=least_distinct, most_guessed=most_guessed, crossed=cross, seed=seed,
    )  # fmt: skip
    read = read_suite(suite)
    beside = read_real(real) if real is not None else None
    book = Ledger.open(ledger) if ledger is not None else None
    if cross and (read.folders is None or "references" not in options.parts):
        raise InputError("graders of task folders are crossed, for the part `references`", field="--cross",
                         hint="Text tasks are crossed without it.")  # fmt: skip
    if cross:
        with Ticker("crossed", cross) as ticker, EngineWords().opened(workers or None) as engine:
            means = Means(sandbox=choose(sandbox), engine=engine, on_done=ticker.tick)
            found = examine(read, beside, book, options, means)
    else:
        found = examine(read, beside, book, options)
    document = found.document()
    page = page_of(found, (_command(suite, real, ledger, options),))
    if out is not None:
        written = importlib.import_module(_WRITE).write(page, document, out)
        note(f"page: {written['html']}")
    if as_json:
        print_document(document)
    else:
        stdout.print(terminal(page))
    raise typer.Exit(_exit_code(found))


def _parts(words: list[str]) -> tuple[Part, ...]:
    if unknown := [word for word in words if word not in PARTS]:
        raise InputError(f"there is no question `{unknown[0]}`", field="--part", hint=f"There are {', '.join(PARTS)}.")
    return tuple(part for part in PARTS if not words or part in words)


def _command(suite: Path, real: Path | None, ledger: Path | None, options: Options) -> str:
    """Return the command that makes the page again."""
    words = ["fairtrial", "authoring", "synthetic", str(suite)]
    words += ["--real", str(real)] if real else []
    words += ["--ledger", str(ledger)] if ledger else []
    words += ["--generator", options.generator] if options.generator else []
    usual = Options()
    for name, option in (("crossed", "--cross"), ("most_auc", "--most-auc"), ("least_solvable", "--least-solvable"),
                         ("least_taught", "--least-taught"), ("least_distinct", "--least-distinct"),
                         ("most_guessed", "--most-guessed")):  # fmt: skip
        value = getattr(options, name)
        words += [option, f"{value:g}"] if value != getattr(usual, name) else []
    words += [word for one in options.parts for word in ("--part", one)] if options.parts != PARTS else []
    return shlex.join([*words, "--seed", str(options.seed)])


def _exit_code(found: Synthetic) -> int:
    if found.against:
        return DOES_NOT_HOLD
    return HOLDS if found.is_measured else NOT_MEASURED
