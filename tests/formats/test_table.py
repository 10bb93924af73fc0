"""Attacks: a table that is wrong somewhere is imported elsewhere, and each row left out is named with its reason."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.formats import Options, table, table_files
from fairtrial.records import CheckResult, FormatError, InputError, Rollout, Verdict

Row = dict[str, Any]


def read(path: Path, **options: Any) -> tuple[list[Row], list[Row], list[tuple[str, str]]]:
    """Return the rollouts, the verdicts, and the skipped rows as (place without the folder, why)."""
    batches = list(table.read(path, Options(**options)))
    skipped = [(skip.where.replace(f"{path.parent}/", ""), skip.why) for batch in batches for skip in batch.skipped]
    rollouts = [row for batch in batches for row in batch.rollouts.to_pylist()]
    verdicts = [row for batch in batches for row in batch.verdicts.to_pylist()]
    assert [row["id"] for row in rollouts] == [row["rollout"] for row in verdicts]
    return rollouts, verdicts, skipped


def jsonl(path: Path, rows: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


GOOD = {"task": "t", "model": "m", "attempt": 0, "passed": True}


def test_a_row_has_the_ids_that_its_records_would_have(tmp_path: Path) -> None:
    row = GOOD | {
        "score": 1, "stop": "finished", "effort": "high", "agent": "loop", "seed": 3, "step": 7, "group": "g",
        "answer": "4", "key": "5", "settings": "s", "environment": "e", "suite": "x", "checks": {"a": True, "b": None},
    }  # fmt: skip
    rollouts, verdicts, _ = read(jsonl(tmp_path / "r.jsonl", [row]))
    rollout = Rollout(
        task="t", model="m", attempt=0, effort="high", agent="loop", seed=3, step=7, group="g", answer="4",
        settings="s", environment="e", suite="x",
    )  # fmt: skip
    checks = (CheckResult("a", "passed"), CheckResult("b", "broken"))
    assert rollouts[0]["id"] == rollout.id
    assert verdicts[0]["id"] == Verdict(rollout=rollout.id, outcome="passed", score=1.0, expected="5", checks=checks).id
    assert verdicts[0]["checks"] == [{"name": c.name, "status": c.status, "message": ""} for c in checks]


def test_the_three_kinds_of_file_give_the_same_records(tmp_path: Path) -> None:
    rows = [
        {"task": "a", "model": "m", "attempt": 0, "passed": True, "score": 0.5, "checks": '{"c": true, "d": false}',
         "input_tokens": 10, "answer": 'say "hi", twice\nthen stop'},
        {"task": "b", "model": "m", "attempt": 1, "passed": False, "score": None, "checks": None, "input_tokens": None,
         "answer": None},
        {"task": "c", "model": "m", "attempt": 2, "passed": None, "score": 1.0, "checks": None, "input_tokens": 7,
         "answer": "ü"},
    ]  # fmt: skip
    jsonl(tmp_path / "r.jsonl", rows)
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress((tmp_path / "r.jsonl").read_bytes()))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "r.parquet")
    for name, delimiter, encoding in (("r.csv", ",", "utf-8"), ("s.csv", ";", "utf-8-sig"), ("r.tsv", "\t", "utf-8")):
        with (tmp_path / name).open("w", newline="", encoding=encoding) as handle:
            writer = csv.DictWriter(handle, list(rows[0]), delimiter=delimiter)
            writer.writeheader()
            writer.writerows(rows)
    names = ["r.jsonl", "r.jsonl.gz", "r.parquet", "r.csv", "s.csv", "r.tsv"]
    found = {name: read(tmp_path / name) for name in names}
    for name in names:
        ids = [[row["id"] for row in part] for part in found[name][:2]]
        assert (ids, found[name][2]) == ([[row["id"] for row in part] for part in found["r.jsonl"][:2]], []), name
    assert [row["outcome"] for row in found["r.csv"][1]] == ["passed", "failed", "ungraded"]
    assert [row["reason"] for row in found["r.csv"][1]] == ["", "", "unknown"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"task": None}, "`task` is missing"),
        ({"task": ""}, "`task` is missing"),
        ({"task": ["t"]}, "`task` is ['t'], not text"),
        ({"model": {}}, "`model` is {}, not text"),
        ({"passed": "true"}, "`passed` is 'true', not true, false or null"),
        ({"passed": 2}, "`passed` is 2, not true, false or null"),
        ({"passed": [True]}, "`passed` is [True], not true, false or null"),
        ({"attempt": "1"}, "`attempt` is '1', not a whole number"),
        ({"attempt": 1.5}, "`attempt` is 1.5, not a whole number"),
        ({"attempt": True}, "`attempt` is True, not a whole number"),
        ({"attempt": 2**64 - 1}, "`attempt` is 18446744073709551615, not a whole number"),
        ({"attempt": None}, "`attempt` is given in some rows only; give it in all rows, or in none"),
        ({"score": "high"}, "`score` is 'high', not a number"),
        ({"score": True}, "`score` is True, not a number"),
        ({"checks": [1]}, "`checks` is [1], not an object of check -> bool"),
        ({"checks": "{"}, "`checks` is '{', not an object of check -> bool"),
        ({"checks": {"a": "maybe"}}, "`checks` says 'maybe' of check 'a', not true, false or null"),
        ({"checks": {"a": {"b": 1}}}, "`checks` says {'b': 1} of check 'a', not true, false or null"),
        ({"recorded_at": "yesterday"}, "`recorded_at` is 'yesterday', not an ISO 8601 time"),
        ({"recorded_at": 1700000000}, "`recorded_at` is 1700000000, not an ISO 8601 time"),
        ({"input_tokens": "many"}, "`input_tokens` is 'many', not a whole number"),
        ({"task": "x" * 10, "stop": {"why": "y" * 99}}, "`stop` is {'why': '" + "y" * 51 + "…, not text"),
    ],
)
def test_a_wrong_row_is_named_and_its_neighbours_are_taken(tmp_path: Path, wrong: Row, why: str) -> None:
    path = jsonl(tmp_path / "r.jsonl", [GOOD, GOOD | {"attempt": 1} | wrong, GOOD | {"attempt": 2}])
    rollouts, _, skipped = read(path)
    assert [row["attempt"] for row in rollouts] == [0, 2]
    assert skipped == [("r.jsonl:2", why)]


@pytest.mark.parametrize("score", [1e6, -0.1, 1.0000001, float("inf"), float("nan")])
def test_a_score_outside_its_range_is_ungraded_and_no_crash(tmp_path: Path, score: float) -> None:
    rows = [GOOD | {"score": score}, GOOD | {"attempt": 1, "score": 1.0}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "r.parquet")
    _, verdicts, skipped = read(tmp_path / "r.parquet")
    assert [(v["outcome"], v["reason"], v["score"]) for v in verdicts] == [
        ("ungraded", "score_out_of_range", None), ("passed", "", 1.0),
    ]  # fmt: skip
    assert skipped == []


def test_broken_is_not_failed(tmp_path: Path) -> None:
    rows = [
        GOOD | {"attempt": 0, "passed": None, "ungraded_reason": "grader_timeout", "score": 0.0},
        GOOD | {"attempt": 1, "passed": None},
        GOOD | {"attempt": 2, "passed": False, "ungraded_reason": "sandbox_died"},
        {"task": "t", "model": "m", "attempt": 3},
    ]
    _, verdicts, _ = read(jsonl(tmp_path / "r.jsonl", rows))
    assert [(v["outcome"], v["reason"]) for v in verdicts] == [
        ("ungraded", reason) for reason in ("grader_timeout", "unknown", "sandbox_died", "unknown")
    ]
    assert [v["score"] for v in verdicts] == [None] * 4


def test_lines_that_are_not_json_are_named(tmp_path: Path) -> None:
    good = json.dumps(GOOD).encode()
    data = b"\xef\xbb\xbf" + good + b"\r\n\r\n[1]\nnull\n" + b'{"task": "\xff"}\n' + good[:-9]
    (tmp_path / "r.jsonl").write_bytes(data)
    rollouts, _, skipped = read(tmp_path / "r.jsonl")
    assert len(rollouts) == 1
    assert [where for where, _ in skipped] == ["r.jsonl:3", "r.jsonl:4", "r.jsonl:5", "r.jsonl:6"]
    assert [why.split(":")[0] for _, why in skipped] == [
        "is [1], not an object",
        "is None, not an object",
        "not JSON",
        "not JSON",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "is empty"), ('{"task"'.encode("utf-16"), "UTF-16"), (b'[\n{"task": "t"}]', "JSON array")],
)
def test_what_is_no_table_at_all_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    for name in ("r.jsonl", "r.csv"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FormatError, match=message):
            read(tmp_path / name)
    (tmp_path / "r.parquet").write_bytes(data)
    with pytest.raises(FormatError):
        read(tmp_path / "r.parquet")


def test_a_compressed_file_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    rows = "".join(json.dumps(GOOD | {"attempt": n, "answer": str(n * 7919)}) + "\n" for n in range(5000))
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(rows.encode())[:-2000])
    rollouts, _, skipped = read(tmp_path / "r.jsonl.gz")
    assert 0 < len(rollouts) < 5000
    assert "breaks off" in skipped[-1][1]


def test_a_huge_line_is_a_row_like_others(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", [GOOD | {"answer": "x" * 5_000_000}, GOOD | {"attempt": 1}])
    assert [len(row["answer"] or "") for row in read(path)[0]] == [5_000_000, 0]


@pytest.mark.parametrize("missing", ["task", "model", "passed"])
@pytest.mark.parametrize("name", ["r.jsonl", "r.csv", "r.parquet"])
def test_a_missing_column_is_named_with_those_that_are_there(tmp_path: Path, missing: str, name: str) -> None:
    row = {("their " + key if key == missing else key): value for key, value in GOOD.items()}
    path = tmp_path / name
    if name == "r.jsonl":
        jsonl(path, [row])
    elif name == "r.csv":
        path.write_text(",".join(row) + "\n" + ",".join(str(value) for value in row.values()) + "\n")
    else:
        pq.write_table(pa.Table.from_pylist([row]), path)
    with pytest.raises(InputError, match=f"no column `{missing}`.*their {missing}") as caught:
        read(path)
    assert "--columns" in str(caught.value)
    rollouts, _, skipped = read(path, columns={missing: f"their {missing}"})
    assert (len(rollouts), skipped) == (1, [])


def test_columns_that_the_file_has_not_are_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", [GOOD])
    with pytest.raises(InputError, match="no column `nope`"):
        read(path, columns={"task": "nope"})
    with pytest.raises(InputError, match="`tusk` is not a column of ours"):
        read(path, columns={"tusk": "task"})


def test_model_and_suite_of_the_command_line_fill_what_rows_leave_open(tmp_path: Path) -> None:
    rows = [{"task": "t", "passed": True}, {"task": "t", "passed": True, "suite": "own"}]
    rollouts, _, _ = read(jsonl(tmp_path / "r.jsonl", rows), model="m", suite="s")
    assert [(row["model"], row["suite"]) for row in rollouts] == [("m", "s"), ("m", "own")]


def test_attempts_are_numbered_in_order_within_task_and_policy(tmp_path: Path) -> None:
    said = [("a", "m", ""), ("a", "m", ""), ("b", "m", ""), ("a", "n", ""), ("a", "m", "high"), ("a", "m", "")]
    rows = [{"task": task, "model": model, "passed": True, "effort": effort} for task, model, effort in said]
    rollouts, _, skipped = read(jsonl(tmp_path / "r.jsonl", rows))
    assert [row["attempt"] for row in rollouts] == [0, 1, 0, 0, 0, 2]
    assert (len({row["id"] for row in rollouts}), skipped) == (6, [])


def test_numbering_goes_on_over_chunks_and_passes_over_wrong_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "CHUNK_ROWS", 100)
    count = 205
    passed = pa.array([True] * count)
    tasks = pa.array(["t"] * 2 + [None] + ["t"] * (count - 3))
    pq.write_table(
        pa.table({"task": tasks, "model": pa.array(["m"] * count), "passed": passed}), tmp_path / "r.parquet"
    )
    batches = list(table.read(tmp_path / "r.parquet", Options()))
    assert len(batches) == 3
    numbers = [n for batch in batches for n in batch.rollouts.column("attempt").to_pylist()]
    assert numbers == list(range(count - 1))
    assert [skip.where for batch in batches for skip in batch.skipped] == [f"{tmp_path}/r.parquet row 3"]


@pytest.mark.parametrize("word", ["true", "1", "yes", "TRUE", "True", "false", "0", "no", "FALSE", "null", "", "NA"])
def test_csv_reads_truth_in_the_words_people_use(tmp_path: Path, word: str) -> None:
    (tmp_path / "r.csv").write_text(f"task,model,passed\r\nt,m,{word}\r\n")
    expected = {"true": "passed", "1": "passed", "yes": "passed", "false": "failed", "0": "failed", "no": "failed"}
    assert read(tmp_path / "r.csv")[1][0]["outcome"] == expected.get(word.lower(), "ungraded")


def test_csv_rows_of_wrong_width_quoting_or_bytes_are_named(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_bytes(
        b'task,model,passed,answer\nt1,m,1,a\nt2,m\nt3,m,1,"two\nlines"\nt4,m,1,\xff\nt5,m,perhaps,x\n\nt6,m,1,"x"y\nt7,m,1,"open\n'
    )
    rollouts, _, skipped = read(tmp_path / "r.csv")
    assert [(row["task"], row["answer"]) for row in rollouts] == [("t1", "a"), ("t3", "two\nlines")]
    assert sorted(where for where, _ in skipped) == [f"r.csv:{line}" for line in (10, 3, 6, 7, 9)]
    assert dict(skipped)["r.csv:3"] == "has 2 cells where the header has 4"


def test_parquet_as_pandas_writes_it_is_read(tmp_path: Path) -> None:
    """Missing whole numbers make a float column, missing truth values an object or float column."""
    columns = {
        "task": pa.array(["a", "b", "c"]).dictionary_encode(),
        "model": pa.array(["m"] * 3, pa.large_string()),
        "attempt": pa.array([0.0, 1.0, 2.0]),
        "passed": pa.array([1.0, 0.0, float("nan")]),
        "input_tokens": pa.array([5.0, float("nan"), None]),
        "seed": pa.array([1, 2, None], pa.uint64()),
        "checks": pa.array([[("x", True)], [("y", None)], None], pa.map_(pa.string(), pa.bool_())),
    }
    pq.write_table(pa.table(columns), tmp_path / "r.parquet")
    rollouts, verdicts, skipped = read(tmp_path / "r.parquet")
    assert skipped == []
    assert [(r["attempt"], r["input_tokens"], r["seed"]) for r in rollouts] == [
        (0, 5, 1),
        (1, None, 2),
        (2, None, None),
    ]
    assert [v["outcome"] for v in verdicts] == ["passed", "failed", "ungraded"]
    assert [[(c["name"], c["status"]) for c in v["checks"]] for v in verdicts] == [
        [("x", "passed")],
        [("y", "broken")],
        [],
    ]


def test_parquet_columns_of_wrong_type_skip_rows_and_do_not_crash(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"task": pa.array([[1], [2]]), "model": ["m", "m"], "passed": [True, True]}), tmp_path / "r.parquet"
    )
    rollouts, _, skipped = read(tmp_path / "r.parquet")
    assert (rollouts, [why for _, why in skipped]) == ([], ["`task` is [1], not text", "`task` is [2], not text"])


def test_times_are_kept_in_utc_so_that_they_sort(tmp_path: Path) -> None:
    rows = [
        GOOD | {"attempt": n, "recorded_at": time}
        for n, time in enumerate(["2026-01-01T01:30:00+02:00", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5", None])
    ]
    rollouts, verdicts, _ = read(jsonl(tmp_path / "r.jsonl", rows))
    times = [row["recorded_at"] for row in rollouts]
    assert times == ["2025-12-31T23:30:00+00:00", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00.500000+00:00", ""]
    assert [row["recorded_at"] for row in verdicts[:3]] == times[:3]
    assert verdicts[3]["recorded_at"] > "2026", "a verdict of no time is taken as told at import"
    stamps = pa.array([1_767_225_600_000, None], pa.timestamp("ms", "UTC"))
    columns = {"task": ["a", "b"], "model": ["m", "m"], "passed": [True, True], "recorded_at": stamps}
    pq.write_table(pa.table(columns), tmp_path / "r.parquet")
    assert [row["recorded_at"] for row in read(tmp_path / "r.parquet")[0]] == ["2026-01-01T00:00:00+00:00", ""]


def test_a_folder_of_tables_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    jsonl(tmp_path / "a.jsonl", [GOOD])
    jsonl(tmp_path / "more" / "b.jsonl", [GOOD | {"attempt": 1}, {"task": "t"}])
    (tmp_path / "README.md").write_text("not a table")
    rollouts, _, skipped = read(tmp_path)
    assert ([row["attempt"] for row in rollouts], len(skipped)) == ([0, 1], 1)
    assert skipped[0][0].endswith("more/b.jsonl:2")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no table files"):
        read(tmp_path / "empty")


_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=4,
)


@settings(max_examples=25, deadline=None)
@given(rows=st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(table.FIELDS, _values)), min_size=1, max_size=6))
def test_no_row_of_any_shape_is_a_crash_or_lost(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    """Every row is either a rollout or skipped by name."""
    path = jsonl(tmp_path_factory.mktemp("any") / "r.jsonl", [GOOD, *rows])
    text = path.read_text()
    rollouts, verdicts, skipped = read(path)
    assert len(rollouts) + len(skipped) == 1 + len(rows), text
    assert all(v["score"] is None or 0 <= v["score"] <= 1 for v in verdicts)


@pytest.mark.parametrize("cost", ["inf", "-inf", "-1", "1e308"])
def test_an_amount_that_cannot_be_is_named_and_never_averaged(tmp_path: Path, cost: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f"task,model,passed,cost_usd\na,m,true,{cost}\nb,m,true,0.5\nc,m,true,nan\n")
    rollouts, _, skipped = read(path)
    assert [(row["task"], row["cost_usd"]) for row in rollouts] == [("b", 0.5), ("c", None)]
    assert [(where, "`cost_usd`" in why) for where, why in skipped] == [("r.csv:2", True)]


def test_parquet_amounts_are_read_as_decimals_and_with_gaps(tmp_path: Path) -> None:
    columns = {
        "task": ["a", "b", "c"], "model": ["m"] * 3, "passed": [True] * 3,
        "cost_usd": [0.1, float("nan"), float("inf")],
        "seconds": [Decimal("1.5"), None, None], "output_tokens": [Decimal("7"), None, None],
    }  # fmt: skip
    pq.write_table(pa.table(columns), tmp_path / "r.parquet")
    rollouts, _, skipped = read(tmp_path / "r.parquet")
    assert [(row["cost_usd"], row["seconds"], row["output_tokens"]) for row in rollouts] == [
        (0.1, 1.5, 7), (None, None, None),
    ]  # fmt: skip
    assert [where for where, _ in skipped] == ["r.parquet row 3"]


def test_a_column_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("task,model,passed,passed\na,m,1,0\n")
    names = ["task", "task", "model", "passed"]
    twice = pa.table([pa.array(["a"]), pa.array(["b"]), pa.array(["m"]), pa.array([True])], names=names)
    pq.write_table(twice, tmp_path / "r.parquet")
    for name in ("r.csv", "r.parquet"):
        with pytest.raises(FormatError, match="more than once"):
            read(tmp_path / name)


def test_a_file_that_the_system_refuses_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").mkdir()
    with pytest.raises(FormatError, match="cannot be read"):
        list(table._readable(tmp_path / "r.jsonl", table.chunks(table.Named(tmp_path / "r.jsonl", {}))))
