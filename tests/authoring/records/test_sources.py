"""The same records give the same decisions from every kind of source; what cannot be read is said with its place."""

from __future__ import annotations

import csv
import json
import os
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from authoring.records.desks import rebuilt, row, simulated, written
from fairtrial.authoring.records.making import Options, make
from fairtrial.authoring.records.schema import Declared, read_declared
from fairtrial.authoring.records.sources import read_rows
from fairtrial.records import FormatError, InputError

Rows = list[dict[str, Any]]


def to_parquet(folder: Path, rows: Rows) -> str:
    pq.write_table(pa.Table.from_pylist(rows), folder / "events.parquet")
    return "events.parquet"


def to_sqlite(folder: Path, rows: Rows) -> str:
    with sqlite3.connect(folder / "e.db") as database:
        database.execute(f"create table events ({', '.join(map(repr, rows[0]))})")
        database.executemany(
            f"insert into events values ({', '.join('?' * len(rows[0]))})", [[*r.values()] for r in rows]
        )
    database.close()
    return "sqlite:///e.db"


def to_duckdb(folder: Path, rows: Rows) -> str:
    with duckdb.connect(str(folder / "e.duckdb")) as database:
        path = str(folder / "events.csv")
        database.execute("create table events as select * from read_csv(?, all_varchar=true)", [path])
    assert rows
    return "duckdb:///e.duckdb"


def renamed(declared: Declared, source: str) -> Declared:
    table = '\ntable = "events"' if "://" in source else ""
    declared.path.write_text(declared.path.read_text().replace('source = "events.csv"', f'source = "{source}"{table}'))
    return read_declared(declared.path)


def told(declared: Declared) -> list[tuple[Any, ...]]:
    found = rebuilt(declared)[1]
    return [(one.event.id, one.made_at, one.action, one.parameters, [dict(s.fields) for s in one.visible.shown])
            for one in found.decisions]  # fmt: skip


