"""`fairtrial audit sample LEDGER`: draw the rollouts that are to be reviewed, each with its probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.audit.sampling import (
    BY,
    Bought,
    Design,
    Drawn,
    Frame,
    Population,
    Read,
    Unit,
    bought,
    correlation,
    counts_for,
    design_of,
    document_of,
    draw,
    frame_of_sample,
    grow,
    kept_properties,
    ordered_frame,
    read_units,
    sample_named,
    sizes,
)
from fairtrial.audit.sampling.draw import OVERLAP, PEOPLE
from fairtrial.cli.audit_sample_page import left_out, print_sample, print_sizes
from fairtrial.cli.output import HOLDS, JsonFlag, note, print_document
from fairtrial.ledger import Ledger
from fairtrial.records import InputError, Sample

SIZES_SCHEMA = "fairtrial.sample_sizes/1"
BY_DEFAULT = "verdict,model,suite"


def sample(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    n: Annotated[
        int | None, typer.Option("--n", min=1, help="Rows, the old ones too; without it, what each n buys.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the draw; 0 if not named.")] = None,
    by: Annotated[str | None, typer.Option(help=f"Strata: {', '.join(BY)}; {BY_DEFAULT} if not named.")] = None,
    people: Annotated[
        float | None, typer.Option(min=0, max=1, help=f"Share that a person reads; {PEOPLE:g} if not named.")
    ] = None,
    overlap: Annotated[
        float | None, typer.Option(min=0, max=1, help=f"Share that two people read; {OVERLAP:g} if not named.")
    ] = None,
    suite: Annotated[str | None, typer.Option(help="Sample this suite alone.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="Sample this model alone; may be repeated.")] = None,
    task: Annotated[list[str] | None, typer.Option(help="Sample this task alone; may be repeated.")] = None,
    ungraded: Annotated[bool, typer.Option("--ungraded", help="Sample rollouts without a verdict too.")] = False,
    grown: Annotated[
        str, typer.Option("--grow", metavar="SAMPLE", help="Keep all rows of this one: id, name, or `last`.")
    ] = "",
    name: Annotated[str, typer.Option(help="Name of the sample.")] = "",
    no_record: Annotated[bool, typer.Option("--no-record", help="Do not record it in the ledger.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Draw N rollouts of LEDGER for review, as many passes as failures, each with a known probability."""
    held = Ledger.open(ledger)
    _check_name(name)
    shape = {"--seed": seed, "--by": by, "--people": people, "--overlap": overlap, "--suite": suite, "--model": model,
             "--task": task, "--ungraded": ungraded or None}  # fmt: skip
    if grown:
        given = [option for option, value in shape.items() if value is not None]
        if given or n is None:
            raise InputError("a sample grows as it was drawn" if given else "says not how many rows there are to be",
                             field=given[0] if given else "--n", hint="--grow takes --n and --name.")  # fmt: skip
        found = _grown(held, grown, n)
    else:
        whole = PEOPLE if people is None else people
        design = Design(n=n or 0, seed=seed or 0, by=_properties(BY_DEFAULT if by is None else by),
                        people=whole, overlap=min(OVERLAP, whole) if overlap is None else overlap,
                        population=Population(suite=suite or "", models=tuple(model or ()), tasks=tuple(task or ()),
                                              ungraded=ungraded).document())  # fmt: skip
        if n is None:
            _show_sizes(held, design, as_json)
            raise typer.Exit(HOLDS)
        found = _drawn(held, design)
    kept = replace(found.drawn.sample, name=name, recorded_at=datetime.now(UTC).isoformat())
    called = "" if no_record else _record(held, found.drawn.frame, kept)
    _show(found, kept, not no_record, as_json)
    if called:
        note(f"next: `fairtrial serve {ledger} --reviewer NAME` for people, "
             f"`fairtrial audit judge {ledger} --model M --sample {called}` for a judge")  # fmt: skip
    raise typer.Exit(HOLDS)


def _check_name(name: str) -> None:
    """Refuse a name by which the sample could not be named: `last` and `none` mean something, and so does a path."""
    if name in ("last", "none") or "/" in name or name.endswith(".json"):
        raise InputError(f"a sample cannot be called `{name}`", field="--name",
                         hint="`last` and `none` mean something to --sample, a / or .json a file.")  # fmt: skip


