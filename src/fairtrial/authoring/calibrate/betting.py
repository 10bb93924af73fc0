"""Sequential tests of a pass rate against a bound that may be looked at after every attempt.

Against `rate <= bound` one bets on higher rates: the wealth after s passes and f failures is the likelihood of rates
above the bound, averaged over Jeffreys' Beta(1/2, 1/2) cut off there, over the likelihood at the bound itself. For
every rate up to the bound the wealth is a nonnegative supermartingale with start 1, since its factor grows with the
rate and is 1 at the bound; so it ever reaches 1 / a with chance a at most (Ville 1939; Robbins 1970; Ramdas and others
2023). Against `rate >= bound` likewise with passes and failures swapped. Pure.
"""

from __future__ import annotations

import math

from scipy.special import betaincc, betaln

_PRIOR = 0.5


def log_wealth_above(passed: int, failed: int, bound: float) -> float:
    """Return the log of the wealth against `rate <= bound`.

    >>> log_wealth_above(0, 0, 0.3), log_wealth_above(20, 0, 0.3) > 10, log_wealth_above(0, 20, 0.3) < 0
    (0.0, True, True)
    """
    if bound >= 1:
        return -math.inf
    if passed + failed == 0:
        return 0.0
    if bound <= 0:
        return math.inf if passed else 0.0
    own, prior = _log_mass(passed + _PRIOR, failed + _PRIOR, bound), _log_mass(_PRIOR, _PRIOR, bound)
    return own - prior - passed * math.log(bound) - failed * math.log1p(-bound)


def _log_mass(a: float, b: float, bound: float) -> float:
    """Return the log of the integral of q^(a-1) (1-q)^(b-1) from `bound` to 1, or minus infinity where it is 0."""
    tail = float(betaincc(a, b, bound))
    return float(betaln(a, b)) + math.log(tail) if tail > 0 else -math.inf


def log_wealth_below(passed: int, failed: int, bound: float) -> float:
    """Return the log of the wealth against `rate >= bound`.

    >>> log_wealth_below(0, 20, 0.7) == log_wealth_above(20, 0, 1 - 0.7)
    True
    """
    return log_wealth_above(failed, passed, 1 - bound)


def lowest_not_refuted(passed: int, failed: int, error: float) -> float:
    """Return the least rate that the wealth has not refuted at `error`: the lower end of an anytime-valid interval.

    >>> lowest_not_refuted(0, 9, 0.05), 0.5 < lowest_not_refuted(30, 2, 0.05) < 30 / 32
    (0.0, True)
    """
    if not passed:
        return 0.0
    line = -math.log(error)
    low, high = 0.0, passed / (passed + failed)
    while high - low > 1e-6:  # the wealth falls as the bound nears what was seen
        middle = (low + high) / 2
        low, high = (middle, high) if log_wealth_above(passed, failed, middle) >= line else (low, middle)
    return low


def highest_not_refuted(passed: int, failed: int, error: float) -> float:
    """Return the greatest rate that the wealth has not refuted at `error`."""
    return 1 - lowest_not_refuted(failed, passed, error)
