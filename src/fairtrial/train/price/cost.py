"""What training cost, by the checkpoints, and the gain for each dollar, million tokens and task of it.

A cost is counted, not estimated: the interval is the gain's alone. It is that of one training run, a mean over the
seeds that were paired, since the gain is such a mean. A checkpoint that started from another trained one cost both.
Where the base of the comparison was trained too, the price is what the trained model cost beyond it, in dollars, tokens
and tasks alike; a task that two trainings of a chain drew counts in both.
Not covered: evaluation, the making of tasks and data, and what the untrained base cost; none of it is in the records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairtrial.records import Checkpoint, Estimate
from fairtrial.train.lift.result import Lift
from fairtrial.train.price.result import Priced

MILLION = 1_000_000
SAMPLED = "tokens sampled"
TASKS = "tasks and rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one model cost, a mean over its training runs; None where a run does not tell."""

    runs: int
    usd: float | None
    read: float | None
    sampled: float | None
    tasks: float | None
    root: str
    """Name of the untrained model that its training began with."""


def price(
    lift: Lift, checkpoints: Sequence[Checkpoint], tokens_ratio: Estimate | None = None, base_step: int | None = None
) -> Priced:
    """Return the price of one comparison. What the records do not tell is None, and `not_measured` says why.

    `base_step` is the step at which the base was compared; None: its last planned checkpoint.
    """
    after = spent_on(lift.trained, checkpoints, lift, lift.step)
    before = spent_on(lift.base, checkpoints, lift, base_step)
    missing: list[str] = []
    usd = _beyond(after, before, lambda spent: spent.usd, "dollars", missing)
    read = _beyond(after, before, lambda spent: spent.read, "tokens read", missing)
    sampled = _beyond(after, before, lambda spent: spent.sampled, SAMPLED, missing)
    tasks = _beyond(after, before, lambda spent: spent.tasks, TASKS, missing)
    both = None if read is None or sampled is None else read + sampled
    if lift.gain.value is None:
        missing.append(f"gain: {lift.gain.method}")
    runs = after.runs if after else 0
    return Priced(
        trained=lift.trained, base=lift.base, runs=runs, usd=usd, tokens=_whole(both), sampled_tokens=_whole(sampled),
        read_tokens=_whole(read), tasks=_whole(tasks), gain_per_usd=_per(lift.gain, usd, runs, "dollar"),
        gain_per_million_tokens=_per(lift.gain, _millions(both), runs, "million tokens"),
        gain_per_million_sampled_tokens=_per(lift.gain, _millions(sampled), runs, "million tokens sampled"),
        gain_per_million_read_tokens=_per(lift.gain, _millions(read), runs, "million tokens read"),
        gain_per_task=_per(lift.gain, tasks, runs, "task"),
        tokens_per_success_before=lift.base_tokens, tokens_per_success_after=lift.trained_tokens,
        tokens_per_success_ratio=tokens_ratio, not_measured=(*missing, *_untold_tokens(lift)),
        notes=_notes(lift, after, before), beyond_base=before is not None,
    )  # fmt: skip


def spent_on(model: str, checkpoints: Sequence[Checkpoint], lift: Lift, step: int | None = None) -> Spent | None:
    """Return what `model` cost up to `step`; None where it has no checkpoint, so was not trained here.

    Without a step, of every seed the last planned checkpoint counts, of a model without one the last. Where some of
    the seeds that were paired have no checkpoint, or none at `step`, what they cost is not known, nor is the mean.
    """
    last = _last_by_seed(model, checkpoints, step)
    if not last:
        is_known = step is not None and bool(_last_by_seed(model, checkpoints, None))
        return Spent(runs=0, usd=None, read=None, sampled=None, tasks=None, root="") if is_known else None
    paired = {gain.seed for gain in lift.by_seed if gain.seed is not None}
    seeds = (paired if len(last) > 1 else paired & set(last)) if paired & set(last) else set(last)
    chains = [_chain(last[seed], checkpoints) if seed in last else () for seed in sorted(seeds)]

    def mean(what: Callable[[Checkpoint], float | None]) -> float | None:
        return _mean([_total(chain, what) for chain in chains])

    return Spent(
        runs=sum(bool(chain) for chain in chains), root=next(chain for chain in chains if chain)[-1].base,
        usd=mean(lambda one: one.cost_usd), read=mean(lambda one: one.input_tokens),
        sampled=mean(lambda one: one.output_tokens), tasks=mean(lambda one: one.tasks),
    )  # fmt: skip


