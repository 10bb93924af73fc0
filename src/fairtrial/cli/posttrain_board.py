"""`fairtrial posttrain board OUT`: say again what runs came to, with every ruling that there is now."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.output import JsonFlag
from fairtrial.cli.posttrain_page import show
from fairtrial.posttrain.bench import read_bench
from fairtrial.posttrain.document import read_told
from fairtrial.posttrain.running import Results
from fairtrial.records import InputError


def board(
    out: Annotated[Path, typer.Argument(help="Folder of the results, as `posttrain run --out` named it.")],
    bench: Annotated[
        Path | None, typer.Option("--bench", help="BENCH.toml, where it lies elsewhere than it did.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say what the runs in OUT came to, rulings and withdrawals since then included; nothing is run."""
    results = Results(out)
    path = bench or results.bench_path()
    if not path.is_file():
        raise InputError("is where the BENCH.toml of these results lay, and it is not there", path=path,
                         hint="--bench FILE names it.")  # fmt: skip
    read = read_bench(path)
    results.must_be_of(read)
    raise typer.Exit(show(read_told(read, results), as_json))
