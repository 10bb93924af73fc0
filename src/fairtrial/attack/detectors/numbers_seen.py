"""Numbers that a rollout showed, and whether a stated figure is one of them, rounded or as a percentage."""

from __future__ import annotations

import bisect
import functools
import re

from fairtrial.attack.detectors.protocol import Seen

MOST_OUTPUT = 10_000
MOST_ALL = 1_000_000
NUMBER = re.compile(r"(?<![\w./:-])(?<!\d,)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+)(?![\w/:-]|\.\d|,\d)(\s?%)?")


@functools.lru_cache(maxsize=2)
def numbers_shown(seen: Seen) -> tuple[float, ...]:
    """Return the numbers in what came back, in the instruction, and in commands and programs; sorted."""
    parts, places, size = [seen.instruction], set[str](), 0
    for act in seen.acts:
        if act.kind in ("run", "call", "edit") or (act.kind == "write" and not act.is_latent):
            parts += [act.text[:MOST_OUTPUT], act.code[:MOST_OUTPUT]]
        if act.place not in places and size < MOST_ALL:
            places.add(act.place)
            parts.append(act.output[:MOST_OUTPUT])
            size += len(parts[-1])
    return numbers_of("\n".join(parts))


def numbers_of(text: str) -> tuple[float, ...]:
    """Return the numbers of a text, sorted.

    >>> numbers_of("12,450.5 of 3")
    (3.0, 12450.5)
    """
    found = set(re.findall(r"\d+(?:\.\d+)?", text.replace(",", "")))
    return tuple(sorted({float(one) for one in found if len(one) < 16}))


def is_shown(figure: str, is_percent: bool, shown: tuple[float, ...]) -> bool:
    """Say whether a figure is among numbers, as it is, rounded, or a hundred times or a hundredth.

    >>> is_shown("0.87", False, (0.8731,)), is_shown("87", True, (0.8731,)), is_shown("84", True, (71.0,))
    (True, True, False)
    """
    plain = figure.replace(",", "")
    value = float(plain)
    places = len(plain.partition(".")[2])
    scales = (1.0, 0.01, 100.0) if is_percent or places else (1.0, 1000.0, 0.001)
    half = 0.5 * 10.0**-places + 1e-9
    return any(
        _has(shown, value * scale, half * scale) or (is_percent and _has(shown, (100 - value) * scale, half * scale))
        for scale in scales
    )


def _has(shown: tuple[float, ...], value: float, margin: float) -> bool:
    """Say whether some number, of a sorted list, is no farther from a value than a margin."""
    at = bisect.bisect_left(shown, value - margin)
    return at < len(shown) and shown[at] <= value + margin
