"""What models gained over their base on one shared board: reading, locking, pairing, and the controls.

A control (an arm whose reward teaches nothing) must show no gain. One that gains beyond noise puts every gain of the
board in doubt; one that does not rules out gains above its one-sided bound and no smaller ones.
Not covered: what a gain cost and which tasks taught (`train.price`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.ledger import Ledger
from fairtrial.measure.comparison import share_of_failures_fixed
from fairtrial.records import Checkpoint, Degenerate, Estimate, InputError
from fairtrial.train.lift import gains
from fairtrial.train.lift.arms import Arm, Pair, arm_of, lacking, pair
from fairtrial.train.lift.curves import curves_of
from fairtrial.train.lift.locking import Board, board_of
from fairtrial.train.lift.notes import Told, notes_of
from fairtrial.train.lift.options import Options
from fairtrial.train.lift.reading import Held, Line, read_models
from fairtrial.train.lift.result import Lift, Lifted
from fairtrial.train.lift.seeds import are_of_training, is_one_run_each, with_seeds, without_seeds
from fairtrial.train.lift.steps import Chosen, chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One model as it is compared."""

    arm: Arm
    chosen: Chosen


def lift(ledger: Ledger, base: str, trained: Sequence[str], options: Options | None = None) -> Lifted:
    """Return what each of `trained`, and of the controls, gained over `base` in `ledger`.

    Raise InputError for a name that is not there, one that is named twice over, or a board that is left open. What
    cannot be compared on equal terms is in `refused`.
    """
    asked = options or Options()
    return lift_of(_read(ledger, base, trained, asked), asked)


def lift_of(held: Held, options: Options) -> Lifted:
    """Return what `lift` says, of what was read of a ledger: the first model is the base."""
    base, asked = next(iter(held.lines)), options
    met = _meet(held, asked)
    board, sides = met.board, met.sides
    compared, refused = [], list(board.refused)
    for name, both in met.pairs():
        if isinstance(both, str):
            refused.append((name, both))
        else:
            compared.append((both, _lift(both, sides[base], sides[name], name in asked.controls, asked)))
    lifts = _with_controls(compared, asked)
    return Lifted(
        locked={field: value for field, value in zip(board.place._fields, board.place, strict=True) if value},
        comparisons=lifts, refused=tuple(sorted(refused)), controls_hold=_controls_hold(lifts),
        abstained=_abstained(lifts),
        notes=(*board.notes, *met.notes, *_unnamed_controls(held.checkpoints, list(held.lines))),
        confidence=asked.confidence, seed=asked.seed,
    )  # fmt: skip


