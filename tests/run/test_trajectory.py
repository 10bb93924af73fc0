"""What a grader is shown of an attempt: what was done so far and what it cost; of a submission, what was declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.grade.outside_tasks import CHECKS, acted, box, make_task

from fairtrial.formats.atif import document
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.run import Action, Assignment, Episode, NullAgent, Situation, Trial
from fairtrial.run.agents.submission import SubmissionAgent
from fairtrial.sandbox import Command, Mount
from fairtrial.tasks import load_task

COSTLY = CHECKS + '\n[[check]]\nname = "cheap"\nuse = "tokens"\nbudget = 100\n'


@dataclass(frozen=True)
class Actor:
    """An agent that calls tools, and says what it cost as a whole."""

    tools: tuple[str, ...]
    spent: int | None = 50
    name: str = "actor"
    model: str = "tester"
    effort: str = ""
    needs_isolation: bool = False

    def settings(self) -> Mapping[str, Any]:
        return {}

    def mounts(self) -> Sequence[Mount]:
        return ()

    def act(self, situation: Situation) -> Episode:
        situation.box.run(Command(("write", "hello")))
        actions = tuple(
            Action(message="I asked first", tool=tool, arguments={}, observation="ok") for tool in self.tools
        )
        return Episode(actions=actions, stop="finished", input_tokens=self.spent, output_tokens=self.spent)


def tried(folder: Path, agent: Any, times: int = 1) -> list[tuple[str, dict[str, str]]]:
    task, key = load_task(folder)
    grader = HarborGrader(key=key, sandbox=box(), rules=read_rules(key.grading) if key.grading else None)
    assignment = Assignment(task=task, agent=agent, attempt=0, seed=0, sandbox=grader.sandbox)
    gradings = Trial(assignment=assignment, grader=grader, times=times)().gradings
    return [(one.outcome, {check.name: check.status for check in one.checks}) for one in gradings]


def test_the_grader_sees_what_was_done_and_not_what_was_said(tmp_path: Path) -> None:
    make_task(tmp_path)
    assert (
        tried(tmp_path, Actor(("ask", "act")), times=2) == [("passed", {"word": "passed", "asked-first": "passed"})] * 2
    )
    assert tried(tmp_path, Actor(("act",)))[0][0] == "failed"


@pytest.mark.parametrize(("spent", "status"), [(50, "passed"), (51, "failed"), (None, "broken")])
def test_what_an_episode_cost_as_a_whole_counts(tmp_path: Path, spent: int | None, status: str) -> None:
    make_task(tmp_path, checks=COSTLY, grading="")
    assert tried(tmp_path, Actor(("ask", "act"), spent))[0][1]["cheap"] == status


def test_doing_nothing_is_seen(tmp_path: Path) -> None:
    make_task(tmp_path, checks=CHECKS.replace('"comes_before"', '"required"').replace("first =", "action =").replace(
        'then = {tool = "act"}\n', ""))  # fmt: skip
    assert tried(tmp_path, NullAgent())[0][1]["asked-first"] == "failed"


def test_a_submission_is_seen_as_it_was_declared_or_not_at_all(tmp_path: Path) -> None:
    make_task(tmp_path)
    file = tmp_path / "solution/trajectory.json"
    file.write_bytes(orjson.dumps(document(acted("act"))))
    opaque = SubmissionAgent(model="reference", folders={"": tmp_path / "solution"})
    declared = SubmissionAgent(model="reference", folders={"": tmp_path / "solution"}, trajectories={"": file})
    assert tried(tmp_path, opaque)[0] == ("ungraded", {"word": "passed", "asked-first": "broken"})
    assert tried(tmp_path, declared)[0] == ("failed", {"word": "passed", "asked-first": "failed"})
