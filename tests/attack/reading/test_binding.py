"""The lint finds what binds a grader to a form, and leaves graders alone that bind to what the instruction states.

Not covered: whether right work in another form really fails, which is what an alternative shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.attack.reading.binding import Bound, read_bindings
from fairtrial.tasks import load_suite

HEAD = "import csv, json, re\nfrom pathlib import Path\ntext = Path('/app/report.md').read_text()\n"

BOUND = {
    "a field read": ('assert json.loads(text)["net_total"] == 3\n', "field", "net_total"),
    "a field got": ('d = json.loads(text)\nassert d.get("netTotal") == 3\n', "field", "netTotal"),
    "keys of a whole": ('assert json.loads(text) == {"net": 3}\n', "field", "net"),
    "a heading": ('assert "## Findings" in text\n', "title", "## Findings"),
    "a label": ('value = text.split("Grand sum:")[1]\nassert value\n', "title", "Grand sum:"),
    "a heading in a pattern": ('assert re.search(r"^##\\s+Findings", text, re.M)\n', "title", "## Findings"),
    "a heading through a helper": (
        'def part(title):\n    return re.search(rf"^## {title}\\n", text)\n\nassert part("Findings")\n',
        "title",
        "Findings",
    ),
    "an order": ('assert json.loads(text) == ["a", "b"]\n', "order", "json.loads(text)"),
    "a position": ('rows = text.splitlines()\nassert rows[1] == "3"\n', "position", "`rows[1]`"),
    "a file": ('assert Path("/app/out/summary.txt").exists()\n', "file", "/app/out/summary.txt"),
}  # fmt: skip
STATED = (
    "Write `/app/report.md` and /app/out/summary.txt. JSON with the fields net_total, netTotal and net; or the "
    "sections Findings and Grand sum: one line each, sorted.\n"
)


def bindings(folder: Path, grader: str, instruction: str, checks: str = "") -> tuple[Bound, ...]:
    for name in ("environment", "tests", "solution"):
        (folder / name).mkdir()
    (folder / "task.toml").write_text('version = "1.0"\n')
    (folder / "instruction.md").write_text(instruction)
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\n")
    (folder / "tests" / "test.sh").write_text("python3 /tests/grade.py\n")
    (folder / "tests" / "grade.py").write_text(HEAD + grader)
    if checks:
        (folder / "tests" / "checks.toml").write_text(checks)
    (key,) = load_suite(folder).keys.values()
    return read_bindings(key)


@pytest.mark.parametrize("kind", BOUND)
def test_a_binding_is_found_by_its_form_alone(kind: str, tmp_path: Path) -> None:
    grader, form, what = BOUND[kind]
    found = bindings(tmp_path, grader, "Write what you found into `/app/report.md`.\n")
    assert [(bound.form, bound.what) for bound in found] == [(form, what)]
    assert found[0].instead


@pytest.mark.parametrize("kind", BOUND)
def test_what_the_instruction_states_binds_nobody(kind: str, tmp_path: Path) -> None:
    assert bindings(tmp_path, BOUND[kind][0], STATED) == ()


@pytest.mark.parametrize(
    "grader",
    [
        'assert "Paris" in text\n',
        'assert sorted(json.loads(text)) == ["a", "b"]\n',
        'assert set(json.loads(text)) == {"a", "b"}\n',
        'own = {"net_total": 3}\nassert own["net_total"] == 3\n',
        'assert re.search(r"\\b42\\b", text)\n',
    ],
)
def test_facts_and_the_graders_own_names_are_no_form(grader: str, tmp_path: Path) -> None:
    assert bindings(tmp_path, grader, "Write what you found into `/app/report.md`.\n") == ()


def test_declared_checks_are_read_too(tmp_path: Path) -> None:
    checks = '[[check]]\nname = "a"\nuse = "file_contains"\npath = "/app/report.md"\ntext = "## Findings"\n'
    (found,) = bindings(tmp_path, "", "Write `/app/report.md`.\n", checks)
    assert (found.file, found.line, found.form, found.what) == ("tests/checks.toml", 5, "title", "## Findings")


def test_columns_of_a_database_in_the_environment_are_stated(tmp_path: Path) -> None:
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment" / "shop.db").write_bytes(b"SQLite\x00CREATE TABLE t (net_total INT)\x00")
    (tmp_path / "environment").rename(tmp_path / "kept")
    assert bindings(tmp_path, BOUND["a field read"][0], "Write `/app/report.md`.\n")
    (tmp_path / "kept" / "shop.db").rename(tmp_path / "environment" / "shop.db")
    (key,) = load_suite(tmp_path).keys.values()
    assert read_bindings(key) == ()
