"""The terminal agent: it solves a task through its shell, and every way to end has its own name."""

from __future__ import annotations

import pickle
import socket
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from tests.run.on_host import on_host

from fairtrial.models import ModelSpec, Patience, Price, ScriptedServer
from fairtrial.models.scripted import Asked, Line, Script, call, call_malformed, cut, fail, refuse, say, slowly
from fairtrial.records import Environment, InputError, SandboxError
from fairtrial.run import Agent, Episode, Situation
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import Box, Command, Completed, FakeSandbox
from fairtrial.tasks import Step, Task

QUICK = Patience(attempts=3, first_wait_seconds=0.001, longest_wait_seconds=0.01)


@pytest.fixture
def sandbox() -> FakeSandbox:
    return FakeSandbox(on_host)


@pytest.fixture
def box(sandbox: FakeSandbox) -> Iterator[Box]:
    with sandbox.open(sandbox.prepare(Environment())) as opened:
        yield opened


def situation(box: Box, seconds: float = 60.0, *, live: bool = False) -> Situation:
    step = Step(name="", instruction="Write 42 into answer.txt.", agent_seconds=seconds)
    task = Task(name="toy", hash="sha256:0", environment=Environment(), steps=(step,), live=live)
    return Situation(task=task, step=step, attempt=0, seed=2**40 + 5, box=box)


def attempt(script: Script, box: Box, seconds: float = 60.0, **settings: Any) -> tuple[Episode, list[Asked]]:
    spec = settings.pop("spec", ModelSpec(name="scripted"))
    with ScriptedServer(script) as server:
        agent = TerminalAgent(spec=replace(spec, base_url=server.base_url), patience=QUICK, **settings)
        episode = agent.act(situation(box, seconds))
    return episode, server.asked


def returned(asked: Asked) -> list[str]:
    """Return what the model was told by its tools, oldest first."""
    return [str(message["content"]) for message in asked.messages if message["role"] == "tool"]


def test_a_toy_task_is_solved_end_to_end(box: Box) -> None:
    script = [
        call("shell", text="Let me look.", command="ls -a", usage=(100, 10)),
        call("shell", command="echo 42 > answer.txt && cat answer.txt", usage=(150, 20)),
        call("finish", answer="It says 42.", usage=(200, 5)),
    ]
    spec = ModelSpec(name="scripted", effort="low", price=Price(input_usd=1.0, output_usd=10.0))
    episode, asked = attempt(script, box, spec=spec)
    assert box.run(Command(("cat", "app/answer.txt"))).output == "42\n"
    assert (episode.stop, episode.broken, episode.answer) == ("finished", "", "It says 42.")
    assert [action.tool for action in episode.actions] == ["shell", "shell", "finish"]
    assert episode.actions[0].message == "Let me look."
    assert episode.actions[1].arguments == {"command": "echo 42 > answer.txt && cat answer.txt"}
    assert episode.actions[1].observation == "42"
    assert (episode.input_tokens, episode.output_tokens) == (450, 35)
    assert episode.cost_usd == pytest.approx((450 * 1.0 + 35 * 10.0) / 1e6)
    assert [action.cost_usd for action in episode.actions] == pytest.approx([0.0002, 0.00035, 0.00025])
    assert [message["role"] for message in asked[0].messages] == ["system", "user"]
    assert asked[0].last == "Write 42 into answer.txt."
    assert returned(asked[2])[-1] == "42"


def test_an_answer_without_a_call_finishes(box: Box) -> None:
    episode, _ = attempt([say("Nothing to do.", reasoning="It is done already.")], box)
    assert (episode.stop, episode.answer) == ("finished", "Nothing to do.")
    assert episode.actions[0].reasoning == "It is done already."


def test_the_working_directory_carries_over_and_variables_do_not(box: Box) -> None:
    script = [
        call("shell", command="mkdir -p deep/er && cd deep && cd er; X=1"),
        call("shell", command='echo "$(basename "$PWD") [$X]"; exit 3'),
        call("shell", command="cd .. ; exec true"),
        call("shell", command="cd ..\nset -- a b c; basename $PWD"),
        call("shell", command="basename $PWD $1"),
        say("done"),
    ]
    episode, _ = attempt(script, box)
    seen = [action.observation for action in episode.actions]
    assert seen[1] == "er []\n[exit code 3]"
    assert seen[3] == "deep"  # `exec` replaced the shell, so that its own `cd` is not seen
    assert seen[4] == "deep"
    assert episode.stop == "finished"


