"""Attacks: nothing acknowledged is lost, nothing half-written is seen, and every refusal says what and where."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairtrial.ledger import TABLES, VERSION, Ledger, Writer, connect, damage
from fairtrial.records import LedgerError, Review, Rollout, Verdict


def rollout(attempt: int) -> Rollout:
    return Rollout(task="t", model="m", attempt=attempt)


def verdict(attempt: int) -> Verdict:
    return Verdict(rollout=rollout(attempt).id, outcome="passed", grader="g")


def test_appending_twice_adds_nothing(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    assert ledger.append("rollouts", [rollout(0), rollout(1), rollout(0)]).duplicates == 1
    again = Ledger.open(tmp_path / "l").append("rollouts", [rollout(1), rollout(2)])
    assert (again.added, again.duplicates) == (1, 1)
    assert set(ledger.ids("rollouts")) == {rollout(n).id for n in range(3)}


def test_every_record_comes_back_as_it_was(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    record = Review(rollout="r", reviewer="x", satisfied=None, failure_tags=("a", "b"), note="ü \U0001f600 \x00")
    ledger.append("reviews", [record])
    found = connect(ledger).sql("select * from reviews").to_arrow_table().to_pylist()
    expected = record.row() | {"failure_tags": ["a", "b"], "behaviour_tags": [], "citations": []}
    assert found == [{name: expected[name] for name in TABLES["reviews"].names}]


def test_an_empty_ledger_has_every_view(tmp_path: Path) -> None:
    connection = connect(Ledger.open(tmp_path / "l", create=True))
    for view in (*TABLES, "outcomes", "checks"):
        assert connection.execute(f"select count(*) from {view}").fetchall() == [(0,)]


def test_left_overs_of_a_killed_writer_are_not_seen(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(0)])
    (ledger.path / ".tmp" / "part-x.parquet-1").write_bytes(b"PAR1 half")
    (ledger.path / "rollouts" / "notes.txt").write_text("not a part")
    assert len(Ledger.open(ledger.path).ids("rollouts")) == 1
    assert damage(ledger) is None


def test_a_half_made_ledger_is_made_whole(tmp_path: Path) -> None:
    (tmp_path / "l" / "rollouts").mkdir(parents=True)
    Ledger.open(tmp_path / "l", create=True).append("rollouts", [rollout(0)])
    assert len(Ledger.open(tmp_path / "l").ids("rollouts")) == 1


def test_folders_that_git_left_out_are_made_when_needed(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    for name in (*TABLES, "blobs", ".tmp"):
        (ledger.path / name).rmdir()
    again = Ledger.open(ledger.path)
    assert again.append("verdicts", [verdict(0)]).added == 1
    assert again.get_blob(again.put_blob(b"x")) == b"x"


def test_what_is_no_ledger_is_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="no such ledger"):
        Ledger.open(tmp_path / "nothing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(LedgerError, match="is a file"):
        Ledger.open(tmp_path / "file", create=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("x")
    with pytest.raises(LedgerError, match="not empty"):
        Ledger.open(tmp_path / "home", create=True)
    assert [entry.name for entry in (tmp_path / "home").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("marker", [b"", b"[]", b"{}", b'{"schema":"other","version":1}', b"\xff", b'{"version":null}'])
def test_a_marker_that_is_none_is_refused(tmp_path: Path, marker: bytes) -> None:
    (tmp_path / "ledger.json").write_bytes(marker)
    with pytest.raises(LedgerError, match="marker"):
        Ledger.open(tmp_path)


def test_a_ledger_of_a_later_version_is_refused_unchanged(tmp_path: Path) -> None:
    later = orjson.dumps({"schema": "fairtrial.ledger", "version": VERSION + 1})
    (tmp_path / "ledger.json").write_bytes(later)
    with pytest.raises(LedgerError, match=f"version {VERSION + 1}.*reads up to {VERSION}"):
        Ledger.open(tmp_path, create=True)
    assert (tmp_path / "ledger.json").read_bytes() == later


def test_a_column_that_is_younger_than_a_part_reads_as_null(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    rows = pa.Table.from_pylist([rollout(0).row()], schema=TABLES["rollouts"])
    ledger.write_part("rollouts", rows.drop_columns(["cost_usd", "cluster"]))
    assert connect(ledger).execute("select cost_usd, cluster from rollouts").fetchall() == [(None, None)]
    ledger.append("rollouts", [Rollout(task="t", model="m", attempt=1, cost_usd=0.5, cluster="c")])
    found = connect(ledger).execute("select cost_usd, cluster from outcomes order by attempt").fetchall()
    assert found == [(None, None), (0.5, "c")]


def test_a_column_of_a_later_version_is_passed_over(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    rows = pa.Table.from_pylist([rollout(0).row()], schema=TABLES["rollouts"])
    ledger.write_part("rollouts", rows.append_column("mood", pa.array(["good"])))
    names = [column[0] for column in connect(ledger).execute("select * from rollouts").description]
    assert names == TABLES["rollouts"].names


@pytest.mark.parametrize("keep", [0, 4, 200, -9])
def test_a_damaged_part_is_named(tmp_path: Path, keep: int) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(0)])
    part = ledger.parts("rollouts")[0]
    part.write_bytes(part.read_bytes()[:keep])
    for attempt in (lambda: ledger.ids("rollouts"), lambda: connect(ledger)):
        with pytest.raises(LedgerError, match="damaged") as caught:
            attempt()
        assert caught.value.path == str(part)


def test_a_part_whose_data_rotted_is_named(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(n) for n in range(500)])
    part = ledger.parts("rollouts")[0]
    data = bytearray(part.read_bytes())
    data[4:2000] = b"\x5a" * 1996
    part.write_bytes(data)
    found = damage(ledger)
    assert found is not None
    assert found.path == str(part)


def test_a_blob_that_rotted_is_not_handed_out(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    address = ledger.put_blob(b"steps")
    next((ledger.path / "blobs").glob("*/*")).write_bytes(b"other")
    with pytest.raises(LedgerError, match="damaged"):
        ledger.get_blob(address)
    with pytest.raises(LedgerError, match="holds no blob"):
        ledger.get_blob("sha256:" + "0" * 64)


def test_many_blobs_at_once_are_what_they_are_one_by_one(tmp_path: Path) -> None:
    contents = [b"%d" % (number // 2) for number in range(60)]
    one, many = (Ledger.open(tmp_path / name, create=True) for name in ("one", "many"))
    held = one.put_blob(b"3")
    assert many.put_blob(b"3") == held
    assert many.put_blobs(contents) == [one.put_blob(data) for data in contents]
    files = [
        sorted((path.name, path.read_bytes()) for path in (ledger.path / "blobs").glob("*/*")) for ledger in (one, many)
    ]
    assert files[0] == files[1]
    assert (len(files[1]), list((many.path / ".tmp").iterdir()), many.put_blobs([])) == (30, [], [])


def test_many_blobs_that_cannot_be_written_are_an_error_and_leave_nothing_half(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    name = ledger.put_blob(b"7").removeprefix("sha256:")
    (ledger.path / "blobs" / name[:2] / name).unlink()
    (ledger.path / "blobs" / name[:2]).rmdir()
    (ledger.path / "blobs" / name[:2]).write_text("in the way")
    with pytest.raises(LedgerError, match="could not write"):
        ledger.put_blobs([b"%d" % number for number in range(20)])
    assert list((ledger.path / ".tmp").iterdir()) == []


def test_blobs_are_held_once(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    assert ledger.put_blob(b"same") == ledger.put_blob(b"same")
    assert len(list((ledger.path / "blobs").glob("*/*"))) == 1
    assert list((ledger.path / ".tmp").iterdir()) == []


_FULL = """
    import resource, sys
    from fairtrial.ledger import Ledger
    from fairtrial.records import LedgerError, Rollout
    ledger = Ledger.open(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
    try:
        ledger.append("rollouts", [Rollout(task="t", model="m", attempt=n, answer=str(n) * 99) for n in range(9000)])
    except LedgerError as error:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(error)
        print(ledger.append("rollouts", [Rollout(task="t", model="m", attempt=0, answer="0" * 99)]).added)
"""


def test_a_file_that_cannot_grow_loses_nothing_and_says_so(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(0)])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_FULL), str(ledger.path)], capture_output=True, text=True
    )
    assert "could not write: File too large" in done.stdout, done.stderr
    assert "What was written before is kept" in done.stdout
    assert done.stdout.splitlines()[-1] == "1", "the refused ids must not be taken for held"
    assert list((ledger.path / ".tmp").iterdir()) == []
    assert len(ledger.ids("rollouts")) == 2


def test_a_full_disk_loses_nothing_and_says_so(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    program = textwrap.dedent("""
        import pathlib, sys
        from fairtrial.ledger import Ledger, Writer
        from fairtrial.records import LedgerError, Rollout
        ledger = Ledger.open(sys.argv[1] + "/l", create=True)
        ledger.append("rollouts", [Rollout(task="t", model="m", attempt=0)])
        ballast = pathlib.Path(sys.argv[1]) / "ballast"
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096): pass
            except OSError: pass
        writer = Writer(ledger, seconds=60)
        writer.add(Rollout(task="t", model="m", attempt=1))
        try:
            writer.flush()
        except LedgerError as error:
            print(error.what)
        try:
            ledger.put_blob(b"y" * 50_000)
        except LedgerError as error:
            print(error.what)
        print(len(ledger.ids("rollouts")))
        ballast.unlink()
        writer.flush()
        print(len(ledger.ids("rollouts")))
    """)
    script = f'mount -t tmpfs -o size=256k none "{disk}" && exec "{sys.executable}" -c "$0" "{disk}"'
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", script, program], capture_output=True, text=True)
    if done.returncode and ("unshare" in done.stderr or "mount" in done.stderr):
        pytest.skip("no user namespace with a mount here, so there is no small disk to fill")
    assert done.stdout.splitlines() == [*["could not write: No space left on device"] * 2, "1", "2"], done.stderr


def test_a_folder_that_cannot_be_written_is_an_error_and_can_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere; the full disk and the blocked folder are tested instead")
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(0)])
    (ledger.path / "rollouts").chmod(0o500)
    try:
        with pytest.raises(LedgerError, match="Permission denied"):
            ledger.append("rollouts", [rollout(1)])
        assert connect(ledger).execute("select count(*) from outcomes").fetchall() == [(1,)]
    finally:
        (ledger.path / "rollouts").chmod(0o700)


def test_a_blocked_folder_is_an_error_and_can_be_read(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(0)])
    (ledger.path / ".tmp").rmdir()
    (ledger.path / ".tmp").write_text("in the way")
    with pytest.raises(LedgerError, match="could not write"):
        ledger.append("rollouts", [rollout(1)])
    assert connect(ledger).execute("select count(*) from outcomes").fetchall() == [(1,)]
    with pytest.raises(LedgerError, match="could not make"):
        Ledger.open(tmp_path / "l" / ".tmp" / "inner", create=True)


def test_the_writer_writes_within_its_time_without_being_asked(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    writer = Writer(ledger, seconds=0.05)
    writer.add(rollout(0), verdict(0))
    assert len(ledger.ids("rollouts")) == 0
    timer = writer._timer
    assert timer is not None
    timer.join(10)
    assert (len(ledger.ids("rollouts")), len(ledger.ids("verdicts"))) == (1, 1)


def test_the_writer_keeps_what_it_took_when_an_error_leaves_the_block(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)

    def stopped_after_five() -> None:
        with Writer(ledger, seconds=60) as writer:
            for attempt in range(5):
                writer.add(rollout(attempt), verdict(attempt))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped_after_five()
    assert (len(ledger.ids("rollouts")), len(ledger.ids("verdicts"))) == (5, 5)


def test_the_writer_flushes_when_it_has_enough_and_holds_what_it_flushed(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    writer = Writer(ledger, records=3, seconds=60)
    for attempt in range(4):
        writer.add(rollout(attempt), verdict(attempt))
    assert [writer.holds("rollouts", rollout(attempt).id) for attempt in range(4)] == [True, True, True, False]
    writer.flush()
    assert pq.read_table(ledger.parts("rollouts")[1]).num_rows == 1


def test_a_table_that_cannot_be_read_is_an_error_and_no_empty_table(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("rollouts", [rollout(0)])
    (tmp_path / "l" / "verdicts").rmdir()
    (tmp_path / "l" / "verdicts").write_text("a file where the folder was")
    with pytest.raises(LedgerError, match="cannot be read"):
        ledger.parts("verdicts")
