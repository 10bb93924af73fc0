"""`fairtrial audit estimate LEDGER`: how often the verdict is wrong, from reviews, with intervals."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, get_args

import typer

from fairtrial.audit.estimating import Options, Sources, document_of, estimate, read_material
from fairtrial.audit.estimating.options import Wanted
from fairtrial.audit.estimating.reviews_file import as_records
from fairtrial.audit.sampling import Population
from fairtrial.cli.audit_estimate_page import least_width, page
from fairtrial.cli.measure import coverage_table
from fairtrial.cli.output import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_MEASURED,
    JsonFlag,
    note,
    print_document,
    print_whole,
    stdout,
)
from fairtrial.ledger import Ledger
from fairtrial.measure.correction.coverage import self_check
from fairtrial.records import InputError

CHECK_SCHEMA = "fairtrial.self_check/1"


def estimate_(
    ledger: Annotated[Path | None, typer.Argument(help="Ledger folder.")] = None,
    reviews: Annotated[
        Path | None, typer.Option(help="JSONL of reviews, one a line; without it, the reviews in the ledger.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep those of --reviews in LEDGER, as records.")] = False,
    sample: Annotated[
        str,
        typer.Option(
            help="Document of `audit sample`, or id, name, `last`, `none`; the last one if not named, "
            "none beside --reviews."
        ),
    ] = "",
    correction: Annotated[str, typer.Option(help=f"Of judges by people: {', '.join(get_args(Wanted))}.")] = "auto",
    finite: Annotated[bool, typer.Option("--finite", help="Speak of these rollouts alone, not of such tasks.")] = False,
    strong: Annotated[str, typer.Option(help="Strong model; the one with the highest pass rate if not named.")] = "",
    weak: Annotated[str, typer.Option(help="Weak model; the one with the lowest pass rate if not named.")] = "",
    suite: Annotated[str, typer.Option(help="Estimate for this suite alone.")] = "",
    model: Annotated[list[str] | None, typer.Option(help="For this model alone; may be repeated.")] = None,
    task: Annotated[list[str] | None, typer.Option(help="For this task alone; may be repeated.")] = None,
    check: Annotated[bool, typer.Option("--self-check", help="Simulate how often each interval covers.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of --self-check; estimating draws nothing.", min=0)] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Say how often the verdicts of LEDGER are wrong: false passes, false failures, hacks, by whose word."""
    if check:
        raise typer.Exit(_check_intervals(seed, as_json))
    if ledger is None:
        raise InputError("names no ledger", field="LEDGER", hint="`fairtrial audit estimate LEDGER`, or --self-check.")
    options = Options(finite=finite, correction=_wanted(correction), strong=strong, weak=weak)
    population = Population(suite=suite, models=tuple(model or ()), tasks=tuple(task or ()))
    if keep and reviews is None:
        raise InputError("there is no file of reviews to keep", field="--keep", hint="Name it with --reviews.")
    held = Ledger.open(ledger)
    material = read_material(held, Sources(reviews=reviews, sample=sample, population=population))
    rates = estimate(material, options)
    if as_json:
        print_document(document_of(rates))
    else:
        whole = page(rates)
        print_whole(whole, least_width(whole))
    if keep:
        done = held.append("reviews", as_records(material.reviews))
        note(f"{done.added:,} reviews kept in {ledger}; {done.duplicates:,} were there already")
    if rates.false_pass_rate.value is None and rates.false_fail_rate.value is None:
        note(f"error: {ledger}: neither rate could be measured: {rates.false_pass_rate.method}; "
             f"{rates.false_fail_rate.method}")  # fmt: skip
        raise typer.Exit(NOT_MEASURED)


def _wanted(text: str) -> Wanted:
    for one in get_args(Wanted):
        if text == one:
            found: Wanted = one
            return found
    raise InputError(f"`{text}` is no correction", field="--correction", hint=f"One of {', '.join(get_args(Wanted))}.")


def _check_intervals(seed: int, as_json: bool) -> int:
    """Print the simulated coverage of every interval of an audit; 1 where one misses its bar."""
    note("simulating 60 and 200 rollouts, 20 and 40 of them read by people, four judges, rates .05 .1 .2 .4 …")
    found = self_check(seed=seed)
    holds = all(coverage.holds for coverage in found)
    if as_json:
        print_document({"schema": CHECK_SCHEMA, "holds": holds, "seed": seed,
                        "intervals": [asdict(coverage) for coverage in found]})  # fmt: skip
    else:
        stdout.print(coverage_table(found))
    return HOLDS if holds else DOES_NOT_HOLD
