"""Attacks: what broke is ungraded, what ran into a limit counts, and a damaged sample costs itself alone."""

from __future__ import annotations

import math
import random
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats import Options, inspect, recognised, store
from fairtrial.formats.atif import read_trajectory
from fairtrial.ledger import Ledger, connect
from fairtrial.records import FormatError, InputError, digest
from formats.inspect.written import DEFLATE, HEADER, STORED, ZSTD, Writing, bulk_sample, header, sample, text, write_log

Rows = list[dict[str, Any]]
PNG = "data:image/png;base64," + b64encode(b"\x89PNG\r\n\x1a\n and so on").decode()
BOOM = {"message": "RuntimeError('boom')", "traceback": "…", "traceback_ansi": "…"}


def read(path: Path, **options: Any) -> tuple[Rows, list[str], list[bytes]]:
    """Return the rollouts with their verdicts, what was skipped, and the blobs."""
    rows: Rows = []
    skipped: list[str] = []
    blobs: list[bytes] = []
    for batch in inspect.read(path, Options(**options)):
        verdicts = {one["rollout"]: one for one in batch.verdicts.to_pylist()}
        rows += [one | {"verdict": verdicts.get(one["id"])} for one in batch.rollouts.to_pylist()]
        skipped += [f"{one.where}: {one.why}" for one in batch.skipped]
        blobs += batch.blobs
    return rows, skipped, blobs


def one(path: Path, **more: Any) -> dict[str, Any]:
    """Return the only row of a log of one sample with these fields."""
    (row,), skipped, _ = read(write_log(path / "a.eval", [sample(**more)]))
    assert not [told for told in skipped if "outside [0, 1]" not in told]
    return row


def said(row: dict[str, Any]) -> tuple[str, str, float | None]:
    return row["verdict"]["outcome"], row["verdict"]["reason"], row["verdict"]["score"]


@pytest.mark.parametrize("method", [STORED, DEFLATE, ZSTD])
def test_a_sample_reads_with_its_task_model_tokens_time_and_trajectory(tmp_path: Path, method: int) -> None:
    path = write_log(tmp_path / "a.eval", [sample(metadata={"domain": "maths", "n": 3})], method=method)
    (row,), skipped, (blob,) = read(path)
    told = {
        "suite": "sums", "task": "1", "model": "lab/m-1", "agent": "generate", "attempt": 1, "answer": "4",
        "stop": "finished", "input_tokens": 17, "output_tokens": 3, "cost_usd": None, "seconds": 8.0, "steps": 1,
        "label": "u-1-1", "domain": "maths", "family": "", "recorded_at": "2026-01-01T00:00:00+00:00",
        "trajectory": digest(blob), "source": str(path),
    }  # fmt: skip
    assert {name: row[name] for name in told} == told
    assert said(row) == ("passed", "", 1.0)
    assert (row["verdict"]["grader"], row["verdict"]["expected"]) == ("inspect/match", "4")
    assert not skipped
    assert [step.message for step in read_trajectory(blob).steps] == ["2+2", "4"]


@pytest.mark.parametrize(
    ("more", "expected", "stop"),
    [
        ({"value": "I"}, ("failed", "", 0.0), "finished"),
        ({"value": "P"}, ("failed", "", 0.5), "finished"),
        ({"value": math.nan}, ("ungraded", "unscored", None), "finished"),
        ({"value": 7}, ("ungraded", "score_out_of_range", None), "finished"),
        ({"scores": {}}, ("ungraded", "score_missing", None), "finished"),
        ({"scores": None}, ("ungraded", "score_missing", None), "finished"),
        ({"error": BOOM, "scores": {}}, ("ungraded", "runtime_error", None), "error"),
        ({"error": BOOM, "value": "C"}, ("ungraded", "runtime_error", None), "error"),
        ({"error": {"message": "CancelledError('scope')"}, "scores": None}, ("ungraded", "cancelled", None),
         "cancelled"),
        ({"error": {"message": ""}}, ("ungraded", "error", None), "error"),
        ({"limit": {"type": "token", "limit": 2.0}, "value": "I"}, ("failed", "", 0.0), "token_limit"),
        ({"limit": {"type": "time", "limit": 2.0}, "value": "C"}, ("passed", "", 1.0), "agent_timeout"),
        ({"limit": {"type": "message", "limit": 2.0}, "scores": {}}, ("ungraded", "score_missing", None),
         "message_limit"),
        ({"limit": {"type": "operator", "limit": 1.0}, "value": "C"}, ("ungraded", "operator", None), "operator"),
        ({"limit": {"type": "sleep", "limit": 1.0}, "value": "C"}, ("passed", "", 1.0), "sleep_limit"),
        ({"invalidation": {"author": "ada", "reason": "leak"}}, ("ungraded", "invalidated", None), "finished"),
        ({"invalidation": {"author": "ada"}, "error": BOOM}, ("ungraded", "invalidated", None), "error"),
    ],
)  # fmt: skip
def test_what_broke_is_ungraded_and_a_limit_is_the_agents_own_doing(
    tmp_path: Path, more: dict[str, Any], expected: Any, stop: str
) -> None:
    row = one(tmp_path, **more)
    assert (said(row), row["stop"]) == (expected, stop)