def pairs(ledger: Ledger, base: str, trained: Sequence[str], options: Options | None = None) -> dict[str, Pair]:
    """Return what `lift` compares, by model: both on shared seeds and tasks. What it refuses is absent.

    Raise InputError as `lift` does.
    """
    asked = options or Options()
    met = _meet(_read(ledger, base, trained, asked), asked)
    return {name: both for name, both in met.pairs() if not isinstance(both, str)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """The models of one board, the base first."""

    board: Board
    sides: Mapping[str, _Side]
    notes: list[str]
    shared_tasks: bool

    def pairs(self) -> Iterator[tuple[str, Pair | str]]:
        """Yield every accepted model with the base, or why they cannot be paired."""
        base, *others = (self.sides[name].arm for name in self.sides)
        for arm in others:
            if not self.shared_tasks and (why := lacking(base, arm)):
                yield arm.name, why
            else:
                both = pair(base, arm, self.board.cluster, self.board.family)
                yield arm.name, both or _why_not(base, arm)


def _read(ledger: Ledger, base: str, trained: Sequence[str], asked: Options) -> Held:
    return read_models(ledger, _names(base, trained, asked), [Ledger.open(path) for path in asked.training])


def _meet(held: Held, asked: Options) -> _Met:
    base = next(iter(held.lines))
    board = board_of(held.lines, base, held.trained_on, asked)
    sides, notes = _sides(board, base, held.checkpoints, asked)
    return _Met(board=board, sides=sides, notes=notes, shared_tasks=asked.shared_tasks)


def _names(base: str, trained: Sequence[str], options: Options) -> tuple[str, ...]:
    """Return the base, then every model that is compared with it, each once."""
    names = (base, *dict.fromkeys((*trained, *options.controls)))
    if not trained and not options.controls:
        raise InputError("names no trained model", field="--trained")
    if base in names[1:]:
        raise InputError(f"`{base}` cannot be its own base", field="--base")
    return names


def _sides(
    board: Board, base: str, checkpoints: Sequence[Checkpoint], options: Options
) -> tuple[dict[str, _Side], list[str]]:
    """Return every accepted model with its seeds read and its checkpoint chosen, and what is said of all."""
    sides: dict[str, _Side] = {}
    notes: list[str] = []
    for name, lines in board.lines.items():
        mine = _recorded(name, lines[0].model, checkpoints)
        asked = options.base_seeds or options.seeds if name == base else options.seeds
        of_training = are_of_training(lines, {each.seed for each in mine.values()}, asked)
        taken = with_seeds(lines) if of_training else without_seeds(lines)
        step = options.base_step if name == base else options.step
        is_control = name in options.controls or any(each.degenerate for each in mine.values())
        if is_control and step not in {line.step for line in taken}:
            step = None  # a control is trained for as long as it takes to show that it gains nothing
        picked = chosen(name, taken, mine, step)
        sides[name] = _Side(arm=arm_of(name, picked.lines, board.tasks), chosen=picked)
        option = "--base-seeds" if name == base else "--seeds"
        notes += _seed_notes(name, lines, of_training, of_training and not mine and is_one_run_each(taken), option)
    return sides, notes


def _recorded(name: str, model: str, checkpoints: Sequence[Checkpoint]) -> dict[tuple[int | None, int], Checkpoint]:
    """Return the checkpoints of `model` by seed and step. Raise InputError where two trainings share one of them."""
    found: dict[tuple[int | None, int], Checkpoint] = {}
    for each in checkpoints:
        if each.model == model:
            before = found.setdefault((each.seed, each.step), each)
            if before.weights_hash and each.weights_hash and before.weights_hash != each.weights_hash:
                raise InputError(f"two trainings of `{name}` are recorded at seed {each.seed}, step {each.step}",
                                 hint="Their rollouts cannot be told apart. Train under another name.")  # fmt: skip
            found[each.seed, each.step] = each
    return found


def _seed_notes(name: str, lines: Sequence[Line], of_training: bool, may_be_either: bool, option: str) -> Iterator[str]:
    """Yield how the seeds of one model were read."""
    if any(line.seed is not None for line in lines):
        yield f"{name}: seeds are read as " + ("training seeds" if of_training else "seeds of sampling, one an attempt")
    if of_training and (unseeded := sum(line.runs for line in lines if line.seed is None)):
        yield f"{name}: {unseeded:,} rollouts without a training seed are left out"
    if may_be_either:
        yield f"{name}: each seed has one run a task; if its seeds are of sampling, say {option} none"


def _why_not(base: Arm, trained: Arm) -> str:
    if not set(base.seeds) & {*trained.seeds, None} and None not in trained.seeds:
        return (f"shares no training seed with the base: {', '.join(map(str, trained.seeds))} against "
                f"{', '.join(map(str, base.seeds))}")  # fmt: skip
    return "no task has a graded run of both models in every seed"


def _lift(both: Pair, base: _Side, trained: _Side, named_control: bool, options: Options) -> Lift:
    """Return one comparison."""
    found = gains.mean_of(both.differences, both.cluster, options)
    gain = gains.estimate_of(found, both)
    reading = gains.reading_of(gain)
    beneath = gains.changed(both)
    base_rate, trained_rate = (gains.rate_of(side, both, options) for side in (both.base_once, both.trained_once))
    of_seeds = gains.by_seed(both, options)
    degenerate = _degenerate(trained.chosen)
    control = named_control or bool(degenerate)
    every = np.concatenate([both.base.graded.ravel(), both.trained.graded.ravel()])
    runs = (int(every.min()), int(every.max()))
    strict, families = _strict(both, base, trained, options), gains.by_family(both, options)
    told = Told(pair=both, arms=(base.arm, trained.arm), chosen=(base.chosen, trained.chosen), gain=gain, runs=runs,
                strict=strict, by_family=families)  # fmt: skip
    return Lift(
        base=base.arm.name, trained=trained.arm.name, held_out_tasks=len(both.tasks), runs_per_task=runs,
        base_rate=base_rate, trained_rate=trained_rate, gain=gain,
        failures_fixed=share_of_failures_fixed(float(both.base.rates.mean()), float(both.trained.rates.mean())),
        gross_fixes=beneath.fixes, regressions=beneath.regressions, by_family=families,
        by_seed=of_seeds, seeds=len(both.seeds), beyond_noise=reading in ("gain", "loss"),
        reading=reading, strict=strict, curves=curves_of(both, options),
        degenerate=degenerate, exploratory=trained.chosen.exploratory or base.chosen.exploratory,
        base_tokens=gains.tokens_per_success(both.base_once, both, options),
        trained_tokens=gains.tokens_per_success(both.trained_once, both, options), notes=notes_of(told),
        control=control, control_bound=_bound(both, options) if control else None,
        as_trained=gains.gain_as_trained(both, options) if len(both.seeds) > 1 else None,
        seeds_beyond=gains.seeds_beyond(of_seeds), noise_fixes=beneath.noise_fixes, tasks_fixed=beneath.tasks_fixed,
        tasks_regressed=beneath.tasks_regressed, detectable=gains.least_detectable(found, options),
        ungraded=both.ungraded, ungraded_bounds=both.ungraded_bounds, left_out=both.left_out,
        step=trained.chosen.step, other_steps=trained.chosen.others,
    )  # fmt: skip


def _degenerate(picked: Chosen) -> Degenerate:
    return next((each.degenerate for each in picked.checkpoints if each.degenerate), "")


def _strict(both: Pair, base: _Side, trained: _Side, options: Options) -> Estimate | None:
    if not (base.arm.says_stop and trained.arm.says_stop):
        return None
    return gains.strict_gain(both, options)


def _bound(both: Pair, options: Options) -> Estimate:
    """Return the upper end of a gain, one-sided at the confidence asked for."""
    one_sided = replace(options, confidence=2 * options.confidence - 1)
    found = gains.estimate_of(gains.mean_of(both.differences, both.cluster, one_sided), both)
    return replace(found, low=None, one_sided=True)


def _with_controls(compared: Sequence[tuple[Pair, Lift]], options: Options) -> tuple[Lift, ...]:
    """Return the comparisons, each with its gain over the control that gained most."""
    controls = [(both, one) for both, one in compared if one.control and one.gain.value is not None]
    if not controls:
        return tuple(one for _, one in compared)
    most, _ = max(controls, key=lambda each: each[1].gain.value or 0.0)
    return tuple(one if one.control else replace(one, over_control=_over(both, most, options))
                 for both, one in compared)  # fmt: skip


def _over(both: Pair, control: Pair, options: Options) -> Estimate | None:
    """Return the gain of `both` less that of `control`, on the tasks of both, paired by seed where seeds are shared."""
    shared = [task for task in both.tasks if task in set(control.tasks)]
    seeds = [seed for seed in both.seeds if seed in control.seeds]
    if not shared:
        return None
    mine, theirs = (_cells(each, shared, seeds) for each in (both, control))
    if not seeds:  # no seed of one is a seed of the other: means over each one's own
        mine, theirs = mine.mean(axis=0, keepdims=True), theirs.mean(axis=0, keepdims=True)
    cluster = both.cluster[[both.tasks.index(task) for task in shared]]
    found = gains.mean_of(mine - theirs, cluster, options)
    note = "" if seeds else "means over each one's seeds, which do not pair; "
    return replace(gains.estimate_of(found, both, note), n=len(shared),
                   ungraded=both.ungraded[1] + control.ungraded[1])  # fmt: skip


def _cells(both: Pair, tasks: Sequence[str], seeds: Sequence[int | None]) -> gains.Floats:
    rows = [both.seeds.index(seed) for seed in seeds] or list(range(len(both.seeds)))
    found: gains.Floats = both.trained.rates[np.ix_(rows, [both.tasks.index(task) for task in tasks])]
    return found


def _controls_hold(lifts: Sequence[Lift]) -> bool | None:
    controls = [one for one in lifts if one.control]
    return all(one.reading != "gain" for one in controls) if controls else None


def _abstained(lifts: Sequence[Lift]) -> tuple[str, ...]:
    """Return what could not be said, why, and of which models where not of all."""
    missing = {
        "gain with passes at a limit as fails: no stop is recorded for both": [one.strict is None for one in lifts],
        "pass@k beyond k = 1: fewer than 4 tasks in 5 have two graded runs": [one.curves is None for one in lifts],
        "gain by family: no family is recorded": [not one.by_family for one in lifts],
        "tokens for one success: not recorded for every graded rollout, or none passed": [
            one.base_tokens is None or one.trained_tokens is None for one in lifts
        ],
    }
    told = []
    for what, of in missing.items():
        names = [one.trained for one, is_missing in zip(lifts, of, strict=True) if is_missing]
        if names:
            told.append(what if all(of) else f"{', '.join(names)}: {what}")
    if lifts and not any(one.control for one in lifts):
        told.append("whether the board shows gains where there are none: no control arm")
    return tuple(told)


def _unnamed_controls(checkpoints: Sequence[Checkpoint], names: Sequence[str]) -> list[str]:
    """Return a note where the ledger holds a degenerate arm that was not compared."""
    known = {each.model for each in checkpoints if each.degenerate} - set(names)
    return [f"the ledger holds a control that was not named: {', '.join(sorted(known))}"] if known else []
