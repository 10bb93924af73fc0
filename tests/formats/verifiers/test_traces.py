"""Attacks on v1: what was not scored is ungraded, however verifiers adds it up; no message is lost or made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats import recognised
from fairtrial.formats.atif import document, read_trajectory
from fairtrial.formats.batch import Options
from fairtrial.formats.chat_messages import Named, Said, document_of, steps_of
from fairtrial.formats.verifiers.rewards import graded, reward_of
from formats.verifiers.lines import episode, node, read, said, talk, trace, written


def test_an_episode_is_read_whole(tmp_path: Path) -> None:
    file = written(tmp_path / "traces.jsonl", episode())
    (one,), skipped = read(file)
    told = {name: one[name] for name in ("task", "model", "suite", "agent", "stop", "answer", "seconds", "label")}
    assert told == {"task": "Sum-hhhhhhhhhhhh", "model": "m", "suite": "sums", "agent": "bash", "stop": "finished",
                    "answer": "4", "seconds": 2.5, "label": "t1"}  # fmt: skip
    assert (one["input_tokens"], one["output_tokens"], one["steps"], one["group"]) == (10, 3, 1, "r1")
    assert (said(one), one["verdict"]["score"], one["verdict"]["expected"]) == ("passed", 1.0, "4")
    assert [step.message for step in read_trajectory(one["document"]).steps] == ["2+2", "4"]
    assert not skipped
    assert recognised(file) == recognised(tmp_path) == "verifiers"


FULL, NONE = {"score": 1.0, "weight": 1.0}, {"score": 0.0, "weight": 1.0}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"rewards": {"right": None}}, "reward_missing"),
        ({"rewards": {}}, "reward_missing"),
        ({"rewards": {"right": FULL, "short": None}}, "reward_missing"),
        ({"rewards": {"right": {"score": None, "weight": 1.0}}}, "reward_invalid"),
        ({"rewards": {"right": {"score": True}}}, "reward_invalid"),
        ({"rewards": {"right": {"score": 2.0, "weight": 1.0}}}, "score_scale_unknown"),
        (
            {"rewards": {"right": {"score": 1.5, "weight": 1.0}, "other": {"score": 0.5, "weight": 1.0}}},
            "score_scale_unknown",
        ),
        (
            {"rewards": {"right": {"score": 2.0, "weight": 1.0}, "penalty": {"score": 1.0, "weight": -1.0}}},
            "score_scale_unknown",
        ),
        ({"rewards": {"right": NONE, "penalty": {"score": -1.0, "weight": -1.0}}}, "score_out_of_range"),
        ({"rewards": {"right": FULL, "turns": {"score": 7.0, "weight": 0.0}}}, "passed"),
        ({"rewards": {"right": {"score": -0.5, "weight": 1.0}}}, "score_out_of_range"),
        ({"rewards": {"right": FULL, "short": {"score": 1.0, "weight": 0.2}}}, "passed"),
        ({"rewards": {"right": FULL, "short": {"score": 0.0, "weight": 0.2}}}, "failed"),
        ({"rewards": {"right": FULL, "seen": {"score": 0.0, "weight": 0.0}}}, "passed"),
        ({"rewards": {"right": NONE}}, "failed"),
        ({"rewards": {"right": FULL}, "ok": False, "errors": [{"type": "TaskError", "message": "x"}]}, "task_error"),
        ({"rewards": {"right": NONE}, "ok": False, "errors": [{"type": "ProviderError"}]}, "provider_error"),
        ({"ok": False}, "not_completed"),
        ({"stop_condition": "scoring_timeout"}, "scoring_timeout"),
        ({"stop_condition": "setup_timeout"}, "setup_timeout"),
        ({"stop_condition": "agent_timeout"}, "passed"),
        ({"errors": [{"type": "SandboxError", "message": "an earlier attempt"}]}, "passed"),
    ],
)
def test_what_was_not_scored_is_ungraded(tmp_path: Path, more: dict[str, Any], expected: str) -> None:
    (one,), _ = read(written(tmp_path / "traces.jsonl", episode(trace(**more))))
    assert said(one) == expected
    assert (one["verdict"]["score"] is None) == (one["verdict"]["outcome"] == "ungraded")


@pytest.mark.parametrize("over", [
    {"rewards": {"right": {"score": 2.0, "weight": 1.0}}}, {"rewards": {"right": {"score": 1.5e0, "weight": 0.1}}},
    {"rewards": {"right": {"score": 12, "weight": 1.0}}, "ok": False, "errors": [{"type": "TaskError"}]},
])  # fmt: skip
def test_a_reward_that_exceeds_its_full_mark_once_has_an_unknown_scale_in_every_row(
    tmp_path: Path, over: dict[str, Any]
) -> None:
    other = trace("t3", rewards={"other": FULL})
    file = written(tmp_path / "traces.jsonl", episode(trace()), episode(trace("t2", **over)), episode(other))
    rows, _ = read(file)
    found = [said(one) for one in rows]
    assert found[0] == "score_scale_unknown", "1 of at least 2 is no full mark"
    assert found[1] in ("score_scale_unknown", "task_error")
    assert found[2] == "passed", "of another reward"
    metrics = trace(metrics={"right": 7.0, "score": 9.0}, nodes=talk('{"score": 3}', "4"))
    assert said(read(written(tmp_path / "traces.jsonl", episode(metrics)))[0][0]) == "passed"


def test_sums_of_rewards_without_weights_are_of_one_scale_in_a_file(tmp_path: Path) -> None:
    rows = [trace(f"t{at}", rewards=told) for at, told in enumerate(({"right": 1.0, "short": 0.2}, {"right": 1.0}))]
    assert [said(one) for one in read(written(tmp_path / "traces.jsonl", *rows))[0]] == ["score_scale_unknown"] * 2
    assert [said(one) for one in read(written(tmp_path / "traces.jsonl", rows[1]))[0]] == ["passed"]


def test_what_verifiers_says_can_be_taken(tmp_path: Path) -> None:
    partly = trace(rewards={"right": FULL, "short": None}, ok=False, errors=[{"type": "TaskError"}])
    file = written(tmp_path / "traces.jsonl", episode(partly), episode(trace("t2", rewards={"right": None}, ok=False)))
    ours = read(file)[0]
    assert [said(one) for one in ours] == ["task_error", "not_completed"]
    assert orjson.loads(ours[0]["verdict"]["evidence"])["as_recorded"] == 1.0
    theirs = read(file, as_recorded=True)[0]
    assert [said(one) for one in theirs] == ["passed", "reward_missing"], "where nothing was scored nothing is recorded"
    assert theirs[0]["verdict"]["grader"] != ours[0]["verdict"]["grader"]


def test_one_of_several_rewards_can_be_chosen(tmp_path: Path) -> None:
    file = written(tmp_path / "traces.jsonl", episode(trace(rewards={"right": FULL, "style": NONE})))
    assert [said(read(file, columns={"score": name})[0][0]) for name in ("right", "style", "turns", "none")] == [
        "passed", "failed", "passed", "reward_missing",
    ]  # fmt: skip
    checks = read(file)[0][0]["verdict"]["checks"]
    assert [(check["name"], check["status"]) for check in checks] == [("right", "passed"), ("style", "failed")]


def test_agents_of_one_episode_are_rollouts_each(tmp_path: Path) -> None:
    def seat(name: str, model: str, trainable: bool = True) -> dict[str, Any]:
        return {"name": name, "trainable": trainable, "config": {"model": model, "harness": {"id": "bash"}}}

    traces = [trace("a", agent=seat("solver", "m")), trace("b", agent=seat("solver", "m")),
              trace("c", agent=seat("judge", "j", trainable=False), rewards={})]  # fmt: skip
    rows, _ = read(written(tmp_path / "traces.jsonl", episode(*traces, group={"id": "g"})))
    assert [(r["agent"], r["model"], said(r), r["group"]) for r in rows] == [
        ("solver/bash", "m", "passed", "g"), ("solver/bash", "m", "passed", "g"), ("judge/bash", "j", "none", "g"),
    ]  # fmt: skip
    assert len({row["attempt"] for row in rows}) == 3


def test_an_episode_that_broke_spoils_its_traces(tmp_path: Path) -> None:
    broken = episode(trace("a"), ok=False, errors=[{"type": "EnvError", "message": "finalize"}])
    nobody = episode(trace("a")) | {"traces": [], "ok": False, "errors": [{"type": "EnvError"}]}
    rows, skipped = read(written(tmp_path / "traces.jsonl", broken, nobody), model="m")
    assert [said(row) for row in rows] == ["episode_error", "env_error"]
    assert rows[1]["trajectory"] == ""
    assert not skipped


def test_of_a_tree_the_path_to_the_last_leaf_is_kept(tmp_path: Path) -> None:
    nodes = [*talk("do it", "thinking"), node("user", "summary", None), node("assistant", "done", 2)]
    (one,), _ = read(written(tmp_path / "traces.jsonl", episode(trace(nodes=nodes))))
    told = read_trajectory(one["document"])
    assert [step.message for step in told.steps] == ["summary", "done"]
    assert "2 of 4" in told.notes


@pytest.mark.parametrize(
    "nodes",
    [
        [node("user", "x", 0)],
        [node("user", "x", 1), node("assistant", "y", 0)],
        [node("user", "x", -1)],
        [node("robot", "x", None)],
        [{"parent": None, "message": "hello"}],
        [node("assistant", "", None, tool_calls=[{"id": "c"}])],
        [node("user", 7, None)],
    ],
)
def test_messages_that_are_none_cost_the_trajectory_not_the_verdict(tmp_path: Path, nodes: list[Any]) -> None:
    (one,), skipped = read(written(tmp_path / "traces.jsonl", episode(trace(nodes=nodes))))
    assert (said(one), one["trajectory"]) == ("passed", "")
    assert "without its trajectory" in skipped[0][1]


def test_wrong_lines_are_skipped_with_their_place(tmp_path: Path) -> None:
    file = written(tmp_path / "traces.jsonl", episode(trace("a")), '{"id": "torn', b"\xff\xfe", [1], {"id": 1}, "",
                   episode(trace("b")) | {"traces": "none"}, episode(trace("c", rewards=[1])),
                   episode(trace("d", agent={"config": {}})), episode(trace("e")))  # fmt: skip
    rows, skipped = read(file)
    assert [row["label"] for row in rows] == ["a", "e"]
    assert [where.rpartition(":")[2] for where, _ in skipped] == ["2", "3", "4", "5", "7", "8", "9"]
    assert "--model" in skipped[-1][1]


def test_a_line_separator_within_a_message_ends_no_line(tmp_path: Path) -> None:
    raw = orjson.dumps(episode(trace(nodes=talk("a\u2028b", "c\u0085d"))))
    (one,), skipped = read(written(tmp_path / "traces.jsonl", raw))
    assert [step.message for step in read_trajectory(one["document"]).steps] == ["a\u2028b", "c\u0085d"]
    assert not skipped


def test_the_model_comes_from_the_runs_configuration(tmp_path: Path) -> None:
    bare = trace(agent={"name": "agent", "config": {}})
    file = written(tmp_path / "traces.jsonl", episode(bare))
    (tmp_path / "configs" / "resolved").mkdir(parents=True)
    (tmp_path / "configs" / "resolved" / "eval.json").write_text('{"model": "of-the-run"}')
    assert read(file, model="mine")[0][0]["model"] == "of-the-run"


def test_a_bare_trace_is_an_episode_of_its_own(tmp_path: Path) -> None:
    rows, skipped = read(written(tmp_path / "rollouts.jsonl", trace("a"), trace("b", ok=False)))
    assert [said(row) for row in rows] == ["passed", "not_completed"]
    assert not skipped


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"rewards": {"right": 0.8, "short": 0.2}}, "passed"),
        ({"rewards": {"right": 0.8}}, "failed"),
        ({"rewards": {"right": 1.0, "short": 0.2}}, "score_scale_unknown"),
        ({"rewards": {}}, "reward_missing"),
        ({"rewards": {"right": None}}, "reward_missing"),
        ({"rewards": {"right": 1.0}, "errors": [{"type": "HarnessError"}]}, "harness_error"),
        ({"rewards": {"right": 1.0}, "is_completed": False}, "not_completed"),
    ],
)
def test_traces_of_the_version_before_are_read(tmp_path: Path, more: dict[str, Any], expected: str) -> None:
    old = {name: value for name, value in trace().items() if name != "ok"} | more
    old["agent"] = {"model": "m", "harness": {"id": "bash"}, "sampling": {"reasoning_effort": "high"}}
    old["task"] = {"type": "Sum", "data": {"idx": 3, "prompt": "2+2"}}
    (one,), skipped = read(written(tmp_path / "traces.jsonl", old))
    assert (one["model"], one["agent"], one["effort"], said(one), skipped) == ("m", "bash", "high", expected, [])


def test_an_image_is_kept_beside_its_trajectory(tmp_path: Path) -> None:
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    parts = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{pixel}"}},
    ]
    nodes = [node("user", parts, None), node("assistant", "seen", 0)]
    (one,), skipped = read(written(tmp_path / "traces.jsonl", episode(trace(nodes=nodes))))
    (picture,) = read_trajectory(one["document"]).steps[0].pictures
    assert picture.path.startswith("sha256:")
    assert not skipped


text = st.text(max_size=20)
calls = st.lists(st.fixed_dictionaries({"id": text, "name": st.text(min_size=1, max_size=5), "arguments": st.one_of(
    st.just("{}"), st.just('{"a": 1}'), st.just("not json"), st.just("[1]"))}), max_size=2)  # fmt: skip
messages = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["system", "user"]), "content": text}),
    st.fixed_dictionaries({"role": st.just("assistant"), "content": st.one_of(st.none(), text), "tool_calls": calls,
                           "reasoning_content": st.one_of(st.none(), text)}),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": text, "content": text}),
)  # fmt: skip


@given(st.lists(messages, max_size=6), st.booleans(), st.one_of(st.none(), st.integers(0, 9)))
def test_the_plain_objects_are_what_the_typed_trajectory_writes(told: list[Any], sampled: bool, used: Any) -> None:
    metrics = {"prompt_tokens": used, "completion_tokens": 1} if used is not None else None
    data = document_of(Named("a", model="m", id="t"), steps_of([Said(m, sampled, "", metrics) for m in told]), [], "n")
    assert document(read_trajectory(data)) == orjson.loads(data)


scores = st.floats(0, 1) | st.just(1.0) | st.just(0.0)
weights = st.floats(0.01, 2) | st.just(0.0)
rewards = st.dictionaries(st.text(max_size=3), st.none() | st.fixed_dictionaries({"score": scores, "weight": weights}))


@given(rewards)
def test_null_is_never_a_score_and_passed_is_a_full_mark_in_each(told: dict[str, Any]) -> None:
    found = graded(told, "", {}, Options())
    weighty = [reward["score"] for reward in told.values() if reward and reward["weight"]]
    if None in told.values() or not weighty:
        assert found.outcome == "ungraded"
    else:
        assert (found.outcome == "passed") == all(score >= 1 - 1e-6 for score in weighty)
        assert min(weighty) - 1e-9 <= (found.score or 0.0) <= max(weighty) + 1e-9
    assert reward_of(told) == pytest.approx(sum(r["score"] * r["weight"] for r in told.values() if r))
