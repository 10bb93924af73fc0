"""What a decision page asks: the question, its answers, the tags, each with the key that gives it.

In the second pass the question is whether the verdict is right, and tags open that need one.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.audit.taxonomy import BEHAVIOUR, CAPABILITY, ENVIRONMENT, NEEDS_VERDICT, words
from fairtrial.serve.review.decision import Outcome


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer or tag, with its key as a script hears it and as a page prints it."""

    value: str
    words: str
    key: str
    printed: str
    means: str = ""
    opens: str = ""
    """When it can be chosen: always, with `no` work, or only once the `verdict` is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form."""

    question: str
    answers: tuple[Choice, ...]
    behaviour: tuple[Choice, ...]
    capability: tuple[Choice, ...]
    environment: tuple[Choice, ...]
    fails_with: str
    """The answer with which the work does not satisfy the task; it opens the tags of failure."""
    rule: str
    """What an answer needs."""


_UNDECIDED = Choice("cannot_tell", "Cannot tell", "u", "u")
_BLIND = (Choice("yes", "Yes", "y", "y"), Choice("no", "No", "x", "x"), _UNDECIDED)
_AFTER = {
    "passed": (Choice("yes", "Yes, a true pass", "y", "y"), Choice("no", "No, a false pass", "x", "x"), _UNDECIDED),
    "failed": (Choice("yes", "Yes, a true fail", "y", "y"), Choice("no", "No, a false fail", "x", "x"), _UNDECIDED),
}


def form_for(outcome: Outcome | None = None) -> Form:
    """Return the form; `outcome` is the verdict that is shown, None while blind.

    >>> form_for("failed").question, form_for("failed").fails_with
    ('Is the verdict right?', 'yes')
    """
    behaviour = tuple(
        Choice(tag, words(tag), str(at), str(at), means) for at, (tag, means) in enumerate(BEHAVIOUR.items(), 1)
    )
    first = len(behaviour) + 1
    capability = tuple(
        Choice(tag, words(tag), str(at), str(at), means, "no")
        for at, (tag, means) in enumerate(CAPABILITY.items(), first)
    )
    last = sorted(ENVIRONMENT, key=lambda tag: tag in NEEDS_VERDICT)
    environment = tuple(
        Choice(tag, words(tag), f"shift+{at}", f"⇧{at}", ENVIRONMENT[tag], "verdict" if tag in NEEDS_VERDICT else "")
        for at, tag in enumerate(last, 1)
    )
    answers = _AFTER.get(outcome or "", _BLIND)
    needs = "“Yes” and “no” need a citation" if outcome == "failed" else "A “no” needs a citation"
    return Form(question="Is the verdict right?" if answers is not _BLIND else "Does the work satisfy the task?",
                answers=answers, behaviour=behaviour, capability=capability, environment=environment,
                fails_with="yes" if outcome == "failed" else "no",
                rule=f"{needs}. “Cannot tell” needs a note.")  # fmt: skip
