"""Files and folders that could be of two formats, of several at once, or of none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairtrial.cli.main import run
from fairtrial.formats import also_there, recognised
from fairtrial.records import InputError

REPORT = {"a__b-1": {"patch_exists": True, "patch_successfully_applied": True, "resolved": True, "tests_status": {
    "FAIL_TO_PASS": {"success": ["t"], "failure": []}, "PASS_TO_PASS": {"success": [], "failure": []}}}}  # fmt: skip
SUMMARY = {"total_instances": 1, "submitted_ids": ["a__b-1"], "resolved_ids": ["a__b-1"], "unresolved_ids": []}
EPISODE = {"id": "e", "task": {"data": {}}, "traces": []}
ROW = {"example_id": 0, "prompt": "2+2", "completion": "4", "reward": 1.0}
TRIAL = {"trial_name": "a__b-1__x", "task_name": "a__b-1", "agent_info": {"name": "loop"}}
LOG = {"version": 2, "status": "success", "eval": {"task": "sum"}, "samples": []}
BENCH = {"results": [{"task_id": "a", "is_resolved": True}], "resolved_ids": ["a"], "unresolved_ids": []}
FILES: dict[str, tuple[str, Any]] = {
    "verifiers": ("run/traces.jsonl", EPISODE), "swebench": ("m.first.json", SUMMARY), "inspect": ("logs/a.json", LOG),
    "terminal-bench": ("run/results.json", BENCH), "atif": ("a.json", {"schema_version": "ATIF-v1.6", "steps": []}),
    "harbor": ("job/a__b-1__x/result.json", TRIAL),
}  # fmt: skip


def put(folder: Path, name: str, content: Any) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content))
    return file


@pytest.mark.parametrize("name", FILES)
def test_a_folder_is_what_its_file_is(name: str, tmp_path: Path) -> None:
    file = put(tmp_path, *FILES[name])
    assert recognised(tmp_path) == name
    assert recognised(file) == name
    (tmp_path / "notes.csv").write_text("a,b\n")
    assert (recognised(tmp_path), also_there(tmp_path, name)) == (name, [])


@pytest.mark.parametrize("wrote", [
    ("verifier/report.json", REPORT), ("artifacts/m.first.json", SUMMARY), ("agent/logs/a.json", LOG),
    ("agent/results.jsonl", ROW),
], ids=lambda wrote: wrote[0])  # fmt: skip
def test_a_trial_of_harbor_is_that_whatever_was_written_in_it(wrote: tuple[str, Any], tmp_path: Path) -> None:
    trial = put(tmp_path, *FILES["harbor"]).parent
    put(trial, *wrote)
    for place in (tmp_path, tmp_path / "job", trial):
        assert (recognised(place), also_there(place, "harbor")) == ("harbor", [])


def test_of_several_formats_one_is_read_and_the_others_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "there", "run/results.jsonl", ROW)
    put(tmp_path / "there", "m.first.json", SUMMARY)
    pq.write_table(pa.table({"transcript_id": ["t"]}), tmp_path / "there/t.parquet")
    arguments = ["import", str(tmp_path / "there"), "--model", "m", "--to", str(tmp_path / "ledger"), "--json"]
    assert run(arguments) == 0
    said = capsys.readouterr()
    assert "holds files of swebench too, which are not read; --format swebench reads them" in said.err
    told = json.loads(said.out)
    assert (told["format"], told["also"], told["rollouts"]) == ("verifiers", ["swebench", "scout"], 1)


@pytest.mark.parametrize(("name", "data"), [
    ("empty", None), ("x.bin", b"\0\1"), ("empty.json", b""), ("deep.json", b'{"resolved_ids":' + b"[" * 100_000),
    ("report.json", b""), ("result.json", b"{}"),
])  # fmt: skip
def test_what_is_of_no_format_says_so(name: str, data: bytes | None, tmp_path: Path) -> None:
    (tmp_path / name).mkdir() if data is None else (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match="no format that can be told"):
        recognised(tmp_path / name)
