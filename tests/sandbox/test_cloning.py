"""Attacks the quick copy: modes, times, links, empty folders, bytes; and what is not small or not plain."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from fairtrial.sandbox.cloning import MOST_ENTRIES, clone_small, is_small


def test_a_clone_has_the_same_bytes_modes_times_and_links(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "deep" / "empty").mkdir(parents=True)
    (source / "run.sh").write_bytes(b"#!/bin/sh\n" * 200_000)
    (source / "run.sh").chmod(0o751)
    (source / "deep" / "nothing").touch()
    (source / "deep").chmod(0o750)
    (source / "link").symlink_to("run.sh")
    (source / "dangling").symlink_to("/no/such/place")
    os.utime(source / "run.sh", ns=(1_000_000_007, 2_000_000_009))
    clone_small(source, tmp_path / "target")
    for path in sorted(source.rglob("*")):
        copy = tmp_path / "target" / path.relative_to(source)
        assert stat.S_IMODE(copy.lstat().st_mode) == stat.S_IMODE(path.lstat().st_mode), path
        if path.is_symlink():
            assert copy.readlink() == path.readlink()
        elif path.is_file():
            assert copy.read_bytes() == path.read_bytes()
            assert copy.stat().st_mtime_ns == path.stat().st_mtime_ns


def test_pipes_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    os.mkfifo(tmp_path / "source" / "pipe")
    clone_small(tmp_path / "source", tmp_path / "target")
    assert list((tmp_path / "target").iterdir()) == []


def test_what_is_many_large_linked_or_odd_is_not_small(tmp_path: Path) -> None:
    many, large, linked, odd, plain = (tmp_path / name for name in ("many", "large", "linked", "odd", "plain"))
    for folder in (many, large, linked, odd, plain):
        folder.mkdir()
        (folder / "file").write_text("x")
    for number in range(MOST_ENTRIES):
        (many / str(number)).touch()
    os.truncate(large / "file", 5_000_000)
    os.link(linked / "file", linked / "again")
    os.mkfifo(odd / "pipe")
    assert [is_small(folder) for folder in (many, large, linked, odd, plain)] == [False, False, False, False, True]
