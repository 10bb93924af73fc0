"""Attacks on what counts as training data: hidden, renamed, deleted, inlined; and what is ours is nobody's training."""

from __future__ import annotations

import base64
import bz2
import csv
import gzip
import io
import json
import lzma
import os
import pickle
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.posttrain.fakes import written
from tests.posttrain.toys import make_bench, write_rows

from fairtrial.contamination.rows import read_documents
from fairtrial.posttrain.bench import Agent, Bench, Cell, read_bench
from fairtrial.posttrain.folder import Attempted, RunFolder
from fairtrial.posttrain.judging.found_rows import FoundRow, NotRead, rows_in
from fairtrial.posttrain.judging.training import Gathered, gather

TEXTS = [f"The {word} of the lighthouse keeps a ledger of passing ships." for word in ("keeper", "owner", "guest")]
ROWS = [{"question": text} for text in TEXTS]
CELL = Cell(agent=Agent(name="ada", command="go"), base="small", track="sums")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return read_bench(make_bench(tmp_path_factory.mktemp("bench"), ("sums",), (0,)))


def laid_out(folder: Path) -> RunFolder:
    made = RunFolder(folder)
    for one in (made.workspace, made.evaluator, made.written):
        one.mkdir(parents=True)
    return made


def gathered(bench: Bench, folder: RunFolder, *declared: str, cell: Cell = CELL) -> Gathered:
    attempted = Attempted(stop="finished", exit_code=0, seconds=1, cpu_seconds=1, began="", has_model=True,
                          declared=declared)  # fmt: skip
    return gather(bench, cell, folder, attempted)


def texts(folder: RunFolder) -> set[str]:
    """Return the texts of the gathered rows that are of the planted ones."""
    found = set()
    for one in read_documents(folder.path / "training/rows.jsonl"):
        assert isinstance(one, tuple)
        found |= {text for text in TEXTS if text in json.dumps(one[1])}
    return found


def parquet(path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), path)


def arrow(path: Path) -> None:
    table = pa.Table.from_pylist(ROWS)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def table(path: Path) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["n", "text"], *([str(n), text] for n, text in enumerate(TEXTS))])


def plain(text: str) -> Callable[[Path], int]:
    return lambda path: path.write_text(text)


def plain_in(encoding: str) -> Callable[[Path], int]:
    return lambda path: path.write_bytes("\n".join(TEXTS).encode(encoding))