@pytest.mark.parametrize("write", [to_parquet, to_sqlite, to_duckdb])
def test_every_source_gives_the_same_decisions(write: Any, tmp_path: Path) -> None:
    declared, _ = simulated(tmp_path, 3, 25)
    expected = told(declared)
    with (tmp_path / "events.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert told(renamed(declared, write(tmp_path, rows))) == expected


def program(name: str) -> str | None:
    return shutil.which(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default=None)


def as_server(*words: str) -> None:
    """Run a program of the server's, which will not run as root."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/", **user)  # type: ignore[call-overload]


@pytest.fixture
def server() -> Iterator[int]:
    initdb, control = program("initdb"), program("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("there is no PostgreSQL server here")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
    base = Path("/tmp") / f"postgres-{port}"  # the server's user cannot enter pytest's folders
    as_server("mkdir", "-m", "700", str(base))
    as_server(initdb, "-D", f"{base}/data", "-U", "tester", "--auth=trust", "--no-sync")
    options = f"-p {port} -k {base} -c listen_addresses=127.0.0.1 -c fsync=off"
    as_server(control, "-D", f"{base}/data", "-o", options, "-l", f"{base}/log", "-w", "start")
    yield port
    as_server(control, "-D", f"{base}/data", "-m", "immediate", "-w", "stop")
    shutil.rmtree(base)


@pytest.mark.extra
def test_postgresql_gives_the_same_decisions(server: int, tmp_path: Path) -> None:
    declared, _ = simulated(tmp_path, 3, 25)
    expected = told(declared)
    native = pytest.importorskip("pg8000.native")
    database = native.Connection("tester", host="127.0.0.1", port=server, database="postgres")
    with (tmp_path / "events.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = list(rows[0])
    database.run(f"create table events ({', '.join(f'{name} text' for name in names)})")
    for one in rows:
        values = {f"v{at}": one[name] for at, name in enumerate(names)}
        database.run(f"insert into events values ({', '.join(':' + name for name in values)})", **values)
    database.close()
    assert told(renamed(declared, f"postgresql://tester@127.0.0.1:{server}/postgres")) == expected
    again = read_declared(declared.path)
    with pytest.raises(InputError, match="PGPASSWORD"):
        list(read_rows(again, f"postgresql://tester:secret@127.0.0.1:{server}/postgres"))
    with pytest.raises(InputError, match="the database says"):
        list(read_rows(again, f"postgresql://tester@127.0.0.1:{server}/nowhere"))


OPENED = row("2026-01-01T08:00:00Z", "cu", "opened")


def test_fields_may_be_a_json_column_a_list_of_columns_or_all_others(tmp_path: Path) -> None:
    decided = row("2026-01-02T08:00:00Z", "ada", "yes")
    packed = [OPENED | {"details": '{"a": 1, "b": {"c": [2]}, "d": null}'}, decided]
    assert told(written(tmp_path, packed, columns='fields = "details"'))[0][-1] == [{"a": 1, "b": {"c": [2]}}]
    wide = [OPENED | {"a": "1", "b": "2", "c": ""}, decided]
    assert told(written(tmp_path, wide, columns='fields = ["a"]'))[0][-1] == [{"a": "1"}]
    assert told(written(tmp_path, wide))[0][-1] == [{"a": "1", "b": "2"}]


@pytest.mark.parametrize(
    ("more", "odd"),
    [
        (row("soon", "cu", "called"), "time that cannot be read: `soon` is no time of ISO 8601"),
        (row("", "cu", "called"), "row without a time"),
        (row("2026-01-01T09:00:00Z", "cu", ""), "row without an action"),
        (row("2026-01-01T09:00:00Z", "cu", "called", case=""), "row without an entity"),
        (row("2026-01-01T09:00:00Z", "cu", "called", details="{"), "row whose `details` is no JSON"),
        (row("2026-01-01T09:00:00Z", "cu", "called", details="[1]"), "row whose `details` is no JSON object"),
        (OPENED | {"details": ""}, "copy of another row"),
    ],
)
def test_a_row_that_cannot_be_placed_is_counted_and_the_rest_is_read(
    more: dict[str, Any], odd: str, tmp_path: Path
) -> None:
    rows = [OPENED | {"details": ""}, row("2026-01-02T08:00:00Z", "ada", "yes"), more]
    desk, found = rebuilt(written(tmp_path, rows, columns='fields = "details"'))
    assert desk.odd == {odd: 1}
    assert desk.places[odd] == [f"{tmp_path / 'events.csv'}:4"]
    assert len(found.decisions) == 1


def test_two_versions_of_one_moment_are_taken_out_and_counted(tmp_path: Path) -> None:
    rows = [OPENED | {"id": "o"}, row("2026-01-01T09:00:00Z", "cu", "called", id="x", a="1"),
            row("2026-01-01T09:00:00Z", "cu", "called", id="x", a="2"),
            row("2026-01-02T08:00:00Z", "ada", "yes", id="d")]  # fmt: skip
    desk, found = rebuilt(written(tmp_path, rows, columns='event = "id"'))
    assert sum(count for what, count in desk.odd.items() if "two versions recorded at one time" in what) == 1
    assert [shown.event.id for shown in found.decisions[0].visible.shown] == ["o"]


@pytest.mark.parametrize(
    ("name", "held", "what"),
    [
        ("events.csv", "case,at,by,what\n1,2,3\n", "has 3 cells"),
        ("events.csv", "case,case\n", "twice"),
        ("events.csv", b"\xff\xfe\x00", "UTF-8"),
        ("events.csv", "case,at,by\nc,2026-01-01,ada\n", "no column `what`"),
        ("events.csv", "case,at,by,what\n", "could be read as an event"),
        ("events.parquet", "none", "no Parquet"),
        ("events.xls", "none", "neither CSV"),
        ("gone.csv", None, "is no file"),
        ("mysql://x/y", None, "no kind of database"),
        ("sqlite:///gone.db", None, "needs `table`"),
        ('postgresql://u@h:x/d"\ntable = "e', None, "no address of a database"),
    ],
)
def test_a_source_that_cannot_be_read_is_an_input_error(
    name: str, held: str | bytes | None, what: str, tmp_path: Path
) -> None:
    declared = written(tmp_path, [OPENED])
    if held is not None:
        (tmp_path / name).write_bytes(held if isinstance(held, bytes) else held.encode())
    declared.path.write_text(declared.path.read_text().replace('"events.csv"', f'"{name}"'))
    with pytest.raises(InputError, match=what):
        rebuilt(read_declared(declared.path))


def test_a_database_is_opened_to_be_read_alone(tmp_path: Path) -> None:
    declared = written(tmp_path, [OPENED])
    to_sqlite(tmp_path, [OPENED])
    text = declared.path.read_text()
    declared.path.write_text(text.replace('"events.csv"', '"sqlite:///e.db"\nquery = "delete from events"'))
    with pytest.raises(InputError, match="readonly"):
        rebuilt(read_declared(declared.path))


def test_wrong_settings_name_line_and_field(tmp_path: Path) -> None:
    declared = written(tmp_path, [OPENED])
    text = declared.path.read_text()
    for old, new, what in (
        ("[columns]", "[columns]\nwhen = 'x'", "not a key"),
        ('name = "no"', 'name = "yes"', "named twice"),
        ('name = "ask"', 'name = "ask"\nrecords = ["yes"]', "means `yes` already"),
        ('name = "ask"', 'name = "ask"\n[outcome]\naction = "x"\nfield = "f"', "needs it"),
        (
            'name = "ask"',
            'name = "ask"\n[outcome]\naction = "yes"\nfield = "f"\nright = {a = ["no"]}',
            "a decision too",
        ),
        ('name = "ask"', 'name = "ask"\n[outcome]\naction = "x"\nfield = "f"\nright = {a = ["maybe"]}', "no action"),
        ('name = "ask"', 'name = "ask"\n[task]\nfiles = ["GONE.md"]', "is no file"),
    ):
        declared.path.write_text(text.replace(old, new, 1))
        with pytest.raises(FormatError, match=what) as caught:
            read_declared(declared.path)
        assert caught.value.line is not None
        assert caught.value.field
    declared.path.write_text(text.replace("[columns]", 'time_zone = "Nowhere"\n[columns]', 1))
    with pytest.raises(FormatError, match="time zone"):
        rebuilt(read_declared(declared.path))


def test_typed_columns_are_shown_as_json_would_hold_them(tmp_path: Path) -> None:
    held = {"sum": Decimal("350.00"), "rate": Decimal("0.25"), "day": date(2026, 1, 2), "raw": b"\x00\xff",
            "more": {"a": [Decimal("1.0")]}, "no": float("nan"), "yes": True}  # fmt: skip
    at = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 3)]
    rows = [{"case": "c1", "at": at[0], "by": "cu", "what": "opened"} | held,
            {"case": "c1", "at": at[1], "by": "ada", "what": "yes"}]  # fmt: skip
    declared = written(tmp_path, [OPENED])
    ((_, _, _, _, shown),) = told(renamed(declared, to_parquet(tmp_path, rows)))
    expected = {"sum": 350, "rate": 0.25, "day": "2026-01-02", "raw": "00ff", "more": {"a": [1]}, "yes": True}
    assert shown == [expected]
    assert json.loads(json.dumps(shown)) == shown


def test_numbers_that_json_does_not_hold_are_shown_as_text_and_are_no_leak(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "e.duckdb")) as database:
        database.execute("create table events as select 'c1' as \"case\", '2026-01-01T08:00:00Z' as at, 'cu' as by, "
                         "'opened' as what, (2::hugeint ** 100)::hugeint as big, 'inf'::double as rate "
                         "union all select 'c1', '2026-01-02T08:00:00Z', 'ada', 'yes', 1, 2")  # fmt: skip
    declared = renamed(written(tmp_path, [OPENED]), "duckdb:///e.duckdb")
    found = make(declared, Options(out=tmp_path / "tasks"))
    (place,) = found.places
    assert place is not None
    line = json.loads((place / "environment" / "workspace" / "history.jsonl").read_text())
    assert line["fields"] == {"big": str(2**100), "rate": "inf"}
    assert found.leaks == []
