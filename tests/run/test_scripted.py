"""What a policy program states of itself is believed only where it can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.records import Environment
from fairtrial.run import Episode, ScriptedAgent, Situation
from fairtrial.sandbox import Command, Completed, FakeSandbox
from fairtrial.tasks import Step, Task


def _episode(line: str, tmp_path: Path) -> Episode:
    def act(command: Command, root: Path) -> Completed:
        assert command.cwd == "/"  # a step before may have removed the workdir
        (root / "logs/agent/steps.jsonl").write_text(line)
        return Completed(exit_code=0, output="", seconds=0.0)

    sandbox = FakeSandbox(act)
    step = Step(name="", instruction="Do it.", agent_seconds=5.0)
    task = Task(name="toy", hash="sha256:0", environment=Environment(), steps=(step,))
    (tmp_path / "policy.py").write_text("")
    with sandbox.open(sandbox.prepare(Environment())) as box:
        situation = Situation(task=task, step=step, attempt=0, seed=1, box=box)
        return ScriptedAgent(program=tmp_path / "policy.py").act(situation)


def test_figures_that_are_none_are_left_out(tmp_path: Path) -> None:
    episode = _episode(
        '{"stop": "finished", "input_tokens": "9", "output_tokens": -1, "cost_usd": true, "answer": 7}', tmp_path
    )
    assert (episode.input_tokens, episode.output_tokens, episode.cost_usd) == (None, None, None)
    assert (episode.stop, episode.answer) == ("finished", "7")


@pytest.mark.parametrize(("tokens", "kept"), [("3", 3), (str(2**63), None), ("1.5", None), ("null", None)])
def test_tokens_are_counts_that_a_ledger_holds(tmp_path: Path, tokens: str, kept: int | None) -> None:
    assert _episode(f'{{"stop": "finished", "input_tokens": {tokens}}}', tmp_path).input_tokens == kept
