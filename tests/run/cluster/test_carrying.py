"""Attacks what travels: paths on a machine that lacks them, contents that changed, folders too large, odd entries."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fairtrial.records import InputError, SandboxError
from fairtrial.run.cluster import carrying, working
from fairtrial.run.cluster.carrying import Parcel, Root, content_hash, laid_out, packed, parcel_of
from fairtrial.run.cluster.working import FetchError, NodeGone, Raised, Refused, Returned, source_hash, work
from run.cluster.jobs import ReadBelow, Square


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(working, "_places", {})
    made = tmp_path / "task"
    (made / "deep").mkdir(parents=True)
    (made / "deep" / "file.txt").write_text("seven")
    (made / "run.sh").write_text("#!/bin/sh\n")
    (made / "run.sh").chmod(0o755)
    (made / "link").symlink_to("deep/file.txt")
    (made / "empty").mkdir()
    return made


def _never(root: Root) -> bytes:
    raise AssertionError(f"{root} was fetched")


def test_a_machine_that_shares_the_file_system_uses_the_path_itself(folder: Path) -> None:
    parcel = parcel_of(ReadBelow(folder, folder / "deep" / "file.txt"), content_hash)
    assert work(parcel, source_hash(), _never) == Returned((str(folder / "deep" / "file.txt"), "seven"))


def test_a_machine_that_lacks_the_folder_has_its_content_elsewhere(folder: Path) -> None:
    parcel = parcel_of(ReadBelow(folder, folder / "deep" / "file.txt"), content_hash)
    content = packed(folder)
    shutil.rmtree(folder)
    fetched: list[Root] = []

    def fetch(root: Root) -> bytes:
        fetched.append(root)
        return content

    for _ in range(2):
        ended = work(parcel, source_hash(), fetch)
        assert isinstance(ended, Returned)
        path, text = ended.value
        assert text == "seven"
        assert Path(path).parent.parent.name == folder.name
        assert not path.startswith(str(folder))
    assert len(fetched) == 1
    there = Path(path).parent.parent
    assert (there / "link").is_symlink()
    assert (there / "run.sh").stat().st_mode & 0o111
    assert (there / "empty").is_dir()


def test_relative_paths_are_those_of_the_machine_that_sends(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    job = ReadBelow(Path(folder.name), Path(folder.name, "deep", "file.txt"))
    parcel = parcel_of(job, content_hash)
    beside = parcel_of(replace(job, besides=Path("train.jsonl")), content_hash)
    monkeypatch.chdir(folder)
    monkeypatch.chdir(folder / "deep")
    inner = parcel_of(ReadBelow(Path(".."), Path("file.txt")), content_hash)
    (tmp_path / "node").mkdir()
    monkeypatch.chdir(tmp_path / "node")
    content = packed(folder)
    assert work(parcel, source_hash(), _never) == Returned((str(folder / "deep" / "file.txt"), "seven"))
    assert work(beside, source_hash(), _never) == Returned((str(folder.parent / "train.jsonl"), "seven"))
    assert work(inner, source_hash(), _never) == Returned((str(folder / "deep" / "file.txt"), "seven"))
    shutil.rmtree(folder)
    working._places.clear()
    for sent in (parcel, inner):
        ended = work(sent, source_hash(), lambda _: content)
        assert isinstance(ended, Returned)
        assert ended.value[1] == "seven"


def test_a_content_that_lost_a_file_in_the_cache_is_sent_again(folder: Path) -> None:
    parcel = parcel_of(ReadBelow(folder, folder / "deep" / "file.txt"), content_hash)
    content = packed(folder)
    shutil.rmtree(folder)
    ended = work(parcel, source_hash(), lambda _: content)
    assert isinstance(ended, Returned)
    Path(ended.value[0]).unlink()
    working._places.clear()  # another worker
    assert work(parcel, source_hash(), lambda _: content) == ended


def test_a_machine_that_cannot_be_sent_a_content_is_no_fault_of_the_job(folder: Path) -> None:
    parcel = parcel_of(ReadBelow(folder, folder / "run.sh"), content_hash)
    shutil.rmtree(folder)

    def fetch(_: Root) -> bytes:
        raise FetchError("the way is broken")

    ended = work(parcel, source_hash(), fetch)
    assert isinstance(ended, NodeGone)
    assert "the way is broken" in ended.why


def test_what_is_no_file_is_refused_and_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(InputError, match="is neither file, folder nor link"):
        content_hash(folder)


def test_a_folder_that_is_another_there_is_not_used(folder: Path) -> None:
    parcel = parcel_of(ReadBelow(folder, folder / "deep" / "file.txt"), content_hash)
    content = packed(folder)
    (folder / "deep" / "file.txt").write_text("eight")
    ended = work(parcel, source_hash(), lambda _: content)
    assert isinstance(ended, Returned)
    assert ended.value[1] == "seven"


def test_a_content_that_arrives_damaged_is_refused(folder: Path) -> None:
    root = Root(folder, content_hash(folder))
    (folder / "deep" / "file.txt").write_text("eight")
    content = packed(folder)
    with pytest.raises(SandboxError, match="is not what was sent"):
        laid_out(root, lambda: content)


@pytest.mark.parametrize("change", ["content", "mode", "name", "link", "more"])
def test_the_hash_tells_what_differs_and_not_when(folder: Path, change: str) -> None:
    before = content_hash(folder)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    assert content_hash(folder) == before
    file = folder / "deep" / "file.txt"
    if change == "content":
        file.write_text("eight")
    elif change == "mode":
        file.chmod(0o755)
    elif change == "name":
        file.rename(file.with_name("other.txt"))
    elif change == "link":
        (folder / "link").unlink()
        (folder / "link").symlink_to("run.sh")
    else:
        (folder / "more").mkdir()
    assert content_hash(folder) != before


def test_what_is_too_large_is_told_to_be_shared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "MOST_BYTES", 4)
    with pytest.raises(InputError, match="more than is sent"):
        packed(folder)


def test_a_job_that_cannot_be_pickled_is_told_so() -> None:
    with pytest.raises(InputError, match="cannot be sent"):
        parcel_of(lambda: 1, content_hash)


def test_a_machine_with_another_source_ends_the_run() -> None:
    ended = work(parcel_of(Square(2), content_hash), "0" * 64, _never)
    assert isinstance(ended, Refused)
    assert "another source of fairtrial" in str(ended.error)
    assert ended.error.exit_code == 2


def test_a_machine_that_cannot_do_the_job_ends_the_run(folder: Path) -> None:
    parcel = parcel_of(ReadBelow(folder, folder / "run.sh", lacks="no bubblewrap"), content_hash)
    ended = work(parcel, source_hash(), _never)
    assert isinstance(ended, Refused)
    assert "cannot do its part: no bubblewrap" in str(ended.error)


def test_names_of_variables_travel_and_values_do_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_MODEL_KEY", "very-secret")
    parcel = parcel_of(ReadBelow(folder, folder / "run.sh", reads=("A_MODEL_KEY", "ANOTHER_KEY")), content_hash)
    assert parcel.variables == ("A_MODEL_KEY",)
    assert b"very-secret" not in parcel.job
    monkeypatch.delenv("A_MODEL_KEY")
    ended = work(parcel, source_hash(), _never)
    assert isinstance(ended, Refused)
    assert "the variable A_MODEL_KEY is not set there" in str(ended.error)


def test_a_machine_that_lacks_a_module_of_the_driver_ends_the_run() -> None:
    ended = work(Parcel(b"cno_such_module\nJob\n.", ()), source_hash(), _never)
    assert isinstance(ended, Refused)
    assert "cannot read a job: No module named 'no_such_module'" in str(ended.error)


def test_a_job_that_cannot_be_read_costs_itself_alone() -> None:
    ended = work(Parcel(b"no pickle", ()), source_hash(), _never)
    assert isinstance(ended, Raised)
