"""How much it takes to tell a policy from noise, and to lift one above it: formulas with known answers.

Four questions: how many decisions show that a policy beats the share that needs no skill; what is the smallest gain
that so many can show; how many rollouts at one decision make the gradient towards its right action stand out of its own
noise; how many decisions drown what wrong labels do to it. The first two take decisions as independent: pass the number
of entities, not of tasks, where that is in doubt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import norm

from fairtrial.measure.gradient import informative

CONFIDENCE, POWER = 0.95, 0.8
STANDS_OUT = 2.0
"""Standard errors that a mean gradient must be away from 0 to be called above noise."""


def decisions_needed(base: float, rate: float, confidence: float = CONFIDENCE, power: float = POWER) -> int | None:
    """Return how many decisions show, two-sided, that a pass rate `rate` is not the known `base`; None where equal.

    n = ((z_c sqrt(b(1-b)) + z_p sqrt(r(1-r))) / (r-b))^2, the one-sample test of a share (Fleiss, Levin and Paik 2003).

    >>> decisions_needed(0.5, 0.6), decisions_needed(0.25, 0.5), decisions_needed(0.3, 0.3)
    (194, 26, None)
    """
    if base == rate:
        return None
    z_confidence, z_power = float(norm.ppf((1 + confidence) / 2)), float(norm.ppf(power))
    top = z_confidence * math.sqrt(base * (1 - base)) + z_power * math.sqrt(rate * (1 - rate))
    return max(1, math.ceil((top / (rate - base)) ** 2 - 1e-9))


def smallest_gain(base: float, n: int, confidence: float = CONFIDENCE, power: float = POWER) -> float | None:
    """Return the smallest gain over `base` that `n` decisions can show; None where no gain can be shown.

    >>> round(smallest_gain(0.5, 194), 4), smallest_gain(0.9, 3) is None
    (0.1, True)
    """
    if n < 1 or (reach := decisions_needed(base, 1.0, confidence, power)) is None or reach > n:
        return None
    low, high = base, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        needed = decisions_needed(base, middle, confidence, power)
        low, high = (middle, high) if needed is None or needed > n else (low, middle)
    return high - base


def rollouts_above_noise(rate: float, flips: float = 0.0, stands_out: float = STANDS_OUT) -> int | None:
    """Return how many rollouts at one decision lift the gradient towards the action that it pays above its noise.

    A softmax policy takes that action with chance p = `rate` and is paid 1 for it, turned round with chance e = `flips`
    in each rollout; the baseline is the mean of the same n rollouts (Williams 1992; as groups have it). The gradient of
    the action's logit is then the covariance of chosen and paid in a sample of n, with mean c = (1-2e) p (1-p) and, for
    V of `gradient_moments` and m = p(1-e) + (1-p)e, variance (V + (c^2 + p(1-p) m(1-m)) / (n-1)) / n. None where no
    number does: p is 0 or 1, or e is 1/2 or more.

    >>> rollouts_above_noise(0.5), rollouts_above_noise(0.25), rollouts_above_noise(0.25, flips=0.2)
    (4, 7, 16)
    >>> rollouts_above_noise(0.0), rollouts_above_noise(0.25, flips=0.5)
    (None, None)
    """
    if not 0 < rate < 1 or flips >= 0.5:
        return None
    mean, variance = gradient_moments(rate, flips)
    paid = rate * (1 - flips) + (1 - rate) * flips
    drawn = mean**2 + rate * (1 - rate) * paid * (1 - paid)
    n = max(2, math.floor(stands_out**2 * variance / mean**2))
    while stands_out**2 * (variance + drawn / (n - 1)) / n > mean**2 + 1e-12:
        n += 1
    return n


def decisions_above_labels(error: float, actions: int, stands_out: float = STANDS_OUT) -> int | None:
    """Return how many decisions lift the gradient towards right actions above what wrong labels do to it.

    A wrong label is wrong in every rollout of its decision, so more rollouts do not mend it. With chance e = `error`
    the label is one of the other k - 1 actions, and from blind choice the gradient of the right action's logit is then
    -1/(k-1) of what it is else: n = stands_out^2 e(1-e) (k/(k-1))^2 / (1 - e k/(k-1))^2. None where e is (k-1)/k or
    more.

    >>> decisions_above_labels(0.0, 4), decisions_above_labels(0.2, 4), decisions_above_labels(0.2, 2)
    (1, 3, 8)
    """
    spread = actions / (actions - 1)
    mean = 1 - error * spread
    if mean <= 1e-12:
        return None
    return max(1, math.ceil(stands_out**2 * error * (1 - error) * spread**2 / mean**2 - 1e-9))


def label_error(agreement: float, actions: int) -> float | None:
    """Return how often one expert's choice is not the one that all lean to, from the agreement of pairs.

    Each errs with chance e, to any of the other k - 1 actions alike: a = (1-e)^2 + e^2 / (k-1) (Dawid and Skene 1979,
    of one parameter), so e = (1 - sqrt(1 - k(1-a)/(k-1))) (k-1)/k. No policy can agree with one expert more often than
    1 - e. None where they agree no more often than by chance: a < 1/k.

    >>> label_error(1.0, 4), round(label_error(0.82, 2), 6), label_error(0.2, 4)
    (0.0, 0.1, None)
    """
    spread = actions / (actions - 1)
    under = 1 - spread * (1 - agreement)
    return None if under < 0 else (1 - math.sqrt(under)) / spread


def gradient_moments(rate: float, flips: float) -> tuple[float, float]:
    """Return mean and variance of one rollout's gradient against a known baseline m = p(1-e) + (1-p)e.

    That of the action's logit, (chosen - p)(paid - m): mean (1-2e) p (1-p), second moment
    p(1-p)^2 [(1-e)(1-m)^2 + e m^2] + (1-p)p^2 [e(1-m)^2 + (1-e)m^2].
    """
    p, e = rate, flips
    m = p * (1 - e) + (1 - p) * e
    mean = (1 - 2 * e) * p * (1 - p)
    right = (1 - e) * (1 - m) ** 2 + e * m**2
    wrong = e * (1 - m) ** 2 + (1 - e) * m**2
    return mean, p * (1 - p) ** 2 * right + (1 - p) * p**2 * wrong - mean**2


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """What a number of held-out decisions can show, and what one training decision takes."""

    base: float
    """The share that needs no skill: the commonest right action's."""
    ceiling: float | None
    """The most that can be reached where experts do not agree; None where that was not measured, or is no bound."""
    held_out: int
    independent: int
    """Held-out units: related decisions count once."""
    wanted_gain: float
    needed: int | None
    """Decisions that show this gain; None where the ceiling leaves no room for it."""
    smallest_gain: float | None
    guess_rate: float
    """Chance of a right action drawn blindly."""
    rollouts: int | None
    label_error: float | None
    """How often an expert's choice is taken to be wrong; None where that was not measured, or is none."""
    decisions: int | None
    """Decisions that lift the gradient above such labels; None where that was not measured, or no number does."""
    informative_at_16: float
    """Chance that 16 blind rollouts of one decision are not all equal."""


def power_of(
    base: float,
    guess: float,
    counts: tuple[int, int],
    wanted_gain: float,
    labels: tuple[float, int] | None = None,
) -> Power:
    """Return what so many decisions can show.

    `counts` are the held-out decisions and their independent units; `labels` how often one is wrong, of how many
    actions.
    """
    held_out, independent = counts
    ceiling = None if labels is None else 1 - labels[0]
    most = 1.0 if ceiling is None else ceiling
    return Power(base=base, ceiling=ceiling, held_out=held_out, independent=independent, wanted_gain=wanted_gain,
                 needed=decisions_needed(base, base + wanted_gain) if base + wanted_gain <= most else None,
                 smallest_gain=smallest_gain(base, independent), guess_rate=guess, rollouts=rollouts_above_noise(guess),
                 label_error=None if labels is None else labels[0],
                 decisions=None if labels is None else decisions_above_labels(*labels),
                 informative_at_16=informative(guess, 16))  # fmt: skip
