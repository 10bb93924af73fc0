"""`fairtrial authoring records RECORDS.toml --out DIR`: event records to Harbor tasks, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from fairtrial.authoring.records.making import Options, make
from fairtrial.authoring.records.page import summary
from fairtrial.authoring.records.schema import SelfRecorded, read_declared
from fairtrial.authoring.records.times import span_reader, zone_of
from fairtrial.authoring.records.writing import write_report
from fairtrial.cli.options import Seed
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, JsonFlag, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.records import InputError


def records(
    declared_in: Annotated[Path, typer.Argument(metavar="RECORDS.toml", help="What the records mean.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for tasks and report; holds no tasks yet.")],
    source: Annotated[str, typer.Option("--source", help="Records to read instead of those the file names.")] = "",
    held_out: Annotated[
        float, typer.Option("--held-out", min=0, max=0.9, help="Share of the tasks to hold out, entities whole.")
    ] = 0.3,
    after: Annotated[str, typer.Option("--after", help="Hold out what was decided from this time on instead.")] = "",
    seed: Seed = 0,
    self_recorded: Annotated[
        str, typer.Option("--self-recorded", help="refuse or mark outcomes that who decided recorded.")
    ] = "",
    gain: Annotated[
        float, typer.Option("--gain", min=0.001, max=0.999, help="Gain of pass rate that is to be shown.")
    ] = 0.1,
    as_json: JsonFlag = False,
) -> None:
    """Make Harbor tasks of event records, and say whether the future shows in them and what they can teach."""
    if self_recorded not in ("", *get_args(SelfRecorded)):
        raise InputError(f"`{self_recorded}` is neither refuse nor mark", field="--self-recorded")
    declared = read_declared(declared_in)
    moment = None
    if after:
        try:
            moment = span_reader(zone_of(declared.toml.records.time_zone))(after).earliest
        except ValueError as error:
            raise InputError(str(error), field="--after", hint="As 2026-03-01, or 2026-03-01T09:00:00Z.") from None
    wanted: SelfRecorded | None = next((one for one in get_args(SelfRecorded) if one == self_recorded), None)
    options = Options(
        out=out, source=source, held_out=held_out, after=moment, seed=seed, self_recorded=wanted, gain=gain
    )
    with Ticker("records", 0) as ticker:

        def tick(_: Path) -> None:
            ticker.expect(1)
            ticker.tick()

        made = make(declared, options, tick)
    write_report(made)
    if as_json:
        print_document(made.document())
    else:
        for line in summary(made):
            stdout.print(line, markup=False, soft_wrap=True)
        note(f"written: {out / 'report.md'}, report.json, split.json, cases.jsonl; key.jsonl, which is not for agents")
    for why in made.not_measured:
        note(f"not measured: {why}")
    raise typer.Exit(DOES_NOT_HOLD if made.proofs else HOLDS)