def lines_of(rows: list[dict[str, str]]) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def zipped(path: Path, content: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside", content)


def tarred(content: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        entry = tarfile.TarInfo("inside")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return held.getvalue()


def database(path: Path) -> None:
    held = sqlite3.connect(path)
    held.execute("create table rows (text)")
    held.executemany("insert into rows values (?)", [(text,) for text in TEXTS])
    held.commit()
    held.close()


WAYS: dict[str, Callable[[Path], object]] = {
    "a.jsonl": lambda path: write_rows(path, ROWS),
    "rows": lambda path: write_rows(path, ROWS),
    "a.json": plain(json.dumps(ROWS)),
    "data.json": plain(json.dumps({"version": 1, "data": ROWS})),
    "a.parquet": parquet,
    "a.arrow": arrow,
    "a.csv": table,
    "a.txt": plain("\n".join(TEXTS)),
    "a.md": plain("\n\n".join(TEXTS)),
    "README": plain("\n".join(TEXTS)),
    "make.py": plain(f"ROWS = {TEXTS!r}\nprint(len(ROWS))\n"),
    "deep.py": plain(f"def rows():\n    return [dict(q=t) for t in ({', '.join(map(repr, TEXTS))})]\n"),
    "block.py": plain('DATA = """\n' + "\n".join(TEXTS) + '\n"""\n'),
    "broken.py": plain("def (:\n" + "\n".join(TEXTS)),
    "pairs.py": plain(f"ROWS = {[(text, 'yes') for text in TEXTS]!r}\n"),
    "note.ipynb": plain(json.dumps({"cells": [{"cell_type": "code", "source": [f"ROWS = {TEXTS!r}\n"]}]})),
    "run.sh": plain("cat <<'EOF'\n" + "\n".join(TEXTS) + "\nEOF\n"),
    "latin.txt": lambda path: path.write_bytes(("\n".join(TEXTS) + "\ncafé").encode("latin-1")),
    "pretty.jsonl": plain(json.dumps(ROWS, indent=1)),
    "lines.jsonl": plain("\n".join(TEXTS)),
    "keys.json": plain(json.dumps(dict.fromkeys(TEXTS, "yes"))),
    "aux.dat": lambda path: path.write_bytes(gzip.compress(lines_of(ROWS))),
    "aux.bz2": lambda path: path.write_bytes(bz2.compress(lines_of(ROWS))),
    "aux.xz": lambda path: path.write_bytes(lzma.compress(lines_of(ROWS))),
    "cut.gz": lambda path: path.write_bytes(gzip.compress(lines_of(ROWS) + os.urandom(9_000))[:-4_000]),
    "weights.safetensors": lambda path: write_rows(path, ROWS),
    "aux.zip": lambda path: zipped(path, lines_of(ROWS)),
    "twice.bin": lambda path: zipped(path, gzip.compress(tarred(lines_of(ROWS)))),
    "aux.tar": lambda path: path.write_bytes(tarred(lines_of(ROWS))),
    "base64.txt": lambda path: path.write_bytes(base64.b64encode(lines_of(ROWS))),
    "wrapped.txt": lambda path: path.write_bytes(base64.encodebytes(lines_of(ROWS))),
    "urlsafe.py": lambda path: path.write_text(f"D = {base64.urlsafe_b64encode(gzip.compress(lines_of(ROWS)))!r}"),
    "hex.py": lambda path: path.write_text(f"D = '{lines_of(ROWS).hex()}'"),
    "aux.pkl": lambda path: path.write_bytes(pickle.dumps(ROWS)),
    "aux.npy": lambda path: np.save(path, np.array(TEXTS)),
    "wide.txt": plain_in("utf-16"),
    "unmarked.txt": plain_in("utf-16-le"),
    "nul.txt": lambda path: path.write_bytes(b"\0" + "\n".join(TEXTS).encode()),
    "aux.db": database,
    ".hidden/a.jsonl": lambda path: (path.parent.mkdir(), write_rows(path, ROWS)),
}


@pytest.mark.parametrize("name", WAYS)
def test_rows_are_found_whatever_the_file_is_called(bench: Bench, tmp_path: Path, name: str) -> None:
    folder = laid_out(tmp_path / "run")
    WAYS[name](folder.workspace / name)
    found = gathered(bench, folder)
    assert texts(folder) == set(TEXTS)
    assert found.declared_rows == 0
    assert "names no training set" in found.gaps[0]


def test_a_training_set_that_was_deleted_is_found_where_it_was_written(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    written(folder, "/tmp/x/secret.jsonl", b"".join(orjson.dumps(row) + b"\n" for row in ROWS), ".jsonl")
    gathered(bench, folder)
    assert texts(folder) == set(TEXTS)


def test_a_row_counts_once_however_often_it_lies_there(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    write_rows(folder.workspace / "train.jsonl", ROWS)
    (folder.workspace / "again.json").write_text(json.dumps(ROWS))
    for most in (1, 2, 3):  # a file that grows
        written(folder, "/workspace/train.jsonl", b"".join(orjson.dumps(row) + b"\n" for row in ROWS[:most]), ".jsonl")
    found = gathered(bench, folder, "train.jsonl")
    assert (found.rows, found.declared_rows, found.gaps) == (3, 3, ())


def test_what_is_ours_is_no_training_data_unless_it_is_declared(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    for name in ("sums/items.jsonl", "sums/evaluate.py"):
        for place in (folder.evaluator, folder.workspace):
            (place / Path(name).name).write_bytes((bench.path.parent / name).read_bytes())
    for name in ("control.jsonl", "sums-eval.jsonl"):
        (folder.workspace / name).write_bytes((bench.path.parent / name).read_bytes())
    (folder.workspace / "RULES.md").write_text("the rules")
    found = gathered(bench, folder)
    assert (found.rows, found.paths) == (0, ())
    declared = gathered(bench, folder, "sums-eval.jsonl")
    assert declared.paths == ("training/declared-0.jsonl",)
    assert declared.gaps == ()


def test_an_item_that_was_copied_out_of_ours_is_not_ours(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    lines = (bench.path.parent / "sums/items.jsonl").read_text().splitlines()[:4]
    (folder.workspace / "sample.jsonl").write_text("\n".join(lines))
    assert gathered(bench, folder).rows == 4


def test_a_declared_file_that_is_not_there_is_told(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    found = gathered(bench, folder, "gone.jsonl", "/etc/passwd", "../run/../../x")
    assert found.rows == 0
    assert len(found.gaps) == 3
    assert all("which is not there" in why for why in found.gaps)


def test_what_the_agent_brought_along_or_was_shown_is_read_where_it_says_so(bench: Bench, tmp_path: Path) -> None:
    folder, files = laid_out(tmp_path / "run"), tmp_path / "files"
    files.mkdir()
    write_rows(files / "train.jsonl", ROWS)
    cell = Cell(agent=Agent(name="ada", command="go", files=files), base="small", track="sums")
    found = gathered(bench, folder, "/agent/train.jsonl", cell=cell)
    assert (found.declared_rows, found.gaps) == (3, ())


def test_a_link_out_of_the_workspace_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    write_rows(tmp_path / "host.jsonl", ROWS)
    (folder.workspace / "train.jsonl").symlink_to(tmp_path / "host.jsonl")
    found = gathered(bench, folder, "train.jsonl")
    assert found.rows == 0
    assert found.gaps == ("the agent says that it trained on train.jsonl, which is not there",)


@pytest.mark.parametrize("content", [b"\0" * 40, b"PK\x03\x04\0\0", b"\x93NUMPY\x01\x00"])
def test_what_cannot_be_read_is_told_and_not_passed_over(bench: Bench, tmp_path: Path, content: bytes) -> None:
    folder = laid_out(tmp_path / "run")
    (folder.workspace / "tokens.bin").write_bytes(content)
    assert gathered(bench, folder).not_read == (("tokens.bin", "is no text; what it holds is not known"),)


@pytest.mark.parametrize(
    "content", [b"[" * 200_000, b'{"a":' * 50_000, b"\xff\xfe" * 9, b"x" * 200_000, b"[1, 2", b'"a"', b"{}", b"[]"]
)
def test_no_content_breaks_the_reading(tmp_path: Path, content: bytes) -> None:
    for name in ("a.json", "a.py", "a.jsonl", "a.csv", "a.ipynb", "a", "a.parquet", "a.arrow"):
        path = tmp_path / name
        path.write_bytes(content)
        assert all(isinstance(one, FoundRow | NotRead) for one in rows_in(path))


@pytest.mark.parametrize("bound", [2**31 - 1, -(2**30)])
def test_offsets_that_lead_out_of_an_arrow_file_are_not_followed(tmp_path: Path, bound: int) -> None:
    texts = ["one", "three"]
    with pa.OSFile(str(tmp_path / "a"), "wb") as file:
        batch = pa.record_batch({"text": pa.array(texts)})
        with pa.ipc.new_stream(file, batch.schema) as stream:
            stream.write_batch(batch)
    lying = (tmp_path / "a").read_bytes().replace(struct.pack("<3i", 0, 3, 8), struct.pack("<3i", bound - 1, bound, 8))
    (tmp_path / "a.arrow").write_bytes(lying)
    (told,) = rows_in(tmp_path / "a.arrow")
    assert isinstance(told, NotRead)
    assert "cannot be read" in told.why


def test_results_of_the_evaluator_are_no_rows(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    result = {"accuracy": 0.5, "items": [{"id": "sums-0", "passed": True}, {"id": "sums-1", "passed": False}]}
    (folder.workspace / "result.json").write_text(json.dumps(result))
    assert gathered(bench, folder).rows == 0


def test_declaring_a_file_of_the_evaluator_hides_nothing(tmp_path: Path) -> None:
    path = make_bench(tmp_path / "bench", ("sums",), (0,))
    items = [json.loads(line) for line in (path.parent / "sums/items.jsonl").read_text().splitlines()]
    (path.parent / "sums/items.json").write_text(json.dumps(items))  # one array, which no scan reads as it stands
    folder = laid_out(tmp_path / "run")
    (folder.evaluator / "items.json").write_text(json.dumps(items))
    found = gathered(read_bench(path), folder, "evaluator/items.json")
    assert found.paths == ("training/rows.jsonl",)
    assert (found.declared_rows, found.gaps) == (len(items), ())
    assert gathered(read_bench(path), folder).rows == 0


@pytest.mark.parametrize("place", ["/root/.store/a.jsonl", "/root/.cache/hub/a.jsonl", "/dev/shm/a.jsonl", "/tmp/.a"])
def test_no_hidden_folder_hides_rows(bench: Bench, tmp_path: Path, place: str) -> None:
    folder = laid_out(tmp_path / "run")
    written(folder, place, lines_of(ROWS), ".jsonl")
    gathered(bench, folder)
    assert texts(folder) == set(TEXTS)


def test_what_an_agents_program_writes_of_its_own_talk_is_no_training_data(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    written(folder, "/root/.claude/projects/a.jsonl", lines_of(ROWS), ".jsonl")
    assert gathered(bench, folder).rows == 0


def test_rows_that_a_program_was_started_with_are_found(bench: Bench, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "run")
    argv = ["python", "-c", f"ROWS = {TEXTS!r}\nprint(len(ROWS))"]
    lines = [b"no json", b"[]", b'{"argv": 3}', orjson.dumps({"argv": argv}), orjson.dumps({"argv": argv})]
    (folder.path / "processes.jsonl").write_bytes(b"\n".join(lines))
    found = gathered(bench, folder)
    assert texts(folder) == set(TEXTS)
    assert found.rows == len(TEXTS)


def test_a_bomb_is_unpacked_so_far_and_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.posttrain.judging.found_rows.MOST_WHOLE", 1 << 20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"a b c d e\n" * 3_000_000))
    read = sum(len(str(one.document)) for one in rows_in(path) if isinstance(one, FoundRow))
    assert read < 4 << 20