def test_what_was_recorded_is_evidence_and_can_be_kept(tmp_path: Path) -> None:
    path = write_log(tmp_path / "a.eval", [sample(error=BOOM), sample(2, math.nan), sample(3, error=BOOM, scores={})])
    plain, kept = read(path)[0], read(path, as_recorded=True)[0]
    evidence = orjson.loads(plain[0]["verdict"]["evidence"])
    assert (evidence["as_recorded"], evidence["error"]) == ("C", "RuntimeError('boom')")
    assert [said(row) for row in kept] == [
        ("passed", "", 1.0), ("ungraded", "unscored", None), ("ungraded", "runtime_error", None)]  # fmt: skip
    assert kept[0]["verdict"]["grader"] == "inspect/match/as-recorded"
    assert [row["id"] for row in plain] == [row["id"] for row in kept]


def test_a_log_that_nobody_scored_has_no_verdicts(tmp_path: Path) -> None:
    unscored = header(scorers=None) | {"results": {"scores": []}}
    samples = [sample(scores={}), sample(2, scores={}, error=BOOM)]
    rows, _, _ = read(write_log(tmp_path / "a.eval", samples, unscored))
    assert [row["verdict"] and said(row)[1] for row in rows] == [None, "runtime_error"]


def test_epochs_are_attempts_and_ids_may_be_numbers_or_texts(tmp_path: Path) -> None:
    samples = [sample(key, epoch=epoch) for key in (7, "a/b c") for epoch in (1, 2)]
    rows, _, _ = read(write_log(tmp_path / "a.eval", samples))
    assert [(row["task"], row["attempt"]) for row in rows] == [("7", 1), ("7", 2), ("a/b c", 1), ("a/b c", 2)]
    assert len({row["id"] for row in rows}) == 4


def test_scoring_a_log_anew_makes_no_other_rollout_of_it(tmp_path: Path) -> None:
    before, after = (
        one(tmp_path, scores={"match": {"value": value, "answer": answer, "history": [{}] * edits}})
        for value, answer, edits in (("C", "4", 0), ("I", "four", 1))
    )
    assert before["id"] == after["id"]
    assert orjson.loads(after["verdict"]["evidence"])["edits"] == 1


def test_a_retried_log_repeats_what_it_took_over_and_another_run_is_another(tmp_path: Path) -> None:
    for name, run, keys in (("first", "r1", "ab"), ("retry", "r2", "abc")):
        write_log(tmp_path / f"{name}.eval", [sample(key) for key in keys], header(run_id=run))
    rows, _, _ = read(tmp_path)
    assert (len(rows), len({row["id"] for row in rows})) == (5, 3)
    write_log(tmp_path / "other.eval", [sample("a", uuid="of its own")])
    assert len({row["id"] for row in read(tmp_path)[0]}) == 4


def test_other_limits_are_other_settings_and_other_connections_are_not(tmp_path: Path) -> None:
    heads = [
        header(), header(config={"message_limit": 5}), header(task_args={"n": 1}),
        header(model_generate_config={"temperature": 1.0}), header(model_generate_config={"max_connections": 9}),
        header(packages={"inspect_ai": "9"}),
    ]  # fmt: skip
    found = [read(write_log(tmp_path / "a.eval", [sample()], head))[0][0]["settings"] for head in heads]
    assert found[0] == found[4] == found[5]
    assert len(set(found)) == 4


