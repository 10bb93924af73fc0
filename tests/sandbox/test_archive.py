"""Archives that try to write elsewhere, and those that are merely damaged. How ADD uses them is test_layout's."""

from __future__ import annotations

import io
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.sandbox.archive import ArchiveError, unpack

Fill = Callable[[tarfile.TarFile], None]


def member(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644, size: int = 0
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode, info.size = kind, link, mode, size
    return info


def add_file(archive: tarfile.TarFile, name: str, text: str, mode: int = 0o644) -> None:
    archive.addfile(member(name, mode=mode, size=len(text)), io.BytesIO(text.encode()))


def pack(folder: Path, fill: Fill) -> Path:
    """Write an archive and return it; nothing that it holds is checked."""
    path = folder / "pack.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        fill(archive)
    return path


def unpacked(tmp_path: Path, fill: Fill) -> Path:
    into = tmp_path / "into"
    into.mkdir()
    unpack(pack(tmp_path, fill), into)
    return into


def test_files_folders_links_and_the_executable_bit_are_kept(tmp_path: Path) -> None:
    def fill(archive: tarfile.TarFile) -> None:
        archive.addfile(member(".", tarfile.DIRTYPE))
        archive.addfile(member("bin", tarfile.DIRTYPE))
        add_file(archive, "bin/tool", "run", mode=0o4755)
        add_file(archive, "deep/down/data", "data")
        archive.addfile(member("current", tarfile.SYMTYPE, "deep/down"))
        archive.addfile(member("same", tarfile.LNKTYPE, "deep/down/data"))

    into = unpacked(tmp_path, fill)
    assert (into / "bin/tool").stat().st_mode & 0o7777 == 0o755
    assert (into / "current/data").read_text() == (into / "same").read_text() == "data"
    assert (into / "deep/down/data").stat().st_mode & 0o7777 == 0o644
    assert (into / "same").stat().st_nlink == 1


def test_an_absolute_name_is_taken_below_the_folder(tmp_path: Path) -> None:
    assert (unpacked(tmp_path, lambda archive: add_file(archive, "/etc/x", "x")) / "etc/x").read_text() == "x"


def parent(archive: tarfile.TarFile) -> None:
    add_file(archive, "../outside", "x")


def link_then_file(archive: tarfile.TarFile) -> None:
    archive.addfile(member("a", tarfile.SYMTYPE, ".."))
    add_file(archive, "a/outside", "x")


def chain_of_links(archive: tarfile.TarFile) -> None:
    archive.addfile(member("d", tarfile.DIRTYPE))
    archive.addfile(member("d/up", tarfile.SYMTYPE, ".."))
    archive.addfile(member("d/out", tarfile.SYMTYPE, "up/.."))
    add_file(archive, "d/out/outside", "x")


def absolute_link(archive: tarfile.TarFile) -> None:
    archive.addfile(member("a", tarfile.SYMTYPE, "/etc/passwd"))


def device(archive: tarfile.TarFile) -> None:
    archive.addfile(member("null", tarfile.CHRTYPE))


def pipe(archive: tarfile.TarFile) -> None:
    archive.addfile(member("pipe", tarfile.FIFOTYPE))


def hard_link_to_nothing(archive: tarfile.TarFile) -> None:
    archive.addfile(member("a", tarfile.LNKTYPE, "../../etc/passwd"))


@pytest.mark.parametrize(
    "fill", [parent, link_then_file, chain_of_links, absolute_link, device, pipe, hard_link_to_nothing]
)
def test_what_leads_out_or_is_no_plain_file_is_refused(fill: Fill, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError):
        unpacked(tmp_path, fill)
    assert not (tmp_path / "outside").exists()
    assert not (tmp_path.parent / "outside").exists()


def test_a_link_is_replaced_not_written_through(tmp_path: Path) -> None:
    def fill(archive: tarfile.TarFile) -> None:
        add_file(archive, "kept", "kept")
        archive.addfile(member("a", tarfile.SYMTYPE, "kept"))
        add_file(archive, "a", "own")

    into = unpacked(tmp_path, fill)
    assert ((into / "kept").read_text(), (into / "a").read_text()) == ("kept", "own")


@pytest.mark.parametrize("place", [0.3, 0.5, 0.9])
def test_a_damaged_archive_is_an_error(place: float, tmp_path: Path) -> None:
    whole = bytearray(pack(tmp_path, lambda archive: add_file(archive, "a", random_text())).read_bytes())
    whole[int(len(whole) * place)] ^= 0xFF
    (tmp_path / "pack.tar.gz").write_bytes(whole)
    (tmp_path / "into").mkdir()
    with pytest.raises(ArchiveError):
        unpack(tmp_path / "pack.tar.gz", tmp_path / "into")


def random_text() -> str:
    """Return text that does not compress away, the same each time."""
    return "".join(chr(33 + byte % 90) for byte in random.Random(3).randbytes(200_000))


def test_a_truncated_archive_is_an_error(tmp_path: Path) -> None:
    whole = pack(tmp_path, lambda archive: add_file(archive, "a", "x" * 100_000)).read_bytes()
    short = tmp_path / "short.tar.gz"
    short.write_bytes(whole[: len(whole) // 2])
    (tmp_path / "into").mkdir()
    with pytest.raises(ArchiveError):
        unpack(short, tmp_path / "into")
