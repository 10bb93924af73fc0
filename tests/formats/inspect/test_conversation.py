"""Attacks: references are put back, nothing of a grader's gets in, and every step is what ATIF allows."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats.atif import document, read_trajectory
from fairtrial.formats.chat_messages import Named, document_of
from fairtrial.formats.inspect.conversation import conversation_of, metrics_of
from fairtrial.formats.inspect.pools import Pools
from fairtrial.records import FormatError
from formats.inspect.written import bulk_sample

USER = {"id": "u", "role": "user", "content": "2+2", "source": "input"}


def agent(content: Any = "4", key: str = "a", **more: Any) -> dict[str, Any]:
    return {"id": key, "role": "assistant", "content": content, "source": "generate"} | more


def model(message: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return {
        "event": "model", "timestamp": "2026-01-01T02:00:00+02:00", "input": [],
        "output": {"choices": [{"message": message}] if message else [], "usage": {"input_tokens": 5}},
    } | more  # fmt: skip


def steps(messages: list[Any], **sample: Any) -> list[dict[str, Any]]:
    return conversation_of({"messages": messages} | sample).steps


def test_what_a_tool_says_stands_in_the_step_that_called_it() -> None:
    calls = [{"id": "c1", "function": "add", "arguments": {"x": 1}}, {"id": "c2", "function": "add", "arguments": "{"}]
    answers = [
        {"role": "tool", "tool_call_id": "c2", "content": "", "error": {"type": "timeout", "message": "too long"}},
        {"role": "tool", "tool_call_id": "c1", "content": "3"},
        {"role": "tool", "tool_call_id": "c0", "content": "of nobody's call"},
    ]
    _, said = steps([USER, agent("", tool_calls=calls), *answers])
    assert said["tool_calls"] == [
        {"tool_call_id": "c1", "function_name": "add", "arguments": {"x": 1}},
        {"tool_call_id": "c2", "function_name": "add", "arguments": {"input": "{"}},
    ]
    assert said["observation"]["results"] == [
        {"source_call_id": "c2", "content": "timeout: too long"},
        {"source_call_id": "c1", "content": "3"},
        {"content": "of nobody's call"},
    ]
    assert steps([{"role": "tool", "content": "first of all"}])[0]["source"] == "user"


def test_late_answers_go_to_their_own_step() -> None:
    call = {"id": "c1", "function": "add", "arguments": {}}
    _, first, second = steps(
        [USER, agent(tool_calls=[call]), agent("5", "b"), {"role": "tool", "tool_call_id": "c1", "content": "3"}]
    )
    assert first["observation"]["results"][0]["content"] == "3"
    assert "observation" not in second


def test_time_and_tokens_come_from_the_models_own_event() -> None:
    said = steps([USER, agent()], events=[model(agent("another text, the same id"))])[1]
    assert (said["timestamp"], said["metrics"]) == ("2026-01-01T00:00:00+00:00", {"prompt_tokens": 5})
    assert "timestamp" not in steps([USER, agent(key="b")], events=[model(agent())])[1]


def test_an_answer_that_was_part_of_the_input_is_one_that_no_model_made() -> None:
    shown = steps([USER, agent(source="input", content=[{"type": "reasoning", "reasoning": "hm"}])])[1]
    assert shown["llm_call_count"] == 0
    assert "reasoning_content" not in shown, "the format forbids it there"
    assert "llm_call_count" not in steps([USER, agent()])[1]


def test_reasoning_served_tools_and_other_media_are_told_apart() -> None:
    content = [
        {"type": "reasoning", "reasoning": "secret", "summary": "in short", "redacted": True},
        {"type": "reasoning", "reasoning": "and more"}, {"type": "text", "text": "Found."},
        {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "search", "arguments": '{"q": "x"}',
         "result": "nothing", "error": None},
        {"type": "document", "document": "data:…", "filename": "a.pdf"}, {"type": "audio", "audio": "data:…"},
        {"type": "data", "data": {}}, "no part",
    ]  # fmt: skip
    said = steps([agent(content)])[0]
    assert said["reasoning_content"] == "in short\nand more"
    assert said["message"] == "Found.\n[document a.pdf]\n[audio]"
    assert said["tool_calls"] == [{"tool_call_id": "w", "function_name": "search", "arguments": {"q": "x"}}]
    assert said["observation"]["results"] == [{"source_call_id": "w", "content": "nothing"}]
    assert steps([agent("4", reasoning="of old logs")])[0]["reasoning_content"] == "of old logs"


def test_images_are_parts_where_the_format_takes_them() -> None:
    content = [{"type": "text", "text": "look"}, {"type": "image", "image": "attachment://p"},
               {"type": "image", "image": "data:image/svg+xml,x"}]  # fmt: skip
    said = conversation_of(
        {"messages": [{"role": "user", "content": content}], "attachments": {"p": "data:image/jpg;base64,AA"}}
    )
    assert said.has_images
    assert said.steps[0]["message"] == [
        {"type": "text", "text": "look"},
        {"type": "image", "source": {"media_type": "image/jpeg", "path": "data:image/jpg;base64,AA"}},
        {"type": "text", "text": "[image]"},
    ]


def test_a_conversation_that_the_sample_does_not_have_is_rebuilt_from_its_pool() -> None:
    pool = [USER, agent("attachment://long"), {"id": "u2", "role": "user", "content": "again"}]
    sample = {
        "messages": [USER], "attachments": {"long": "four"}, "events_data": {"messages": pool, "calls": []},
        "events": [model(agent("attachment://long"), input_refs=[[0, 1]]),
                   model(agent("5", "b"), input_refs=[[0, 3]]), model(None, input_refs=[[0, 2]])],
    }  # fmt: skip
    told = [("user", "2+2"), ("agent", "four"), ("user", "again"), ("agent", "5")]
    assert [(step["source"], step["message"]) for step in conversation_of(sample).steps] == told
    of_2025 = {**sample, "events_data": None, "message_pool": pool}
    assert [(step["source"], step["message"]) for step in conversation_of(of_2025).steps] == told
    inline = {**sample, "events_data": None, "events": [model(agent("5", ""), input=[USER, USER])]}
    assert [step["message"] for step in conversation_of(inline).steps] == ["2+2", "5"]


@pytest.mark.parametrize(
    "scoring",
    [
        [{"event": "span_begin", "id": "s", "type": "scorers"},
         {"event": "span_begin", "id": "t", "type": "scorer", "parent_id": "s"},
         {"event": "span_begin", "id": "v", "type": "agent", "parent_id": "t"}, model(agent("C"), span_id="v")],
        [{"event": "step", "action": "begin", "type": "scorer"}, model(agent("C")),
         {"event": "step", "action": "end", "type": "scorer"}],
    ],
)  # fmt: skip
def test_what_a_grader_says_is_no_part_of_the_attempt(scoring: list[dict[str, Any]]) -> None:
    said = steps([USER], events=[*scoring, model(agent("4", "b"), input=[USER], span_id="x")])
    assert [step["message"] for step in said] == ["2+2", "4"]


@pytest.mark.parametrize("messages", [[7], [{"role": "judge", "content": "x"}], [{"content": "x"}], {"role": "user"}])
def test_what_is_no_message_is_named(messages: Any) -> None:
    with pytest.raises(FormatError) as caught:
        conversation_of({"messages": messages})
    assert "messages" in str(caught.value)


@pytest.mark.parametrize(
    "sample",
    [
        {"events": [7, {"event": "model"}, {"event": "model", "output": 1, "input": 2, "input_refs": [[0], "x"]}]},
        {"messages": None, "attachments": [], "events_data": 3, "events": {}},
        {"messages": [{"role": "assistant", "content": None, "tool_calls": [3, {}]}, {"role": "tool", "content": 5}]},
        {"messages": [{"role": "user", "content": [{"type": "image"}, {"type": "text"}, {}]}], "attachments": {"a": 3}},
        {"messages": [], "events": [model({"role": "assistant", "content": 4, "id": 9}, tools="none")]},
    ],
)  # fmt: skip
def test_odd_shapes_are_read_for_what_they_hold(sample: dict[str, Any]) -> None:
    found = conversation_of(sample)
    read_trajectory(document_of(Named("a"), found.steps, found.tools))


def test_what_is_written_is_an_atif_document_that_reads_and_writes_back_the_same() -> None:
    found = conversation_of(bulk_sample(3, turns=5))
    written = document_of(Named("react", model="lab/m-1", id="u-1"), found.steps, found.tools)
    trajectory = read_trajectory(written)
    assert orjson.loads(written) == {**document(trajectory)}
    assert (len(trajectory.steps), trajectory.totals().completion_tokens) == (7, 450)
    assert trajectory.tools[0]["function"]["name"] == "bash"
    assert all(len(step.observations) == 1 for step in trajectory.steps[2:])
    assert b"attachment://" not in written


def test_a_reference_to_nothing_stays_and_one_is_not_followed_twice() -> None:
    pools = Pools({"attachments": {"a": "attachment://b", "b": "x", "c": "attachment://c"}})
    assert pools.resolved(["attachment://a", "attachment://c", "attachment://none", "attachment://"]) == [
        "attachment://b", "attachment://c", "attachment://none", "attachment://"]  # fmt: skip


_ANY = st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.text(max_size=3), inner, max_size=3), max_leaves=20)  # fmt: skip


@given(_ANY)
def test_what_has_no_references_is_given_back_as_it_is(value: Any) -> None:
    assert Pools({"attachments": {"a": "b"}}).resolved(value) == value


@given(st.lists(st.tuples(st.integers(-3, 8), st.integers(-3, 8)), max_size=4))
def test_references_beyond_the_pool_are_cut_as_their_writer_cuts_them(ranges: list[tuple[int, int]]) -> None:
    pool = list("abcdef")
    found = list(Pools({"events_data": {"messages": pool}}).model_input({"input_refs": [list(one) for one in ranges]}))
    assert found == [one for low, high in ranges for one in pool[max(low, 0) : max(high, 0)]]


@pytest.mark.parametrize("usage", [None, 7, [], {}, {"input_tokens": True, "total_cost": "1"}])
def test_usage_that_is_none_is_not_zero(usage: Any) -> None:
    assert metrics_of(usage) == {}
