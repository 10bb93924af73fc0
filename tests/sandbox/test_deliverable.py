"""What an agent leaves is copied without following a link, and nothing else comes along."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.records import SandboxError
from fairtrial.sandbox.deliverable import MOST_DEPTH, take
from fairtrial.sandbox.inside import put_into, remove_tree

PLENTY = 1 << 30


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "box/root/app").mkdir(parents=True)
    return tmp_path / "box/root"


def test_a_link_to_the_host_is_left_out_by_name(root: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (root / "app/absolute").symlink_to(secret)
    (root / "app/climbing").symlink_to("../../../secret")
    taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    assert {path: why.split(":")[0] for path, why in taken.left_out} == {
        "/app/absolute": "link to an absolute path",
        "/app/climbing": "link that leads out",
    }
    assert list((tmp_path / "out/app").iterdir()) == []


def test_links_through_links_cannot_climb_out(root: Path, tmp_path: Path) -> None:
    (root / "app/s").symlink_to(".")
    (root / "app/t").symlink_to(".")
    (root / "app/out").symlink_to("s/t/../../../secret")
    taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    assert [path for path, _ in taken.left_out] == ["/app/out"]


def test_a_link_that_stays_inside_is_kept_as_a_link(root: Path, tmp_path: Path) -> None:
    (root / "app/data").mkdir()
    (root / "app/data/x").write_text("1")
    (root / "app/latest").symlink_to("data/x")
    (root / "app/data/up").symlink_to("../latest")
    taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    assert os.readlink(tmp_path / "out/app/latest") == "data/x"  # noqa: PTH115
    assert (tmp_path / "out/app/data/up").read_text() == "1"
    assert taken.left_out == ()
    assert taken.files == 1


def test_a_folder_that_is_a_link_to_the_host_is_not_entered(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("secret")
    (root / "logs").symlink_to(outside)
    taken = take(root, ["/logs/x", "/logs"], tmp_path / "out", PLENTY)
    assert taken.files == 0
    assert not any(path.is_file() for path in (tmp_path / "out").rglob("*"))


def test_a_parent_link_is_read_as_the_box_reads_it(root: Path, tmp_path: Path) -> None:
    (root / "data").mkdir()
    (root / "data/x").write_text("1")
    (root / "app/data").symlink_to("/data")
    taken = take(root, ["/app/data/x"], tmp_path / "out", PLENTY)
    assert (tmp_path / "out/app/data/x").read_text() == "1"
    assert taken.files == 1


def test_a_ring_of_links_ends(root: Path, tmp_path: Path) -> None:
    (root / "app/a").symlink_to("b")
    (root / "app/b").symlink_to("a")
    with pytest.raises(SandboxError, match="too many links"):
        take(root, ["/app/a/x"], tmp_path / "out", PLENTY)


def test_sockets_pipes_and_devices_are_left_out(root: Path, tmp_path: Path) -> None:
    os.mkfifo(root / "app/pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "app/socket"))
        taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    assert [path for path, _ in taken.left_out] == ["/app/pipe", "/app/socket"]


def test_setuid_bits_are_dropped_and_hard_links_become_files(root: Path, tmp_path: Path) -> None:
    (root / "app/tool").write_text("#!/bin/sh\n")
    (root / "app/tool").chmod(0o6755)
    (root / "app/same").hardlink_to(root / "app/tool")
    taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    state = (tmp_path / "out/app/tool").stat()
    assert state.st_mode & 0o7777 & ~0o022 == 0o755
    assert state.st_nlink == 1
    assert taken.files == 2


def test_files_past_the_cap_are_left_out_by_name(root: Path, tmp_path: Path) -> None:
    (root / "app/a").write_bytes(b"x" * 600)
    (root / "app/b").write_bytes(b"x" * 600)
    (root / "app/c").write_bytes(b"x" * 300)
    taken = take(root, ["/app"], tmp_path / "out", 1000)
    assert taken.left_out == (("/app/b", "over the cap of 1000 bytes"),)
    assert taken.size == 900


def test_a_sparse_file_does_not_pass_the_cap(root: Path, tmp_path: Path) -> None:
    with (root / "app/big").open("wb") as file:
        file.truncate(1 << 40)
    assert take(root, ["/app"], tmp_path / "out", PLENTY).left_out == (("/app/big", f"over the cap of {PLENTY} bytes"),)


def test_deep_trees_and_odd_names_are_safe(root: Path, tmp_path: Path) -> None:
    (root / "app" / "new\nline").write_text("1")
    (Path(os.fsdecode(os.fsencode(root) + b"/app/\xff"))).write_text("2")
    here = os.open(root / "app", os.O_RDONLY)
    for _ in range(MOST_DEPTH + 100):
        os.mkdir("d" * 5, dir_fd=here)
        below = os.open("d" * 5, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    assert taken.files == 2
    assert [why for _, why in taken.left_out] == ["too deep"]
    remove_tree(root.parent)
    assert not root.exists()


def _descend(folder: Path, name: str, levels: int) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_a_path_longer_than_the_kernel_takes_is_left_out_and_the_rest_is_taken(root: Path, tmp_path: Path) -> None:
    (root / "app/zzz").write_text("1")
    _descend(root / "app", "d" * 250, 40)
    taken = take(root, ["/app"], tmp_path / "out", PLENTY)
    assert [why for _, why in taken.left_out] == ["path too long"]
    put_into(root, taken.folder / "app", "/app")
    assert (root / "app/zzz").read_text() == "1"


def test_a_tree_deeper_than_python_can_call_is_removed(root: Path) -> None:
    _descend(root / "app", "d", 3 * sys.getrecursionlimit())
    remove_tree(root.parent)
    assert not root.exists()


@pytest.mark.parametrize("kind", ["file", "ring", "shut"])
def test_what_stands_in_the_way_of_what_is_put_is_no_fault_of_the_sandbox(
    root: Path, tmp_path: Path, kind: str
) -> None:
    if kind == "file":
        (root / "logs").write_text("in the way")
    elif kind == "ring":
        (root / "logs").symlink_to("logs")
    else:
        (root / "logs").mkdir(mode=0)
    (tmp_path / "new").write_text("1")
    put_into(root, tmp_path / "new", "/logs/verifier/x")
    assert (root / "logs/verifier/x").read_text() == "1"


def test_a_path_that_is_not_there_is_named(root: Path, tmp_path: Path) -> None:
    taken = take(root, ["/app/report.csv", "/nothing/here"], tmp_path / "out", PLENTY)
    assert taken.left_out == (
        ("/app/report.csv", "No such file or directory"),
        ("/nothing/here", "No such file or directory"),
    )


def test_the_hash_knows_content_names_and_modes_but_not_times(root: Path, tmp_path: Path) -> None:
    (root / "app/x").write_text("1")
    hashes = [take(root, ["/app"], tmp_path / "0", PLENTY).hash]
    os.utime(root / "app/x", (1, 1))
    hashes.append(take(root, ["/app"], tmp_path / "1", PLENTY).hash)
    assert hashes[0] == hashes[1]
    changes: list[Callable[[], object]] = [
        lambda: (root / "app/x").chmod(0o755),
        lambda: (root / "app/x").write_text("2"),
        lambda: (root / "app/x").rename(root / "app/y"),
        lambda: (root / "app/empty").mkdir(),
        lambda: (root / "app/link").symlink_to("y"),
        lambda: (os.unlink(root / "app/link"), (root / "app/link").symlink_to("x")),  # noqa: PTH108
    ]
    for number, change in enumerate(changes, 2):
        change()
        hashes.append(take(root, ["/app"], tmp_path / str(number), PLENTY).hash)
    assert len(set(hashes[1:])) == len(changes) + 1


def test_overlapping_paths_are_taken_once(root: Path, tmp_path: Path) -> None:
    (root / "app/x").write_text("1")
    taken = take(root, ["/app/x", "/app", "/app/"], tmp_path / "out", PLENTY)
    assert (taken.files, taken.size) == (1, 1)


def test_files_already_there_are_not_mixed_in(root: Path, tmp_path: Path) -> None:
    (root / "app/x").write_text("1")
    take(root, ["/app"], tmp_path / "out", PLENTY)
    with pytest.raises(SandboxError, match="File exists"):
        take(root, ["/app"], tmp_path / "out", PLENTY)


def test_what_is_put_does_not_follow_a_link_to_the_host(root: Path, tmp_path: Path) -> None:
    outside, source = tmp_path / "outside", tmp_path / "source"
    outside.mkdir()
    source.write_text("new")
    (root / "app/folder").symlink_to(outside)
    (root / "app/file").symlink_to(outside / "file")
    put_into(root, source, "/app/file")
    put_into(root, source, "/app/folder/file")
    assert list(outside.iterdir()) == []
    assert (root / "app/file").read_text() == "new"
    assert not (root / "app/file").is_symlink()


def test_what_is_put_replaces_a_folder_whole_and_can_be_written(root: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "new").write_text("new")
    (source / "new").chmod(0o444)
    (root / "app/old").write_text("old")
    put_into(root, source, "/app")
    assert [path.name for path in (root / "app").iterdir()] == ["new"]
    assert (root / "app/new").stat().st_mode & 0o200


def test_taken_and_put_again_it_has_the_same_hash(root: Path, tmp_path: Path) -> None:
    (root / "app/sub").mkdir()
    (root / "app/sub/tool").write_text("x")
    (root / "app/sub/tool").chmod(0o755)
    (root / "app/link").symlink_to("sub/tool")
    first = take(root, ["/app"], tmp_path / "first", PLENTY)
    other = tmp_path / "other/root"
    other.mkdir(parents=True)
    put_into(other, first.folder / "app", "/app")
    assert take(other, ["/app"], tmp_path / "second", PLENTY).hash == first.hash
