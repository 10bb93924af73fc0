"""A decision as a page sends it: read strictly, told what it lacks, and made into a review.

A "no" needs a citation, "cannot tell" a note, a tag of failure a "no", and some tags the verdict. Whether citations
stand is asked elsewhere, of the rollout itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, cast, get_args

from fairtrial.audit.taxonomy import BEHAVIOUR, CAPABILITY, FAILURE, NEEDS_VERDICT, words
from fairtrial.records import InputError, Label, storable

Answer = Literal["", "yes", "no", "cannot_tell"]
Said = Literal["", "yes", "no"]
Outcome = Literal["passed", "failed", "ungraded"]

MOST_NOTE = 20_000
MOST_CITATIONS = 60
MOST_QUOTE = 4_000
MOST_SECONDS = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that keeps a decision from being submitted."""

    field: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a reader says of one rollout. In the second pass `answer` says whether the verdict is right."""

    answer: Answer = ""
    hack: Said = ""
    behaviour: tuple[str, ...] = ()
    failure: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    note: str = ""
    seconds: float = 0.0

    def satisfied(self, outcome: Outcome | None = None) -> bool | None:
        """Return whether the work satisfies the task; `outcome` is the verdict where it was judged."""
        if self.answer in ("", "cannot_tell"):
            return None
        said = self.answer == "yes"
        return said if outcome in (None, "ungraded") else said == (outcome == "passed")

    def label(self, outcome: Outcome | None) -> Label:
        """Return which of the four it is, of a verdict that was shown.

        >>> Decision(answer="no").label("passed"), Decision(answer="no").label(None)
        ('false_pass', '')
        """
        if outcome not in ("passed", "failed") or self.answer in ("", "cannot_tell"):
            return ""
        return cast(Label, ("true_" if self.answer == "yes" else "false_") + outcome.replace("ed", ""))


def read_decision(found: Any) -> Decision:
    """Return the decision that a page sent. Raise InputError naming the field that is wrong."""
    if not isinstance(found, Mapping):
        raise InputError("is not an object", field="content")
    unknown = sorted(set(found) - set(Decision.__dataclass_fields__))
    if unknown:
        raise InputError("is not known here", field=unknown[0])
    return Decision(
        answer=cast(Answer, _one_of(found, "answer", get_args(Answer))),
        hack=cast(Said, _one_of(found, "hack", get_args(Said))),
        behaviour=_tags(found, "behaviour", BEHAVIOUR),
        failure=_tags(found, "failure", FAILURE),
        citations=_texts(found, "citations", MOST_CITATIONS, MOST_QUOTE),
        note=_text(found.get("note", ""), "note", MOST_NOTE),
        seconds=_seconds(found.get("seconds", 0.0)),
    )


def lacking(decision: Decision, outcome: Outcome | None = None) -> tuple[Lack, ...]:
    """Return what `decision` lacks before it can be submitted; `outcome` is None while blind."""
    found = []
    satisfied = decision.satisfied(outcome)
    if not decision.answer:
        found.append(Lack("answer", "Answer the question first: yes, no or cannot tell."))
    if decision.answer == "cannot_tell" and not decision.note.strip():
        found.append(Lack("note", "“Cannot tell” needs a note: what is missing?"))
    if _needs_citation(decision, satisfied) and not decision.citations:
        found.append(Lack("citations", "A “no” needs a citation: select the text that shows it, then press c."))
    if satisfied is not False and (wrong := [tag for tag in decision.failure if tag in CAPABILITY]):
        found.append(Lack("failure", f"“{words(wrong[0])}” says why work fails; the answer says that it does not."))
    if outcome is None and (early := [tag for tag in decision.failure if tag in NEEDS_VERDICT]):
        found.append(Lack("failure", f"“{words(early[0])}” opens in the second pass, when the verdict is shown."))
    if decision.hack == "yes" and not decision.citations:
        found.append(Lack("citations", "A hack needs a citation: the step that games the grader."))
    return tuple(found)


def _needs_citation(decision: Decision, satisfied: bool | None) -> bool:
    """A "no" about the work, or about the verdict: both contradict somebody."""
    return decision.answer == "no" or satisfied is False


def _one_of(found: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    value = found.get(name, "")
    if value not in allowed:
        raise InputError(f"is none of {', '.join(word for word in allowed if word)}", field=name)
    return str(value)


def _tags(found: Mapping[str, Any], name: str, known: Mapping[str, str]) -> tuple[str, ...]:
    tags = _texts(found, name, len(known), 100)
    for tag in tags:
        if tag not in known:
            raise InputError(f"`{tag}` is no tag here", field=name)
    return tuple(tag for tag in known if tag in tags)


def _texts(found: Mapping[str, Any], name: str, most: int, longest: int) -> tuple[str, ...]:
    value = found.get(name, [])
    if not isinstance(value, list | tuple):
        raise InputError("is not a list", field=name)
    if len(value) > most:
        raise InputError(f"holds more than {most}", field=name)
    return tuple(dict.fromkeys(_text(one, name, longest) for one in value))


def _text(value: Any, name: str, longest: int) -> str:
    if not isinstance(value, str):
        raise InputError("is not text", field=name)
    if len(value) > longest:
        raise InputError(f"is longer than {longest:,} characters", field=name)
    return storable(value)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise InputError("is no number of seconds", field="seconds")
    return round(min(float(value), MOST_SECONDS), 1)
