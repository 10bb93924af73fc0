"""The pages of a board: all is told, nothing from outside is markup, links lead somewhere, sizes are bounded."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from tests.board.worlds import ledger
from tests.report.board.shown import RULES, shown
from tests.report.page import Page
from tests.report.suites import HOSTILE

from fairtrial import __version__
from fairtrial.board.changes import changes
from fairtrial.board.document import document_of
from fairtrial.board.make import make_board
from fairtrial.board.result import Board
from fairtrial.board.runs import read_records
from fairtrial.board.versions import Version
from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory, document
from fairtrial.records import InputError
from fairtrial.report.board import Limits, write_pages
from fairtrial.report.board.steps import Steps, read_steps
from fairtrial.rules.schema import read_rules

SNAPSHOT = Path(__file__).parent / "board.md"


def written(
    board: Board, out: Path, *ledgers: Path, before: Board | None = None, limits: Limits | None = None
) -> list[str]:
    now = Version(2, document_of(board), RULES)
    changed = changes(Version(1, document_of(before), RULES.replace("1.2", "1.1")), now) if before else None
    return write_pages(board, out, now, changed, ledgers, limits)


def html(out: Path) -> dict[str, str]:
    return {path.relative_to(out).as_posix(): path.read_text(encoding="utf-8") for path in out.rglob("*.html")}


@pytest.fixture(params=["", HOSTILE], ids=["plain", "hostile"])
def pages(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    board = shown(tmp_path, request.param)
    before = replace(board, rows=board.rows[1:], rules="books@1.1#00")
    written(board, tmp_path / "out", before=before)
    return html(tmp_path / "out")


def test_pages_are_whole_and_nothing_from_outside_is_markup(pages: dict[str, str]) -> None:
    assert len(pages) == 7
    for name, text in pages.items():
        page = Page(text)
        assert not page.problems, name
        assert "script" not in page.tags, name
        assert len(set(page.ids)) == len(page.ids), name
        assert "\x1b" not in text, name
        assert "\u202e" not in text, name
        assert not [attribute for attribute in page.attributes if attribute[1].startswith("on")], name
        assert not re.search(r"(src|href)=.(https?:|//|javascript)", text), name


def test_links_lead_to_pages_that_are_there(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        for tag, attribute, target in Page(text).attributes:
            if (tag, attribute) == ("a", "href") and not target.endswith((".md", ".json")):
                found = os.path.normpath(f"{Path(name).parent}/{target.split('#')[0]}")
                assert found in pages, f"{name} links to {target}"


def test_every_status_is_a_word_and_says_why(tmp_path: Path) -> None:
    written(shown(tmp_path), tmp_path / "out")
    index = re.sub(r"<[^>]+>", " ", html(tmp_path / "out")["index.html"])
    for told in ("clean", "flagged, awaiting a ruling", "12 rows near 3 items", "penalised: base score",
                 "override by ada: Clones.", "removed", "not run again", "not judged", "refused", "wants books@1",
                 "not in the records", "ungraded"):  # fmt: skip
        assert told in index, told


def test_a_row_opens_on_artifacts_decisions_and_runs(tmp_path: Path) -> None:
    written(shown(tmp_path), tmp_path / "out")
    (ada,) = (text for name, text in html(tmp_path / "out").items() if name.startswith("rows/ada-"))
    told = re.sub(r"<[^>]+>", "", ada)
    for word in ("sha256:" + "ab" * 32, "train.jsonl", "j, run 2", "2 of 3 runs", "General rows.", "row 4:", "task-7",
                 "$12.50", "14,400", "640", "$0.16"):  # fmt: skip
        assert word in told, word


def test_votes_that_an_override_outranks_are_shown_and_marked(tmp_path: Path) -> None:
    written(shown(tmp_path), tmp_path / "out")
    (cy,) = (text for name, text in html(tmp_path / "out").items() if name.startswith("rows/cy-"))
    told = re.sub(r"<[^>]+>", "", cy)
    assert "override by ada, 2026-01-01: Clones." in told
    assert len(re.findall(r"j, run \d, 2026-01-01 does not count: Fine rows\.", told)) == 3


def test_the_change_page_has_the_difference_of_the_rules_and_who_entered(tmp_path: Path) -> None:
    board = shown(tmp_path)
    written(board, tmp_path / "out", before=replace(board, rows=board.rows[1:], rules="books@1.1#00"))
    told = re.sub(r"<[^>]+>", "", html(tmp_path / "out")["changes.html"])
    for word in (
        "-version = &#34;1.1&#34;",
        "+version = &#34;1.2&#34;",
        f"{board.rows[0].label} entered at 1",
        "The rules changed.",
    ):
        assert word in told, word


def test_markdown_says_what_it_said(tmp_path: Path) -> None:
    """After a change that is meant, FAIRTRIAL_REFRESH=1 writes it anew."""
    written(shown(tmp_path), tmp_path / "out")
    said = (tmp_path / "out" / "board.md").read_text(encoding="utf-8").replace(__version__, "VERSION")
    if os.environ.get("FAIRTRIAL_REFRESH") == "1":
        SNAPSHOT.write_text(said, encoding="utf-8")
    assert said == SNAPSHOT.read_text(encoding="utf-8")


def test_markdown_of_hostile_names_has_no_markup_and_no_broken_row(tmp_path: Path) -> None:
    written(shown(tmp_path, HOSTILE), tmp_path / "out")
    lines = (tmp_path / "out" / "board.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert not any(re.search(r"(?<!\\)<script", line) for line in lines)


def trajectory(steps: int, length: int) -> bytes:
    call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "ls"})
    made = AtifStep(
        source="agent",
        message=f"Look.{HOSTILE}",
        tool_calls=(call,),
        observations=(Observation(content="x\n" * (length // 2), source_call_id="c"),),
    )
    return orjson.dumps(document(Trajectory(agent="a", steps=(made,) * steps)))


def opened(folder: Path, content: bytes, **limits: int) -> tuple[Path, list[str]]:
    """Write the pages of one row of eight rollouts of this content."""
    tasks = {f"t{number}": "pf" for number in range(4)}
    ledger(folder / "ledger", "m", tasks, content=content)
    path = folder / "rules.toml"
    path.write_text(RULES)
    board = make_board(read_records([folder / "ledger"]), read_rules(path))
    return folder / "out", written(board, folder / "out", folder / "ledger", limits=Limits(**limits))


def test_rollouts_open_on_their_steps_first_runs_first(tmp_path: Path) -> None:
    out, told = opened(tmp_path, trajectory(2, 20), trajectories=5)
    pages = html(out)
    steps = {name: text for name, text in pages.items() if name.startswith("rollouts/")}
    assert len(steps) == 5
    assert told == ["m: 3 of 8 trajectories have no page"]
    assert sum("Run 0 of m" in text for text in steps.values()) == 4
    assert all("step 2 output 1: bash" in text and not Page(text).problems for text in steps.values())
    (row,) = (text for name, text in pages.items() if name.startswith("rows/"))
    assert row.count('href="../rollouts/') == 5
    assert "5 runs open on their steps, of 8 trajectories" in row


def test_long_parts_are_cut_and_long_trajectories_end_with_a_count(tmp_path: Path) -> None:
    out, _ = opened(tmp_path, trajectory(40, 50_000), trajectories=1)
    (text,) = (text for name, text in html(out).items() if name.startswith("rollouts/"))
    assert "42,000 characters are left out here" in text
    assert re.search(r"\d+ parts at the end are left out", text)
    assert len(text) < 400_000


def test_all_steps_together_are_bounded(tmp_path: Path) -> None:
    out, told = opened(tmp_path, trajectory(2, 4_000), trajectories=8, characters=20_000)
    assert len([name for name in html(out) if name.startswith("rollouts/")]) == 2
    assert told == ["m: 6 of 8 trajectories have no page"]


def test_a_trajectory_that_cannot_be_read_is_told_and_stops_nothing(tmp_path: Path) -> None:
    out, told = opened(tmp_path, b"no trajectory", trajectories=2)
    assert len(told) == 9
    assert "cannot be read" in told[0]
    assert "index.html" in html(out)
    assert isinstance(read_steps([], "sha256:00"), str)
    assert not isinstance(read_steps([], ""), Steps)


def test_pages_that_are_no_longer_of_the_board_go_and_others_stay(tmp_path: Path) -> None:
    board, out = shown(tmp_path), tmp_path / "out"
    written(board, out)
    (out / "rows" / "mine.html").write_text("mine")
    (out / "pages.txt").write_text((out / "pages.txt").read_text() + "../rules.toml\nindex.html\n")
    written(replace(board, rows=board.rows[:1]), out)
    assert len(list((out / "rows").iterdir())) == 2
    assert (out / "rows" / "mine.html").read_text() == "mine"
    assert (tmp_path / "rules.toml").exists()


def test_a_folder_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="could not write the board"):
        written(shown(tmp_path), tmp_path / "file")
