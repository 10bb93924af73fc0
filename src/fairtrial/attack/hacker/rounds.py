"""Rounds of attack: a model tries each task, what passes is acted out again without it, and the next round knows it.

Rounds go on until one finds nothing new, or their number or the budget ends. The budget is shared out before each wave
of attempts, so it is kept to within the last reply of each attempt in flight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fairtrial.attack.catalogue import workspace_probes
from fairtrial.attack.hacker.ground import Ground, graded_with, prepare
from fairtrial.attack.hacker.kept import KeptAttack, folders_of, grader_of, keep, read_kept
from fairtrial.attack.hacker.options import Attacked, HackOptions, Round, TaskTally
from fairtrial.attack.hacker.prompt import prompt
from fairtrial.attack.hacker.recorded import RecordedAgent, commands_of
from fairtrial.records import Runner
from fairtrial.run import Assignment, Done, Engine, Trial, Tried, attempt_seed
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite

OnTried = Callable[[Tried], None]
BUDGET = "budget"
"""Why an attempt stopped whose share was used up: it had no fair chance, so it is no attempt that found nothing."""
Play = tuple[Ground, TerminalAgent, int]
"""A task, who attacks it, and the number of the attempt."""


@dataclass(slots=True, kw_only=True)
class Purse:
    """What is left of the budget of an attack."""

    usd: float | None = None
    tokens: int | None = None
    spent_usd: float = 0.0
    spent_tokens: int = 0
    is_priced: bool = False
    is_tight: bool = False
    """An attempt ended because its share was used up: whoever comes next goes alone, with all that is left."""
    is_exhausted: bool = False
    """That was not enough either."""

    def count(self, tried: Tried, shares: int) -> None:
        """Charge one trial, which had one of `shares` of what was left."""
        if tried.rollout.stop == BUDGET:
            self.is_exhausted = self.is_exhausted or shares == 1
            self.is_tight = True
        self.spent_tokens += (tried.rollout.input_tokens or 0) + (tried.rollout.output_tokens or 0)
        self.is_priced = self.is_priced or tried.rollout.cost_usd is not None
        self.spent_usd += tried.rollout.cost_usd or 0.0

    @property
    def is_empty(self) -> bool:
        """Say whether nothing is left."""
        no_usd = self.usd is not None and self.spent_usd >= self.usd
        return self.is_exhausted or no_usd or (self.tokens is not None and self.spent_tokens >= self.tokens)

    def wave(self, at_once: int) -> int:
        """Return how many may share what is left."""
        return 1 if self.is_tight else at_once

    def shared(self, agent: TerminalAgent, shares: int) -> TerminalAgent:
        """Return `agent` with one of so many equal shares of what is left."""
        usd = None if self.usd is None else max(self.usd - self.spent_usd, 0.0) / shares
        tokens = None if self.tokens is None else max(self.tokens - self.spent_tokens, 0) // shares
        return replace(agent, most_usd=usd if usd is not None else agent.most_usd,
                       most_tokens=tokens if tokens is not None else agent.most_tokens)  # fmt: skip


def reason_ungraded(tried: Tried | None) -> str:
    """Return why a trial says nothing; empty where it does."""
    if tried is None:
        return "harness"
    grading = tried.gradings[0]
    if tried.rollout.stop == BUDGET and grading.outcome != "passed":
        return BUDGET
    return grading.reason if grading.outcome == "ungraded" else ""


@dataclass(slots=True, kw_only=True)
class Attack:
    """An attack in progress."""

    suite: Suite
    sandbox: Sandbox
    engine: Engine
    options: HackOptions
    attacker: TerminalAgent
    scratch: Path
    out: Path
    """Where attacks are kept: the suite, unless its author wants them elsewhere."""
    on_tried: OnTried
    purse: Purse
    grounds: dict[str, Ground] = field(default_factory=dict)
    tallies: dict[str, TaskTally] = field(default_factory=dict)

    def run(self) -> Attacked:
        """Attack, round by round, keeping each attack as it is found."""
        self._prepare()
        before = self._tried_again()
        kept = {attack.name: attack for attack, _ in before}
        rounds: list[Round] = []
        found: list[KeptAttack] = []
        stopped = "rounds"
        for number in range(1, self.options.rounds + 1):
            if self.purse.is_empty:
                stopped = "budget"
                break
            one = self._round(number, tuple(kept.values()))
            rounds.append(one)
            found += one.found
            kept |= {attack.name: attack for attack in one.found}
            if not one.found:
                stopped = "budget" if self.purse.is_empty else "none found" if one.graded else "none graded"
                break
        return Attacked(
            rounds=tuple(rounds), tasks=tuple(self.tallies.values()), attacks=tuple(found), kept_before=before,
            stopped=stopped, tokens=self.purse.spent_tokens,
            cost_usd=self.purse.spent_usd if self.purse.is_priced else None,
        )  # fmt: skip

    def _prepare(self) -> None:
        probes = workspace_probes()
        for number, task in enumerate(self.suite.tasks):
            key = self.suite.keys[task.name]
            made = prepare(task, key, self.sandbox, self.options, self.scratch / f"task-{number}", probes)
            why_not = made if isinstance(made, str) else ""
            self.tallies[task.name] = TaskTally(task=task.name, path=str(key.path), why_not=why_not)
            if not isinstance(made, str):
                self.grounds[task.name] = made

    def _tried_again(self) -> tuple[tuple[KeptAttack, bool | None], ...]:
        """Act out every attack that was kept before, and say whether it still passes."""
        seen: list[tuple[KeptAttack, bool | None]] = []
        for attack in read_kept(self.out):
            ground = self.grounds.get(attack.task)
            key = grader_of(attack, ground.target) if ground is not None else None
            if ground is None or key is None:
                seen.append((attack, None))
                continue
            agent = RecordedAgent(model=attack.name, folders=folders_of(self.out, attack, ground.task))
            outcomes = {one.outcome for one in graded_with(ground, key).gradings(agent, attack.runner)}
            seen.append((attack, None if "ungraded" in outcomes else outcomes == {"passed"}))
        return tuple(seen)

    def _round(self, number: int, kept: Sequence[KeptAttack]) -> Round:
        counted: Counter[str] = Counter()
        ungraded: Counter[str] = Counter()
        found: dict[str, KeptAttack] = {}
        known = {attack.name for attack in kept}
        for ground, tried in self._attempted(number, kept):
            counted["attempts"] += 1
            grading = tried.gradings[0] if tried is not None else None
            reason = reason_ungraded(tried)
            if tried is None or grading is None or reason:
                ungraded[reason] += 1
                self._count(ground, None, graded=False)
                continue
            counted["graded"] += 1
            commands = commands_of(tried)
            attack = None
            if grading.outcome == "passed" or len(self.options.runners) > 1:
                counted["passed"] += grading.outcome == "passed"
                first: Runner | None = "ours" if grading.outcome == "passed" else None
                attack = ground.judged(commands, self.attacker_name, first)
                counted["passed"] += attack is not None and grading.outcome != "passed"
                counted["reproduced"] += attack is not None
            self._count(ground, attack, graded=True)
            if attack is not None and attack.name not in known and attack.name not in found:
                found[attack.name] = attack
                keep(self.out, [attack], self.suite.tasks)
        return Round(
            number=number, attempts=counted["attempts"], graded=counted["graded"], ungraded=dict(ungraded),
            passed=counted["passed"], reproduced=counted["reproduced"], found=tuple(found.values()),
        )  # fmt: skip

    def _attempted(self, number: int, kept: Sequence[KeptAttack]) -> Iterator[tuple[Ground, Tried | None]]:
        """Let the model attack every task, in waves that share what is left of the budget."""
        plays: list[Play] = [
            (ground, replace(self.attacker, prompt=prompt(ground.cards, kept, name)),
             (number - 1) * self.options.attempts + attempt)
            for attempt in range(self.options.attempts)
            for name, ground in self.grounds.items()
        ]  # fmt: skip
        while plays and not self.purse.is_empty:
            size = self.purse.wave(self.options.at_once)
            wave, plays = plays[:size], plays[size:]
            for ended in self.engine.map([self._trial(play, len(wave)) for play in wave]):
                ground = wave[ended.index][0]
                if not isinstance(ended, Done):
                    yield ground, None
                    continue
                self.purse.count(ended.value, len(wave))
                self.on_tried(ended.value)
                yield ground, ended.value

    def _trial(self, play: Play, shares: int) -> Trial:
        ground, agent, attempt = play
        assignment = Assignment(
            task=ground.task, agent=self.purse.shared(agent, shares * len(ground.task.steps)), attempt=attempt,
            sandbox=self.sandbox, origin="known", seed=attempt_seed(self.options.seed, ground.task.name, attempt),
        )  # fmt: skip
        return Trial(assignment=assignment, grader=ground.grader())

    def _count(self, ground: Ground, attack: KeptAttack | None, *, graded: bool) -> None:
        tally = self.tallies[ground.task.name]
        severity = "" if attack is None else attack.severity
        self.tallies[ground.task.name] = replace(
            tally, attempts=tally.attempts + 1, graded=tally.graded + graded,
            proofs=tally.proofs + (severity == "proof"), leads=tally.leads + (severity == "lead"),
        )  # fmt: skip

    @property
    def attacker_name(self) -> str:
        """Return the attacker as figures name models: MODEL or MODEL@EFFORT."""
        effort = self.attacker.effort
        return f"{self.attacker.model}@{effort}" if effort else self.attacker.model
