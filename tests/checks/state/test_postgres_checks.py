"""A real PostgreSQL server, started for these tests: what changed is seen, and so is what should not have."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks import CheckError, Result
from fairtrial.checks.state.postgres_checks import postgres_changes, postgres_rows
from fairtrial.checks.state.postgres_state import dump

pg8000 = pytest.importorskip("pg8000.native")

SHOP = """
CREATE TABLE orders (id int PRIMARY KEY, status text NOT NULL, total numeric(10,2),
  updated_at timestamptz DEFAULT now());
CREATE TABLE refunds (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id int NOT NULL, amount numeric NOT NULL,
  note text, currency varchar(3) DEFAULT 'EUR');
CREATE TABLE tags (order_id int, tag text, raw bytea, more jsonb);
CREATE VIEW paid AS SELECT id FROM orders WHERE status = 'paid';
INSERT INTO orders VALUES (7, 'paid', 12.50, '2026-01-01'), (8, 'paid', NULL, '2026-01-01');
INSERT INTO tags VALUES (7, 'x', '\\x00ff', '{"a": 1}'), (7, 'x', '\\x00ff', '{"a": 1}'), (8, NULL, NULL, NULL);
"""
DONE = """
INSERT INTO refunds (order_id, amount) VALUES (7, 12.5);
UPDATE orders SET status = 'refunded', updated_at = now() WHERE id = 7;
DELETE FROM tags WHERE order_id = 8;
"""
STATED: dict[str, Any] = {
    "inserted": {"refunds": [{"order_id": 7, "amount": 12.5}]},
    "updated": {"orders": [{"id": 7, "status": "refunded"}]},
    "deleted": {"tags": [{"order_id": 8}]},
    "ignore": ["orders.updated_at"],
}


def program(name: str) -> str | None:
    return shutil.which(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default=None)


def as_server(*words: str) -> None:
    """Run a program of the server's, which will not run as root."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/", **user)  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    initdb, control = program("initdb"), program("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("there is no PostgreSQL server here")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    base = Path("/tmp") / f"postgres-{port}"  # the server's user cannot enter pytest's folders
    as_server("mkdir", "-m", "700", str(base))
    as_server(initdb, "-D", f"{base}/data", "-U", "tester", "--auth=trust", "--no-sync")
    options = f"-p {port} -k {base} -c listen_addresses=127.0.0.1 -c fsync=off"
    as_server(control, "-D", f"{base}/data", "-o", options, "-l", f"{base}/log", "-w", "start")
    yield f"postgresql://tester@127.0.0.1:{port}"
    as_server(control, "-D", f"{base}/data", "-m", "immediate", "-w", "stop")
    shutil.rmtree(base)


def execute(url: str, *scripts: str) -> None:
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    name = parts.path.removeprefix("/") or "postgres"
    connection = pg8000.Connection("tester", host="127.0.0.1", port=parts.port, database=name)
    for script in scripts:
        connection.run(script)
    connection.close()


@pytest.fixture
def shop(server: str, request: pytest.FixtureRequest) -> str:
    name = f"shop_{abs(hash(request.node.name))}"
    execute(server, f"CREATE DATABASE {name}")
    execute(f"{server}/{name}", SHOP)
    return f"{server}/{name}"


@pytest.fixture
def before(shop: str, tmp_path: Path) -> str:
    (tmp_path / "before.json").write_text(dump(shop))
    return str(tmp_path / "before.json")


def changes(shop: str, before: str, **other: Any) -> Result:
    return postgres_changes(shop, before, **{**STATED, **other})


def test_the_stated_changes_and_no_other_pass(shop: str, before: str) -> None:
    execute(shop, DONE)
    assert changes(shop, before).why == "the database changed as it should, and in nothing else"
    assert changes(shop, before).passed


def test_nothing_done_is_not_what_was_stated(shop: str, before: str) -> None:
    assert not changes(shop, before).passed
    assert postgres_changes(shop, before).passed


