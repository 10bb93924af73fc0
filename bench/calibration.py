"""The sequential test of a difficulty beside a design of a fixed number of attempts with the same errors.

    .venv/bin/python bench/calibration.py [ERROR]

Exact, by following all paths. The fixed design asks for n attempts and claims "in the band" where both one-sided exact
binomial tests reject at ERROR; n is the least that claims it with the chance that the sequential test does, or 0.9.
"""

from __future__ import annotations

import sys

from scipy.stats import binom

from fairtrial.authoring.calibrate.evidence import Band
from fairtrial.authoring.calibrate.operating import operating

LOW, HIGH, MOST = 0.02, 0.70, 400
RATES = (0.0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
POWER = 0.9


def claimed(rate: float, n: int, error: float) -> float:
    """Return the chance that n attempts claim "in the band"."""
    least = int(binom.isf(error, n, LOW)) + 1
    most = int(binom.ppf(error, n, HIGH)) - (binom.cdf(int(binom.ppf(error, n, HIGH)), n, HIGH) > error)
    return float(binom.cdf(most, n, rate) - binom.cdf(least - 1, n, rate)) if most >= least else 0.0


def fixed(rate: float, error: float) -> int | None:
    """Return the least n that claims a rate in the band with POWER, also for all larger n up to 20 more."""
    for n in range(4, 2_000):
        if all(claimed(rate, m, error) >= POWER for m in range(n, n + 20)):
            return n
    return None


def main() -> None:
    """Print the table."""
    error = float(sys.argv[1]) if len(sys.argv) > 1 else 0.05
    print(f"band {LOW} to {HIGH}, error {error:g} a claim, at most {MOST} attempts")
    print(f"{'rate':>6} {'in band':>8} {'easy':>7} {'hard':>7} {'open':>6} {'attempts':>9} {'fixed n':>8}")
    for rate in RATES:
        one = operating(rate, Band(low=LOW, high=HIGH, error=error), MOST)
        n = fixed(rate, error) if LOW < rate < HIGH else None
        print(f"{rate:>6} {one.in_band:>8.4f} {one.too_easy:>7.4f} {one.too_hard:>7.4f} {one.open:>6.3f} "
              f"{one.attempts:>9.1f} {n or '':>8}")  # fmt: skip


if __name__ == "__main__":
    main()
