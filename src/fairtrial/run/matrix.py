"""Tasks x agents x attempts: the trials of a run, without those that a ledger holds already, in a fair order.

Attempts go round by round over all tasks, so that a run stopped early has about as many attempts of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fairtrial.grade import Grader
from fairtrial.ledger import Ledger, connect
from fairtrial.records import InputError
from fairtrial.run.attempt import Assignment
from fairtrial.run.engine import Engine, Lost
from fairtrial.run.protocol import Agent
from fairtrial.run.seeds import attempt_seed
from fairtrial.run.trial import Trial, Tried
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Task

Identity = tuple[str, str, str, str, str, int, str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to run."""

    tasks: Sequence[Task]
    agents: Sequence[Agent]
    attempts: int
    sandbox: Sandbox
    seed: int = 0
    allow_unisolated: bool = False
    passed: Mapping[str, str] = field(default_factory=dict)
    """Variables of this machine that the agents' commands are given; graders are not."""

    def assignments(self) -> Iterator[Assignment]:
        """Yield every attempt, round by round."""
        for attempt in range(self.attempts):
            for task in self.tasks:
                for agent in self.agents:
                    yield Assignment(task=task, agent=agent, attempt=attempt, sandbox=self.sandbox,
                                     passed=self.passed,
                                     seed=attempt_seed(self.seed, task.name, attempt))  # fmt: skip

    def refuse_unisolated(self) -> None:
        """Raise InputError where a model would choose commands in a sandbox that does not isolate."""
        if self.allow_unisolated or self.sandbox.capability().isolated:
            return
        if models := [agent.model for agent in self.agents if agent.needs_isolation]:
            raise InputError(
                f"the sandbox `{self.sandbox.name}` does not isolate, and {models[0]} would choose commands in it",
                hint="Use --sandbox bwrap or container, or take the risk with --allow-unisolated.",
            )


@dataclass(slots=True)
class Tally:
    """How a run went."""

    wanted: int = 0
    already_there: int = 0
    passed: int = 0
    failed: int = 0
    ungraded: int = 0
    lost: int = 0
    """Trials that ended in an error of the harness, or whose worker died; nothing of them is kept."""
    lost_why: str = ""
    """Why, of the first."""
    rewards_differ: int = 0
    """Trials whose grader wrote another reward than its grading.toml makes of the checks."""

    def count(self, tried: Tried) -> None:
        """Count one trial."""
        self.rewards_differ += "reward_differs" in tried.gradings[0].evidence
        if tried.gradings[0].outcome == "passed":
            self.passed += 1
        elif tried.gradings[0].outcome == "failed":
            self.failed += 1
        else:
            self.ungraded += 1


def held_attempts(ledger: Ledger) -> set[Identity]:
    """Return what names the attempts that have a graded verdict in `ledger`; broken ones are tried again."""
    rows = connect(ledger).execute(
        "select suite, task, model, agent, effort, attempt, settings, seed from outcomes where outcome <> 'ungraded'"
    )
    return {tuple(row) for row in rows.fetchall()}


def run_plan(
    plan: Plan,
    graders: Mapping[str, Grader],
    engine: Engine,
    keep: Callable[[Tried], None],
    held: set[Identity] | None = None,
) -> Tally:
    """Run `plan`, calling `keep` with each trial as it ends; attempts named in `held` are skipped."""
    plan.refuse_unisolated()
    tally = Tally()
    wanted: list[Trial] = []
    for assignment in plan.assignments():
        tally.wanted += 1
        if held and assignment.identity in held:
            tally.already_there += 1
        else:
            wanted.append(Trial(assignment=assignment, grader=graders[assignment.task.name]))
    for ended in engine.map(wanted):
        if isinstance(ended, Lost):
            tally.lost += 1
            tally.lost_why = tally.lost_why or ended.why
            continue
        keep(ended.value)
        tally.count(ended.value)
    return tally
