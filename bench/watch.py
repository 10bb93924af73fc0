"""How often the watch stops a run that is only unlucky, and how soon it stops one whose attempts all fail.

    .venv/bin/python bench/watch.py [RUNS]

Runs of 300 steps of 16 groups of 8 (or 8 of 4) over 150 tasks a family, each task with its own rate around that of its
family (a Beta with concentration 2, or .2: nearly all or nothing). An outage begins at step 101. Hacks: 200 steps of 8
reviews, each of another task. docs/watch.md states what this prints. Not covered: trends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from fairtrial.audit.hacks import Member
from fairtrial.train.log import StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.hacking import Hacking
from fairtrial.train.watch.known import Attempted, Known
from fairtrial.train.watch.seen import Counts, Seen
from fairtrial.train.watch.silence import Silence

STEPS, TASKS, OUTAGE_AT = 300, 150, 101


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One kind of run."""

    name: str
    rates: Mapping[str, float]
    groups: int = 16
    size: int = 8
    concentration: float = 2.0
    known: bool = False
    drift: Callable[[int], float] = lambda _: 1.0
    """Factor of every rate at a step."""


def main(runs: int) -> None:
    """Print both tables."""
    print(f"false pauses in {runs} runs of {STEPS} steps of the first kind, {runs // 5} of each other")
    for setting in (
        Setting(name="2%", rates={"a": 0.02}),
        Setting(name="2%, evaluated before", rates={"a": 0.02}, known=True),
        Setting(name="2%, 8 groups of 4", rates={"a": 0.02}, groups=8, size=4, known=True),
        Setting(name="5%, 8 groups of 4", rates={"a": 0.05}, groups=8, size=4),
        Setting(name="2%, all or nothing", rates={"a": 0.02}, concentration=0.2),
        Setting(name="30% and 0%, 8 groups of 4", rates={"a": 0.3, "b": 0.0}, groups=8, size=4),
        Setting(name="20% falling to 1%", rates={"a": 0.2}, drift=lambda step: max(0.05, 1 - step / 250)),
    ):
        tried = runs if setting.name == "2%" else runs // 5
        paused = sum(paused_at(setting, seed, outage_at=None) is not None for seed in range(tried))
        print(f"  {setting.name:32} {paused:5} of {tried}", flush=True)
    print(f"steps to the pause, outage from step {OUTAGE_AT}: median, 95% of runs, never in {STEPS - OUTAGE_AT + 1}")
    few = max(20, runs // 20)
    for rate in (0.02, 0.05, 0.1, 0.3):
        for groups, size in ((16, 8), (8, 4)):
            setting = Setting(name="", rates={"a": rate}, groups=groups, size=size)
            at = [paused_at(setting, seed, outage_at=OUTAGE_AT) for seed in range(few)]
            found = [step - OUTAGE_AT + 1 for step in at if step is not None]
            words = f"{np.quantile(found, 0.5):.0f} {np.quantile(found, 0.95):.0f}" if found else "-"
            print(f"  {rate:.0%} {groups} x {size:2}: {words}, {few - len(found)} of {few} never")
    print("runs of 200 steps that were stopped for hacks, and the median step")
    for rate in (0.015, 0.02, 0.05, 0.1, 0.3):
        at = [hacks_stopped_at(rate, seed) for seed in range(max(20, runs // 25))]
        found = [step for step in at if step is not None]
        print(f"  {rate:.1%}: {len(found)} of {len(at)}, {np.median(found) if found else '-'}", flush=True)


def paused_at(setting: Setting, seed: int, outage_at: int | None) -> int | None:
    """Return the step at which a run is paused; None where it is not. Steps before an outage do not count."""
    generator = np.random.default_rng(seed)
    families = [name for name in setting.rates for _ in range(TASKS)]
    own = np.concatenate([_own(rate, setting.concentration, generator) for rate in setting.rates.values()])
    known = Known()
    if setting.known:
        known = Known(tasks={f"t{i}": Attempted(family=families[i], graded=8, passed=int(generator.binomial(8, own[i])))
                             for i in range(len(own))})  # fmt: skip
    silence = Silence(Watch(), known)
    for step in range(1, STEPS + 1):
        chosen = generator.choice(len(own), size=setting.groups, replace=False)
        rate = 0.0 if outage_at is not None and step >= outage_at else setting.drift(step)
        passed = generator.binomial(setting.size, own[chosen] * rate)
        counts = tuple(Counts(task=f"t{i}", family=families[i], passed=int(c), failed=setting.size - int(c), ungraded=0)
                       for i, c in zip(chosen, passed, strict=True))  # fmt: skip
        alarm = silence.see(Seen(line=StepLine(step=step, stage=1, method="grpo"), groups=(), counts=counts), "")
        if alarm is not None and alarm.pauses and alarm.kind != "no_signal":
            return step
    return None


def hacks_stopped_at(rate: float, seed: int) -> int | None:
    """Return the step at which a run with so many hacks is stopped for them; None where it is not."""
    generator, hacking = np.random.default_rng(seed), Hacking(Watch())
    for step in range(1, 201):
        hacks = generator.random(8) < rate
        members = [Member(group=f"{step}-{i}", step=step, suspected=False, hack=bool(hack))
                   for i, hack in enumerate(hacks)]  # fmt: skip
        if hacking.see(members, step) is not None:
            return step
    return None


def _own(rate: float, concentration: float, generator: np.random.Generator) -> np.ndarray:
    if rate == 0:
        return np.zeros(TASKS)
    return generator.beta(rate * concentration, (1 - rate) * concentration, size=TASKS)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
