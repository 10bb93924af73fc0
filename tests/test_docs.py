"""The docs are true and whole: blocks are run; verbs, options, record fields, tables and columns are all described.

Not covered: whether the prose is right.
"""

from __future__ import annotations

import dataclasses
import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import typer

import fairtrial.records
from docs_blocks import RUN_LANGUAGES, BlockError, Page, blocks, commands, matches
from fairtrial.cli.main import VERBS
from fairtrial.ledger import TABLES, Ledger, connect

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
RECORDS = [
    noun
    for noun in (getattr(fairtrial.records, name) for name in fairtrial.records.__all__)
    if isinstance(noun, type) and dataclasses.is_dataclass(noun)
]


def page_name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def section(page: str, title: str) -> str:
    """Return the text of `page` from the heading that names `title` to the next heading of its level or above."""
    start = re.search(rf"^(#+) .*`?{re.escape(title)}`?.*$", page, re.MULTILINE)
    assert start, f"no heading for {title}"
    end = re.search(rf"^#{{1,{len(start.group(1))}}} ", page[start.end() :], re.MULTILINE)
    return page[start.end() : start.end() + end.start()] if end else page[start.end() :]


def options(verb: str) -> set[str]:
    module = importlib.import_module(VERBS[verb].module)
    each: list[Any] = [module.command(name) for name in getattr(module, "SUBCOMMANDS", ())]
    each.append(typer.main.get_command(module.app))
    return {option for c in each for p in c.params for option in p.opts if option.startswith("--")} - {"--help"}


LONG = {
    "attack-agent", "audit-checklist", "audit-hacks", "audit-sample", "audit-tasks", "authoring",
    "authoring-calibrate", "authoring-synthetic", "board", "certificate", "certify", "checks", "checks-code",
    "checks-state", "clusters", "compare", "contamination-split", "contamination-usage", "criteria", "detect",
    "export", "import", "import-inspect", "import-swebench", "import-verifiers", "lift", "measure", "posttrain",
    "price", "prove", "prove-text", "report", "review", "rules", "rules-judges", "run", "serve", "train", "watch",
    "worked-claims",
}  # fmt: skip
"""Pages whose blocks take longest: they belong to the longest of the extra tests."""


def _marks(path: Path) -> list[pytest.MarkDecorator]:
    return [pytest.mark.extra, pytest.mark.long] if path.stem in LONG else []


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=_marks(path)) for path in PAGES if path.exists()],
    ids=page_name,
)
@pytest.mark.timeout(600)
def test_blocks_do_what_the_page_says(path: Path, tmp_path: Path) -> None:
    found = [block for block in blocks(path.read_text(encoding="utf-8")) if block.language in RUN_LANGUAGES]
    wanted = [block for block in found if block.not_run is None]
    if not wanted:
        return
    page = Page(tmp_path, ROOT / "examples")
    for block in wanted:
        try:
            page.run(block)
        except BlockError as error:
            pytest.fail(f"{page_name(path)}:{block.line}\n{error}", pytrace=False)


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_page_exists_and_what_is_not_run_says_why(path: Path) -> None:
    assert all(block.not_run != "" for block in blocks(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("verb", VERBS)
def test_verb_has_a_page_with_every_option(verb: str) -> None:
    page = (ROOT / "docs" / f"{verb}.md").read_text(encoding="utf-8")
    assert f"`fairtrial {verb}" in page or f"$ fairtrial {verb}" in page
    assert "exit" in page.lower()
    missing = {option for option in options(verb) if not re.search(rf"`{option}\b", page)}
    assert not missing


@pytest.mark.parametrize("noun", RECORDS, ids=lambda noun: noun.__name__)
def test_record_has_every_field_described(noun: Any) -> None:
    described = section((ROOT / "docs" / "records.md").read_text(encoding="utf-8"), noun.__name__)
    missing = {field.name for field in dataclasses.fields(noun) if f"| `{field.name}` |" not in described}
    assert not missing


@pytest.mark.parametrize("table", TABLES)
def test_table_has_every_column_described(table: str) -> None:
    described = section((ROOT / "docs" / "ledger.md").read_text(encoding="utf-8"), table)
    missing = {name for name in TABLES[table].names if f"`{name}`" not in described}
    assert not missing


def test_every_view_and_its_own_columns_are_described(tmp_path: Path) -> None:
    connection = connect(Ledger.open(tmp_path / "ledger", create=True))
    page = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")
    for (view,) in connection.execute("show tables").fetchall():
        if view in TABLES or re.fullmatch(r"\w+_parts|(repeated|several)_\w+", view):
            continue
        described = section(page, view)
        columns = {row[0] for row in connection.execute(f"describe {view}").fetchall()}
        missing = {name for name in columns - set(TABLES["rollouts"].names) if f"`{name}`" not in described}
        assert not missing, view


def test_every_page_is_listed_in_the_index_and_every_link_leads_somewhere() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {name for name in listed if f"({name})" not in index} == set()
    for path in (path for path in PAGES if path.exists()):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{page_name(path)} links to {target}"


def test_runner_splits_commands_from_what_they_print() -> None:
    found = commands("$ false  # exit 1\n$ echo a \\\n  b\na b\n\nc\n")
    assert [(c.text, c.shown, c.exit_code) for c in found] == [
        ("false  # exit 1", "", 1),
        ("echo a \\\n  b", "a b\n\nc", 0),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\n...\nz", "a\nb\nc\nz\n", True),
        ("took ... s", "took 1.5 s  \n", True),
        ("a.b", "axb", False),
        ("a", "a\nb", False),
        ("0 failed", "10 failed", False),
    ],
)
def test_dots_stand_for_any_text_and_nothing_else_does(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same


def test_marker_skips_the_next_block_only() -> None:
    page = "<!-- not run: needs a model -->\n\n```bash\nx\n```\n```bash\ny\n```\n"
    page += "<!-- not run: text stands between -->\ntext\n```bash\nw\n```\n"
    assert [(block.text, block.not_run) for block in blocks(page)] == [("x", "needs a model"), ("y", None), ("w", None)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("console", "$ echo a\nb"),
        ("console", "$ exit 3"),
        ("bash", "false\ntrue"),
        ("python", ">>> 1 + 1\n3"),
    ],
)
def test_runner_refuses_a_block_that_is_not_so(language: str, text: str, tmp_path: Path) -> None:
    (block,) = blocks(f"```{language}\n{text}\n```")
    with pytest.raises(BlockError):
        Page(tmp_path, tmp_path / "none").run(block)


def test_blocks_of_one_page_build_on_each_other(tmp_path: Path) -> None:
    page = Page(tmp_path, tmp_path / "none")
    text = "```bash\necho 7 >seven\n```\n```python\nfrom pathlib import Path\nn = int(Path('seven').read_text())\n```\n"
    for block in blocks(text + "```python\n>>> n + 1\n8\n```\n```console\n$ cat seven\n7\n```\n"):
        page.run(block)
