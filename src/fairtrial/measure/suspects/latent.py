"""Is the key right? A latent-truth model of what several models answer.

Each task has one true answer, which the key states unless it is wrong (probability pi), an ease on a grid, and models
that find the truth with probability logistic(theta_m + s_m * ease): a two-parameter item response model whose items
are unlabelled, as in Dawid and Skene (1979). Models that miss spread over the wrong answers by a Polya urn of
concentration alpha, so that they may err alike: agreement on a wrong answer is evidence, but not independent evidence.
theta, s, pi, alpha and the distribution of ease are fitted by EM to the answers alone, with weak priors that matter
only where tasks are few. The score is the posterior probability that the truth is not the key.

Not covered: reading the answers (`answers`), and tasks with several right answers, which look like a wrong key.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_EASE = np.linspace(-5.0, 5.0, 21)
_ALPHAS = np.exp(np.linspace(-2.0, 3.0, 21))
_KEY_WRONG = (1.0, 19.0)
"""Beta prior of pi: one wrong key in twenty, worth twenty tasks."""
_SLOPE_SPREAD = 0.5
"""Standard deviation of log s_m a priori, around 0."""
_ABILITY_SPREAD = 3.0
_MOST_ROUNDS, _ENOUGH = 40, 1e-4
_FLOOR = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """Distinct patterns of answers, and how many tasks show each."""

    agreeing: Floats
    """Answers of each model that equal hypothesis h: (patterns, hypotheses, models). 0 is the key; all zero pads."""
    answers: Floats
    """Answers of each model: (patterns, models)."""
    present: Floats
    """1 where hypothesis h is an answer that was seen (the key always is): (patterns, hypotheses)."""
    option_pattern: NDArray[np.int64]
    option_count: Floats
    """Every answer seen, however rare: which pattern it belongs to, and how often it was given."""
    tasks: Floats
    options: int
    """Answers that a task can have: the choices, or a stated number for open answers."""


@dataclass(slots=True)
class _State:
    theta: Floats
    slope: Floats
    key_wrong: float
    alpha: float
    ease: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyBelief:
    """Posterior over hypotheses of each pattern, and what was fitted."""

    truth: Floats
    """(patterns, hypotheses + 1): the key, each answer seen, and an answer nobody gave."""
    key_wrong: float
    """Fitted share of wrong keys."""


def believe(patterns: Patterns) -> KeyBelief:
    """Return the posterior of each pattern by EM, from a start at the models' pass rates."""
    right, asked = patterns.agreeing[:, 0], patterns.answers
    share = (patterns.tasks @ right + 0.5) / (patterns.tasks @ asked + 1.0)
    prior = np.exp(-0.5 * (_EASE / 2) ** 2)
    state = _State(theta=np.log(share / (1 - share)), slope=np.ones(len(share)), key_wrong=0.05, alpha=1.0,
                   ease=prior / prior.sum())  # fmt: skip
    before = -np.inf
    truth = np.zeros((len(asked), patterns.agreeing.shape[1] + 1))
    for turn in range(_MOST_ROUNDS):
        posterior, evidence = _expect(patterns, state)
        truth = posterior.sum(axis=2)
        total = float(patterns.tasks @ evidence)
        if turn > 3 and total - before < _ENOUGH * patterns.tasks.sum():
            break
        before = total
        _maximise(patterns, state, posterior, truth, prior / prior.sum(), turn)
    return KeyBelief(truth=truth, key_wrong=state.key_wrong)


def _expect(patterns: Patterns, state: _State) -> tuple[Floats, Floats]:
    """Return the joint posterior (patterns, hypotheses + 1, ease) and the log evidence of each pattern."""
    reach = state.theta[:, None] + state.slope[:, None] * _EASE[None, :]
    log_hit, log_miss = -np.logaddexp(0.0, -reach), -np.logaddexp(0.0, reach)
    missed = patterns.answers @ log_miss
    gain = patterns.agreeing @ (log_hit - log_miss)
    joint = np.concatenate([missed[:, None, :] + gain, missed[:, None, :]], axis=1)
    joint += (_log_urn(patterns, state.alpha) + _log_truth(patterns, state.key_wrong))[:, :, None]
    joint += np.log(state.ease)
    largest = joint.max(axis=(1, 2))
    weight = np.exp(joint - largest[:, None, None])
    total = weight.sum(axis=(1, 2))
    return weight / total[:, None, None], largest + np.log(total)