def test_the_header_names_version_agent_effort_seed_and_sandbox(tmp_path: Path) -> None:
    head = header(task_version=2, solver="react", sandbox={"type": "docker", "config": None}) | {
        "plan": {"steps": [], "config": {"reasoning_effort": "high", "seed": 5}}}  # fmt: skip
    (row,), _, _ = read(write_log(tmp_path / "a.eval", [sample()], head))
    names = ("suite", "agent", "effort", "seed", "environment")
    assert [row[name] for name in names] == ["sums@2", "react", "high", 5, "docker"]
    (row,), _, _ = read(write_log(tmp_path / "a.eval", [sample(sandbox=["local", None])], header(model="none/none")))
    assert (row["model"], row["environment"]) == ("generate", "local")
    assert read(tmp_path / "a.eval", model="mine")[0][0]["model"] == "mine"


def test_a_graders_tokens_are_not_the_agents(tmp_path: Path) -> None:
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "total_cost": 0.5}
    judged = sample(model_usage={"lab/m-1": usage, "lab/judge": usage}, role_usage={"grader": usage})
    (row,), _, _ = read(write_log(tmp_path / "a.eval", [judged]))
    assert (row["input_tokens"], row["output_tokens"], row["cost_usd"]) == (100, 10, 0.5)
    part = {"input_tokens": 60, "output_tokens": 4, "total_tokens": 64}
    same = sample(model_usage={"lab/m-1": usage}, role_usage={"grader": part})
    head = header(model_roles={"grader": {"model": "lab/m-1"}})
    (row,), _, _ = read(write_log(tmp_path / "a.eval", [same], head))
    assert (row["input_tokens"], row["output_tokens"], row["cost_usd"]) == (40, 6, 0.5)
    assert one(tmp_path, model_usage={})["input_tokens"] is None, "not recorded is not 0"


def test_columns_name_the_score_and_the_labels(tmp_path: Path) -> None:
    scores = {"match": {"value": "C"}, "quality": {"value": {"a": 0.5, "b": 1}}}
    head = HEADER | {"results": {"scores": [{"name": "match", "scorer": "match"}, {"name": "a", "scorer": "quality"}]}}
    path = write_log(tmp_path / "a.eval", [sample(scores=scores, metadata={"subject": "law", "level": 3})], head)
    columns = {"score": "quality/a", "family": "subject", "cluster": "level"}
    (row,), _, _ = read(path, columns=columns)
    assert (said(row), row["verdict"]["grader"]) == (("failed", "", 0.5), "inspect/quality/a")
    assert (row["family"], row["cluster"]) == ("law", "3")
    assert [(check["name"], check["status"]) for check in row["verdict"]["checks"]] == [
        ("match", "passed"), ("quality/b", "passed")]  # fmt: skip
    with pytest.raises(FormatError, match="no scorer `other`"):
        read(path, columns={"score": "other"})


def test_several_values_are_told_once_a_log(tmp_path: Path) -> None:
    scores = {"match": {"value": {"a": 1, "b": 0}}}
    rows, skipped, _ = read(write_log(tmp_path / "a.eval", [sample(1, scores=scores), sample(2, scores=scores)]))
    assert [said(row)[1] for row in rows] == ["several_values"] * 2
    assert len(skipped) == 1
    assert "(a, b)" in skipped[0]
    assert "--columns score=match/NAME" in skipped[0]


def test_images_are_kept_beside_the_trajectory_and_what_is_elsewhere_is_told(tmp_path: Path) -> None:
    content = [{"type": "image", "image": "attachment://p"}, {"type": "image", "image": "https://example.org/a.png"}]
    messages = [{"role": "user", "content": content}]
    path = write_log(tmp_path / "a.eval", [sample(messages=messages, attachments={"p": PNG})])
    (row,), skipped, (document, image) = read(path)
    assert image.startswith(b"\x89PNG")
    assert read_trajectory(document).steps[0].pictures[0].path == digest(image)
    assert row["trajectory"] == digest(document)
    assert "nothing is fetched" in skipped[0]


def test_a_log_that_did_not_end_is_read_for_what_it_has(tmp_path: Path) -> None:
    summary = {key: sample(2)[key] for key in ("id", "epoch", "scores", "model_usage", "uuid", "target")}
    more = {
        "_journal/summaries/1.json": text([summary, {**summary, "id": 1}, {**summary, "id": 8, "completed": False}]),
        "_journal/summaries/2.json": text([{**summary, "id": 3, "error": "TimeoutError()", "scores": None},
                                           {**summary, "id": 4, "limit": "token"}]),
    }  # fmt: skip
    rows, skipped, blobs = read(write_log(tmp_path / "a.eval", [sample(1)], None, **more))
    assert not skipped
    assert {row["task"]: (said(row)[:2], row["stop"], bool(row["trajectory"])) for row in rows} == {
        "1": (("passed", ""), "finished", True), "2": (("passed", ""), "finished", False),
        "3": (("ungraded", "timeout_error"), "error", False), "4": (("passed", ""), "token_limit", False),
    }  # fmt: skip
    assert len(blobs) == 1


