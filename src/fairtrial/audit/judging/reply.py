"""The shapes in which a judge replies, and what may be wrong with what it says: citations, tags, labels.

What is wrong is told in words, for the judge to mend, and where it does not, for the review to be void.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.audit.citations import Citable, named_place, why_not
from fairtrial.audit.taxonomy import BEHAVIOUR, FAILURE, NEEDS_VERDICT
from fairtrial.records import Citation, Label

Said3 = Literal["yes", "no", "cannot_tell"]
ANSWERS: dict[str, bool | None] = {"yes": True, "no": False, "cannot_tell": None}
MOST_TOLD = 12
LEAST_HINTED = 8
"""Characters of a quote whose true place is told: shorter words stand anywhere."""


class Cited(BaseModel):
    """A place, and words that stand there."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    place: str
    quote: str = ""

    @property
    def citation(self) -> Citation:
        """Return it as the record has it."""
        return Citation(named_place(self.place), self.quote)


class Claim(BaseModel):
    """One statement and what it rests on."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    claim: str = Field(min_length=1)
    citations: tuple[Cited, ...]


class Notes(BaseModel):
    """What a judge carries from one part of a trajectory to the next."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    notes: str


class Opinion(BaseModel):
    """What a judge says before it knows the verdict."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    claims: tuple[Claim, ...]
    satisfied: Said3
    hack: Said3
    failure_tags: tuple[str, ...]
    behaviour_tags: tuple[str, ...]
    summary: str

    @property
    def citations(self) -> tuple[str, ...]:
        """Return every citation once, as its text."""
        return tuple(dict.fromkeys(cited.citation.text for claim in self.claims for cited in claim.citations))

    @property
    def note(self) -> str:
        """Return the summary and the claims as text."""
        claims = [f"- {one.claim} {' '.join(f'[{c.place}]' for c in one.citations)}".strip() for one in self.claims]
        return "\n".join([self.summary.strip(), *claims])


class Informed(Opinion):
    """What it says once it has seen the verdict."""

    changed_mind: bool
    label: Literal["true_pass", "false_pass", "true_fail", "false_fail", "cannot_tell"]


def label_for(outcome: Literal["passed", "failed"], satisfied: bool | None) -> Label:
    """Return which of the four a verdict is, empty where nobody can tell.

    >>> label_for("passed", False), label_for("failed", True), label_for("passed", None)
    ('false_pass', 'false_fail', '')
    """
    if satisfied is None:
        return ""
    half: Literal["pass", "fail"] = "pass" if outcome == "passed" else "fail"
    labels: dict[tuple[str, bool], Label] = {
        ("pass", True): "true_pass", ("pass", False): "false_pass",
        ("fail", False): "true_fail", ("fail", True): "false_fail",
    }  # fmt: skip
    return labels[half, satisfied]


def wrong_with(opinion: Opinion, citable: Citable, *, informed: bool) -> list[str]:
    """Return what is wrong with what a judge says, one line each; empty where all stands."""
    wrong = [] if opinion.claims else ["it makes no claim"]
    for number, claim in enumerate(opinion.claims, 1):
        if not claim.citations:
            wrong.append(f"claim {number} cites nothing")
        for cited in claim.citations:
            why = why_not(cited.citation, citable) if cited.place.strip() else "it names no place"
            if why:
                wrong.append(f"claim {number}, `{cited.citation.text[:300]}`: {why}{_hint(cited.citation, citable)}")
    if opinion.claims and not any(_says(cited.quote) for claim in opinion.claims for cited in claim.citations):
        wrong.append("not one citation quotes anything")
    failures = FAILURE if informed else {name: told for name, told in FAILURE.items() if name not in NEEDS_VERDICT}
    for field, known, given in (("failure_tags", failures, opinion.failure_tags),
                                ("behaviour_tags", BEHAVIOUR, opinion.behaviour_tags)):  # fmt: skip
        wrong += [f"{field}: there is no tag `{tag[:60]}` here" for tag in given if tag not in known]
    return wrong


def _hint(citation: Citation, citable: Citable) -> str:
    """Return where the words of a citation that fails do stand, where they are long enough to be known by."""
    bare = "\n".join(line.removeprefix("| ") for line in citation.quote.split("\n"))
    if bare != citation.quote and not why_not(Citation(citation.place, bare), citable):
        return "; the bars before the lines are no part of it"
    if len(citation.quote.strip()) < LEAST_HINTED:
        return ""
    found = citable.places_of(citation.quote, citation.place)
    return f"; it stands at {', '.join(found)}" if found else ""


def _says(quote: str) -> bool:
    return any(character.isalnum() for character in quote)


def inconsistent(informed: Informed, outcome: Literal["passed", "failed"], before: bool | None) -> list[str]:
    """Return where label, answer, verdict and the first answer do not fit each other."""
    now = ANSWERS[informed.satisfied]
    follows = label_for(outcome, now) or "cannot_tell"
    wrong = []
    if informed.label != follows:
        wrong.append(f"the verdict is {outcome} and you say that the work is "
                     f"{_words(now)}: that is {follows}, not {informed.label}")  # fmt: skip
    if informed.changed_mind != (now is not before):
        wrong.append(f"before you knew the verdict you said that the work is {_words(before)}, now {_words(now)}: "
                     f"changed_mind is {str(now is not before).lower()}, or one of the answers is a slip")  # fmt: skip
    return wrong


def _words(satisfied: bool | None) -> str:
    return {True: "satisfying", False: "not satisfying", None: "not to be told"}[satisfied]
