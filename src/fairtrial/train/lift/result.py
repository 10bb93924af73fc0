"""What lift says: one trained model against its base on shared held-out tasks, and what stands against the claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fairtrial.measure.result import Curve
from fairtrial.records import Degenerate, Estimate

Reading = Literal["gain", "loss", "within_noise", "not_measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyGain:
    """The gain on one family of tasks."""

    family: str
    base: float
    trained: float
    gain: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedGain:
    """The gain of one training seed."""

    seed: int | None
    base: float
    trained: float
    gain: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """pass@k of both, on the tasks both attempted, and where they cross."""

    base: Curve
    trained: Curve
    difference: Curve
    """trained - base at each k, with its simultaneous band."""
    crosses_at: int | None
    """First k at which the base is level or ahead after the trained was ahead."""
    reading: Literal["sharpening", "expansion", "open", "none"]
    """`sharpening`: ahead at small k only. `expansion`: ahead at every k measured. `open`: the band does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """One comparison."""

    base: str
    trained: str
    held_out_tasks: int
    runs_per_task: tuple[int, int]
    """Fewest and most graded runs of a task, of either model and any seed."""
    base_rate: Estimate
    trained_rate: Estimate
    gain: Estimate
    failures_fixed: float | None
    """gain / (1 - base rate); None where nothing failed."""
    gross_fixes: float
    regressions: float
    by_family: tuple[FamilyGain, ...]
    by_seed: tuple[SeedGain, ...]
    seeds: int
    """Training seeds paired; 1 where there is one or none was recorded."""
    beyond_noise: bool
    reading: Reading
    strict: Estimate | None
    """The gain where a pass that hit a limit counts as a failure; None where no stop was recorded."""
    curves: Curves | None
    degenerate: Degenerate
    """Not empty: this arm is a control, which must show no gain."""
    exploratory: bool
    """Its checkpoint was not fixed before training."""
    base_tokens: Estimate | None
    """Output tokens for one success, before; None where not recorded."""
    trained_tokens: Estimate | None
    notes: tuple[str, ...] = ()
    """What a reader must know: marked steps, unequal runs, a single seed."""
    control: bool = False
    """It is a control: a degenerate arm, or one that was named as a control."""
    control_bound: Estimate | None = None
    """Of a control: the gain that is ruled out, one-sided."""
    over_control: Estimate | None = None
    """The gain over the control that gained most; None where there is none, and for a control."""
    as_trained: Estimate | None = None
    """With several training seeds: the gain of these very models, whose interval is over tasks alone."""
    seeds_beyond: tuple[int, int] = (0, 0)
    """Training seeds whose own gain, and whose own loss, lies beyond noise."""
    noise_fixes: float | None = None
    """Gross fixes, and as many regressions, if each task's runs had been dealt to the two models at random."""
    tasks_fixed: tuple[str, ...] = ()
    """Tasks that gained beyond noise, one by one (Fisher, false discovery rate 5%)."""
    tasks_regressed: tuple[str, ...] = ()
    detectable: float | None = None
    """Gain that would lie beyond noise four times in five with these tasks, runs and seeds."""
    ungraded: tuple[int, int] = (0, 0)
    """Rollouts without a verdict, of base and trained."""
    ungraded_bounds: tuple[float, float] | None = None
    """Gain with every ungraded rollout against the trained model, and for it; None where all were graded."""
    left_out: tuple[tuple[str, str], ...] = ()
    """(task, why) of tasks of the board that this comparison could not use."""
    step: int | None = None
    """Training step of the trained model; None where none is recorded, or seeds stopped at several."""
    other_steps: tuple[int, ...] = ()
    """Steps of it that the ledger holds too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """All comparisons of one board."""

    locked: Mapping[str, str]
    """suite, settings, environment: the same for every model, or the comparison is refused."""
    comparisons: tuple[Lift, ...]
    refused: tuple[tuple[str, str], ...]
    """(model, why) of what cannot be compared on equal terms."""
    controls_hold: bool | None
    """None: there was no degenerate arm. False: one showed a gain, so the board's gains are in doubt."""
    abstained: tuple[str, ...]
    """What could not be said, and why."""
    notes: tuple[str, ...] = ()
    """What concerns every comparison: how held-out was told, how seeds were read, what was left out."""
    confidence: float = 0.95
    seed: int = 0
    """Seed of the bootstrap."""
