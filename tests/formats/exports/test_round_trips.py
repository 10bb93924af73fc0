"""Attacks: what is written is read back as it was; a format that cannot say a row says so, and says nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.formats.atif import ToolCall
from fairtrial.formats.exports import Demonstration, Origin, Pair, Question, Row, Turn, find
from fairtrial.grade.text import text_suite
from fairtrial.records import FormatError, InputError
from fairtrial.train.sets.works import prompt_of

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
SAID = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
CALL = st.builds(
    ToolCall, tool_call_id=st.just("c1"), function_name=st.sampled_from(["look", "write"]),
    arguments=st.dictionaries(st.sampled_from("ab"), TEXT | st.integers(-9, 9) | st.none() | st.lists(TEXT)),
)  # fmt: skip
TOOLS = ({"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}},)
CALLED = CALL.map(lambda call: (
    Turn(role="assistant", content="", tool_calls=(call,)),
    Turn(role="tool", content="seen", call="c1", tool=call.function_name),
))  # fmt: skip
ANSWER = SAID.map(lambda text: (Turn(role="assistant", content=text),))
ASKED = SAID.map(lambda text: (Turn(role="system", content="Be brief."), Turn(role="user", content=text)))
CHAT = st.builds(lambda prompt, called, answer: Demonstration(prompt=prompt, reply=called + answer, tools=TOOLS),
                 ASKED, CALLED, ANSWER)  # fmt: skip
PLAIN = st.builds(Demonstration, prompt=SAID, reply=ANSWER) | st.builds(Demonstration, prompt=ASKED, reply=ANSWER)
PAIR = st.builds(Pair, prompt=ASKED, chosen=ANSWER, rejected=ANSWER)
TEXT_PAIR = st.builds(Pair, prompt=SAID, chosen=ANSWER, rejected=ANSWER)
QUESTION = st.builds(Question, prompt=ASKED, answer=TEXT, kind=st.sampled_from(["exact", "number"]),
                     part=st.sampled_from(["whole", "last_line"]), rate=st.none() | st.floats(0, 1))  # fmt: skip


def there_and_back(name: str, rows: Sequence[Row]) -> list[Row]:
    """Return what a format reads of what it wrote, in the order of the rows."""
    with TemporaryDirectory() as folder:
        written = find(name).write(rows, Path(folder))
        found: dict[int, Row] = {}
        for file in written.files:
            if file.of:
                read = find(name).read(file.path)
                assert len(read) == len(file.of)
                found |= dict(zip(file.of, read, strict=True))
        assert sorted(found) == [number for number in range(len(rows)) if number not in written.left_out]
    return [replace(found[number], origin=Origin()) for number in sorted(found)]


@given(st.lists(CHAT | PLAIN, min_size=1, max_size=4))
@settings(max_examples=8)
def test_demonstrations_survive_trl_in_all_forms_at_once(rows: list[Row]) -> None:
    assert there_and_back("trl", rows) == rows


@given(st.lists(PAIR, min_size=1, max_size=3) | st.lists(TEXT_PAIR, min_size=1, max_size=3))
@settings(max_examples=6)
def test_pairs_survive_trl(rows: list[Row]) -> None:
    assert there_and_back("trl", rows) == rows


@given(st.lists(CHAT, min_size=1, max_size=3) | st.lists(PAIR, min_size=1, max_size=3))
@settings(max_examples=6)
def test_chats_and_pairs_survive_openai_but_for_the_names_of_tools(rows: list[Row]) -> None:
    def bare(row: Row) -> Row:
        return (
            replace(row, reply=tuple(replace(t, tool="") for t in row.reply)) if isinstance(row, Demonstration) else row
        )

    assert there_and_back("openai", rows) == [bare(row) for row in rows]


@given(st.lists(QUESTION, min_size=1, max_size=4))
@settings(max_examples=6)
def test_prompts_survive_trl_and_verl(rows: list[Row]) -> None:
    assert there_and_back("verl", rows) == rows
    assert there_and_back("trl", rows) == rows


@given(st.lists(QUESTION, min_size=1, max_size=4))
@settings(max_examples=6)
def test_prompts_survive_as_text_tasks_that_the_grader_reads(rows: list[Question]) -> None:
    named = [replace(row, origin=Origin(task=f"t{n}", family="f", cluster="c")) for n, row in enumerate(rows)]
    with TemporaryDirectory() as folder:
        (file,) = find("tasks").write(named, Path(folder)).files
        suite = text_suite(file.path)
        assert find("tasks").read(file.path) == [replace(row, rate=None, graded=0) for row in named]
    assert [prompt_of(task) for task in suite.tasks] == [row.prompt for row in named]
    assert [(suite.keys[f"t{n}"].answer, suite.keys[f"t{n}"].kind) for n in range(len(named))] == [
        (row.answer, row.kind) for row in named
    ]
    assert {(task.family, task.cluster, task.split) for task in suite.tasks} == {("f", "c", "train")}


@given(st.lists(CHAT, min_size=1, max_size=3))
@settings(max_examples=5)
def test_conversations_survive_atif(rows: list[Row]) -> None:
    named = [replace(row, origin=Origin(task="t", rollouts=(f"{n:0<32}",))) for n, row in enumerate(rows)]
    assert there_and_back("atif", named) == rows


def written(name: str, *rows: Row) -> tuple[list[dict[str, Any]], dict[int, str]]:
    with TemporaryDirectory() as folder:
        done = find(name).write(rows, Path(folder))
        lines = [json.loads(line) for file in done.files for line in file.path.read_text().splitlines()]
    return lines, dict(done.left_out)


UNTRAINED = Demonstration(
    prompt=(Turn(role="user", content="q"),),
    reply=(Turn(role="assistant", content="a"), Turn(role="assistant", content="by a script", is_trained=False),
           Turn(role="assistant", content="b"), Turn(role="user", content="u"), Turn(role="assistant", content="c")),
)  # fmt: skip


CALLED_ONCE = (Turn(role="tool", content="seen", call="c", tool="look"),)


def test_a_turn_that_no_model_made_is_never_in_a_completion_of_trl() -> None:
    rows, _ = written("trl", UNTRAINED)
    assert [[turn["content"] for turn in row["completion"]] for row in rows] == [["a"], ["b", "u", "c"]]
    assert [[turn["content"] for turn in row["prompt"]] for row in rows] == [["q"], ["q", "a", "by a script"]]


def test_a_turn_that_no_model_made_weighs_nothing_in_openais_form() -> None:
    rows, _ = written("openai", UNTRAINED)
    assert [turn.get("weight", 1) for turn in rows[0]["messages"]] == [1, 1, 0, 1, 1, 1]


def test_arguments_are_an_object_for_templates_and_a_text_for_openai() -> None:
    call = ToolCall(tool_call_id="c", function_name="f", arguments={"x": [1]})
    row = Demonstration(prompt=(Turn(role="user", content="q"),),
                        reply=(Turn(role="assistant", content="", tool_calls=(call,)),))  # fmt: skip
    seen = [
        written(name, row)[0][0]["messages"][1]["tool_calls"][0]["function"]["arguments"] for name in ("trl", "openai")
    ]
    assert seen == [{"x": [1]}, '{"x":[1]}']


def test_what_a_format_cannot_say_is_left_out_by_reason() -> None:
    several = Pair(prompt="q", chosen=UNTRAINED.reply, rejected=(Turn(role="assistant", content="b"),))
    rows, left_out = written("openai", several, replace(several, chosen=several.rejected))
    assert (len(rows), list(left_out)) == (1, [0])
    with pytest.raises(InputError, match="export to trl"):
        written("verl", UNTRAINED)
    for name in ("verl", "tasks"):
        with pytest.raises(InputError, match="no answer is known"):
            written(name, Question(prompt="q", answer=None))
    asked = Question(prompt="q", answer="a", origin=Origin(task="t"))
    rows, left_out = written("tasks", asked, asked, Question(prompt=UNTRAINED.reply[1:2] + CALLED_ONCE, answer="a"))
    assert (len(rows), sorted(left_out)) == (1, [1, 2])


NO_ROWS = ('{"messages": [{"role": "assistant", "content": "", "tool_calls": 5}]}', '{"prompt": "q", "tools": 5}',
           '{"prompt": "q", "answer": 7}', '{"prompt": "q", "rate": "x"}',
           "[]", "{", "{}", '{"messages": []}', '{"messages": [{"role": "user", "content": "q"}]}',
           '{"prompt": "q", "completion": 3}', '{"prompt": [{"role": "x", "content": ""}]}')  # fmt: skip


@pytest.mark.parametrize("line", NO_ROWS)
def test_a_line_that_is_no_row_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(f'{{"prompt": "q", "completion": "a"}}\n{line}\n')
    with pytest.raises(FormatError) as caught:
        find("trl").read(tmp_path / "x.jsonl")
    assert caught.value.line == 2


@pytest.mark.parametrize("name", ["scout", "nothing"])
def test_a_format_that_is_not_there_is_named_with_what_is(name: str) -> None:
    with pytest.raises(InputError, match=name):
        find(name)
