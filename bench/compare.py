"""Pairs of answers compared a second on one core: ours beside math-verify on the same simple pairs, and beside `==`.

    .venv/bin/python bench/compare.py [ROUNDS]

Bar: 5,000 simple pairs a second, for all kinds together and for each alone. math-verify (`pip install math-verify`) is
asked where it is installed, as its users ask it: parse both, verify. It has no other kinds than mathematics, so the
ratio is of the pairs of numbers and formulas alone; how often the two disagree with the pair's mark is printed, with
the pairs. Ends with 1 where the bar is missed. Not covered: prose of many pages (tests/compare bounds the work on it).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from fairtrial.compare import equivalent

LEAST_A_SECOND = 5_000
PEER_KINDS = ("number", "math")
Pair = tuple[str, str, str, bool]

PAIRS: list[Pair] = [
    ("number", "18", "18.0", True), ("number", "4821", "4,821", True), ("number", "1250000", "1.25e6", True),
    ("number", "0.375", "3/8", True), ("number", "-7", "7", False), ("number", "64", "$64.00", True),
    ("number", "2.5", "\\frac{5}{2}", True), ("number", "90", "\\boxed{90}", True), ("number", "13", "31", False),
    ("number", "6", "The answer is 6.", True),
    ("math", "x/3", "\\frac{x}{3}", True), ("math", "2*pi", "2\\pi", True), ("math", "(x-2)(x+2)", "x^2-4", True),
    ("math", "sqrt(8)", "2\\sqrt{2}", True), ("math", "a+b", "a-b", False), ("math", "3x+1", "3x+2", False),
    ("percent", "40%", "0.4", True), ("percent", "7.5%", "7.5 per cent", True), ("percent", "40%", "40", False),
    ("money", "$900", "900 USD", True), ("money", "$2.4 million", "$2,400,000", True), ("money", "$9", "€9", False),
    ("quantity", "30 cm", "0.3 m", True), ("quantity", "90 min", "1 h 30 min", True),
    ("quantity", "5 kg", "5 g", False),
    ("date", "2025-11-09", "November 9, 2025", True), ("date", "2025-11-09", "9 Nov 2025", True),
    ("date", "2025-11-09", "2025-09-11", False), ("boolean", "yes", "Yes.", True), ("boolean", "no", "yes", False),
    ("tuple", "(3,5)", "(3, 5)", True), ("set", "{1,2}", "{2,1}", True), ("interval", "[0,1)", "[0, 1)", True),
    ("json", '{"a":1,"b":[2]}', '{"b": [2], "a": 1}', True), ("table", "a,b\n1,2", "b,a\n2,1", True),
    ("text", "Loch Ness", "loch ness", True), ("choice", "C", "The answer is (C).", True),
    ("code_output", "1 2 3", "1 2 3\n", True),
]  # fmt: skip


def a_second(compare: Callable[[Pair], bool], pairs: Sequence[Pair], rounds: int) -> tuple[float, list[Pair]]:
    """Return pairs compared a second of processor time, and the pairs whose mark is missed."""
    missed = [pair for pair in pairs if compare(pair) != pair[3]]
    begun = time.process_time()
    for _ in range(rounds):
        for pair in pairs:
            compare(pair)
    return rounds * len(pairs) / max(time.process_time() - begun, 1e-9), missed


def ours(pair: Pair) -> bool:
    """Compare as fairtrial does."""
    return equivalent(pair[1], pair[2], pair[0]).equivalent


def floor(pair: Pair) -> bool:
    """Compare the texts alone."""
    return pair[1] == pair[2]


def peer() -> Callable[[Pair], bool] | None:
    """Return a comparison by math-verify, None where it is not installed."""
    try:
        from math_verify import parse, verify
    except ImportError:
        return None
    return lambda pair: bool(verify(parse(f"${pair[1]}$"), parse(pair[2] if "\\boxed" in pair[2] else f"${pair[2]}$")))


def main() -> int:
    """Print pairs a second, all together and by kind, and the ratios; return 1 where the bar is missed."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    every, missed = a_second(ours, PAIRS, rounds)
    low, _ = a_second(floor, PAIRS, rounds * 50)
    print(f"{'all kinds':<12} {every:>10,.0f} pairs a second, bar {LEAST_A_SECOND:,}")
    print(f"{'==':<12} {low:>10,.0f} pairs a second, ratio {low / every:,.0f}")
    rates = [every]
    for kind in dict.fromkeys(pair[0] for pair in PAIRS):
        rate, _ = a_second(ours, [pair for pair in PAIRS if pair[0] == kind], rounds)
        rates.append(rate)
        print(f"{kind:<12} {rate:>10,.0f}")
    for pair in missed:
        print(f"not as marked: {pair}")
    compared = [pair for pair in PAIRS if pair[0] in PEER_KINDS]
    other = peer()
    if other is None:
        print("math-verify is not installed: no ratio")
    else:
        mine, _ = a_second(ours, compared, rounds)
        theirs, theirs_missed = a_second(other, compared, 3)
        print(f"numbers and formulas: ours {mine:,.0f}, math-verify {theirs:,.0f}, ratio {mine / theirs:,.0f}")
        print(f"math-verify is not as marked on {len(theirs_missed)} of {len(compared)}:")
        print("".join(f"    {pair[1]}  {pair[2]}\n" for pair in theirs_missed), end="")
    return int(min(rates) < LEAST_A_SECOND or bool(missed))


if __name__ == "__main__":
    sys.exit(main())