def _log_urn(patterns: Patterns, alpha: float) -> Floats:
    """Return the log chance of how the misses fall, for each hypothesis, and for a truth that nobody gave."""
    from scipy.special import gammaln

    each = alpha / (patterns.options - 1)
    drawn = gammaln(patterns.option_count + each) - gammaln(each)
    every = np.bincount(patterns.option_pattern, weights=drawn, minlength=len(patterns.answers))
    counts = patterns.agreeing.sum(axis=2)
    own = np.where(counts > 0, gammaln(counts + each) - gammaln(each), 0.0)
    misses = patterns.answers.sum(axis=1)[:, None] - np.column_stack([counts, np.zeros(len(counts))])
    spread = every[:, None] - np.column_stack([own, np.zeros(len(own))])
    result: Floats = spread + gammaln(alpha) - gammaln(alpha + misses)
    return result


def _log_truth(patterns: Patterns, key_wrong: float) -> Floats:
    """Return the log prior of each hypothesis: the key, or any other answer alike."""
    others = patterns.present[:, 1:]
    each = key_wrong / (patterns.options - 1)
    unseen = np.maximum(patterns.options - 1 - others.sum(axis=1), 0.0) * each
    prior = np.column_stack([np.full(len(others), 1 - key_wrong), others * each, unseen])
    log_prior: Floats = np.log(np.maximum(prior, 1e-300))
    return log_prior


def _maximise(patterns: Patterns, state: _State, posterior: Floats, truth: Floats, ease: Floats, turn: int) -> None:
    """Update `state` in place from the posterior: closed forms, one Newton step a model, alpha on a grid."""
    tasks = patterns.tasks
    weighted = posterior * tasks[:, None, None]
    wrong = float(tasks @ (1 - truth[:, 0]))
    state.key_wrong = (wrong + _KEY_WRONG[0]) / (float(tasks.sum()) + sum(_KEY_WRONG))
    found = weighted.sum(axis=(0, 1)) + ease
    state.ease = np.maximum(found / found.sum(), _FLOOR)
    hits = np.einsum("phm,phe->me", patterns.agreeing, weighted[:, :-1])
    asked = patterns.answers.T @ weighted.sum(axis=1)
    _step_models(state, hits, asked)
    if turn % 3 == 2:
        value = [float(tasks @ (truth * _log_urn(patterns, alpha)).sum(axis=1)) for alpha in _ALPHAS]
        state.alpha = float(_ALPHAS[int(np.argmax(value))])


def _step_models(state: _State, hits: Floats, asked: Floats) -> None:
    """Take one Newton step in (theta_m, s_m) of each model, under their priors."""
    reach = state.theta[:, None] + state.slope[:, None] * _EASE[None, :]
    chance = 1 / (1 + np.exp(-reach))
    surplus, weight = hits - asked * chance, asked * chance * (1 - chance)
    for m in range(len(state.theta)):
        log_slope = float(np.log(state.slope[m]))
        pull = np.array([surplus[m].sum() - state.theta[m] / _ABILITY_SPREAD**2,
                         surplus[m] @ _EASE - log_slope / state.slope[m] / _SLOPE_SPREAD**2])  # fmt: skip
        cross = float(weight[m] @ _EASE)
        bend = np.array([[weight[m].sum() + _ABILITY_SPREAD**-2, cross],
                         [cross, weight[m] @ _EASE**2 + _SLOPE_SPREAD**-2]])  # fmt: skip
        step = np.clip(np.linalg.solve(bend, pull), -1.0, 1.0)
        state.theta[m] += step[0]
        state.slope[m] = min(5.0, max(0.2, state.slope[m] + step[1]))
