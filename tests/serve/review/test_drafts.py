"""Drafts: what was saved is read back, after a kill too; who saves on an old version overwrites nothing."""

from __future__ import annotations

import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import LedgerError
from fairtrial.serve.review.drafts import ConflictError, Draft, Drafts
from fairtrial.serve.review.rows import row_name, secret_of


def test_what_was_saved_is_read_by_another_server(tmp_path: Path) -> None:
    saved = Drafts(tmp_path / "drafts").save("row", {"answer": "no", "note": "é\u2028"}, base=0)
    assert Drafts(tmp_path / "drafts").read("row") == saved
    assert (saved.version, saved.content["answer"]) == (1, "no")


def test_a_row_that_was_never_saved_is_empty(tmp_path: Path) -> None:
    assert Drafts(tmp_path / "nowhere").read("row") == Draft()


def test_an_old_version_overwrites_nothing_and_is_kept_beside(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.save("row", {"note": "first window"}, base=0)
    with pytest.raises(ConflictError) as conflict:
        drafts.save("row", {"note": "second window"}, base=0)
    assert conflict.value.current.content == {"note": "first window"}
    assert drafts.read("row").content == {"note": "first window"}
    assert [one.content for one in drafts.beside("row")] == [{"note": "second window"}]


def test_the_same_content_again_is_no_conflict(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    first = drafts.save("row", {"note": "once"}, base=0)
    assert drafts.save("row", {"note": "once"}, base=0) == first
    assert drafts.beside("row") == []


def test_of_many_windows_at_once_one_wins_and_every_other_is_kept(tmp_path: Path) -> None:
    drafts, lost = Drafts(tmp_path), []

    def window(number: int) -> None:
        try:
            drafts.save("row", {"note": str(number)}, base=0)
        except ConflictError:
            lost.append(number)

    threads = [threading.Thread(target=window, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = {one.content["note"] for one in drafts.beside("row")}
    assert len(lost) == 11
    assert kept | {drafts.read("row").content["note"]} == {str(number) for number in range(12)}


def test_a_submitted_row_is_empty_and_its_versions_go_on(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.save("row", {"note": "x"}, base=0)
    drafts.finish("row", "the-record")
    left = drafts.read("row")
    assert (left.version, left.content, left.record) == (2, {}, "the-record")
    with pytest.raises(ConflictError):
        drafts.save("row", {"note": "from a window that does not know"}, base=1)


@pytest.mark.parametrize("broken", [b"", b"{", b'{"schema": "fairtrial.draft/1"}', b"[]", b'"x"'])
def test_a_damaged_draft_is_named_and_not_taken_for_none(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / "row.json").write_bytes(broken)
    with pytest.raises(LedgerError, match=r"row\.json"):
        Drafts(tmp_path).read("row")


def test_what_a_killed_server_left_half_written_is_not_read(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    saved = drafts.save("row", {"note": "whole"}, base=0)
    (tmp_path / ".row.json-deadbeef").write_bytes(b'{"schema": "fairtr')
    assert drafts.read("row") == saved


def test_others_on_the_machine_cannot_read_drafts(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    Drafts(folder).save("row", {"note": "x"}, base=0)
    assert stat.S_IMODE((folder / "row.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_names_are_the_same_after_a_restart_and_differ_between_ledgers(tmp_path: Path) -> None:
    assert secret_of(tmp_path / "one") == secret_of(tmp_path / "one")
    assert secret_of(tmp_path / "one") != secret_of(tmp_path / "two")
    assert stat.S_IMODE((tmp_path / "one" / "key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["key"]


def test_a_secret_that_is_damaged_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short")
    with pytest.raises(LedgerError, match="key"):
        secret_of(tmp_path)


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4), st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_different_rows_have_different_names(one: list[str], other: list[str]) -> None:
    def name(words: list[Any]) -> str:
        return row_name(b"key", *words)

    assert (name(one) == name(other)) == (one == other)
