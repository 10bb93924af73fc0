"""`fairtrial measure LEDGER`: what the tasks of a ledger are worth as training data, with intervals."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from fairtrial.cli.measure_page import least_width, page
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.ledger import Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Options, measure
from fairtrial.measure.coverage import Coverage, self_check
from fairtrial.measure.document import document_of
from fairtrial.records import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

CHECK_SCHEMA = "fairtrial.self_check/1"


@app.command(name="measure")
def measure_(
    ledger: Annotated[Path | None, typer.Argument(help="Ledger folder.")] = None,
    group_size: Annotated[int, typer.Option(help="Rollouts in one GRPO group.", min=2, max=4096)] = 16,
    strong: Annotated[str, typer.Option(help="Strong model; without it, the one with the highest pass rate.")] = "",
    weak: Annotated[str, typer.Option(help="Weak model; without it, the one with the lowest pass rate.")] = "",
    suspects: Annotated[bool, typer.Option("--suspects", help="List tasks whose key the models contradict.")] = False,
    suite: Annotated[str, typer.Option(help="Measure this suite alone.")] = "",
    model: Annotated[list[str] | None, typer.Option(help="Measure this model alone; may be repeated.")] = None,
    task: Annotated[list[str] | None, typer.Option(help="Measure this task alone; may be repeated.")] = None,
    pass_at: Annotated[float | None, typer.Option(help="Passed means score at least this.", min=0, max=1)] = None,
    band: Annotated[str, typer.Option(help="Training band of pass rates, LOW,HIGH.")] = "0.02,0.70",
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 0,
    check: Annotated[bool, typer.Option("--self-check", help="Simulate how often each interval covers.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what the tasks of LEDGER are worth: pass rates, pass@k, gradient, strong against weak, suspects."""
    low, high = _band(band)
    if check:
        raise typer.Exit(_check_intervals(seed, as_json))
    if ledger is None:
        raise InputError("names no ledger", field="LEDGER", hint="`fairtrial measure LEDGER`, or --self-check.")
    chosen = Selection(
        suite=suite, models=tuple(model or ()), tasks=tuple(task or ()), pass_at=pass_at, answers=suspects
    )
    options = Options(group_size=group_size, strong=strong, weak=weak, suspects=suspects, band_low=low, band_high=high,
                      seed=seed)  # fmt: skip
    measured = measure(observe(Ledger.open(ledger), chosen), options)
    if as_json:
        print_document(document_of(measured))
    else:
        whole = page(measured, str(ledger))
        print_whole(whole, least_width(whole))
    if measured.rollouts == measured.ungraded:
        note(f"error: {ledger}: none of {measured.rollouts:,} rollouts is graded, so nothing could be measured")
        raise typer.Exit(NOT_MEASURED)


def _band(text: str) -> tuple[float, float]:
    """Read `LOW,HIGH`."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError as error:
        raise InputError(f"`{text}` is not LOW,HIGH", field="--band", hint="For example --band 0.02,0.70.") from error
    if not (math.isfinite(low) and 0 <= low < high <= 1):
        raise InputError(f"`{text}` is no band: 0 <= LOW < HIGH <= 1", field="--band")
    return low, high


def _check_intervals(seed: int, as_json: bool) -> int:
    """Print the simulated coverage of every interval; 1 where one misses its bar."""
    note("simulating on n 10 20 40 80, p .02 .05 .1 .3 .5 .7 .9, clusters of 1, 4, 8 …")
    found = self_check(seed=seed)
    holds = all(coverage.holds for coverage in found)
    if as_json:
        document: dict[str, Any] = {"schema": CHECK_SCHEMA, "holds": holds, "seed": seed,
                                    "intervals": [asdict(coverage) for coverage in found]}  # fmt: skip
        print_document(document)
    else:
        stdout.print(coverage_table(found))
    return HOLDS if holds else DOES_NOT_HOLD


_BARS = "Bars: two-sided mean .945 and least .85; one-sided .95 everywhere."


def coverage_table(found: tuple[Coverage, ...], bars: str = _BARS) -> Table:
    """Return the coverage of every interval as a table; `audit estimate` and `lift` print their own with it."""
    table = Table(
        box=None, title="Coverage of 95% intervals against simulated truth", title_justify="left",
        caption=bars, caption_justify="left",
    )  # fmt: skip
    for name in ("interval", "mean", "least", "at", "points", "bar"):
        table.add_column(name, justify="right" if name in ("mean", "least", "points") else "left")
    for coverage in found:
        table.add_row(coverage.interval, f"{coverage.mean:.3f}", f"{coverage.least:.3f}", coverage.least_at,
                      str(coverage.points), "holds" if coverage.holds else "missed")  # fmt: skip
    return table
