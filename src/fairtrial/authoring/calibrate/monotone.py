"""Do harder difficulties pass less? Checked on what was seen; and the rates as they would be if so (isotonic). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairtrial.records import Estimate


def reversals(rates: Mapping[int, Estimate]) -> tuple[tuple[int, int], ...]:
    """Return (easier, harder) whose intervals say that the harder one is passed more.

    Every interval holds at every look and for all difficulties together, so that one such pair refutes the order.

    >>> a = Estimate(value=.2, low=.1, high=.3, n=9, method=""); b = Estimate(value=.6, low=.4, high=.8, n=9, method="")
    >>> reversals({0: a, 2: b}), reversals({0: b, 2: a})
    (((0, 2),), ())
    """
    known = [(at, each.low, each.high) for at, each in sorted(rates.items()) if each.low is not None]
    return tuple((one, two) for n, (one, _, high) in enumerate(known) for two, low, _ in known[n + 1 :]
                 if high is not None and low is not None and low > high)  # fmt: skip


def isotonic(passed: Sequence[int], graded: Sequence[int]) -> list[float | None]:
    """Return the likeliest rates that never rise, by pooling neighbours that violate; None where nothing was graded.

    >>> isotonic([9, 2, 4, 0], [10, 10, 10, 0])
    [0.9, 0.3, 0.3, None]
    """
    blocks: list[tuple[int, int, int]] = []
    for some, all_ in zip(passed, graded, strict=True):
        if not all_:
            continue
        block = (some, all_, 1)
        while blocks and block[0] * blocks[-1][1] > blocks[-1][0] * block[1]:
            last = blocks.pop()
            block = (block[0] + last[0], block[1] + last[1], block[2] + last[2])
        blocks.append(block)
    fitted = iter([some / all_ for some, all_, size in blocks for _ in range(size)])
    return [next(fitted) if all_ else None for all_ in graded]
