"""Attacks: archives packed in every way are read alike; what is damaged, cut, encrypted or a bomb is an error."""

from __future__ import annotations

import os
import zipfile
import zlib
from pathlib import Path

import pytest
import zstandard

from fairtrial.formats.inspect.archive import MOST_BYTES, Archive, is_zip
from fairtrial.records import FormatError
from formats.inspect.written import DEFLATE, STORED, ZSTD, Writing, packed

CONTENT = b'{"text": "' + b"one two three " * 5_000 + b'"}'


def archive_of(path: Path, method: int, *members: tuple[str, bytes]) -> Path:
    writing = Writing(path, method)
    for name, content in members:
        writing.add(name, content)
    writing.close()
    return path


@pytest.mark.parametrize("method", [STORED, DEFLATE, ZSTD])
def test_members_are_read_however_they_are_packed(tmp_path: Path, method: int) -> None:
    random = os.urandom(70_000)
    path = archive_of(tmp_path / "a.eval", method, ("a", CONTENT), ("empty", b""), ("samples/ä b.json", random))
    with Archive(path) as archive:
        assert archive.names == ["a", "empty", "samples/ä b.json"]
        assert [archive.read(name) for name in archive.names] == [CONTENT, b"", random]
        assert is_zip(path)


def test_what_the_standard_library_writes_is_read_zip64_included(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as theirs:
        theirs.writestr("a", CONTENT)
        with theirs.open("large", "w", force_zip64=True) as member:  # an extra field in the local header alone
            member.write(CONTENT)
        theirs.comment = b"of the evaluation"
    with Archive(path) as archive:
        assert [archive.read(name) for name in archive.names] == [CONTENT, CONTENT]


def test_frames_that_follow_each_other_are_one_member(tmp_path: Path) -> None:
    frames = b"".join(zstandard.ZstdCompressor().compress(CONTENT[start : start + 7_000]) for start in
                      range(0, len(CONTENT), 7_000))  # fmt: skip
    writing = Writing(tmp_path / "a.eval", ZSTD)
    writing.add_packed("a", frames, zlib.crc32(CONTENT), len(CONTENT))
    writing.close()
    with Archive(tmp_path / "a.eval") as archive:
        assert archive.read("a") == CONTENT


def test_of_a_name_that_stands_twice_the_last_one_counts(tmp_path: Path) -> None:
    with Archive(archive_of(tmp_path / "a.eval", ZSTD, ("a", b"old"), ("b", b"x"), ("a", b"new"))) as archive:
        assert sorted(archive.names) == ["a", "b"]
        assert archive.read("a") == b"new"


def content_or_error(archive: Archive) -> bytes | str | None:
    """Return the content of the member `a`, or what an error says is wrong."""
    try:
        return archive.read("a")
    except FormatError as error:
        return error.field


@pytest.mark.parametrize("method", [STORED, DEFLATE, ZSTD])
def test_no_single_damaged_byte_goes_unseen(tmp_path: Path, method: int) -> None:
    path = archive_of(tmp_path / "a.eval", method, ("a", CONTENT))
    whole = path.read_bytes()
    begun, length = whole.index(b"a") + 1, len(packed(CONTENT, method))
    for at in range(begun, begun + length, max(1, length // 40)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        with Archive(path) as archive:
            assert content_or_error(archive) in (CONTENT, "a"), "some bytes of zstd's frames mean nothing"


@pytest.mark.parametrize("method", [DEFLATE, ZSTD])
def test_a_bomb_is_not_unpacked(tmp_path: Path, method: int) -> None:
    bomb = packed(bytes(50_000_000), method)
    writing = Writing(tmp_path / "a.eval", method)
    writing.add_packed("small as it says", bomb, 0, 1_000)
    writing.add_packed("large as it says", bomb, 0, MOST_BYTES + 1)
    writing.close()
    with Archive(tmp_path / "a.eval") as archive:
        with pytest.raises(FormatError, match="another size"):
            archive.read("small as it says")
        with pytest.raises(FormatError, match="would take"):
            archive.read("large as it says")


def test_what_is_cut_short_or_no_archive_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "a.eval", ZSTD, ("a", CONTENT), ("b", CONTENT))
    whole = path.read_bytes()
    for content in (b"", b"PK\x03\x04", b"no zip at all", whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(content)
        with pytest.raises(FormatError, match="no whole zip archive"):
            Archive(path)
    with pytest.raises(FormatError, match="cannot be read"):
        Archive(tmp_path / "nowhere.eval")


def test_a_directory_that_points_astray_is_an_error(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "a.eval", ZSTD, ("a", CONTENT))
    whole = bytearray(path.read_bytes())
    at = whole.index(b"PK\x01\x02") + 42
    for place in (7, len(whole) - 3, 0xFFFFFFF0):
        whole[at : at + 4] = place.to_bytes(4, "little")
        path.write_bytes(whole)
        with pytest.raises(FormatError), Archive(path) as archive:
            archive.read("a")


def test_encrypted_members_and_other_methods_are_named(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "a.eval", 12, ("a", CONTENT))
    with Archive(path) as archive, pytest.raises(FormatError, match="method 12"):
        archive.read("a")
    whole = bytearray(archive_of(path, ZSTD, ("a", CONTENT)).read_bytes())
    whole[whole.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(whole)
    with Archive(path) as archive, pytest.raises(FormatError, match="encrypted"):
        archive.read("a")
