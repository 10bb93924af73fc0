"""What an expert is asked of each part of a task, the same in forms and on pages."""

from __future__ import annotations

from fairtrial.records import TaskPart

QUESTIONS: dict[TaskPart, str] = {
    "instruction": "Does it ask for one thing, and say all that counts, so that an expert could do it from that alone?",
    "world": "Is what lies in the environment real, complete and free of contradictions, and the answer out of reach?",
    "grader": "Does it pass each piece of right work, whatever its form, and fail all that is wrong?",
    "reference": "Is it right, as an expert would do it?",
}
SECOND_DESIGN = "Name a second correct design, other than the reference: does the grader pass it?"
