"""Let a language model propose what names stand for; `mapping_for` puts the question, checks the reply, records it."""

from __future__ import annotations

from collections.abc import Callable

from fairtrial.checks import CheckError
from fairtrial.models import Answered, LanguageModel, request

_PART = "You match names of one program with those of another. Reply with one JSON object and nothing else."


def proposals_of(model: LanguageModel) -> Callable[[str], str]:
    """Return a function that asks `model` a question and returns its reply.

    It raises CheckError where there is no reply: what a model does not propose says nothing about the work.
    """

    def propose(question: str) -> str:
        outcome = model.ask(request(_PART, question))
        if isinstance(outcome, Answered):
            return outcome.reply.text
        raise CheckError(f"the model `{model.spec.name}` proposes no names: {outcome.kind}")

    return propose
