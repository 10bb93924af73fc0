"""Who attempts the tasks: a language model asked text tasks, or an agent in a box. Attempts in, kept outcomes out.

What a server or a sandbox could not do is `ungraded(reason)`; where the budget is used up nothing is recorded and the
search is told. Each attempt is in the ledger before its outcome is counted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from fairtrial.authoring.calibrate.made import Ready
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.grade.protocol import Grading
from fairtrial.grade.text import grade_text, text_grader_hash
from fairtrial.ledger import Writer
from fairtrial.models import (
    Answered,
    Infrastructure,
    LanguageModel,
    OverBudget,
    Refused,
    Reply,
    Request,
    Said,
    Truncated,
    Unparsed,
    Usage,
)
from fairtrial.models import Outcome as ModelOutcome
from fairtrial.records import Outcome, Rollout, Verdict, record_id, storable
from fairtrial.run import Agent, Assignment, Engine, Lost, Trial, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks.text import Message, TextTask

TEXT_AGENT, ENVIRONMENT, SPLIT = "completion", "text", "train"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One attempt to be made."""

    task: Ready
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempted:
    """What came of one attempt."""

    outcome: Outcome | None
    """None: nothing was asked, the budget is used up."""
    why: str = ""
    cost_usd: float | None = None


class Taker(Protocol):
    """Somebody who attempts tasks."""

    @property
    def model(self) -> str:
        """Name the policy."""
        ...

    def settings(self, task: Ready) -> str:
        """Return a hash of all that it was set to."""
        ...

    def attempt(self, wanted: Sequence[Wanted], writer: Writer) -> list[Attempted]:
        """Make the attempts, keep each, and return what came of them in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTaker:
    """A language model that answers text tasks in one reply."""

    language_model: LanguageModel
    at_once: int = 8

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self.language_model.spec.name

    def settings(self, task: Ready) -> str:
        """Return a hash of the model's settings."""
        del task
        return record_id("settings/1", {"agent": TEXT_AGENT, "settings": self.language_model.spec.identity()})

    def attempt(self, wanted: Sequence[Wanted], writer: Writer) -> list[Attempted]:
        """Ask once each, several at once."""
        with ThreadPoolExecutor(min(self.at_once, max(1, len(wanted)))) as pool:
            return list(pool.map(lambda one: self._ask(one, writer), wanted))

    def _ask(self, wanted: Wanted, writer: Writer) -> Attempted:
        task, key = wanted.task.text_task, wanted.task.text_key
        assert task is not None
        assert key is not None
        began = time.monotonic()
        said = self.language_model.ask(request_of(task))
        if isinstance(said, OverBudget):
            return Attempted(outcome=None, why=said.why)
        text, stop, usage, why = told(said)
        grading = Grading(outcome="ungraded", reason=why) if why else grade_text(key, text)
        spec = self.language_model.spec
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        rollout = Rollout(
            task=task.name, model=spec.name, attempt=wanted.attempt, suite=task.suite, agent=TEXT_AGENT,
            effort=spec.effort, settings=self.settings(wanted.task), environment=ENVIRONMENT,
            seed=wanted.task.made.seed, answer=None if why else storable(text), split=SPLIT, domain=task.domain,
            family=task.family, cluster=task.cluster, task_hash=task.hash, stop=stop, steps=1,
            input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, cost_usd=usage.cost_usd,
            seconds=time.monotonic() - began, recorded_at=now,
        )  # fmt: skip
        writer.add(rollout, Verdict(
            rollout=rollout.id, outcome=grading.outcome, reason=grading.reason, score=grading.score,
            grader=text_grader_hash(key), expected=key.answer, task_hash=task.hash, recorded_at=now,
        ))  # fmt: skip
        return Attempted(outcome=grading.outcome, why=why, cost_usd=usage.cost_usd)


def request_of(task: TextTask) -> Request:
    """Return what the model is asked: the prompt as it stands, no word of ours beside it."""
    messages = (Message("user", task.prompt),) if isinstance(task.prompt, str) else task.prompt
    system = "\n\n".join(one.content for one in messages if one.role == "system")
    turns = tuple(Reply(text=one.content) if one.role == "assistant" else Said(text=one.content)
                  for one in messages if one.role != "system")  # fmt: skip
    return Request(instructions=system, messages=turns)


def told(said: ModelOutcome) -> tuple[str, str, Usage, str]:
    """Return the reply's text, why it stopped, what it used, and why it cannot be graded (empty where it can)."""
    match said:
        case Answered(reply=reply, usage=usage) | Unparsed(reply=reply, usage=usage):
            return reply.text, "finished", usage, ""
        case Truncated(reply=reply, usage=usage):
            return reply.text, "output_limit", usage, ""
        case Refused(usage=usage):
            return "", "refused", usage, ""
        case Infrastructure(reason=reason):
            return "", "", Usage(), f"model_{reason}"
        case OverBudget():
            return "", "budget", Usage(), "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTaker:
    """An agent that acts in boxes of task folders."""

    agent: Agent
    sandbox: Sandbox
    engine: Engine
    seed: int = 0
    pass_at: float = 1.0

    @property
    def model(self) -> str:
        """Return the policy's name."""
        return self.agent.model

    def settings(self, task: Ready) -> str:
        """Return the hash that the attempt's rollout carries."""
        return self._assignment(Wanted(task)).settings

    def attempt(self, wanted: Sequence[Wanted], writer: Writer) -> list[Attempted]:
        """Run the trials; one that was lost to an error of the harness is ungraded and not kept."""
        found = [Attempted(outcome="ungraded", why="lost")] * len(wanted)
        for ended in self.engine.map([self._trial(one) for one in wanted]):
            if isinstance(ended, Lost):
                found[ended.index] = Attempted(outcome="ungraded", why=f"lost: {ended.why}")
                continue
            tried = ended.value
            tried.keep(writer)
            grading = tried.gradings[0]
            found[ended.index] = Attempted(outcome=grading.outcome, why=grading.reason,
                                           cost_usd=tried.rollout.cost_usd)  # fmt: skip
        return found

    def _assignment(self, wanted: Wanted) -> Assignment:
        task = wanted.task.task
        assert task is not None
        return Assignment(task=task, agent=self.agent, attempt=wanted.attempt, sandbox=self.sandbox,
                          seed=attempt_seed(self.seed, task.name, wanted.attempt))  # fmt: skip

    def _trial(self, wanted: Wanted) -> Trial:
        key = wanted.task.key
        assert key is not None
        rules = read_rules(key.grading) if key.grading is not None else None
        grader = HarborGrader(key=key, sandbox=self.sandbox, rules=rules, pass_at=self.pass_at)
        return Trial(assignment=self._assignment(wanted), grader=grader)
