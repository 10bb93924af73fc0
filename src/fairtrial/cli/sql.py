"""`fairtrial sql LEDGER QUERY`: ask a ledger in SQL, over the views rollouts, verdicts, outcomes, checks, ..."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import duckdb
import typer
from rich.table import Table

from fairtrial.cli.output import JsonFlag, print_document, stdout
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
        result = connection.execute(query)
        columns = [column[0] for column in result.description or []]
        rows = result.fetchall()
    except duckdb.Error as error:
        raise InputError(str(error), field="QUERY", hint="`show tables` lists the views.") from error
    if as_json:
        print_document({"schema": "fairtrial.sql/1", "columns": columns, "rows": [list(row) for row in rows]})
        return
    table = Table(*columns, box=None)
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    stdout.print(table)