def test_a_log_without_samples_is_read_by_its_reductions_unless_they_mix_epochs(tmp_path: Path) -> None:
    reduced = text([{"scorer": "match", "samples": [{"sample_id": 1, "value": "C"}, {"sample_id": 2, "value": 0.5}]}])
    head = HEADER | {"results": HEADER["results"] | {"total_samples": 5}}
    archive = write_log(tmp_path / "a.eval", [], head, **{"reductions.json": reduced, "summaries.json": b"[]"})
    rows, skipped, _ = read(archive)
    assert ["3 of 5 samples have no score" in told for told in skipped] == [True], "those that are left are not all"
    assert [(row["task"], said(row)) for row in rows] == [("1", ("passed", "", 1.0)), ("2", ("failed", "", 0.5))]
    (tmp_path / "a.json").write_bytes(text(HEADER | {"samples": [], "reductions": orjson.loads(reduced)}))
    assert [(row["id"], said(row)) for row in read(tmp_path / "a.json")[0]] == [(row["id"], said(row)) for row in rows]
    head = header(config={"epochs": 2})
    write_log(tmp_path / "a.eval", [], head, **{"reductions.json": reduced})
    (tmp_path / "a.json").write_bytes(text(head | {"reductions": orjson.loads(reduced)}))
    for name in ("a.eval", "a.json"):
        rows, skipped, _ = read(tmp_path / name)
        assert not rows
        assert "2 epochs" in skipped[0]


@pytest.mark.parametrize("error", [{}, {"message": ""}, ""])
def test_an_error_that_says_nothing_is_an_error(tmp_path: Path, error: Any) -> None:
    row = one(tmp_path, error=error)
    assert (said(row), row["stop"]) == (("ungraded", "error", None), "error")
    summary = sample() | {"completed": True, "error": ""}
    (row,), _, _ = read(write_log(tmp_path / "b.eval", [], **{"summaries.json": text([summary])}))
    assert (said(row), row["stop"]) == (("ungraded", "error", None), "error")


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"{", "not JSON"), (b"[]", "not an object"), (b"{}", "is missing"), (b'{"id": {}}', "is not text"),
     (b'{"id": 1, "epoch": "x"}', "whole number"), (b'{"id": 1, "scores": 3}', "not an object"),
     (b'{"id": 1, "working_time": "x"}', "not a number"), (b"\xff", "not JSON"), (b"[" * 100_000, "not JSON"),
     (b'{"id": 1, "x": "\\ud800", "y": NaN}', "not JSON")],
)  # fmt: skip
def test_a_sample_that_cannot_be_read_is_named_and_the_rest_is_kept(tmp_path: Path, content: bytes, why: str) -> None:
    path = write_log(tmp_path / "a.eval", [sample()], **{"samples/bad_epoch_1.json": content})
    rows, skipped, _ = read(path)
    assert [row["task"] for row in rows] == ["1"]
    assert len(skipped) == 1
    assert "samples/bad_epoch_1.json" in skipped[0]
    assert why in skipped[0]


def test_a_conversation_that_cannot_be_read_costs_the_trajectory_alone(tmp_path: Path) -> None:
    samples = [sample(messages=[{"role": "judge", "content": "x"}]), sample(2)]
    rows, skipped, blobs = read(write_log(tmp_path / "a.eval", samples))
    assert [(said(row)[0], bool(row["trajectory"])) for row in rows] == [("passed", False), ("passed", True)]
    assert "kept without its trajectory" in skipped[0]
    assert len(blobs) == 1


def test_a_log_of_json_is_read_as_the_archive_is(tmp_path: Path) -> None:
    samples = [sample(1, math.nan), sample(2)]
    (tmp_path / "a.json").write_bytes(text(HEADER | {"samples": [*samples, 7]}))
    assert recognised(tmp_path / "a.json") == "inspect"
    rows, skipped, _ = read(tmp_path / "a.json")
    archived, _, _ = read(write_log(tmp_path / "a.eval", samples))
    assert [row | {"source": ""} for row in rows] == [row | {"source": ""} for row in archived]
    assert skipped == [f"{tmp_path / 'a.json'}, samples: is not an object: 7"]