def _last_by_seed(model: str, checkpoints: Sequence[Checkpoint], step: int | None) -> dict[int, Checkpoint]:
    name = model if any(one.model == model for one in checkpoints) else model.rpartition("@")[0]
    mine = [one for one in checkpoints if one.model == name and step in (None, one.step)]
    mine = [one for one in mine if one.planned] or mine
    found: dict[int, Checkpoint] = {}
    for checkpoint in mine:
        if checkpoint.seed not in found or checkpoint.step >= found[checkpoint.seed].step:
            found[checkpoint.seed] = checkpoint
    return found


def _chain(checkpoint: Checkpoint, checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """Return the checkpoint and those whose weights it started from, the latest first."""
    by_weights = {one.weights_hash: one for one in checkpoints if one.weights_hash}
    chain, seen = [checkpoint], {checkpoint.weights_hash}
    while (start := by_weights.get(chain[-1].base_hash)) is not None and start.weights_hash not in seen:
        chain.append(start)
        seen.add(start.weights_hash)
    return chain


def _total(chain: Sequence[Checkpoint], what: Callable[[Checkpoint], float | None]) -> float | None:
    """Return the sum over a chain; None where one of it does not tell, or there is none."""
    counted = [number for one in chain if (number := what(one)) is not None]
    return float(sum(counted)) if chain and len(counted) == len(chain) else None


def _mean(counted: Sequence[float | None]) -> float | None:
    told = [number for number in counted if number is not None]
    return sum(told) / len(told) if told and len(told) == len(counted) else None


def _beyond(
    after: Spent | None, before: Spent | None, what: Callable[[Spent], float | None], name: str, missing: list[str]
) -> float | None:
    """Return what `after` cost beyond `before`; None, and why in `missing`, where that is not told or not above 0."""
    if after is None:
        missing.append(f"{name}: the ledger holds no checkpoint of the trained model")
        return None
    if not after.runs or (before and not before.runs):
        missing.append(f"{name}: no checkpoint is recorded of the step that was compared")
        return None
    mine, theirs = what(after), what(before) if before else 0.0
    if mine is None or theirs is None:
        missing.append(f"{name}: not recorded for every training run")
        return None
    if mine == theirs and (before is None or name == SAMPLED):
        if name != SAMPLED:  # nothing is sampled in supervised training, and that is no gap
            missing.append(f"{name}: what is recorded is 0")
        return 0.0
    if mine <= theirs:
        missing.append(f"{name}: the base of the comparison took as much in training")
        return None
    return mine - theirs


def _per(gain: Estimate, cost: float | None, runs: int, unit: str) -> Estimate | None:
    if not cost or gain.value is None:
        return None
    low, high = (None if end is None else end / cost for end in (gain.low, gain.high))
    method = f"gain for each {unit}: the gain and its interval over the mean cost of {runs} training run(s), as counted"
    return Estimate(value=gain.value / cost, low=low, high=high, n=gain.n, ungraded=gain.ungraded, method=method,
                    unit=gain.unit)  # fmt: skip


def _millions(tokens: float | None) -> float | None:
    return None if tokens is None else tokens / MILLION


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)


def _untold_tokens(lift: Lift) -> list[str]:
    sides = ((lift.base, lift.base_tokens), (lift.trained, lift.trained_tokens))
    why = "not every attempt records its output tokens, or none passed"
    return [f"tokens for one success of {name}: {why}" for name, estimate in sides if estimate is None]


def _notes(lift: Lift, after: Spent | None, before: Spent | None) -> tuple[str, ...]:
    if after is None:
        return ()
    said = ["Costs are those of training alone: no evaluation, no making of tasks or data."]
    if before is not None:
        said.append(f"{lift.base} was trained too: the price is what was spent beyond it.")
    elif after.runs and after.root != lift.base:
        said.append(f"Training began with {after.root or 'a model without a name'}, not with {lift.base}: what lies "
                    "between them is not in the price.")  # fmt: skip
    return tuple(said)
