"""`fairtrial lift LEDGER --base MODEL --trained MODEL…`: what models gained on held-out tasks, on equal terms."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Group
from rich.text import Text

from fairtrial.cli.lift_page import page
from fairtrial.cli.lift_worth import worth_lines
from fairtrial.cli.measure import coverage_table
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.train.lift import Lifted, Options, lift
from fairtrial.train.lift.coverage import LEAST_BAR, MEAN_BAR, self_check
from fairtrial.train.lift.document import document_of
from fairtrial.train.lift.options import SeedReading
from fairtrial.train.price import logs_of, worth

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_PAGES = "fairtrial.cli.lift_files"
"""Loaded only for --out: to load what draws takes longer than all else here."""

TRAINING = "training"
"""Where in its folder `fairtrial train` keeps what was sampled in training."""

CHECK_SCHEMA = "fairtrial.lift_self_check/1"
_BARS = f"Bars: mean {MEAN_BAR:.2f} and least {LEAST_BAR:.2f}."


@app.command(name="lift")
def lift_(
    ledger: Annotated[Path | None, typer.Argument(help="Ledger folder.")] = None,
    base: Annotated[str, typer.Option(help="Model before training.")] = "",
    trained: Annotated[list[str] | None, typer.Option(help="Model after training; may be repeated.")] = None,
    control: Annotated[
        list[str] | None, typer.Option(help="Model that must show no gain; may be repeated. Degenerate arms are known.")
    ] = None,
    suite: Annotated[str, typer.Option(help="Suite of the board, where base and trained share several.")] = "",
    settings: Annotated[str, typer.Option(help="Settings of the board.")] = "",
    environment: Annotated[str, typer.Option(help="Environment of the board.")] = "",
    agent: Annotated[str, typer.Option(help="Scaffold of the board.")] = "",
    split: Annotated[str, typer.Option(help="Side of the split that counts, where rollouts name sides.")] = "held_out",
    seeds: Annotated[str, typer.Option(help="What a rollout's seed is: auto, training or none.")] = "auto",
    step: Annotated[int | None, typer.Option(help="Step of the trained models; the last planned if not named.")] = None,
    base_seeds: Annotated[str, typer.Option(help="The same of the base, where it differs.")] = "",
    base_step: Annotated[int | None, typer.Option(help="Step of the base.")] = None,
    training: Annotated[
        list[Path] | None, typer.Option(help="Ledger of rollouts sampled in training; may be repeated.")
    ] = None,
    shared_tasks: Annotated[
        bool, typer.Option("--shared-tasks", help="Compare on tasks that all attempted; refuse none for lacking some.")
    ] = False,
    run: Annotated[
        list[Path] | None, typer.Option(help="Folder that `fairtrial train` wrote, for what taught; may be repeated.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for lift.html, lift.md and lift.json.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 0,
    check: Annotated[bool, typer.Option("--self-check", help="Simulate how often the interval covers.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what each trained model of LEDGER gained over the base on held-out tasks, with what stands against it."""
    if check:
        raise typer.Exit(_check_interval(seed, as_json))
    if ledger is None or not base or not (trained or control):
        raise InputError("names no ledger, base or trained model", field="LEDGER, --base, --trained",
                         hint="`fairtrial lift LEDGER --base MODEL --trained MODEL`, or --self-check.")  # fmt: skip
    options = Options(
        controls=tuple(control or ()), suite=suite, settings=settings, environment=environment, agent=agent,
        split=split, seeds=_seed_reading(seeds, "--seeds"), step=step, base_step=base_step,
        base_seeds=_seed_reading(base_seeds, "--base-seeds") if base_seeds else None,
        training=(*(training or ()), *_sampled_in(run or ())),
        shared_tasks=shared_tasks, seed=seed,
    )  # fmt: skip
    held, runs = Ledger.open(ledger), tuple(run or ())
    lifted = lift(held, base, tuple(trained or ()), options)
    found = worth(held, lifted, options, logs_of(runs))
    document = document_of(lifted) | asdict(found)
    if out is not None:
        pages = importlib.import_module(_PAGES)
        paths = pages.written(held, lifted, found, document, runs, out, options)
        note(f"written: {', '.join(map(str, paths.values()))}")
    if as_json:
        print_document(document)
    else:
        shown, width = page(lifted, str(ledger))
        print_whole(Group(shown, Text(), worth_lines(found)), width)
    for model, why in lifted.refused:
        note(f"refused: {model}: {why}")
    raise typer.Exit(exit_code(lifted))


def exit_code(lifted: Lifted) -> int:
    """Return 0 where every trained model gains beyond noise and controls hold, 1 where one does not, 3 unmeasured."""
    if not lifted.comparisons:
        return NOT_MEASURED
    trained = [one for one in lifted.comparisons if not one.control]
    if lifted.controls_hold is False or any(one.reading in ("loss", "within_noise") for one in trained):
        return DOES_NOT_HOLD
    unmeasured = bool(lifted.refused) or any(one.reading == "not_measured" for one in trained)
    return NOT_MEASURED if unmeasured else HOLDS


def _sampled_in(runs: Sequence[Path]) -> tuple[Path, ...]:
    """Return the ledgers of rollouts sampled in training that lie in folders of `fairtrial train`."""
    return tuple(run / TRAINING for run in runs if (run / TRAINING).is_dir())


def _seed_reading(text: str, option: str) -> SeedReading:
    for reading in get_args(SeedReading):
        if text == reading:
            return reading  # type: ignore[no-any-return]  # one of its own literals
    raise InputError(f"`{text}` is none of auto, training, none", field=option)


def _check_interval(seed: int, as_json: bool) -> int:
    """Print the simulated coverage of the interval of a gain; 1 where it misses its bar."""
    note("simulating gains on 10 and 60 tasks, 1 and 8 runs, 1 to 5 training seeds; two minutes …")
    found = self_check(seed=seed)
    holds = all(coverage.holds for coverage in found)
    if as_json:
        print_document({"schema": CHECK_SCHEMA, "holds": holds, "seed": seed,
                        "intervals": [asdict(coverage) for coverage in found]})  # fmt: skip
    else:
        stdout.print(coverage_table(found, _BARS))
    return HOLDS if holds else DOES_NOT_HOLD