def test_the_turn_limit_ends_it(box: Box) -> None:
    episode, asked = attempt(lambda _: call("shell", command="true"), box, turns=3)
    assert episode.stop == "turn_limit"
    assert len(asked) == len(episode.actions) == 3
    assert "at most 3 turns" in asked[0].messages[0]["content"]


def test_malformed_arguments_are_told_to_the_model(box: Box, sandbox: FakeSandbox) -> None:
    script = [
        call_malformed("shell", '{"command": "ls'),
        call("shell", command=["ls"]),
        call("shell", command="  "),
        call("browser", url="http://example.com"),
        call("shell", command="echo fine"),
        say("done"),
    ]
    episode, asked = attempt(script, box)
    assert episode.stop == "finished"
    told = returned(asked[5])
    assert "not a JSON object" in told[0]
    assert "needs the argument `command`" in told[1]
    assert "needs the argument `command`" in told[2]
    assert "no tool `browser`" in told[3]
    assert told[4] == "fine"
    assert episode.actions[0].arguments == {"malformed": '{"command": "ls'}
    assert episode.actions[1].arguments == {"command": '["ls"]'}
    assert len(sandbox.commands) == 1


def test_nothing_but_malformed_calls_ends_as_the_agents_error(box: Box) -> None:
    episode, asked = attempt(lambda _: call_malformed("shell", "{"), box, strikes=4)
    assert (episode.stop, episode.broken, len(asked)) == ("agent_error", "", 4)


def test_empty_replies_are_told_then_end_as_gave_up(box: Box) -> None:
    episode, asked = attempt(lambda _: Line(text=""), box, strikes=2)
    assert (episode.stop, len(asked)) == ("gave_up", 2)
    assert "empty" in asked[1].last
    assert [message["role"] for message in asked[1].messages] == ["system", "user", "assistant", "user"]


def test_a_cut_reply_is_told_and_its_call_is_not_carried_out(box: Box, sandbox: FakeSandbox) -> None:
    half = replace(call("shell", command="touch half"), finish="length")
    episode, asked = attempt([half, say("done")], box)
    assert episode.stop == "finished"
    assert "cut at the token limit" in asked[1].last
    assert not sandbox.commands
    assert attempt(lambda _: cut("and so on"), box, strikes=2)[0].stop == "output_limit"


AS_TEXT = '<tool_call>\n{"name": "shell", "arguments": {"command": "ls"}}\n</tool_call>'


def test_a_server_that_cannot_read_tool_calls_breaks_the_episode(box: Box) -> None:
    episode, asked = attempt(lambda _: say(AS_TEXT), box, strikes=3)
    assert (episode.stop, episode.broken, len(asked)) == ("", "model_calls_unread", 3)
    assert "written as text" in asked[1].last


def test_a_model_that_once_writes_a_call_as_text_may_go_on(box: Box) -> None:
    mended, _ = attempt([say(AS_TEXT), call("shell", command="echo ok"), say("done")], box)
    assert (mended.stop, mended.broken) == ("finished", "")
    slipped, _ = attempt([call("shell", command="true"), *[say(AS_TEXT)] * 2], box, strikes=2)
    assert (slipped.stop, slipped.broken) == ("agent_error", "")


def test_a_context_that_is_full_is_the_agents_limit(box: Box) -> None:
    full = fail(400, "maximum context length is 10 tokens", code="context_length_exceeded")
    episode, _ = attempt([call("shell", command="true"), full], box)
    assert (episode.stop, episode.broken) == ("output_limit", "")


def test_a_refusal_stops_it(box: Box) -> None:
    episode, _ = attempt([refuse("I will not do that.")], box)
    assert (episode.stop, episode.broken) == ("refused", "")
    assert episode.actions[-1].message == "I will not do that."


def test_a_server_that_is_down_breaks_the_episode_and_never_fails_it(box: Box) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    agent = TerminalAgent(spec=ModelSpec(name="m", base_url=f"http://127.0.0.1:{port}/v1"), patience=QUICK)
    episode = agent.act(situation(box))
    assert (episode.stop, episode.broken) == ("", "model_unreachable")
    assert "unreachable" in episode.actions[-1].message
    assert episode.input_tokens is None


def test_an_outage_in_the_middle_keeps_what_was_done(box: Box) -> None:
    episode, _ = attempt([call("shell", command="touch kept"), *[fail(503)] * 3], box)
    assert episode.broken == "model_server_error"
    assert episode.actions[0].arguments == {"command": "touch kept"}