def test_logs_are_recognised_in_files_and_folders_and_others_are_not(tmp_path: Path) -> None:
    inner = tmp_path / "logs" / "2026"
    inner.mkdir(parents=True)
    write_log(inner / "a.eval", [sample()])
    write_log(inner / "named by nobody", [sample()])
    (inner / "notes.json").write_text('{"status": "of no log"}')
    assert [recognised(path) for path in (tmp_path, inner / "a.eval", inner / "named by nobody")] == ["inspect"] * 3
    assert len(read(tmp_path)[0]) == 1
    for content in (b"PK\x03\x04", b'{"version": 2, "status": "success"}', b""):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(InputError):
            recognised(tmp_path / "other")


def test_logs_that_cannot_be_read_are_told_and_the_others_are_read(tmp_path: Path) -> None:
    whole = write_log(tmp_path / "a.eval", [sample()]).read_bytes()
    (tmp_path / "b.eval").write_bytes(whole[:-30])
    write_log(tmp_path / "c.eval", [], {"eval": {"model": "m"}, "version": 2, "plan": {}})
    rows, skipped, _ = read(tmp_path)
    assert len(rows) == 1
    assert ["no whole zip" in skipped[0], "eval.task" in skipped[1] or "task" in skipped[1]] == [True, True]
    for content in (whole[:-30], b"nothing", text({"a": 1})):
        (tmp_path / "b.eval").write_bytes(content)
        with pytest.raises(FormatError):
            read(tmp_path / "b.eval")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no log"):
        read(tmp_path / "empty")


ODD: list[Any] = [None, 7, -(2**63), 2**64, 1.5, math.nan, True, "", "x", "\x00", "9" * 400, [], [7], {}, {"a": 1}]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of everything within a value, but those that repeat what stands beside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, found in inner:
        yield (*at, key)
        yield from places(found, (*at, key))


def spoilt(value: Any, at: tuple[Any, ...], odd: Any) -> Any:
    """Return a copy with `odd` at a place."""
    copy = orjson.loads(orjson.dumps(value))
    inner = copy
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = odd
    return copy


def test_no_value_of_any_field_of_a_sample_stops_the_import(tmp_path: Path) -> None:
    content = [{"type": kind, kind: "x", "arguments": "{}", "id": "w"} for kind in ("text", "image", "tool_use")]
    whole = sample() | bulk_sample(1, turns=1) | {"error": None, "limit": {"type": "token", "limit": 1.0}}
    whole["messages"][2]["content"] = content
    chance = random.Random(0)
    samples = [spoilt(whole, at, chance.choice(ODD)) for at in places(whole) for _ in range(2)]
    archive = Writing(tmp_path / "a.eval", STORED)
    archive.add("header.json", text(HEADER))
    for number, one in enumerate(samples):
        archive.add(f"samples/{number}_epoch_1.json", text(one))
    archive.close()
    rows, skipped, _ = read(tmp_path / "a.eval")
    lost = [one for one in skipped if "kept with" not in one and "several values" not in one]
    assert len(samples) > 300
    assert (len(rows) + len(lost), len(rows) > 0.8 * len(samples)) == (len(samples), True)


def test_no_value_of_any_field_of_a_header_stops_more_than_its_log(tmp_path: Path) -> None:
    whole = header(model_roles={"grader": {"model": "lab/m-1"}}, headline_metric={"scorer": "match"}, sandbox="local")
    chance = random.Random(1)
    for number, at in enumerate(places(whole)):
        write_log(tmp_path / f"{number}.eval", [sample()], spoilt(whole, at, chance.choice(ODD)))
    rows, skipped, _ = read(tmp_path)
    assert number > 40
    assert len(rows) + len(skipped) == number + 1


def test_importing_twice_changes_nothing_and_the_ledger_counts_each_once(tmp_path: Path) -> None:
    path = write_log(tmp_path / "a.eval", [sample(1), sample(2, "I"), sample(3, math.nan)])
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    first, second = (store(inspect.read(path, Options()), ledger, lambda *_: None) for _ in range(2))
    assert (first.rollouts, first.verdicts, first.ungraded) == (3, 3, 1)
    assert (second.rollouts, second.verdicts, second.duplicates) == (0, 0, 3)
    found = connect(ledger).execute("select task, outcome, reason from outcomes order by task").fetchall()
    assert found == [("1", "passed", ""), ("2", "failed", ""), ("3", "ungraded", "unscored")]
