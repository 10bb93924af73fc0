"""A probe of text graders as a card and a function, and the guard that no probe may go without.

Whatever a rule yields, a completion that says what the gold completion, a declared right one or the bare answer says is
never handed in as wrong, nor a declared wrong one as right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold, gold_of, same
from fairtrial.attack.text.protocol import Completion, TextCase, TextSubmission, text_of
from fairtrial.records import Severity

Make = Callable[[TextCase, Gold], Iterable[TextSubmission]]
MOST_READ = 20_000
_WORDS = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?%?|\w+")
NO_ANSWER = Gold(text="", kind="prose", is_given=False)
"""What a rule is given where a case holds no answer at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRule:
    """A probe whose submissions one function makes."""

    card: Card
    make: Make
    needs_answer: bool = True
    """Only cases that hold an answer are asked; others get nothing."""
    is_content_free: bool = False
    """It answers nothing, whatever it says: where the answer stands in it by chance, the case gets another."""

    def submissions(self, case: TextCase) -> Iterator[TextSubmission]:
        """Yield what the rule makes, without what could be right (or wrong) after all; each name once."""
        gold = gold_of(case)
        if gold is None and self.needs_answer:
            return
        names: set[str] = set()
        for submission in self.make(case, gold or NO_ANSWER):
            if submission.name in names or is_contradicted(case, gold, submission):
                continue
            if self.is_content_free and gold is not None and names_by_chance(gold, text_of(submission.completion)):
                continue
            names.add(submission.name)
            yield submission


def is_contradicted(case: TextCase, gold: Gold | None, submission: TextSubmission) -> bool:
    """Say whether the case itself says the opposite of what `submission` expects."""
    said = text_of(submission.completion)
    if submission.expects == "passes":
        return any(said.strip() == one.strip() for one in case.wrong)
    if not isinstance(submission.completion, str):
        return submission.completion == case.reference
    right = (case.reference_text, *case.right)
    return any(same(said, one) for one in right) or (gold is not None and gold.is_right(said))


def names_by_chance(gold: Gold, said: str) -> bool:
    """Say whether a text that answers nothing holds the answer all the same, as a word or number of its own.

    >>> gold = Gold(text="100", kind="number", is_given=True)
    >>> names_by_chance(gold, "Criteria met: 3/3. Total: 100%."), names_by_chance(gold, "Criteria met: 3/3.")
    (True, False)
    """
    if not gold.is_one or not gold.text:
        return False
    return any(gold.is_right(word) for word in _WORDS.findall(said[:MOST_READ])) or (
        " " in gold.text and gold.text.casefold() in said.casefold()
    )


def wrong(
    name: str, completion: Completion, what: str, *, why: str, severity: Severity = "proof", is_lazy: bool = False
) -> TextSubmission:
    """Return a completion that a sound grader fails."""
    return TextSubmission(
        name=name, completion=completion, expects="fails", what=what, why=why, severity=severity, is_lazy=is_lazy
    )


def lazy(name: str, completion: Completion, what: str, *, why: str, severity: Severity = "proof") -> TextSubmission:
    """Return a completion that knows nothing of the answer, and that a sound grader fails."""
    return wrong(name, completion, what, why=why, severity=severity, is_lazy=True)


def right(name: str, completion: Completion, what: str, *, why: str, severity: Severity = "lead") -> TextSubmission:
    """Return a completion that a sound grader passes."""
    return TextSubmission(name=name, completion=completion, expects="passes", what=what, why=why, severity=severity)
