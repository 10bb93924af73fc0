"""What `--pass-env` lets into an agent's box, and that nothing else, and no grader, gets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.cli.main import run
from fairtrial.records import Environment
from fairtrial.run import Assignment, Episode, NullAgent, Situation
from fairtrial.run.agents.shell import Shell
from fairtrial.run.attempt import Attempt
from fairtrial.sandbox import Command, Completed, FakeSandbox
from fairtrial.tasks import Step, Task

SUITE = Path(__file__).parents[2] / "examples/refund-desk"


class Asking(NullAgent):
    """An agent that runs two commands, one with a variable of its own."""

    __slots__ = ()

    def act(self, situation: Situation) -> Episode:
        shell = Shell(box=situation.box, limits=situation.task.environment.limits, command_seconds=5, folder="/app")
        shell.run("env", 5)
        situation.box.run(Command(("env",), variables={"REGION": "own"}))
        return Episode(actions=(), stop="finished")


def _attempted(passed: dict[str, str], tmp_path: Path) -> tuple[FakeSandbox, Assignment]:
    def act(_: Command, root: Path) -> Completed:
        (root / "app").mkdir(exist_ok=True)
        return Completed(exit_code=0, output="", seconds=0.0)

    sandbox = FakeSandbox(act)
    step = Step(name="", instruction="Do it.", agent_seconds=5.0)
    task = Task(name="toy", hash="sha256:0", environment=Environment(), steps=(step,))
    assignment = Assignment(task=task, agent=Asking(), attempt=0, seed=1, sandbox=sandbox, passed=passed)
    with Attempt(assignment, tmp_path) as attempt:
        attempt.act(step)
    return sandbox, assignment


def test_commands_are_given_what_is_passed_and_their_own_goes_first(tmp_path: Path) -> None:
    sandbox, _ = _attempted({"REGION": "eu"}, tmp_path)
    assert [dict(one.variables).get("REGION") for one in sandbox.commands] == ["eu", "own"]


def test_what_is_passed_is_part_of_the_settings_and_nothing_changes_without(tmp_path: Path) -> None:
    settings = [_attempted(passed, tmp_path / str(number))[1].settings
                for number, passed in enumerate(({}, {"REGION": "eu"}, {"REGION": "us"}))]  # fmt: skip
    assert len(set(settings)) == 3
    assert settings[0] == _attempted({}, tmp_path / "again")[1].settings


def test_a_key_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_0123456789abcdefghij")
    assert run(["run", str(SUITE), "--to", str(tmp_path / "ledger"), "--pass-env", "HF_TOKEN"]) == 2
    told = capfd.readouterr().err
    assert "named like a credential" in told
    assert "hf_0123" not in told
    assert not (tmp_path / "ledger").exists()


@pytest.mark.parametrize("held", [".env", ".aws", ".netrc"])
def test_a_policy_beside_keys_is_refused(tmp_path: Path, held: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / held).mkdir()
    program = tmp_path / "policy.py"
    program.write_text("")
    words = ["run", str(SUITE), "--to", str(tmp_path / "l"), "--agent", "scripted", "--policy", str(program)]
    assert run(words) == 2
    assert f"holds `{held}`" in capfd.readouterr().err
