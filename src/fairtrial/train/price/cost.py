"""What training cost, by the checkpoints, and the gain for each dollar, million tokens and task of it.

A cost is counted, not estimated: the interval is the gain's alone. It is that of one training run, a mean over the
seeds that were paired, since the gain is such a mean. A checkpoint that started from another trained one cost both.
Where the base of the comparison was trained too, the price is what the trained model cost beyond it.
Not covered: evaluation, the making of tasks and data, and what the untrained base cost; none of it is in the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fairtrial.records import Checkpoint, Estimate
from fairtrial.train.lift.result import Lift
from fairtrial.train.price.result import Priced

MILLION = 1_000_000
SAMPLED = "tokens sampled"


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


def price(lift: Lift, checkpoints: Sequence[Checkpoint], tokens_ratio: Estimate | None = None) -> Priced:
    """Return the price of one comparison. What the records do not tell is None, and `not_measured` says why."""
    after, before = spent_on(lift.trained, checkpoints, lift), spent_on(lift.base, checkpoints, lift)
    missing: list[str] = []
    usd = _beyond(after, before, lambda spent: spent.usd, "dollars", missing)
    read = _beyond(after, before, lambda spent: spent.read, "tokens read", missing)
    sampled = _beyond(after, before, lambda spent: spent.sampled, SAMPLED, missing)
    both = None if read is None or sampled is None else read + sampled
    tasks = after.tasks if after else None
    if after is not None and not tasks:
        missing.append("gain for each task: how many tasks it was trained on is not recorded")
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
        notes=_notes(lift, after, before),
    )  # fmt: skip


def spent_on(model: str, checkpoints: Sequence[Checkpoint], lift: Lift) -> Spent | None:
    """Return what `model` cost; None where it has no checkpoint, so was not trained here.

    Of every seed the last planned checkpoint counts, of a model without one the last.
    """
    last = _last_by_seed(model, checkpoints)
    if lift.by_seed and (seeds := {gain.seed for gain in lift.by_seed} & set(last)):
        last = {seed: checkpoint for seed, checkpoint in last.items() if seed in seeds}
    if not last:
        return None
    chains = [_chain(checkpoint, checkpoints) for checkpoint in last.values()]
    return Spent(
        runs=len(chains), root=chains[0][-1].base,
        usd=_mean([_total(chain, lambda one: one.cost_usd) for chain in chains]),
        read=_mean([_total(chain, lambda one: one.input_tokens) for chain in chains]),
        sampled=_mean([_total(chain, lambda one: one.output_tokens) for chain in chains]),
        tasks=_mean([checkpoint.tasks for checkpoint in last.values()]),
    )  # fmt: skip


def _last_by_seed(model: str, checkpoints: Sequence[Checkpoint]) -> dict[int, Checkpoint]:
    mine = [one for one in checkpoints if one.model == model]
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


def _total(chain: Iterable[Checkpoint], what: Callable[[Checkpoint], float | None]) -> float | None:
    counted = [what(one) for one in chain]
    return None if None in counted else float(sum(number for number in counted if number is not None))


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
    mine, theirs = what(after), what(before) if before else 0.0
    if mine is None or theirs is None:
        missing.append(f"{name}: not recorded for every training run")
        return None
    if mine - theirs <= 0:
        why = "the base of the comparison cost as much in training" if before else "what is recorded is 0"
        if before or name != SAMPLED:  # nothing is sampled in supervised training, and that is no gap
            missing.append(f"{name}: {why}")
        return None if before else 0.0
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
        said.append(f"{lift.base} was trained too: the price is what {lift.trained} cost beyond it.")
    elif after.root != lift.base:
        said.append(f"Training began with {after.root or 'a model without a name'}, not with {lift.base}: what lies "
                    "between them is not in the price.")  # fmt: skip
    return tuple(said)