def _record(held: Ledger, frame: Frame, kept: Sample) -> str:
    """Keep the sample, and return how to name it; say where it was kept before, which does not make it the last."""
    held.put_blob(frame.encoded())
    if not held.append("samples", [kept]).duplicates:
        return "last"
    last = sample_named(held, "last").id
    note("note: this very sample was recorded before"
         + ("" if last == kept.id else f"; `last` is {last}, so name this one by its id"))  # fmt: skip
    return "last" if last == kept.id else kept.id


@dataclass(frozen=True, slots=True)
class _Found:
    """A sample, and what it was drawn from."""

    drawn: Drawn
    read: Read
    units: dict[str, Unit]

    def buys(self) -> tuple[Bought, ...]:
        counts = {stratum.name: stratum.sampled for stratum in self.drawn.sample.strata}
        return bought(self.drawn.frame, counts, self.units, correlation(self.read.units))


def _properties(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _read(held: Ledger, design: Design) -> Read:
    read = read_units(held, Population.of(design.population))
    if not read.units:
        raise InputError(f"none of {read.ungraded:,} rollouts is graded, so there is no verdict to review",
                         path=held.path, hint="Grade them first, or sample them so with --ungraded.")  # fmt: skip
    if "detector" in design.by and not read.leads:
        note("note: the ledger holds no finding of `fairtrial detect` on these rollouts: either it has not run, or it "
             "found nothing; none is drawn with more chance than others")  # fmt: skip
    return read


def _drawn(held: Ledger, design: Design) -> _Found:
    read = _read(held, design)
    return _Found(draw(read.units, design), read, {unit.rollout: unit for unit in read.units})


def _grown(held: Ledger, named: str, n: int) -> _Found:
    parent = sample_named(held, named)
    frame = frame_of_sample(held, parent)
    population = Population.of(design_of(parent).population)
    read = read_units(held, population)
    everything = read_units(held, replace(population, ungraded=True)).units
    return _Found(grow(parent, frame, read.units, n), read, {unit.rollout: unit for unit in everything})


def _show(found: _Found, kept: Sample, is_recorded: bool, as_json: bool) -> None:
    for line in left_out(found.read):
        note(f"note: {line}")
    if found.drawn.joined:
        note(f"note: {found.drawn.joined:,} rollouts came since the first draw; they are strata of their own")
    for line in found.drawn.frame.merged:
        note(f"note: too few draws for these as strata, the draws are only spread over them: {line}")
    if as_json:
        print_document(document_of(kept, found.units) | {
            "population": found.drawn.frame.population, "joined": found.drawn.joined,
            "left_out": {"ungraded": found.read.ungraded, "reasons": dict(found.read.reasons)},
            "merged": list(found.drawn.frame.merged), "recorded": is_recorded,
            "within_task_correlation": correlation(found.read.units),
            "buys": [one.document() for one in found.buys()],
        })  # fmt: skip
    else:
        print_sample(kept, found.drawn.frame, found.buys(), is_recorded)


def _show_sizes(held: Ledger, design: Design, as_json: bool) -> None:
    read = _read(held, design)
    units, rho = {unit.rollout: unit for unit in read.units}, correlation(read.units)
    table: list[tuple[int, tuple[Bought, ...]]] = []
    frames: dict[tuple[tuple[str, ...], ...], Frame] = {}  # most n afford the same strata, and ordering takes longest
    for size in sizes(read.units, design.by):
        kept = kept_properties(read.units, design.by, size)
        key = tuple(kept.values())
        if key not in frames:
            frames[key] = ordered_frame(read.units, design.by, kept, design.seed)
        table.append((size, bought(frames[key], counts_for(frames[key], size), units, rho)))
    for line in left_out(read):
        note(f"note: {line}")
    if as_json:
        document: dict[str, Any] = {
            "schema": SIZES_SCHEMA, "population": len(read.units), "within_task_correlation": rho,
            "left_out": {"ungraded": read.ungraded, "reasons": dict(read.reasons)},
            "sizes": [{"n": size, "buys": [one.document() for one in buys]} for size, buys in table],
        }  # fmt: skip
        print_document(document)
    else:
        print_sizes(table, len(read.units), rho)
