"""The agent of one turn: what of a completion is run, how it stops, and what its rollout says of who sampled it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fairtrial.run import InlineEngine
from fairtrial.run.agents.completion import CompletionAgent, asked, script_of
from fairtrial.sandbox import Command, Completed, FakeSandbox
from fairtrial.tasks import Suite, load_suite
from fairtrial.train.boxed import HandedIn, Sampler, assignment_of, prompt_of, try_all


def _world(ran: list[str], killed: str = "") -> FakeSandbox:
    """A completion is kept in `ran`; the grader passes one that says `right`, and writes nothing for one of `mute`."""

    def act(command: Command, root: Path) -> Completed:
        if command.argv[-2] == "-c":
            ran.append(command.argv[-1])
            (root / "app").mkdir(exist_ok=True)
            (root / "app" / "file").write_text(command.argv[-1])
            return Completed(exit_code=0, output="seen", seconds=0.0, killed=killed)  # type: ignore[arg-type]
        written = root / "app" / "file"
        said = written.read_text() if written.exists() else ""
        if said != "mute":
            (root / "logs" / "verifier" / "reward.txt").write_text("1" if said == "right" else "0")
        return Completed(exit_code=0, output="", seconds=0.0)

    return FakeSandbox(act)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    files: Mapping[str, str] = {
        "task.toml": 'version = "1.0"\n', "instruction.md": "Write a file.\n",
        "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n", "tests/test.sh": "single\n",
    }  # fmt: skip
    for name, text in files.items():
        path = tmp_path / "suite" / "task" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load_suite(tmp_path / "suite")


SAMPLER = Sampler(model="m", seed=5, step=40, split="held_out", sampling={"temperature": 1.0})


def _handed(suite: Suite, *completions: str) -> list[HandedIn]:
    return [HandedIn(task=suite.tasks[0], completion=text, attempt=n, output_tokens=3, group="g")
            for n, text in enumerate(completions)]  # fmt: skip


@pytest.mark.parametrize(
    ("completion", "script"),
    [
        ("echo 1", "echo 1"),
        ("So:\n```bash\na\n```\nthen\n```\nb\n```\n", "a\nb\n"),
        ("```sh\nnever closed", "```sh\nnever closed"),
        ("", ""),
    ],
)
def test_fenced_blocks_are_run_or_all_of_it(completion: str, script: str) -> None:
    assert script_of(completion) == script


def test_rollouts_carry_the_training_seed_and_step_and_their_verdicts_name_them(suite: Suite) -> None:
    ran: list[str] = []
    handed = _handed(suite, "right", "wrong", "mute")
    tried = dict(try_all(SAMPLER, handed, suite, _world(ran), InlineEngine()))
    assert ran == ["right", "wrong", "mute"]
    for number, one in tried.items():
        assert not isinstance(one, str)
        rollout = one.rollout
        assert (rollout.model, rollout.agent, rollout.seed, rollout.step) == ("m", "completion", 5, 40)
        assert (rollout.split, rollout.group, rollout.attempt, rollout.stop) == ("held_out", "g", number, "finished")
        assert rollout.answer == ran[number]  # what reviews of hacks are matched by
        assert {verdict.rollout for verdict in one.verdicts} == {rollout.id}
    outcomes = [one.verdicts[0].outcome for one in tried.values() if not isinstance(one, str)]
    assert outcomes == ["passed", "failed", "ungraded"]


def test_settings_are_how_it_was_sampled_and_not_what_came_of_it(suite: Suite) -> None:
    one, two = (assignment_of(SAMPLER, handed, _world([])).settings for handed in _handed(suite, "a", "b"))
    assert one == two
    cooler = Sampler(model="m", seed=5, step=40, split="held_out", sampling={"temperature": 0.5})
    assert assignment_of(cooler, _handed(suite, "a")[0], _world([])).settings != one


@pytest.mark.parametrize(("killed", "stop"), [("timeout", "agent_timeout"), ("memory", "agent_error")])
def test_commands_that_are_killed_are_the_policys_doing(suite: Suite, killed: str, stop: str) -> None:
    ((_, tried),) = try_all(SAMPLER, _handed(suite, "wrong"), suite, _world([], killed), InlineEngine())
    assert not isinstance(tried, str)
    assert (tried.rollout.stop, tried.verdicts[0].outcome) == (stop, "failed")


def test_hostile_text_is_run_or_refused_and_never_raises(suite: Suite) -> None:
    ran: list[str] = []
    handed = _handed(suite, "a\0b", "\ud800", "x" * 200_000)
    stops = [t.rollout.stop for _, t in try_all(SAMPLER, handed, suite, _world(ran), InlineEngine())
             if not isinstance(t, str)]  # fmt: skip
    assert ran == ["ab", "?"]
    assert stops == ["finished", "finished", "agent_error"]


def test_a_model_chooses_the_commands_so_it_needs_isolation(suite: Suite) -> None:
    assert CompletionAgent(model="m", completion="").needs_isolation
    assert prompt_of(suite.tasks[0]) == asked("Write a file.\n", "/app")
