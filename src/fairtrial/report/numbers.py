"""Numbers as text, once: every renderer prints what these functions return.

Percentages carry one decimal with halves rounded up; money and tokens stop at the digit that their interval supports.
Does not cover: words for fractions and plurals (`words`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from fairtrial.records import Estimate

NOT_MEASURED = "not measured"
SMALL_SAMPLE = 100
_NOISE = 12
"""Digits kept before rounding, so that 0.12849999999999998 (a sum of floats) rounds as 0.1285."""


def rounded(value: float, decimals: int) -> str:
    """Return `value` with `decimals` places, halves away from zero, thousands with a comma, never `-0`.

    >>> rounded(0.285, 2), rounded(1234.5, 0), rounded(-0.0001, 1)
    ('0.29', '1,235', '0.0')
    """
    exact = Decimal(repr(round(value, _NOISE)))
    number = exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    return f"{abs(number) if number == 0 else number:,}".replace("-", "−")


def count(number: int) -> str:
    """Return a count with thousands separated.

    >>> count(5200)
    '5,200'
    """
    return f"{number:,}"


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal.

    >>> percent(0.3125), percent(1.0), percent(0.1285)
    ('31.3%', '100.0%', '12.9%')
    """
    return f"{rounded(share * 100, 1)}%"


def percent_number(share: float) -> str:
    """Return a share as a percentage without its sign, for axes and intervals.

    >>> percent_number(0.5)
    '50.0'
    """
    return rounded(share * 100, 1)


def percent_interval(low: float | None, high: float | None) -> str:
    """Return `[low, high]` in percent; empty where there is no interval.

    >>> percent_interval(0.123, 0.247), percent_interval(None, None)
    ('[12.3, 24.7]', '')
    """
    if low is None or high is None:
        return ""
    return f"[{percent_number(low)}, {percent_number(high)}]"


def share(estimate: Estimate) -> str:
    """Return the value of a share alone: a percentage, a one-sided bound, or that it was not measured."""
    if estimate.one_sided and estimate.high is not None:
        return f"≤ {percent(estimate.high)}"
    if estimate.value is None:
        return NOT_MEASURED
    return percent(estimate.value)


def share_interval(estimate: Estimate) -> str:
    """Return the interval of a share, or `one-sided 95%` for a bound; empty where there is none."""
    if estimate.one_sided:
        return "one-sided 95%"
    return "" if estimate.value is None else percent_interval(estimate.low, estimate.high)


def share_with_interval(estimate: Estimate) -> str:
    """Return a share and its interval in one line.

    >>> share_with_interval(Estimate(value=.19, low=.121, high=.287, n=84, method="Wilson"))
    '19.0% [12.1, 28.7]'
    """
    return f"{share(estimate)} {share_interval(estimate)}".strip()


def part(some: int, of: int) -> str:
    """Return `some of of`, and the percentage too: count first.

    >>> part(16, 84), part(378, 2118), part(0, 0)
    ('16 of 84, 19.0%', '378 of 2,118, 17.8%', '0 of 0')
    """
    text = f"{count(some)} of {count(of)}"
    return f"{text}, {percent(some / of)}" if of else text


def of(some: int, whole: int) -> str:
    """Return `some of whole`.

    >>> of(25, 80)
    '25 of 80'
    """
    return f"{count(some)} of {count(whole)}"


def points(estimate: Estimate) -> str:
    """Return a difference of two shares in percentage points with its interval.

    >>> points(Estimate(value=.056, low=.022, high=.09, n=500, method="paired"))
    '5.6 points [2.2, 9.0]'
    """
    if estimate.value is None:
        return NOT_MEASURED
    return f"{percent_number(estimate.value)} points {percent_interval(estimate.low, estimate.high)}".strip()


def supported_decimals(values: Sequence[float | None]) -> int:
    """Return how many decimals an estimate supports, by the Particle Data Group's rule on half its interval.

    Half a width whose leading digits are below 3.55 keeps two digits, a larger one keeps one. `values` is (value, low,
    high). Without an interval two significant digits are kept. Negative for tens, hundreds, ...

    >>> supported_decimals((0.28, 0.257, 0.305)), supported_decimals((4200.0, 3700.0, 4700.0))
    (3, -2)
    """
    value, low, high = values
    if low is not None and high is not None and high > low:
        half = (high - low) / 2
        power = math.floor(math.log10(half))
        return 1 - power if half < 3.55 * 10.0**power else -power
    if not value:
        return 0
    return 1 - math.floor(math.log10(abs(value)))


def money_parts(estimate: Estimate) -> tuple[str, str]:
    """Return US dollars and their interval, to the digit that the interval supports; never one decimal alone.

    >>> money_parts(Estimate(value=.2804, low=.257, high=.305, n=500, method="bootstrap"))
    ('$0.280', '[0.257, 0.305]')
    """
    if estimate.value is None:
        return NOT_MEASURED, ""
    decimals = supported_decimals((estimate.value, estimate.low, estimate.high))
    decimals = 2 if decimals == 1 else max(decimals, 0)
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f"[{rounded(estimate.low, decimals)}, {rounded(estimate.high, decimals)}]"
    return f"${rounded(estimate.value, decimals)}", interval


def dollars(amount: float) -> str:
    """Return an exact amount of US dollars, in cents; below ten cents, to two significant digits.

    >>> dollars(1234.5), dollars(0.0123), dollars(0)
    ('$1,234.50', '$0.012', '$0.00')
    """
    decimals = 2 if amount >= 0.1 or amount == 0 else supported_decimals((amount, None, None))
    return f"${rounded(amount, max(decimals, 2))}"


def tokens_parts(estimate: Estimate) -> tuple[str, str]:
    """Return tokens and their interval, rounded to the digit that the interval supports.

    >>> tokens_parts(Estimate(value=4217.3, low=3711., high=4730., n=80, method="bootstrap"))
    ('4,200', '[3,700, 4,700]')
    """
    if estimate.value is None:
        return NOT_MEASURED, ""
    step = 10 ** max(-supported_decimals((estimate.value, estimate.low, estimate.high)), 0)

    def whole(number: float) -> str:
        return rounded(float(Decimal(repr(number / step)).quantize(Decimal(1), rounding=ROUND_HALF_UP)) * step, 0)

    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f"[{whole(estimate.low)}, {whole(estimate.high)}]"
    return whole(estimate.value), interval


def p_value(probability: float) -> str:
    """Return a p value to three decimals.

    >>> p_value(0.0833), p_value(0.00001)
    ('0.083', '< 0.001')
    """
    return "< 0.001" if probability < 0.0005 else rounded(probability, 3)


def q_value(probability: float) -> str:
    """Return a q value to two decimals.

    >>> q_value(1.0), q_value(0.001)
    ('1.00', '< 0.01')
    """
    return "< 0.01" if probability < 0.005 else rounded(probability, 2)
