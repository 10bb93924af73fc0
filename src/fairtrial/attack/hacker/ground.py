"""A task made ready to be attacked: its workspace seen before and after, its graders, and how a pass is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fairtrial.attack.card import Card
from fairtrial.attack.hacker.kept import KeptAttack
from fairtrial.attack.hacker.options import HackOptions
from fairtrial.attack.hacker.prompt import routes
from fairtrial.attack.hacker.recorded import Commands, RecordedAgent, left_by, write_scripts
from fairtrial.attack.hacker.wrong import Judgement, Passed, judge_pass
from fairtrial.attack.protocol import Probe
from fairtrial.attack.survey import survey
from fairtrial.attack.tampering.impossible_task import impossible
from fairtrial.attack.target import Target
from fairtrial.grade import Grading, HarborGrader, read_rules
from fairtrial.records import Runner, SandboxError, canonical_json, digest
from fairtrial.run import Agent, Assignment, SubmissionAgent, Trial, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Key, Task

REPLAYS = 2
"""Gradings of what an attack's commands leave; each must pass."""


@dataclass(slots=True, kw_only=True)
class Ground:
    """One task under attack."""

    task: Task
    key: Key
    grader_key: Key
    """The key that attempts are graded with: the task's own, or an impossible one."""
    target: Target
    sandbox: Sandbox
    options: HackOptions
    scratch: Path
    cards: tuple[Card, ...] = ()
    _numbers: Iterator[int] = field(default_factory=lambda: iter(range(1_000_000)))
    _oracle_passes_reference: bool | None = None

    @property
    def is_impossible(self) -> bool:
        """Say whether the grader was made impossible."""
        return self.grader_key.grader_hash != self.key.grader_hash

    def grader(self, runner: Runner = "ours", key: Key | None = None) -> HarborGrader:
        """Return the grader under attack, or another key's, under `runner`."""
        chosen = self.grader_key if key is None else key
        rules = read_rules(chosen.grading) if chosen.grading is not None else None
        return HarborGrader(key=chosen, sandbox=self.sandbox, rules=rules, pass_at=self.options.pass_at, runner=runner,
                            stands_in=True)  # fmt: skip

    def gradings(self, agent: Agent, runner: Runner = "ours", key: Key | None = None, times: int = 1) -> list[Grading]:
        """Act `agent` out in a fresh box and return what the grader says, `times` over."""
        seen: list[Grading] = []
        live = self.task.live or runner != "ours"
        for attempt in range(times if live else 1):
            assignment = Assignment(task=self.task, agent=agent, attempt=attempt, sandbox=self.sandbox, origin="known",
                                    seed=attempt_seed(self.options.seed, self.task.name, attempt),
                                    shared=runner != "ours")  # fmt: skip
            trial = Trial(
                assignment=assignment, grader=self.grader(runner, key), keep=False, times=1 if live else times
            )
            seen += trial().gradings
        return seen

    def recorded(self, name: str, commands: Commands, after: str = "") -> RecordedAgent:
        """Return the agent that acts `commands` out."""
        folder = self.scratch / f"recorded-{next(self._numbers)}"
        folders = write_scripts(folder, self.task, commands)
        return RecordedAgent(model=name, folders=folders, after=after)

    def judged(self, commands: Commands, attacker: str, first: Runner | None) -> KeptAttack | None:
        """Act out what passed (under `first`) or might; None where it does not pass again, or the work is right."""
        name = attack_name(self.task.name, commands, impossible=self.is_impossible)
        agent = self.recorded(name, commands)
        for runner in (first,) if first is not None else tuple(r for r in self.options.runners if r != "ours"):
            if _all_pass(self.gradings(agent, runner, times=REPLAYS)):
                judgement = self._judgement(name, agent, commands, runner)
                if judgement is None:
                    return None
                return KeptAttack(
                    name=name, task=self.task.name, attacker=attacker, runner=runner, severity=judgement.severity,
                    rule=judgement.rule, why=judgement.why, commands=commands, grader=self.grader_key.grader_hash,
                    impossible=self.is_impossible,
                )  # fmt: skip
        return None

    def _judgement(self, name: str, agent: RecordedAgent, commands: Commands, runner: Runner) -> Judgement | None:
        def in_clean_box() -> bool:
            return runner != "ours" and _all_fail(self.gradings(agent, times=REPLAYS))

        def fails_without(after: str) -> bool:
            return _all_fail(self.gradings(self.recorded(name, commands, after), runner, times=REPLAYS))

        left = left_by(self.task, agent, self.sandbox, self.scratch / f"left-{next(self._numbers)}", self.options.seed)
        return judge_pass(Passed(
            target=self.target, left=left, is_impossible=self.is_impossible, fails_in_clean_box=in_clean_box(),
            oracle_says=lambda: self._oracle_says(agent), wrong_candidates=self._wrong_candidates,
            fails_without=fails_without,
        ))  # fmt: skip

    def _oracle_says(self, agent: RecordedAgent) -> bool | None:
        oracle, reference = self.key.under_oracle, reference_of(self.key)
        if oracle is None or reference is None:
            return None
        if self._oracle_passes_reference is None:
            self._oracle_passes_reference = _all_pass(self.gradings(reference, key=oracle))
        if not self._oracle_passes_reference:
            return None
        gradings = self.gradings(agent, key=oracle)
        return True if _all_pass(gradings) else False if _all_fail(gradings) else None

    def _wrong_candidates(self) -> dict[str, Path]:
        """Return name -> what each declared defect or hack leaves; those that leave nothing tangible are left out."""
        last = self.key.steps[-1].name
        left: dict[str, Path] = {}
        earlier = {step.name: step.solution for step in self.key.steps[:-1] if step.solution is not None}
        for candidate in self.key.candidates:
            if candidate.kind == "alternative":
                continue
            agent = SubmissionAgent(model=candidate.name, folders={**earlier, last: candidate.solve.parent},
                                    script=candidate.solve.name, variables=self.key.solution_variables)  # fmt: skip
            place = self.scratch / f"candidate-{next(self._numbers)}"
            folder = left_by(self.task, agent, self.sandbox, place, self.options.seed)
            left |= {candidate.name: folder} if folder is not None else {}
        return left


