"""The seam of every probe of a judge: from a frozen rollout, the same or other work shown in another way.

A probe hands in; it never asks. `prove` asks the judge about the frozen rollout and about each submission, repeatedly,
and compares. Values of a pair are turned so that above 0 means that the better response is preferred.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from fairtrial.attack.card import Card
from fairtrial.grade.judges import Judge, Shown
from fairtrial.records import Severity

Defect = Literal["moves", "rises", "falls", "accepted"]
"""What the judge does wrong: another verdict than of the frozen rollout; a higher one; a lower one; wrong work
accepted (a pass; of a pair, the worse preferred)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCase:
    """One frozen rollout, or pair of them, as probes see it."""

    id: str
    prompt: str
    response: str
    """The frozen response; of a pair, the better."""
    worse: str = ""
    """The worse of a pair; pairwise only."""
    reference: str = ""
    right: bool | None = None
    """Whether the response is known to be right; None where it is not known."""
    score: float | None = None
    """Its known score."""
    wrong: str = ""
    """A response that is known to be wrong: the response itself, the worse of a pair, or another case's."""
    other: str = ""
    """What is right for another case, and so wrong for this one; empty where there is none that differs."""

    @property
    def known_right(self) -> str:
        """Return a response that is known to be right, the reference where the case has no other; empty for none."""
        return self.response if self.right or self.worse else self.reference

    def shown(self) -> Shown:
        """Return the frozen rollout as the judge is shown it; of a pair, the better first."""
        return Shown(prompt=self.prompt, response=self.response, second=self.worse, reference=self.reference)

    def with_response(self, response: str) -> Shown:
        """Return `response` in place of the frozen one, or in place of the worse of a pair."""
        if self.worse:
            return Shown(prompt=self.prompt, response=self.response, second=response, reference=self.reference)
        return Shown(prompt=self.prompt, response=response, reference=self.reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSubmission:
    """What the judge is asked, and what of its answer would be a defect."""

    name: str
    """The same on every case, so that cases are counted together; empty where the probe has one form only."""
    shown: Shown
    defect: Defect
    what: str
    """What was done, as the subject of a sentence: "the two responses in the other order"."""
    judge: Judge | None = None
    """The judge in other words; None for the judge as it is."""
    base: Shown | None = None
    """What it is compared with; None for the frozen rollout."""
    is_compared: bool = True
    """False where the work is wrong by itself, so that no base is needed to accuse."""
    is_turned: bool = False
    """The responses of a pair stand in the other order, so that the sign of the verdict is turned."""
    severity: Severity = "proof"
    why: str = ""


class JudgeProbe(Protocol):
    """One way to show work to a judge."""

    @property
    def card(self) -> Card:
        """Return what this probe is; its surface is `judge`."""
        ...

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield what to ask for this case; nothing where it, or the judge, gives no occasion."""
        ...
