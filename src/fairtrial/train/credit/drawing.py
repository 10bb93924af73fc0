"""Which tasks a step gets: seeded passes over the tasks, and, if asked for, rests for tasks that teach nothing.

Every pass over the tasks has an order of its own, from the seed and the number of the pass. With `dynamic`, a task
whose group had equal rewards (all passed, say) is left out of as many of the next passes as it had such groups in a
row, at most `LONGEST_REST`; a group with unequal rewards ends the rest of a task. Where a whole pass would be left out,
nothing is. A step knows the groups of the steps up to `LAG` before it, no later ones: the trainer asks for the next
step's prompts while the last step still runs. So the draws are a function of seed and log, and a resumed run draws the
same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

LAG = 2
LONGEST_REST = 8


@dataclass(slots=True, kw_only=True)
class Drawer:
    """Draws `prompts` tasks a step, by index into a list of `tasks` of them. Steps are drawn in order, from 1."""

    tasks: int
    prompts: int
    seed: int
    dynamic: bool = False
    drawn: int = 0
    """Tasks drawn so far."""
    rested: int = 0
    """Places in a pass that were left out so far."""
    _steps: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _seen: dict[int, list[tuple[int, bool]]] = field(default_factory=dict)
    _equal: dict[int, int] = field(default_factory=dict)
    _rest: dict[int, int] = field(default_factory=dict)
    _queue: list[int] = field(default_factory=list)
    _pass: int = 0

    def __post_init__(self) -> None:
        if self.tasks < 1 or self.prompts < 1:
            raise ValueError("there is at least one task, and at least one prompt a step")

    def saw(self, step: int, task: int, rewards: Sequence[float | None]) -> None:
        """Take the rewards of a group of `step`; a group with fewer than two rewards says nothing."""
        known = [reward for reward in rewards if reward is not None]
        if len(known) > 1:
            self._seen.setdefault(step, []).append((task, min(known) == max(known)))

    def draw(self, step: int) -> tuple[int, ...]:
        """Return the tasks of `step`; those of earlier steps are drawn first where they were not.

        >>> drawer = Drawer(tasks=4, prompts=2, seed=0)
        >>> sorted(drawer.draw(1) + drawer.draw(2))
        [0, 1, 2, 3]
        """
        if step < 1:
            raise ValueError("steps count from 1")
        for number in range(len(self._steps) + 1, step + 1):
            if self.dynamic:
                self._learn(number - LAG)
            self._steps[number] = tuple(self._next() for _ in range(self.prompts))
        return self._steps[step]

    def _learn(self, step: int) -> None:
        for task, equal in self._seen.get(step, []):
            self._equal[task] = self._equal.get(task, 0) + 1 if equal else 0
            self._rest[task] = min(self._equal[task], LONGEST_REST)

    def _next(self) -> int:
        while not self._queue:
            self._queue = self._one_pass()
        self.drawn += 1
        return self._queue.pop()

    def _one_pass(self) -> list[int]:
        order = list(range(self.tasks))
        random.Random(f"{self.seed}/{self._pass}").shuffle(order)
        self._pass += 1
        kept = [task for task in order if not self._rest.get(task)]
        if not kept:
            self._rest.clear()
            return order
        for task in order:
            if self._rest.get(task):
                self._rest[task] -= 1
                self.rested += 1
        return kept
