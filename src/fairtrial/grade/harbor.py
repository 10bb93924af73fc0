"""Grade as Harbor's verifier does, made strict.

The agent's processes are dead. A fresh box of the pristine environment gets the deliverable, empty /logs, and /tests
read-only where the agent could never write; `test.sh` runs; the reward files say the score. A time-out, a killed
grader, a missing or senseless reward are `ungraded(reason)`. Exit codes below 128 are ignored, as Harbor does.
Checks of tests/checks.toml that need the trajectory or a judge run afterwards, out of the box.
For a task with `live = true` the grader runs in the agent's own box, services alive, as Harbor's shared mode does: what
that leaves open is the page's to say. `shared_box` also acts as laxer runners do, so that probes can be tried on them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairtrial.checks.aggregation import Rules, aggregate
from fairtrial.checks.judged.prompt import WORDS
from fairtrial.formats.atif import Trajectory
from fairtrial.formats.items import read_items, read_values
from fairtrial.grade.deliverable import deliverable_paths
from fairtrial.grade.outside import Outside, as_the_reference, declared_outside, graded_outside
from fairtrial.grade.protocol import Grading
from fairtrial.grade.reward import differs, read_reward
from fairtrial.grade.shared_box import LOGS, TESTS, lay_tests, run_tests
from fairtrial.models import ModelSpec
from fairtrial.records import (
    CheckResult,
    FormatError,
    InputError,
    Outcome,
    Runner,
    SandboxError,
    canonical_json,
    digest,
)
from fairtrial.sandbox import Box, Command, Completed, Mount, Sandbox, Taken
from fairtrial.sandbox.cache import scratch_folder
from fairtrial.tasks import Key, Step, StepKey, Task

PASS_AT = 1 - 1e-9
TAIL = 4000
_IN_WORKDIR = 'cd -- "$1" 2>/dev/null || cd /; exec bash /tests/test.sh'
"""An agent that removed the workdir, or made a file of it, is graded all the same."""
MOST_LOG_BYTES = 64_000_000
_KILLED_BY_SIGNAL = 128
_NOT_FOUND = 127


@dataclass(frozen=True, slots=True, kw_only=True)
class HarborGrader:
    """Grades one task with its key."""

    key: Key
    sandbox: Sandbox
    rules: Rules | None = None
    """Its grading.toml, where there is one. Of several steps it names the checks `STEP/CHECK`, all steps together."""
    pass_at: float = PASS_AT
    runner: Runner = "ours"
    """What becomes of the log folder and of /tests where it grades in the agent's own box."""
    stands_in: bool = False
    """Grade what nobody saw made as if it had come about as the reference did: for probes, which are about the work."""
    judge: ModelSpec | None = None
    """Who judges, where checks.toml has judged checks; without one they are broken."""

    @property
    def hash(self) -> str:
        """Return the content address of tests, rules and verifier settings, and of the judge where there is one."""
        if self.judge is None:
            return self.key.grader_hash
        return digest(canonical_json([self.key.grader_hash, self.judge.identity(), WORDS]))

    def grade(
        self, task: Task, step: Step, deliverable: Taken, live: Box | None = None, trajectory: Trajectory | None = None
    ) -> Grading:
        """Run the step's tests on the deliverable, then what is checked out of the box."""
        step_key = next(k for k in self.key.steps if k.name == step.name)
        began = time.monotonic()
        try:
            with scratch_folder() as scratch:
                logs, completed = self._run_tests(task, step_key, deliverable, live, scratch)
                if live is not None and _is_wrecked(live, completed):
                    said = "nothing runs any more in the box that the agent left"
                    seconds = time.monotonic() - began
                    return Grading(outcome="failed", score=0.0, evidence={"error": said}, seconds=seconds)
                file = declared_outside(step_key.tests)
                apart = Outside()
                if file is not None:
                    if trajectory is None and self.stands_in:
                        trajectory = as_the_reference(step_key.solution)
                    apart = graded_outside(file, deliverable.folder, trajectory, self.judge)
                return self._read(logs, completed, apart, time.monotonic() - began)
        except (SandboxError, FormatError) as error:
            reason = "sandbox" if isinstance(error, SandboxError) else "checks_toml"
            return Grading(outcome="ungraded", reason=reason, evidence={"error": str(error)},
                           seconds=time.monotonic() - began)  # fmt: skip

    def stops_after(self, step: Step, grading: Grading) -> bool:
        """Say whether the step's reward fell below Harbor's `min_reward`."""
        least = next(k for k in self.key.steps if k.name == step.name).min_reward
        reached = float(grading.outcome == "passed") if grading.score is None else grading.score
        return least is not None and reached < least

    def combine(self, task: Task, gradings: Sequence[Grading]) -> Grading:
        """Return the mean (or the final) of the steps' rewards; steps not reached count 0, an ungraded one ungrades."""
        if len(task.steps) == 1:
            return gradings[0]
        names = [step.name for step in task.steps]
        checks = tuple(
            CheckResult(f"{name}/{check.name}", check.status, check.message)
            for name, grading in zip(names, gradings, strict=False)
            for check in grading.checks
        )
        seconds = sum(grading.seconds for grading in gradings)
        evidence = {name: dict(grading.evidence) for name, grading in zip(names, gradings, strict=False)}
        for name, grading in zip(names, gradings, strict=False):
            if grading.outcome == "ungraded":
                return Grading(outcome="ungraded", reason=grading.reason, checks=checks,
                               evidence=evidence | {"step": name}, seconds=seconds)  # fmt: skip
        if self.rules is not None:
            return self._by_rules(self.rules, None, (*checks, *_not_reached(self.rules, names[len(gradings) :])),
                                  evidence, seconds)  # fmt: skip
        rewards = [grading.score or 0.0 for grading in gradings]
        rewards += [0.0] * (len(names) - len(rewards))
        score = rewards[-1] if self.key.reward_strategy == "final" else sum(rewards) / len(rewards)
        return Grading(outcome="passed" if score >= self.pass_at else "failed", score=score, checks=checks,
                       evidence=evidence, seconds=seconds)  # fmt: skip

    def _run_tests(
        self, task: Task, step_key: StepKey, deliverable: Taken, live: Box | None, scratch: Path
    ) -> tuple[Path, Completed]:
        command = Command(
            ("sh", "-c", _IN_WORKDIR, "test.sh", task.environment.workdir),
            cwd="/",
            variables=dict(self.key.verifier_variables),
            limits=replace(self.key.verifier_limits, seconds=step_key.verifier_seconds),
        )
        if live is not None:
            lay_tests(live, step_key.tests, scratch, self.runner)
            completed = run_tests(live, command, self.runner)
            taken = live.take([LOGS], scratch / "taken", MOST_LOG_BYTES)
            if step_key is not self.key.steps[-1]:
                live.put(_nothing(scratch), TESTS)  # the agent goes on, and must not read them
            return taken.folder / LOGS.lstrip("/"), completed
        prepared = self.sandbox.prepare(task.environment)
        with self.sandbox.open(prepared, [Mount(step_key.tests, TESTS)]) as box:
            for inside in deliverable_paths(task):
                handed_in = deliverable.folder / inside.lstrip("/")
                box.put(handed_in if handed_in.exists() else _nothing(scratch), inside)
            box.put(_nothing(scratch), LOGS)
            completed = box.run(command)
            taken = box.take([LOGS], scratch / "taken", MOST_LOG_BYTES)
            return taken.folder / LOGS.lstrip("/"), completed

    def _read(self, logs: Path, completed: Completed, apart: Outside, seconds: float) -> Grading:
        reported, trouble = read_items(logs)
        checks = apart.beside(reported)
        reward = read_reward(logs)
        evidence: dict[str, Any] = {"exit_code": completed.exit_code, "output": completed.output[-TAIL:]}
        if reward.detail:
            evidence["reward"] = reward.detail
        if trouble:
            evidence["report"] = trouble
        if values := {**read_values(logs), **apart.values}:
            evidence["values"] = values
        rules = self.rules if len(self.key.steps) == 1 else None
        # The kit writes no reward where a check that is broken, or runs out of the box, leaves the score open.
        says_why = any(c.status == "broken" for c in reported) if rules is not None else False
        says_why = says_why or (bool(apart) and (logs / "ctrf.json").is_file() and not trouble)
        reason = _why_broken(completed) or ("" if says_why else reward.reason)
        if says_why:
            evidence.pop("reward", None)
        if reason:
            return Grading(outcome="ungraded", reason=reason, checks=checks, evidence=evidence, seconds=seconds)
        if rules is not None:
            return self._by_rules(rules, reward.score, checks, evidence, seconds)
        if apart:
            return self._all_or_nothing(reward.score, checks, evidence, seconds)
        assert reward.score is not None
        outcome: Outcome = "passed" if reward.score >= self.pass_at else "failed"
        return Grading(outcome=outcome, score=reward.score, checks=checks, evidence=evidence, seconds=seconds)

    def _all_or_nothing(
        self, written: float | None, checks: tuple[CheckResult, ...], evidence: dict[str, Any], seconds: float
    ) -> Grading:
        """Grade without rules, where some checks ran out of the box: all must pass, and the reward that was written."""
        failed = [check.name for check in checks if check.status in ("failed", "skipped")]
        broken = [check.name for check in checks if check.status == "broken"]
        if failed or (written is not None and written < self.pass_at):
            score = 0.0 if failed or written is None else written
            return Grading(outcome="failed", score=score, checks=checks, evidence=evidence, seconds=seconds)
        if broken:
            return Grading(outcome="ungraded", reason="check_broken", checks=checks,
                           evidence=evidence | {"broken": broken} | _why_open(checks), seconds=seconds)  # fmt: skip
        return Grading(outcome="passed", score=1.0, checks=checks, evidence=evidence, seconds=seconds)

    @staticmethod
    def _by_rules(
        rules: Rules, written: float | None, checks: tuple[CheckResult, ...], evidence: dict[str, Any], seconds: float
    ) -> Grading:
        """Grade by what the checks came to; the reward that was `written` is only compared with it."""
        try:
            score = aggregate(rules, {c.name: None if c.status == "broken" else c.status == "passed" for c in checks})
        except InputError as error:
            return Grading(outcome="ungraded", reason="checks_do_not_match_grading_toml", checks=checks,
                           evidence=evidence | {"checks": error.what}, seconds=seconds)  # fmt: skip
        if score.not_measured:
            evidence["broken"] = list(score.not_measured)
        if score.correct is None:
            return Grading(outcome="ungraded", reason="check_broken", checks=checks,
                           evidence=evidence | _why_open(checks), seconds=seconds)  # fmt: skip
        evidence["reward_written"] = written
        if differs(written, score.score):
            evidence["reward_differs"] = f"the grader wrote {written:g}, its grading.toml makes {score.score:g}"
        return Grading(outcome="passed" if score.correct else "failed", score=score.score, checks=checks,
                       evidence=evidence, seconds=seconds)  # fmt: skip