@pytest.mark.extra
@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("UPDATE refunds SET amount = 12.51", "no row {'order_id': 7, 'amount': 12.5} was added"),
        ("UPDATE refunds SET currency = 'USD'", "no row"),
        ("UPDATE refunds SET note = ''", "no row"),
        ("INSERT INTO refunds (order_id, amount) VALUES (7, 12.5)", "was not expected"),
        ("UPDATE orders SET status = 'paid' WHERE id = 7", "status is 'paid', not 'refunded'"),
        ("UPDATE orders SET total = 12.51 WHERE id = 7", "total is '12.51', not '12.50'"),
        ("UPDATE orders SET total = 0 WHERE id = 8", "total is '0.00', not None"),
        ("DELETE FROM orders WHERE id = 8", "is gone"),
        ("UPDATE tags SET raw = '\\x00'", "in tags"),
        ("DELETE FROM tags WHERE ctid = '(0,1)'", "in tags"),
        ("UPDATE tags SET more = '{\"a\": 2}'", "in tags"),
        ("CREATE TABLE spare (a int)", "the table 'spare' is new"),
        ("CREATE OR REPLACE VIEW paid AS SELECT id FROM orders", "the view 'paid'"),
        ("ALTER TABLE tags ADD COLUMN z int", "the table 'tags' is now"),
        ("ALTER TABLE refunds ALTER COLUMN currency SET DEFAULT 'USD'", "the table 'refunds' is now"),
        ("CREATE INDEX i ON orders (status)", "the index 'i' is new"),
        ("ALTER TABLE orders DROP CONSTRAINT orders_pkey", "orders_pkey"),
    ],
)
def test_each_other_change_is_seen(statement: str, word: str, shop: str, before: str) -> None:
    execute(shop, DONE, statement)
    found = changes(shop, before)
    assert not found.passed
    assert word in str(found.evidence["changes"])


def test_a_database_beside_it_may_stand_for_what_was_before(shop: str, server: str) -> None:
    execute(server, "CREATE DATABASE pristine")
    execute(f"{server}/pristine", SHOP)
    execute(shop, DONE)
    assert postgres_changes(shop, before_url=f"{server}/pristine", **STATED).passed


def test_rows_of_a_query_come_with_their_types(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_URL", shop)
    query = "SELECT id, status, total, updated_at::date FROM orders; "
    sound = [[8, "paid", {"null": True}, "2026-01-01"], [7, "paid", 12.5, "2026-01-01"]]
    assert postgres_rows("$SHOP_URL", query, sound).passed
    assert not postgres_rows(shop, "SELECT id::text FROM orders", [[7], [8]]).passed
    assert postgres_rows(shop, "SELECT raw, more FROM tags LIMIT 1", [[{"blob": "00ff"}, {"any": True}]]).passed
    assert not postgres_rows(shop, query, list(reversed(sound))[:1]).passed


def test_a_query_cannot_write_or_flood(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.checks.state.postgres_state.MOST_ROWS", 1000)
    assert "read-only" in postgres_rows(shop, "SELECT 1; DROP TABLE tags", [[1]]).why
    assert "read-only" in postgres_rows(shop, "SELECT nextval('refunds_id_seq')", [[1]]).why
    assert postgres_rows(shop, "SELECT count(*) FROM tags", [[3]]).passed
    assert "more than 1000 rows" in postgres_rows(shop, "SELECT generate_series(1, 2000000)", []).why


@pytest.mark.parametrize("url", ["postgresql://a@127.0.0.1:1/x", "postgresql://a@127.0.0.1:9/x"])
def test_a_server_that_is_not_there_fails_the_work(url: str) -> None:
    found = postgres_rows(url, "SELECT 1", [[1]])
    assert not found.passed
    assert "does not answer" in found.why


@pytest.mark.parametrize("url", ["", "$NO_SUCH_VARIABLE", "mysql://a@b/c", "postgresql://[", "postgresql://h/c"])
def test_what_is_no_url_says_nothing_of_the_work(url: str) -> None:
    with pytest.raises(CheckError):
        postgres_rows(url, "SELECT 1", [[1]])


def test_a_variable_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_URL", raising=False)
    with pytest.raises(CheckError, match=r"SHOP_URL.*no variable of that name is set"):
        postgres_rows("$SHOP_URL", "SELECT 1", [[1]])