def test_a_busy_server_is_waited_for(box: Box) -> None:
    episode, asked = attempt([fail(429, retry_after=0.01), fail(429), say("done")], box)
    assert (episode.stop, episode.broken, len(asked)) == ("finished", "", 3)
    assert len(episode.actions) == 1


@pytest.mark.extra
def test_time_that_a_failing_server_takes_is_given_back(box: Box) -> None:
    outage = [fail(503, retry_after=0.6)] * 2
    patience = Patience(attempts=3)
    with ScriptedServer([*outage, call("shell", command="true"), *outage, say("done")]) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        episode = TerminalAgent(spec=spec, patience=patience).act(situation(box, seconds=2.0))
    assert (episode.stop, episode.broken) == ("finished", "")


def test_a_budget_of_tokens_ends_it(box: Box) -> None:
    episode, asked = attempt(lambda _: call("shell", command="true", usage=(900, 200)), box, most_tokens=3_000)
    assert (episode.stop, episode.broken) == ("budget", "")
    assert 2 <= len(asked) <= 3
    assert episode.input_tokens == 900 * len(asked)


def test_a_budget_of_money_ends_it(box: Box) -> None:
    spec = ModelSpec(name="m", price=Price(input_usd=10.0, output_usd=10.0))
    line = call("shell", command="true", usage=(50_000, 0))
    episode, asked = attempt(lambda _: line, box, spec=spec, most_usd=1.0)
    assert (episode.stop, len(asked)) == ("budget", 2)
    assert episode.cost_usd == pytest.approx(1.0)


def test_a_budget_of_money_without_a_price_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="prices"):
        TerminalAgent(spec=ModelSpec(name="m"), most_usd=1.0)


def test_a_command_that_takes_too_long_is_killed_and_told(box: Box) -> None:
    script = [call("shell", command="echo began; cd /; sleep 60"), call("shell", command="echo on"), say("done")]
    episode, asked = attempt(script, box, command_seconds=1.0)
    assert episode.stop == "finished"
    first, second = returned(asked[2])
    assert first.startswith("began")
    assert "killed after 1 s" in first
    assert second == "on"


def test_the_agents_time_ends_a_slow_command_and_a_slow_model(box: Box) -> None:
    began = time.monotonic()
    slow_command, _ = attempt(lambda _: call("shell", command="sleep 60"), box, seconds=0.7)
    slow_model, _ = attempt(lambda _: slowly(say("late"), 60), box, seconds=0.3)
    assert time.monotonic() - began < 20
    assert (slow_command.stop, slow_command.broken) == ("agent_timeout", "")
    assert (slow_model.stop, slow_model.broken) == ("agent_timeout", "")
    assert len(slow_command.actions) == 1


def test_huge_output_is_shown_in_part_and_kept_whole(box: Box) -> None:
    script = [call("shell", command="seq 1 20000"), say("done")]
    episode, asked = attempt(script, box, shown_characters=1_000)
    (shown,) = returned(asked[1])
    whole = "".join(f"{number}\n" for number in range(1, 20_001))
    assert f"[... {len(whole) - 1_000} characters left out" in shown
    assert shown.startswith("1\n2\n")
    assert shown.endswith("\n20000")
    assert len(shown) < 1_200
    assert episode.actions[0].observation == whole.rstrip("\n")


def test_the_trajectory_keeps_no_more_than_its_cap_and_says_so(box: Box) -> None:
    episode, _ = attempt([call("shell", command="seq 1 20000"), say("done")], box, kept_characters=5_000)
    assert "characters not kept ..." in episode.actions[0].observation
    assert len(episode.actions[0].observation) < 5_200


def test_several_calls_in_one_reply_are_carried_out_in_order(box: Box) -> None:
    twice = Line(calls=(("shell", '{"command": "echo 1 >> log"}'), ("shell", '{"command": "cat log"}')), usage=(10, 5))
    episode, asked = attempt([twice, say("done", usage=(20, 1))], box)
    assert returned(asked[1]) == ["[no output]", "1"]
    assert [action.input_tokens for action in episode.actions] == [10, None, 20]
    assert episode.input_tokens == 30


