"""The items of the rubric in the other order, and common words of the prompt replaced by others that mean the same.

Made without a model. A lead only: the order of items may be meant, and a synonym may shade the meaning; what the author
declares as a paraphrase proves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge
from fairtrial.grade.judges.definition import PLACEHOLDER

CARD = Card(
    id="rubric_rearranged",
    family="equivalent",
    surface="judge",
    submits="the rubric's items in the other order; the prompt with common words replaced by synonyms",
    sound="gives the same verdict",
    proof="Never alone: a lead, since order and words may be meant.",
    classes=("BGW-127",),
)
SYNONYMS = {
    "evaluate": "assess", "assess": "evaluate", "grade": "rate", "rate": "grade", "judge": "assess",
    "response": "answer", "answer": "response", "question": "request", "criteria": "requirements",
    "rubric": "list of requirements", "correct": "right", "carefully": "with care", "should": "ought to",
}  # fmt: skip
_WORD = re.compile(r"\b(" + "|".join(SYNONYMS) + r")\b", re.IGNORECASE)


class RubricRearranged:
    """Reorder the rubric; replace words."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield the frozen rollout under the rearranged prompt, where that changes anything."""
        if len(judge.rubric) > 1 and "rubric" in judge.placeholders():
            turned = replace(judge, rubric=tuple(reversed(judge.rubric)))
            yield _asked(case, turned, "items_reversed", "listing the items of the rubric in the other order")
        worded = replace(judge, template=reworded(judge.template, judge), system=reworded(judge.system, judge))
        if worded != judge:
            yield _asked(case, worded, "synonyms", "replacing common words of the prompt by synonyms")


def _asked(case: JudgeCase, judge: Judge, name: str, what: str) -> JudgeSubmission:
    return JudgeSubmission(name=name, shown=case.shown(), judge=judge, defect="moves", what=what, severity="lead",
                           why="Order and choice of words may be meant.")  # fmt: skip


def reworded(text: str, judge: Judge) -> str:
    """Return `text` with common words replaced; placeholders, quoted words and the names of labels stay.

    >>> reworded("Grade the answer: {response}", Judge(name="j", template=""))
    'Rate the response: {response}'
    """
    kept = {name.casefold() for name in (*judge.label_names(), *judge.names, judge.field)}

    def other(found: re.Match[str]) -> str:
        word = found[0]
        if word.casefold() in kept or _is_quoted(found):
            return word
        new = SYNONYMS[word.casefold()]
        return new.capitalize() if word[0].isupper() else new

    parts, last = [], 0
    for held in PLACEHOLDER.finditer(text):
        parts += [_WORD.sub(other, text[last : held.start()]), held[0]]
        last = held.end()
    return "".join([*parts, _WORD.sub(other, text[last:])])


def _is_quoted(found: re.Match[str]) -> bool:
    before, after = found.string[max(0, found.start() - 1) : found.start()], found.string[found.end() :][:1]
    return before in ('"', "'", "`", "<", "/") or after in ('"', "'", "`", ">")
