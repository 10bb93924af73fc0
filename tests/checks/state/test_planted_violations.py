"""One sound state passes every check; each planted violation is caught by its check and by no other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.checks.state.sound_state import docx, image, pdf, sound, sql, xlsx

from fairtrial.checks import in_box, read_checks
from fairtrial.checks.registry import checks_of

pytest.importorskip("openpyxl")
pytest.importorskip("pypdf")
pytest.importorskip("mammoth")
pytest.importorskip("PIL")
pytest.importorskip("ruamel.yaml")


def write(name: str, text: str) -> Callable[[Path, Any], None]:
    return lambda app, _: (app / name).write_text(text) and None


def script(name: str, statement: str) -> Callable[[Path, Any], None]:
    return lambda app, _: sql(app / name, statement)


def shop(statement: str) -> tuple[str, Callable[[Path, Any], None]]:
    return "changes", script("shop.db", statement)


def answer(status: int, headers: dict[str, str], body: bytes) -> tuple[str, Callable[[Path, Any], None]]:
    return "http", lambda _, service: service.answers.update({"/health": (status, headers, body)})


VIOLATIONS: list[tuple[str, Callable[[Path, Any], None]]] = [
    ("exists", lambda app, _: (app / "run.sh").unlink()),
    ("exists", lambda app, _: (app / "run.sh").chmod(0o644)),
    ("absent", write("old.log", "x")),
    ("absent", lambda app, _: (app / "old.log").symlink_to("nowhere")),
    ("text", write("report.md", "# Report\nTotal: 43\n")),
    ("text", write("report.md", "# Report\nTotal: 42\nTBD")),
    ("text", write("report.md", "## Report\nTotal: 42\n")),
    ("equals", write("answer.txt", "42")),
    ("equals", write("answer.txt", "42\n\n")),
    ("equals file", lambda app, _: (app / "copy.bin").write_bytes(b"\x00\xfe") and None),
    ("lines", write("names.txt", "bob\nann\nann\n")),
    ("lines", write("names.txt", "bob\neve\n")),
    ("similar", write("essay.txt", "something else altogether")),
    ("folder", write("out/c.csv", "")),
    ("folder", lambda app, _: (app / "out/sub/b.csv").unlink()),
    ("unchanged", write("src/lib.py", "x = 2\n")),
    ("unchanged", write("src/new.py", "")),
    ("unchanged", lambda app, _: (app / "src/lib.py").unlink()),
    ("unchanged", lambda app, _: (app / "src/lib.py").chmod(0o777)),
    ("json", write("result.json", '{"items": [{"price": 1.5}, {"price": "2"}]}')),
    ("json", write("result.json", '{"items": [{"price": 2}, {"price": 1.5}]}')),
    ("json", write("result.json", '{"items": [{"price": 1.5}, {"price": 2}, {"price": 0}]}')),
    ("json kept", write("settings.json", '{"users": [{"name": "a", "seen": 5}], "port": 80, "host": "i"}')),
    ("json kept", write("settings.json", '{"users": [{"name": "a", "admin": true}], "host": "h"}')),
    ("json kept", write("settings.json", '{"users": [{"name": "a"}, {}], "host": "h"}')),
    ("toml", write("pyproject.toml", '[project]\nversion = "1.2"\n')),
    ("yaml", write("compose.yaml", "services: {web: {ports: [80]}}")),
    ("csv", write("table.csv", "id,amount\n7,12.51\n")),
    ("csv", write("table.csv", "id,amount\n7,12.5\n7,12.5\n")),
    ("csv rows", write("rows.csv", "n,name\n2,bob\n1,eve\n")),
    ("csv rows", write("rows.csv", "n,name\n2,bob\n1,ann\n1,ann\n")),
    ("xlsx", lambda app, _: xlsx(app / "book.xlsx", 41)),
    ("xlsx", lambda app, _: xlsx(app / "book.xlsx", "40")),
    ("xlsx", lambda app, _: xlsx(app / "book.xlsx", "=20+20")),
    ("xlsx", lambda app, _: xlsx(app / "book.xlsx", 40, "Other")),
    ("docx", lambda app, _: docx(app / "memo.docx", "The loan was refused.")),
    ("docx", lambda app, _: docx(app / "memo.docx", "draft: approved by the board")),
    ("pdf", lambda app, _: pdf(app / "letter.pdf", "more", "Dear customer")),
    ("pdf pages", lambda app, _: pdf(app / "pages.pdf", "one", "two", "three")),
    ("image", lambda app, _: image(app / "logo.png", (8, 5))),
    ("image like", lambda app, _: image(app / "chart.png", (10, 10), *((i, i) for i in range(6)))),
    ("image like", lambda app, _: image(app / "chart.png", (10, 11))),
    answer(500, {"X-Version": "2"}, b'{"ok": true}'),
    answer(200, {"X-Version": "3"}, b'{"ok": true}'),
    answer(200, {"X-Version": "2"}, b'{"ok": 1}'),
    answer(200, {"X-Version": "2"}, b"{}"),
    ("succeeds", write("run_me.sh", "exit 1\n")),
    ("output", write("print_me.sh", "echo hello you\n")),
    ("rows", script("rows.db", "UPDATE t SET note = '' WHERE id = 2")),
    ("rows", script("rows.db", "UPDATE t SET blob = x'00fe' WHERE id = 2")),
    ("rows", script("rows.db", "INSERT INTO t SELECT * FROM t WHERE id = 1")),
    ("rows", script("rows.db", "UPDATE t SET note = 'b' WHERE id = 1")),
    ("cell", script("cell.db", "DELETE FROM t WHERE n = 3")),
    ("count", script("count.db", "INSERT INTO t VALUES (9)")),
    ("schema", script("schema.db", "ALTER TABLE t ADD COLUMN m")),
    ("schema", script("schema.db", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END")),
    shop("UPDATE refunds SET amount = 1251"),
    shop("UPDATE refunds SET note = 'hello'"),
    shop("UPDATE refunds SET currency = 'USD'"),
    shop("INSERT INTO refunds (order_id, amount) VALUES (7, 1250)"),
    shop("DELETE FROM refunds"),
    shop("UPDATE orders SET status = 'paid' WHERE id = 7"),
    shop("UPDATE orders SET total = 12.6 WHERE id = 7"),
    shop("UPDATE orders SET total = NULL WHERE id = 8"),
    shop("UPDATE orders SET id = 9 WHERE id = 8"),
    shop("DELETE FROM orders WHERE id = 8"),
    shop("INSERT INTO orders VALUES (1, 'paid', 1, '')"),
    shop("DELETE FROM carts"),
    shop("INSERT INTO carts VALUES (3, 1)"),
    shop("DELETE FROM tags WHERE rowid = 1"),
    shop("UPDATE tags SET raw = '' WHERE order_id = 8"),
    shop("UPDATE tags SET raw = CAST(raw AS TEXT) WHERE rowid = 1"),
    shop("CREATE TABLE spare (a)"),
    shop("DROP INDEX by_status"),
    shop("CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM carts; END"),
    shop("DROP TABLE tags; CREATE VIEW tags AS SELECT 7 AS order_id, 'x' AS tag, x'00' AS raw"),
]  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    sound(folder / "box", folder / "tests")
    return folder


@pytest.fixture
def places(built: Path, tmp_path: Path, service: Any) -> tuple[Path, Path]:
    shutil.copytree(built, tmp_path / "copy", symlinks=True)
    file = tmp_path / "copy/tests/checks.toml"
    file.write_text(file.read_text().replace("URL", service.url))
    service.answers["/health"] = (200, {"X-Version": "2"}, b'{"ok": true}')
    return tmp_path / "copy/box", tmp_path / "copy/tests"


def verdicts(box: Path, tests: Path) -> dict[str, str]:
    """Return name -> why of each check that does not pass."""
    report = in_box(read_checks(tests / "checks.toml"), box)
    assert not report.broken
    assert all(result.why and result.why.isprintable() for result in report.results.values())
    json.dumps(report.ctrf())
    return {name: result.why for name, result in report.results.items() if not result.passed}


def test_a_sound_state_passes_every_check(places: tuple[Path, Path]) -> None:
    assert verdicts(*places) == {}


@pytest.mark.extra
@pytest.mark.parametrize(("name", "plant"), VIOLATIONS)
def test_a_planted_violation_is_caught_by_its_check_alone(
    name: str, plant: Callable[[Path, Any], None], places: tuple[Path, Path], service: Any
) -> None:
    plant(places[0] / "app", service)
    assert list(verdicts(*places)) == [name]


def test_every_check_of_the_family_has_its_violation(places: tuple[Path, Path]) -> None:
    used = {one.name: one.use for one in read_checks(places[1] / "checks.toml").checks}
    with_violation = {used[name] for name, _ in VIOLATIONS}
    elsewhere = {name for name in checks_of("state") if not name.startswith(OWN)}
    assert with_violation | elsewhere == set(checks_of("state"))


OWN = ("file", "folder", "json", "toml", "yaml", "csv", "xlsx", "docx", "pdf", "image", "http", "command", "sqlite")
