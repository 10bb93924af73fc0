"""A state that passes every check of the family, with its checks.toml; documents are written by hand."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

CHECKS = """
[[check]]
name = "exists"
use = "file_exists"
path = "/app/run.sh"
mode = "0755"
least_bytes = 3
[[check]]
name = "absent"
use = "file_absent"
path = "/app/old.log"
[[check]]
name = "text"
use = "file_text"
path = "/app/report.md"
contains = ["Total: 42"]
lacks = "TBD"
regex = "(?m)^# Report$"
[[check]]
name = "equals"
use = "file_equals"
path = "/app/answer.txt"
text = "42\\n"
[[check]]
name = "equals file"
use = "file_equals"
path = "/app/copy.bin"
same_as = "copy.bin"
[[check]]
name = "lines"
use = "file_lines"
path = "/app/names.txt"
equals = ["ann", "bob"]
ordered = false
[[check]]
name = "similar"
use = "file_similar"
path = "/app/essay.txt"
text = "the quick brown fox jumps over the lazy dog"
at_least = 0.8
[[check]]
name = "folder"
use = "folder_lists"
path = "/app/out"
equals = ["a.csv", "sub/b.csv"]
[[check]]
name = "unchanged"
use = "files_unchanged"
path = "/app/src"
before = "src"
allow = ["notes/**"]
modes = true
[[check]]
name = "json"
use = "json_value"
path = "/app/result.json"
at = "$.items[*].price"
equals = [1.5, 2]
[[check]]
name = "json kept"
use = "json_unchanged"
path = "/app/settings.json"
before = "settings.json"
allow = ["$.port", "$.users[0].seen"]
[[check]]
name = "toml"
use = "toml_value"
path = "/app/pyproject.toml"
at = "project.version"
equals = "1.2.0"
[[check]]
name = "yaml"
use = "yaml_value"
path = "/app/compose.yaml"
at = "services.web.ports"
equals = ["80:80"]
[[check]]
name = "csv"
use = "csv_cell"
path = "/app/table.csv"
column = "amount"
where = { id = "7" }
equals = 12.5
[[check]]
name = "csv rows"
use = "csv_rows"
path = "/app/rows.csv"
columns = ["name", "n"]
equals = [["ann", 1], ["bob", 2]]
[[check]]
name = "xlsx"
use = "xlsx_cell"
path = "/app/book.xlsx"
sheet = "Sums"
cell = "B2"
equals = 40
is_formula = false
[[check]]
name = "docx"
use = "docx_text"
path = "/app/memo.docx"
contains = "approved by the board"
lacks = "draft"
[[check]]
name = "pdf"
use = "pdf_text"
path = "/app/letter.pdf"
contains = "Dear customer"
page = 1
[[check]]
name = "pdf pages"
use = "pdf_pages"
path = "/app/pages.pdf"
most = 2
[[check]]
name = "image"
use = "image_is"
path = "/app/logo.png"
width = 8
height = 4
format = "png"
[[check]]
name = "image like"
use = "image_similar"
path = "/app/chart.png"
same_as = "chart.png"
measure = "pixels"
at_least = 0.95
[[check]]
name = "http"
use = "http_response"
url = "URL/health"
json_at = { "$.ok" = true }
headers = { "x-version" = "2" }
[[check]]
name = "succeeds"
use = "command_succeeds"
command = "sh run_me.sh"
folder = "/app"
[[check]]
name = "output"
use = "command_output"
command = ["sh", "print_me.sh"]
folder = "/app"
equals = "hello"
[[check]]
name = "rows"
use = "sqlite_rows"
database = "/app/rows.db"
query = "SELECT id, note, blob FROM t"
equals = [[2, { null = true }, { blob = "00ff" }], [1, "a", { any = true }]]
[[check]]
name = "cell"
use = "sqlite_cell"
database = "/app/cell.db"
query = "SELECT sum(n) FROM t"
equals = 6
[[check]]
name = "count"
use = "sqlite_count"
database = "/app/count.db"
table = "t"
where = "n > 1"
equals = 2
[[check]]
name = "schema"
use = "sqlite_schema"
database = "/app/schema.db"
same_as = "schema.sql"
[[check]]
name = "changes"
use = "sqlite_changes"
database = "/app/shop.db"
before = "shop.sql"
ignore = ["orders.updated_at", "log"]
inserted.refunds = [{ order_id = 7, amount = 1250 }]
updated.orders = [{ id = 7, status = "refunded" }]
deleted.carts = [{ id = 3 }]
"""

RESULT = '{"items": [{"price": 1.5}, {"price": 2.0}]}'
SHOP = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL, total REAL, updated_at TEXT);
CREATE TABLE refunds (id INTEGER PRIMARY KEY AUTOINCREMENT, order_id INT NOT NULL, amount INT NOT NULL, note TEXT,
  made_at TEXT DEFAULT CURRENT_TIMESTAMP, currency TEXT DEFAULT 'EUR');
CREATE TABLE carts (id INTEGER PRIMARY KEY, user INT);
CREATE TABLE tags (order_id INT, tag TEXT, raw BLOB);
CREATE TABLE log (line TEXT);
CREATE INDEX by_status ON orders (status);
INSERT INTO orders VALUES (7, 'paid', 12.5, 'monday'), (8, 'paid', 3.0, 'monday');
INSERT INTO carts VALUES (3, 1), (4, 2);
INSERT INTO tags VALUES (7, 'x', x'00'), (7, 'x', x'00'), (8, NULL, NULL);
"""
DONE = """
INSERT INTO refunds (order_id, amount) VALUES (7, 1250);
UPDATE orders SET status = 'refunded', updated_at = 'tuesday' WHERE id = 7;
DELETE FROM carts WHERE id = 3;
INSERT INTO log VALUES ('refunded 7');
"""


