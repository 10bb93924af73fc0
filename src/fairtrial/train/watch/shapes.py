"""What completions look like beside right answers: whether anything that was written could have passed.

Hard tasks are answered wrongly in the right shape. The shape says something only of tasks whose whole completion is
held against the answer as text: `shapes_of` has no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairtrial.tasks.text import EXACT, TextSuite
from fairtrial.train.watch.known import Shape

_FEWEST = 16
"""Completions below which a shape says nothing: four alike may be chance."""
_STRAYS = 1 / 50
"""Share of completions that may have the right length where the policy answers another question: sampling strays."""


def shape_of(answer: str) -> Shape:
    """Return what an answer looks like.

    >>> shape_of(" 13-4 ").length, sorted(shape_of("13-4").kinds)
    (4, ['-', 'digit'])
    """
    return Shape(length=len(answer.strip()), kinds=frozenset(_kinds(answer)))


def shapes_of(suite: TextSuite) -> dict[str, Shape]:
    """Return the shape of the right answer of each task whose whole completion must be that text."""
    return {name: shape_of(key.answer) for name, key in suite.keys.items()
            if key.kind == EXACT and key.part == "whole"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signs:
    """What completions have in common, each as a sentence."""

    impossible: tuple[str, ...] = ()
    """None of them could have passed, but for a stray in fifty."""
    odd: tuple[str, ...] = ()
    """Told, and no proof: a policy may well answer every choice with the same letter."""


def signs(completions: Iterable[tuple[str, str, bool]], shapes: Mapping[str, Shape]) -> Signs:
    """Return what all of `completions` (task, text, finished) have in common.

    >>> rows, right = [(f"t{i}", "12345", True) for i in range(20)], {f"t{i}": shape_of(f"{i:04}") for i in range(20)}
    >>> signs(rows, right).impossible[0]
    'None of 20 completions has the length of its right answer (most often 5 characters, right ones 4).'
    """
    rows = [(task, text.strip(), finished) for task, text, finished in completions]
    if len(rows) < _FEWEST:
        return Signs()
    n, odd = len(rows), []
    if all(not text for _, text, _ in rows):
        return Signs(impossible=(f"All {n} completions are empty.",))
    if not any(finished for _, _, finished in rows):
        odd.append(f"All {n} completions were cut off at the limit.")
    if len({text for _, text, _ in rows}) == 1 and len({task for task, _, _ in rows}) > 1:
        odd.append(f"All {n} completions are one and the same text.")
    held = [(text, shapes[task]) for task, text, _ in rows if task in shapes]
    return Signs(impossible=tuple(_beside(held)) if len(held) == n else (), odd=tuple(odd))


def _beside(held: list[tuple[str, Shape]]) -> list[str]:
    found = []
    fitting = sum(len(text) == shape.length for text, shape in held)
    if fitting <= _STRAYS * len(held):
        wrong, right = _commonest(len(text) for text, _ in held), sorted({shape.length for _, shape in held})
        span = str(right[0]) if len(right) == 1 else f"{right[0]} to {right[-1]}"
        many = f"Only {fitting}" if fitting else "None"
        found.append(f"{many} of {len(held)} completions has the length of its right answer (most often {wrong} "
                     f"characters, right ones {span}).")  # fmt: skip
    if not any(_kinds(text) & shape.kinds for text, shape in held):
        found.append(f"None of {len(held)} completions has a kind of character that right answers are made of.")
    return found


def _commonest(lengths: Iterable[int]) -> int:
    counts: dict[int, int] = {}
    for length in lengths:
        counts[length] = counts.get(length, 0) + 1
    return max(sorted(counts), key=counts.__getitem__)


def _kinds(text: str) -> set[str]:
    return {"digit" if c.isdigit() else "letter" if c.isalpha() else c for c in text if not c.isspace()}
