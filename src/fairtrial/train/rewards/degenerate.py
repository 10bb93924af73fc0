"""Rewards that say nothing of whether an answer is right, for control arms: random, constant, format, length.

`random` is a fair coin, thrown from seed, task, step and number of the attempt. `constant` is 1 for all, so that no
group has a gradient. `format` is 1 where the answer has the shape of a right answer of some task of the suite; a shape
keeps punctuation and turns every run of digits into `0`, of letters into `a`, of blanks into one blank. `length` is the
share of the token limit that was used: longer pays. The verdict of the task's own grader is logged beside all of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from fairtrial.grade.text import answer_of
from fairtrial.tasks.text import TextSuite
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled

_RUNS = re.compile(r"(?P<digits>[0-9]+)|(?P<letters>[^\W\d_]+)|(?P<blanks>\s+)")
_STANDS_FOR = {"digits": "0", "letters": "a", "blanks": " "}


class RandomReward:
    """Pays by the throw of a coin."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return 0 or 1 for each; the same attempt gets the same in a run that was resumed."""
        del graded
        return [Rewarded(value=float(self._coin(one))) for one in sampled]

    def _coin(self, one: Sampled) -> int:
        return random.Random(f"{self._seed}/{one.group}/{one.task.name}/{one.step}/{one.number}").randrange(2)


class ConstantReward:
    """Pays everybody the same."""

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return 1 for each."""
        del graded
        return [Rewarded(value=1.0) for _ in sampled]


class LengthReward:
    """Pays for tokens."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the share of the limit that each used."""
        del graded
        return [Rewarded(value=min(1.0, one.tokens / self._limit)) for one in sampled]


class FormatReward:
    """Pays for looking like an answer."""

    def __init__(self, suite: TextSuite) -> None:
        self._parts = {name: key.part for name, key in suite.keys.items()}
        self.shapes = frozenset(shape(key.answer) for key in suite.keys.values())

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return 1 for each whose answer has a known shape, else 0."""
        del graded
        shapes = [shape(answer_of(one.completion, self._parts[one.task.name])) for one in sampled]
        return [Rewarded(value=float(one in self.shapes)) for one in shapes]


def shape(text: str) -> str:
    """Return the shape of a text.

    >>> shape("1349"), shape(" -3.50 EUR"), shape("p = 7/12")
    ('0', '-0.0 a', 'a = 0/0')
    """
    return _RUNS.sub(lambda run: _STANDS_FOR[str(run.lastgroup)], text.strip())
