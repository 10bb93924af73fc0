"""The terminal agent in a real sandbox, graded: a whole trial, over loopback, with a scripted model."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.grade import HarborGrader
from fairtrial.models import ModelSpec, Patience, ScriptedServer
from fairtrial.models.scripted import Script, call, fail, say
from fairtrial.run import Assignment, Trial, Tried
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import Sandbox, find
from fairtrial.tasks import Key, Task, load_task

TASK_TOML = 'version = "1.0"\n[agent]\ntimeout_sec = 60\n[verifier]\ntimeout_sec = 30\n'
TEST = """grep -qx 42 /app/answer.txt && reward=1 || reward=0
mkdir -p /logs/verifier && echo $reward > /logs/verifier/reward.txt
"""


@pytest.fixture
def bubblewrap() -> Sandbox:
    sandbox = find("bwrap")
    capability = sandbox.capability()
    if not capability.available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    return sandbox


@pytest.fixture
def toy(tmp_path: Path) -> tuple[Task, Key]:
    folder = tmp_path / "toy"
    for name, text in {
        "task.toml": TASK_TOML,
        "instruction.md": "Write 42 into /app/answer.txt.\n",
        "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\nENV COLOUR=green\n",
        "tests/test.sh": TEST,
        "solution/solve.sh": "echo 42 > /app/answer.txt\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return load_task(folder)


def tried(script: Script, toy: tuple[Task, Key], sandbox: Sandbox) -> Tried:
    task, key = toy
    with ScriptedServer(script) as server:
        spec = ModelSpec(name="scripted", base_url=server.base_url, api_key_variable="FAIRTRIAL_TEST_KEY")
        patience = Patience(attempts=2, first_wait_seconds=0.001)
        agent = TerminalAgent(spec=spec, patience=patience, command_seconds=5)
        assignment = Assignment(task=task, agent=agent, attempt=0, seed=1, sandbox=sandbox)
        return Trial(assignment=assignment, grader=HarborGrader(key=key, sandbox=sandbox))()


def test_a_model_that_does_the_task_passes_and_one_that_does_not_fails(
    toy: tuple[Task, Key], bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_TEST_KEY", "secret-of-the-test")
    look = call("shell", command="pwd; env; cd /tmp && touch here")
    solve = call("shell", command='ls; echo "$((6 * 7))" > /app/answer.txt', usage=(100, 10))
    good = tried([look, solve, call("finish", answer="Done.")], toy, bubblewrap)
    bad = tried([call("shell", command="echo 41 > answer.txt"), say("Done.")], toy, bubblewrap)
    assert (good.verdicts[0].outcome, good.rollout.stop, good.rollout.answer) == ("passed", "finished", "Done.")
    assert (bad.verdicts[0].outcome, bad.rollout.stop) == ("failed", "finished")
    assert (good.rollout.steps, good.rollout.agent, good.rollout.model) == (3, "terminal", "scripted")
    trajectory = good.blobs[0].decode()
    assert "/app" in trajectory
    assert "COLOUR=green" in trajectory  # the variables of the environment, and not those of this process
    assert "secret-of-the-test" not in trajectory
    assert "FAIRTRIAL_TEST_KEY=" not in trajectory
    assert "here" in trajectory  # the second command ran where the first had gone


def test_the_model_cannot_reach_its_own_server_from_the_box(toy: tuple[Task, Key], bubblewrap: Sandbox) -> None:
    with ScriptedServer([say("never asked")]) as other:
        address = other.base_url.removeprefix("http://").removesuffix("/v1").replace(":", "/")
        reach = call("shell", command=f"exec 3<>/dev/tcp/{address} && echo reached")
        result = tried([reach, say("Done.")], toy, bubblewrap)
    assert "reached\\n" not in result.blobs[0].decode()
    assert "Connection refused" in result.blobs[0].decode() or "unreachable" in result.blobs[0].decode()
    assert not other.asked


def test_an_outage_is_ungraded_and_never_a_failure(toy: tuple[Task, Key], bubblewrap: Sandbox) -> None:
    result = tried(lambda _: fail(500), toy, bubblewrap)
    assert (result.verdicts[0].outcome, result.verdicts[0].reason) == ("ungraded", "model_server_error")
    assert "500" in result.verdicts[0].evidence


@pytest.mark.parametrize("harm", ["rm -rf /app", "mv /app /tmp/away", "kill -9 -1"])
def test_an_agent_cannot_break_its_own_trial(harm: str, toy: tuple[Task, Key], bubblewrap: Sandbox) -> None:
    result = tried([call("shell", command=harm), call("shell", command="pwd"), say("Done.")], toy, bubblewrap)
    assert (result.verdicts[0].outcome, result.rollout.stop) == ("failed", "finished")
    assert result.rollout.steps == 3