def sql(path: Path, *scripts: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = off")
    for script in scripts:
        connection.executescript(script)
    connection.commit()
    connection.close()


def pdf(path: Path, *pages: str) -> None:
    """Write a PDF by hand: one line of text a page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for text in pages:
        drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
        made = f"/Contents {len(objects)} 0 R /Resources << /Font << /F1 {font} >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {made} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    written, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    path.write_text(f"{written}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}")


def docx(path: Path, text: str) -> None:
    """Write a Word document by hand: one paragraph in two runs."""
    half = len(text) // 2
    runs = "".join(f'<w:r><w:t xml:space="preserve">{part}</w:t></w:r>' for part in (text[:half], text[half:]))
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    kinds = "http://schemas.openxmlformats.org/package/2006/content-types"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{kinds}"><Override PartName="/word/document.xml" '
                         f'ContentType="{main}"/></Types>')  # fmt: skip
        archive.writestr("_rels/.rels", f'<Relationships xmlns="{relations}"><Relationship Id="a" Type="{office}" '
                         'Target="word/document.xml"/></Relationships>')  # fmt: skip
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{word}"><w:body><w:p>{runs}</w:p></w:body>'
                         "</w:document>")  # fmt: skip


def xlsx(path: Path, value: Any, sheet: str = "Sums") -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.create_sheet(sheet)["B2"] = value
    book.save(path)


def image(path: Path, size: tuple[int, int], *dots: tuple[int, int]) -> None:
    from PIL import Image

    made = Image.new("RGB", size, (250, 250, 250))
    for dot in dots:
        made.putpixel(dot, (0, 0, 0))
    made.save(path, "PNG")


def sound(box: Path, tests: Path) -> None:
    """Build the state that passes, and the key beside the checks."""
    app = box / "app"
    (app / "out/sub").mkdir(parents=True)
    (app / "src/notes").mkdir(parents=True)
    tests.mkdir()
    (tests / "checks.toml").write_text(CHECKS)
    for name, text in {
        "run.sh": "#!/bin/sh\n", "report.md": "# Report\nTotal: 42\n", "answer.txt": "42\n", "names.txt": "bob\nann\n",
        "essay.txt": "the quick brown fox leaps over the lazy dog", "out/a.csv": "", "out/sub/b.csv": "",
        "src/main.py": "print(1)\n", "src/lib.py": "x = 1\n", "result.json": RESULT,
        "settings.json": '{"users": [{"name": "a", "seen": 5}], "port": 81, "host": "h"}',
        "pyproject.toml": '[project]\nversion = "1.2.0"\n', "compose.yaml": 'services: {web: {ports: ["80:80"]}}\n',
        "table.csv": "id,amount\n6,1\n7,12.50\n", "rows.csv": "n,name,x\n2,bob,\n1,ann,\n",
        "run_me.sh": "exit 0\n", "print_me.sh": "echo hello\n",
    }.items():  # fmt: skip
        (app / name).write_text(text)
    (app / "run.sh").chmod(0o755)
    (tests / "copy.bin").write_bytes(b"\x00\xff")
    shutil.copy(tests / "copy.bin", app / "copy.bin")
    shutil.copytree(app / "src", tests / "src")
    (app / "src/notes/new.txt").write_text("may be")
    (tests / "settings.json").write_text('{"host": "h", "port": 80, "users": [{"seen": 1, "name": "a"}]}')
    xlsx(app / "book.xlsx", 40)
    docx(app / "memo.docx", "The loan was approved by the board.")
    pdf(app / "letter.pdf", "Dear customer", "more")
    pdf(app / "pages.pdf", "one", "two")
    image(app / "logo.png", (8, 4))
    image(tests / "chart.png", (10, 10))
    image(app / "chart.png", (10, 10), (3, 3))
    sql(app / "rows.db", "CREATE TABLE t (id INT, note TEXT, blob BLOB)")
    sql(app / "rows.db", "INSERT INTO t VALUES (1, 'a', x'01'), (2, NULL, x'00ff')")
    sql(app / "cell.db", "CREATE TABLE t (n INT); INSERT INTO t VALUES (1), (2), (3)")
    sql(app / "count.db", "CREATE TABLE t (n INT); INSERT INTO t VALUES (1), (2), (3)")
    sql(app / "schema.db", "CREATE TABLE t (n  INT)")
    (tests / "schema.sql").write_text("CREATE TABLE t (n INT);")
    sql(app / "shop.db", SHOP, DONE)
    (tests / "shop.sql").write_text(SHOP)