def _why_open(checks: Sequence[CheckResult]) -> dict[str, str]:
    """Return what the first broken check said."""
    return next(({"error": f"{check.name}: {check.message}"} for check in checks if check.status == "broken"), {})


def _not_reached(rules: Rules, steps: Sequence[str]) -> tuple[CheckResult, ...]:
    """Return the checks of the steps that were not reached: work that was not done, so they are skipped."""
    begins = tuple(f"{step}/" for step in steps)
    return tuple(CheckResult(c.name, "skipped", "its step was not reached")
                 for c in rules.checks if begins and c.name.startswith(begins))  # fmt: skip


def _nothing(scratch: Path) -> Path:
    """Return an empty folder, laid where an agent removed what it was given."""
    folder = scratch / "nothing"
    folder.mkdir(exist_ok=True)
    return folder


def _is_wrecked(live: Box, completed: Completed) -> bool:
    """Say whether the grader could not start because nothing can in this box, which worked when the agent got it."""
    return completed.exit_code == _NOT_FOUND and live.run(Command(("bash", "-c", ":"), cwd="/")).exit_code != 0


def _why_broken(completed: Completed) -> str:
    if completed.killed:
        return {"timeout": "grader_timeout", "memory": "grader_out_of_memory", "output": "grader_output_limit"}.get(
            completed.killed, "grader_killed"
        )
    return "grader_killed" if completed.exit_code > _KILLED_BY_SIGNAL or completed.exit_code < 0 else ""