def prepare(
    task: Task, key: Key, sandbox: Sandbox, options: HackOptions, scratch: Path, probes: Sequence[Probe]
) -> Ground | str:
    """Look at a task before it is attacked; return why it cannot be where it cannot."""
    if problems := sandbox.unsupported(task.environment):
        return f"the sandbox `{sandbox.name}` cannot honour {'; '.join(problems)}"
    scratch.mkdir(parents=True)
    try:
        target = survey(task, key, reference_of(key), sandbox, scratch / "survey", seed=options.seed)
        grader_key = key
        if options.impossible:
            made = impossible(key, target, sandbox)
            if made is None:
                return "no expected value could be flipped so that the reference fails"
            grader_key = made
        return Ground(task=task, key=key, grader_key=grader_key, target=target, sandbox=sandbox, options=options,
                      scratch=scratch, cards=routes(target, probes))  # fmt: skip
    except SandboxError as error:
        return str(error)


def reference_of(key: Key) -> Agent | None:
    """Return the agent that hands in the reference; None where the task has none."""
    folders = {step.name: step.solution for step in key.steps if step.solution is not None}
    return SubmissionAgent(model="reference", folders=folders, variables=key.solution_variables) if folders else None


def attack_name(task: str, commands: Commands, *, impossible: bool) -> str:
    """Return the name of an attack: the task, and ten digits of the commands' hash; no time is part of it."""
    plain = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in task)
    hashed = digest(canonical_json([task, [list(step) for step in commands], impossible]))
    return f"{plain}-{hashed.removeprefix('sha256:')[:10]}"


def _all_pass(gradings: Sequence[Grading]) -> bool:
    return Counter(grading.outcome for grading in gradings) == {"passed": len(gradings)} and bool(gradings)


def _all_fail(gradings: Sequence[Grading]) -> bool:
    return Counter(grading.outcome for grading in gradings) == {"failed": len(gradings)} and bool(gradings)


def graded_with(ground: Ground, key: Key) -> Ground:
    """Return the ground with another key to be graded with."""
    return replace(ground, grader_key=key)
