"""Grade a completion against a text task's key: `exact`, or any kind that `compare` knows.

Pure and quick: no process, no box. A completion is graded as it is; what a policy wrote never raises.
"""

from __future__ import annotations

from pathlib import Path

from fairtrial import __version__
from fairtrial.compare import KINDS, equivalent
from fairtrial.grade.protocol import Grading
from fairtrial.records import record_id
from fairtrial.tasks.text import EXACT, AnswerPart, TextKey, TextSuite, read_text_tasks


def text_suite(path: Path) -> TextSuite:
    """Read the text tasks at `path`, whose answers this grader can judge. Raise FormatError where a row is no task."""
    return read_text_tasks(path, (EXACT, *KINDS))


def grade_text(key: TextKey, completion: str) -> Grading:
    """Return the verdict on `completion`: 1.0 and passed, or 0.0 and failed.

    >>> grade_text(TextKey(answer="1349"), " 1349 ").outcome, grade_text(TextKey(answer="1349"), "1394").outcome
    ('passed', 'failed')
    """
    answer = answer_of(completion, key.part)
    same = answer == key.answer.strip() if key.kind == EXACT else equivalent(key.answer, answer, key.kind).equivalent
    return Grading(outcome="passed" if same else "failed", score=float(same))


def answer_of(completion: str, part: AnswerPart) -> str:
    r"""Return the part of a completion that is its answer, blanks around it apart.

    >>> answer_of("1349 or 9431", "first_word"), answer_of("so:\n1349\n", "last_line"), answer_of("", "first_word")
    ('1349', '1349', '')
    """
    text = completion.strip()
    pieces = text.split() if part == "first_word" else text.splitlines()
    if part == "whole" or not pieces:
        return text
    return pieces[-1 if part == "last_line" else 0].strip()


def text_grader_hash(key: TextKey) -> str:
    """Return the content address of what grades: this version of the comparison, and the key."""
    return record_id("text-grader/1", {"tool": __version__, "answer": key.answer, "kind": key.kind, "part": key.part})
