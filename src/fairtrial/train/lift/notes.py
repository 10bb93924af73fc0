"""What a reader of a comparison must know, in words: few runs, few seeds, marked steps, what ungraded could change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.records import Estimate
from fairtrial.train.lift.arms import Arm, Pair
from fairtrial.train.lift.gains import reading_of
from fairtrial.train.lift.result import FamilyGain
from fairtrial.train.lift.steps import Chosen

NORM_RUNS = 8
_FEW_SEEDS = 3
_MOST_STEPS = 8
_MANY_AT_LIMIT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One comparison as it stands, for its notes."""

    pair: Pair
    arms: tuple[Arm, Arm]
    chosen: tuple[Chosen, Chosen]
    gain: Estimate
    strict: Estimate | None
    by_family: tuple[FamilyGain, ...]
    runs: tuple[int, int]


def notes_of(told: Told) -> tuple[str, ...]:
    """Return the notes of one comparison."""
    return (*_runs(told), *_seeds(told), *_checkpoints(told), *_beneath(told), *_ungraded(told))


def _runs(told: Told) -> Iterator[str]:
    least, most = told.runs
    if least < NORM_RUNS:
        many = str(least) if least == most else f"{least} to {most}"
        yield f"{many} graded {'run' if most == 1 else 'runs'} a task; {NORM_RUNS} is the norm"
    if told.pair.left_out:
        yield f"{len(told.pair.left_out)} tasks were not compared, for want of a graded run"


def _seeds(told: Told) -> Iterator[str]:
    base, trained = told.arms
    seeds = len(told.pair.seeds)
    if seeds == 1:
        yield "one training seed: the interval says nothing of another training of the same recipe"
    elif seeds < _FEW_SEEDS:
        yield "two training seeds: the spread between seeds rests on one difference; three or more are better"
    unpaired = sorted({s for s in (*base.seeds, *trained.seeds) if s is not None} - set(told.pair.seeds))
    if unpaired:
        yield f"seeds without a partner are left out: {', '.join(map(str, unpaired))}"
    if seeds > 1 and base.seeds == (None,):
        yield "one base stands beside every training seed"
    if seeds > 1 and trained.seeds == (None,):
        yield (
            "one trained model without a training seed stands beside every seed of the base: the interval says "
            "nothing of another training of the same recipe"
        )


def _checkpoints(told: Told) -> Iterator[str]:
    for arm, chosen in zip(told.arms, told.chosen, strict=True):
        for note in chosen.notes:
            yield f"{arm.name}: {note}"
        if chosen.exploratory:
            yield f"{arm.name}: its checkpoint was not fixed before training; what is found on it is exploratory"
        for each in chosen.checkpoints:
            named = f"{arm.name}, seed {each.seed}"
            if each.outage_steps:
                steps = ", ".join(map(str, each.outage_steps[:_MOST_STEPS]))
                more = " …" if len(each.outage_steps) > _MOST_STEPS else ""
                yield f"{named}: steps marked as an outage are part of its training: {steps}{more}"
            if each.paused:
                yield f"{named}: its training was paused: {each.paused}"


def _beneath(told: Told) -> Iterator[str]:
    whole = reading_of(told.gain)
    if told.strict is not None and (strict := reading_of(told.strict)) != whole:
        yield f"with passes at a limit as fails it reads otherwise: {strict.replace('_', ' ')}"
    shares = [arm.at_limit for arm in told.arms]
    if None not in shares and max(share or 0.0 for share in shares) > _MANY_AT_LIMIT:
        before, after = (f"{share or 0.0:.0%}" for share in shares)
        yield (
            f"stopped at a limit: {before} of the base's runs, {after} of the trained model's; under a higher limit "
            "some that failed might have passed"
        )
    if lost := [each.family for each in told.by_family if reading_of(each.gain) == "loss" != whole]:
        yield f"families that lost beyond noise: {', '.join(lost)}"


def _ungraded(told: Told) -> Iterator[str]:
    bounds, gain = told.pair.ungraded_bounds, told.gain
    if bounds is None or gain.low is None or gain.high is None:
        return
    if (gain.low > 0 and bounds[0] <= 0) or (gain.high < 0 and bounds[1] >= 0):
        yield (f"ungraded rollouts could turn it round: counted against and for the gain, it lies between "
               f"{bounds[0]:+.3f} and {bounds[1]:+.3f}")  # fmt: skip
