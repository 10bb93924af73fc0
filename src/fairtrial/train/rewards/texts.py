"""Text tasks in training: graded as they are in an evaluation, by the same function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairtrial.grade import Grading
from fairtrial.grade.text import grade_text
from fairtrial.tasks.text import TextKey, TextSuite
from fairtrial.train.rewards.protocol import Graded, Sampled

REFERENCES = 2
"""Right answers that are graded in a step; all of them over the run."""


class TextTruth:
    """Holds the keys of one file of text tasks."""

    def __init__(self, suite: TextSuite) -> None:
        self._keys: Mapping[str, TextKey] = suite.keys
        self._names = [task.name for task in suite.tasks]

    def grade(self, sampled: Sequence[Sampled]) -> list[Graded]:
        """Return a verdict on each completion."""
        return [Graded(grading=self._graded(one.task.name, one.completion)) for one in sampled]

    def references(self, step: int) -> tuple[int, int] | None:
        """Grade the answers of a few tasks, others in every step."""
        names = [self._names[(step * REFERENCES + i) % len(self._names)] for i in range(REFERENCES)]
        gradings = [self._graded(name, self._keys[name].answer) for name in names]
        return sum(grading.outcome == "passed" for grading in gradings), len(gradings)

    def _graded(self, name: str, completion: str) -> Grading:
        return grade_text(self._keys[name], completion)
