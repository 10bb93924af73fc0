"""The verdict in words: one sentence, one paragraph, and the statement of each row, made by rules from the figures.

The sentence says first what stands in the way (refuted, unproven), then what there is to learn from. It never praises,
and where nothing was proven it says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.measure.result import Measurement, ModelFigures
from fairtrial.records import Estimate
from fairtrial.report.claims import name_of, supports_words
from fairtrial.report.numbers import count, of, percent
from fairtrial.report.words import capital, fraction_words, plural, verb

NOTABLE_UNGRADED = 0.05
FEW = 0.05
"""The share of false verdicts against which the statement of their row is made."""


@dataclass(frozen=True, slots=True)
class Graders:
    """How many graders were proven, refuted, or left open."""

    proven: int = 0
    refuted: int = 0
    inconclusive: int = 0

    @property
    def total(self) -> int:
        """Return how many were put to the proof."""
        return self.proven + self.refuted + self.inconclusive


def verdict_sentence(graders: Graders, chosen: ModelFigures | None, rollouts: int, ungraded: int) -> str:
    """Say in one sentence what stands in the way, and what there is to learn from."""
    parts = [_graders_part(graders), _band_part(chosen)]
    if rollouts and ungraded / rollouts > NOTABLE_UNGRADED:
        parts.append(f"{percent(ungraded / rollouts)} of rollouts could not be graded")
    return capital("; ".join(parts)) + "."


def _graders_part(graders: Graders) -> str:
    total = graders.total
    if total == 0:
        return "nothing is proven of its graders"
    if graders.refuted:
        many = (
            "the one grader is"
            if total == 1
            else f"{of(graders.refuted, total)} graders {verb(graders.refuted, 'is', 'are')}"
        )
        return f"{many} refuted and must be mended before its verdicts can teach"
    if graders.inconclusive:
        if graders.inconclusive == total:
            return "no grader is proven yet"
        return f"{of(graders.inconclusive, total)} graders {verb(graders.inconclusive, 'is', 'are')} not yet proven"
    if total == 1:
        return "the one grader is right on every candidate whose score is known"
    return f"all {count(total)} graders are right on every candidate whose score is known"


def _band_part(chosen: ModelFigures | None) -> str:
    if chosen is None or chosen.tasks == 0:
        return "no rollout was graded, so what there is to learn is not measured"
    band, model = chosen.band, name_of(chosen)
    if band.never == chosen.tasks:
        return f"{model} passed {'no task' if chosen.tasks > 1 else 'never'}, so nothing it did was rewarded"
    if band.always == chosen.tasks:
        return f"{model} passed every attempt, so no attempt stands out"
    if band.share.value is None:
        return f"with one graded attempt a task, the training band of {model} is not measured"
    if band.inside == 0:
        return f"none of {plural(chosen.tasks, 'task')} lies in the training band of {model}"
    return f"{band_words(chosen)} in the training band of {model}"


def band_words(figures: ModelFigures) -> str:
    """Return `nearly a third of the tasks lie`, or the count where the interval is too wide for words."""
    share = figures.band.share
    words = fraction_words(share.value) if share.value is not None and supports_words(share) else ""
    if words:
        return f"{words} of the tasks lie"
    if figures.tasks == 1:
        return f"the one task {'lies' if figures.band.inside else 'does not lie'}"
    return f"{of(figures.band.inside, figures.tasks)} tasks {verb(figures.band.inside, 'lies', 'lie')}"


def verdict_paragraph(measurement: Measurement, chosen: ModelFigures | None, graders: Graders) -> str:
    """Say in two to four sentences what the sentence rests on."""
    said = []
    if chosen is not None:
        never, always = chosen.band.never, chosen.band.always
        was = verb(never, "was", "were")
        said.append(
            f"Of {plural(chosen.tasks, 'task')} with a graded attempt, {count(never)} {was} never and {count(always)} "
            f"always passed by {name_of(chosen)}, the chosen model."
        )
    never_passed = len(measurement.never_passed)
    if never_passed and measurement.models:
        models = len(measurement.models)
        by = {1: "by the one model", 2: "by either model"}.get(models, f"by any of {count(models)} models")
        was = verb(never_passed, "was", "were")
        said.append(
            f"{plural(never_passed, 'task')} {was} not passed {by}: unsolvable, or too hard; a reference run decides."
        )
    if graders.inconclusive:
        said.append(
            f"{plural(graders.inconclusive, 'grader')} {verb(graders.inconclusive, 'is', 'are')} inconclusive, "
            f"which is not a statement that {verb(graders.inconclusive, 'it is', 'they are')} sound."
        )
    if graders.total == 0:
        said.append(
            "Graders were not put to the proof, so every pass rate below is what the graders said, right or wrong."
        )
    if measurement.ungraded:
        some, of_all = measurement.ungraded, measurement.rollouts
        said.append(f"{of(some, of_all)} rollouts ({percent(some / of_all)}) are ungraded and left out of the rates.")
    return " ".join(said) or "The ledger holds no rollout and no proof."


def graders_statement(graders: Graders) -> str:
    """Return the statement of the row on graders."""
    if graders.total == 0:
        return "Graders were not proven"
    if graders.total == 1:
        one = "proven" if graders.proven else "refuted" if graders.refuted else "inconclusive"
        return f"The one grader is {one}"
    return f"{of(graders.proven, graders.total)} graders {verb(graders.proven, 'is', 'are')} proven"


def band_statement(figures: ModelFigures) -> str:
    """Return the statement of the row on the training band."""
    if figures.tasks == 0:
        return "No task has a graded attempt"
    if figures.band.share.value is None:
        return "Which tasks lie in the training band was not measured"
    return f"{capital(band_words(figures))} in the training band"


def gradient_statement(estimate: Estimate, group_size: int) -> str:
    """Return the statement of the row on groups: which side of one half its whole interval lies on.

    >>> gradient_statement(Estimate(value=.611, low=.476, high=.752, n=80, method="posterior"), 16)
    'Whether most groups of 16 carry gradient is open'
    """
    groups = f"groups of {group_size}"
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return f"Whether {groups} carry gradient was not measured"
    if estimate.low > 0.9:
        return f"More than nine in ten {groups} carry gradient"
    if estimate.low > 0.5:
        return f"Most {groups} carry gradient"
    if estimate.high < 0.1:
        return f"Fewer than one in ten {groups} carry gradient"
    if estimate.high < 0.5:
        return f"Most {groups} carry no gradient"
    return f"Whether most {groups} carry gradient is open"


def pass_statement(figures: ModelFigures) -> str:
    """Return the statement of the row on the pass rate: which side of one half its whole interval lies on."""
    rate, model = figures.pass_rate, name_of(figures)
    if rate.value is None or rate.low is None or rate.high is None:
        return f"No attempt of {model} was graded"
    if rate.low > 0.5:
        return f"{model} passes most attempts"
    if rate.high < 0.5:
        return f"{model} fails most attempts"
    return f"Whether {model} passes most attempts is open"


def false_statement(estimate: Estimate, what: str) -> str:
    """Return the statement of a row on false verdicts: what its whole interval supports, against one in twenty.

    >>> false_statement(Estimate(value=.19, low=.094, high=.348, n=84, method="ratio"), "passes")
    'More than one in twenty passes are false'
    """
    if estimate.low is not None and estimate.low > FEW:
        return f"More than one in twenty {what} are false"
    if estimate.high is not None and estimate.high < FEW:
        return f"Fewer than one in twenty {what} are false"
    return f"Whether one in twenty {what} is false is open"


def ungraded_statement(rollouts: int, ungraded: int) -> str:
    """Return the statement of the row on ungraded rollouts."""
    if rollouts == 0:
        return "There is no rollout to grade"
    if ungraded == 0:
        return "Every rollout has a verdict"
    return f"{plural(ungraded, 'rollout')} could not be graded"
