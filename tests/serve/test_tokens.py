"""Tokens outlive a restart, for the same name in the same role, and only where nobody else could have read them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from fairtrial.records import InputError
from fairtrial.serve import readers_named
from fairtrial.serve.tokens import NAME, with_kept_tokens


def test_the_same_names_get_the_same_links(tmp_path: Path) -> None:
    first, told = with_kept_tokens(tmp_path, readers_named("owner", ["ada"]))
    second, _ = with_kept_tokens(tmp_path, readers_named("owner", ["ada", "bo"]))
    assert told == ""
    assert second[:2] == first
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_another_role_is_another_token(tmp_path: Path) -> None:
    first, _ = with_kept_tokens(tmp_path, readers_named("owner", ["ada"]))
    second, _ = with_kept_tokens(tmp_path, readers_named("owner", [], ["ada"]))
    assert second[1].token != first[1].token


def test_who_was_away_once_has_the_old_link_again(tmp_path: Path) -> None:
    first, _ = with_kept_tokens(tmp_path, readers_named("owner", ["ada"]))
    with_kept_tokens(tmp_path, readers_named("owner", ["bo"]))
    third, _ = with_kept_tokens(tmp_path, readers_named("owner", ["ada"]))
    assert third[1] == first[1]


SCHEMA = b'{"schema": "fairtrial.serve.tokens/1", "readers": '
SHORT = b'{"owner": {"role": "owner", "token": "short", "csrf": "short"}}'


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schema": "x"}', SCHEMA + b"3}", SCHEMA + SHORT + b"}"])
def test_a_damaged_file_makes_new_tokens(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    (tmp_path / NAME).chmod(0o600)
    made, told = with_kept_tokens(tmp_path, readers_named("owner"))
    assert told == ""
    assert len(made[0].token) >= 32
    assert with_kept_tokens(tmp_path, readers_named("owner"))[0] == made


def test_what_others_could_read_is_used_no_more(tmp_path: Path) -> None:
    first, _ = with_kept_tokens(tmp_path, readers_named("owner"))
    (tmp_path / NAME).chmod(0o644)
    second, _ = with_kept_tokens(tmp_path, readers_named("owner"))
    assert second[0].token != first[0].token
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    made, told = with_kept_tokens(tmp_path / "absent", readers_named("owner"))
    assert made
    assert "end with the server" in told


def test_tokens_are_not_printed_with_a_reader() -> None:
    (reader,) = readers_named("owner")
    assert reader.token not in repr(reader)
    with pytest.raises(InputError):
        readers_named("owner", ["owner"])
