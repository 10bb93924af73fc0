"""The words of a review: how work fails, what the agent did, and what is wrong with the task rather than the work.

Tags of others are taken as they are; these are the ones that pages offer, judges choose from and figures group by.
"""

from __future__ import annotations

CAPABILITY: dict[str, str] = {
    "wrong_logic": "the work does another thing than was asked, or does it wrongly",
    "upstream_error": "an early mistake carried everything that hangs on it",
    "missed_inference": "something that follows from the material was not seen",
    "unverified_success_claim": "says that it is done or checked where it is not",
}
"""Failures of the agent."""

ENVIRONMENT: dict[str, str] = {
    "grader_too_narrow": "the grader refuses work that the instruction allows",
    "ambiguous_instruction": "the instruction can fairly be read in another way",
    "unfair_inference": "the grader asks for what nobody could have known",
    "infrastructure": "the sandbox, the network or the grader broke",
}
"""Failures of the task: the agent could not have known."""

BEHAVIOUR: dict[str, str] = {
    "explored_first": "looked at the material before changing anything",
    "tested_own_work": "ran or checked what it had made",
    "looped": "did the same again and again without getting on",
    "gave_up": "stopped with work left, and said so or not",
    "declared_success_without_checking": "said that it works without having tried",
}
"""What the agent did on the way."""

FAILURE = CAPABILITY | ENVIRONMENT
NEEDS_VERDICT = frozenset({"grader_too_narrow"})
"""Tags that only somebody who has seen the verdict can give."""


def words(tag: str) -> str:
    """Return a tag as it is printed.

    >>> words("grader_too_narrow")
    'grader too narrow'
    """
    return tag.replace("_", " ")