def test_no_key_reaches_the_box(box: Box, sandbox: FakeSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_TEST_KEY", "secret-of-the-test")
    monkeypatch.setenv("OPENAI_API_KEY", "another-secret")
    spec = ModelSpec(name="m", api_key_variable="FAIRTRIAL_TEST_KEY")
    episode, asked = attempt([call("shell", command="env"), say("done")], box, spec=spec)
    assert asked[0].headers["authorization"] == "Bearer secret-of-the-test"
    assert "secret" not in episode.actions[0].observation
    assert all(not command.variables for command in sandbox.commands)
    assert "secret" not in "".join(word for command in sandbox.commands for word in command.argv)
    assert "secret" not in repr(episode)


def test_a_sandbox_that_dies_breaks_the_episode() -> None:
    def die(command: Command, root: Path) -> Completed:
        raise SandboxError(f"{command.argv[0]} cannot run in {root.name}: the box has died")

    sandbox = FakeSandbox(die)
    with sandbox.open(sandbox.prepare(Environment())) as box:
        episode, _ = attempt([call("shell", command="true")], box)
    assert (episode.stop, episode.broken) == ("", "sandbox")
    assert "the box has died" in episode.actions[-1].message


def test_a_command_too_long_for_the_machine_is_told(box: Box, sandbox: FakeSandbox) -> None:
    script = [call("shell", command=f"echo {'x' * 100_000}"), call("shell", command="echo \0"), say("done")]
    episode, asked = attempt(script, box)
    assert episode.stop == "finished"
    first, second = returned(asked[2])
    assert "at most 100000 bytes" in first
    assert "NUL" in second
    assert not sandbox.commands


def test_usage_that_nobody_counted_makes_the_sum_unknown(box: Box) -> None:
    script = [call("shell", command="true", usage=(10, 5)), replace(say("done"), counts_usage=False)]
    episode, _ = attempt(script, box)
    assert episode.input_tokens is None
    assert episode.actions[0].input_tokens == 10


def test_each_attempt_sends_its_seed_unless_told_not_to(box: Box) -> None:
    _, seeded = attempt([say("done")], box)
    _, unseeded = attempt([say("done")], box, sends_seed=False)
    assert seeded[0].body["seed"] == 5
    assert "seed" not in unseeded[0].body


def test_kept_replies_are_used_only_where_asked_for_and_cost_nothing(box: Box, tmp_path: Path) -> None:
    spec = ModelSpec(name="m", price=Price(input_usd=1.0, output_usd=1.0))
    with ScriptedServer([call("shell", command="true"), say("done"), say("sampled anew")]) as server:
        spec = replace(spec, base_url=server.base_url)
        first = TerminalAgent(spec=spec, cache=tmp_path).act(situation(box))
        second = TerminalAgent(spec=spec, cache=tmp_path).act(situation(box))
        third = TerminalAgent(spec=spec).act(situation(box))
    assert len(server.asked) == 3
    assert (first.answer, second.answer, third.answer) == ("done", "done", "sampled anew")
    assert second.cost_usd == 0.0
    assert first.cost_usd is not None
    assert first.cost_usd > 0


def test_the_prompt_says_what_becomes_of_background_processes(box: Box) -> None:
    for live, words in ((True, "keeps running"), (False, "is ended when its command returns")):
        with ScriptedServer([say("done")]) as server:
            spec = ModelSpec(name="m", base_url=server.base_url)
            TerminalAgent(spec=spec).act(situation(box, live=live))
        assert words in server.asked[0].messages[0]["content"]


def test_a_prompt_of_ones_own_is_filled_and_keeps_its_other_braces(box: Box) -> None:
    _, asked = attempt([say("done")], box, prompt="{turns} turns of {seconds} s. Write {json}.", turns=7)
    assert asked[0].messages[0]["content"] == "7 turns of 120 s. Write {json}."


def test_the_agent_is_an_agent_and_survives_pickling() -> None:
    agent = TerminalAgent(spec=ModelSpec(name="m", effort="high", price=Price(input_usd=1, output_usd=2)))
    as_agent: Agent = agent
    assert (as_agent.name, as_agent.model, as_agent.effort, as_agent.needs_isolation) == ("terminal", "m", "high", True)
    assert pickle.loads(pickle.dumps(agent)) == agent
    assert asdict(agent)["spec"]["name"] == "m"


@pytest.mark.parametrize("limit", ["turns", "command_seconds", "shown_characters", "strikes"])
def test_a_limit_of_nothing_is_refused(limit: str) -> None:
    with pytest.raises(InputError, match=limit):
        TerminalAgent(spec=ModelSpec(name="m"), **{limit: 0})
