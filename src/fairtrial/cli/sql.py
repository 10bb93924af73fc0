"""`fairtrial sql LEDGER QUERY`: ask a ledger in SQL, over the views rollouts, verdicts, outcomes, checks, ..."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import duckdb
import typer
from rich.table import Table
from rich.text import Text

from fairtrial.cli.output import JsonFlag, print_document, print_whole
from fairtrial.ledger import Ledger, connect
from fairtrial.records import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def sql(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    query: Annotated[str, typer.Argument(help='For example "select model, count(*) from outcomes group by model".')],
    as_json: JsonFlag = False,
) -> None:
    """Run QUERY over the ledger's views and print the rows."""
    connection = connect(Ledger.open(ledger))
    try:
        result = connection.sql(query) if query.strip(" \n\t;") else None
        if result is None:
            raise InputError("answers nothing", field="QUERY", hint="`select …`; `show tables` lists the views.")
        columns = list(result.columns)
        rows = result.fetchall()
    except duckdb.Error as error:
        raise InputError(str(error), field="QUERY", hint="`show tables` lists the views.") from error
    if as_json:
        plain = [[_plain(value) for value in row] for row in rows]
        print_document({"schema": "fairtrial.sql/1", "columns": columns, "rows": plain})
        return
    table = Table(box=None)
    for name in columns:
        table.add_column(Text(name), no_wrap=True)
    for row in rows:
        table.add_row(*(Text("" if value is None else str(value)) for value in row))
    print_whole(table)


def _plain(value: Any) -> Any:
    """Return a value of DuckDB's as JSON can hold it: what JSON has no type for as text, never rounded."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else str(value)
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.hex() if isinstance(value, bytes) else str(value)
