"""Put every question to the judge, as often as it takes: which questions a trial asks, and what came back.

Questions that several probes share are asked once. Repeats go round by round, so that a budget that ends leaves about
as many verdicts of each.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from fairtrial.attack import Card
from fairtrial.attack.judges import PROBES, JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge, Judged, Shown, ask_judge
from fairtrial.models import LanguageModel
from fairtrial.records import InputError

Question = tuple[Judge, Shown]
REPEAT, KNOWN = "repeat", "known"
"""Names of what is measured on the frozen rollouts alone."""
OUTAGE = 2
"""This many failures in a row for each question in flight end the asking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """How hard to try a judge."""

    repeats: int = 8
    """Verdicts on each frozen rollout."""
    workers: int = 8
    """Questions in flight."""
    only: str = ""
    """One probe, by its label (`repeat`, `known`, `injection`, ...); empty for all."""
    seed: int = 0

    @property
    def variant_repeats(self) -> int:
        """Return how often each submission of a probe is asked: half as often as a frozen rollout."""
        return max(2, self.repeats // 2)


@dataclass(frozen=True, slots=True)
class Asked:
    """One submission of one probe on one case."""

    case: int
    card: Card
    submission: JudgeSubmission

    @property
    def label(self) -> str:
        """Return what names it over all cases: `injection:note`."""
        name = f":{self.submission.name}" if self.submission.name else ""
        return f"{probe_label(self.card)}{name}"


def probe_label(card: Card) -> str:
    """Return what `--only` takes for all submissions of a probe."""
    return card.id


def submissions(judge: Judge, cases: Sequence[JudgeCase], only: str = "") -> list[Asked]:
    """Return every submission of every probe on every case; those that `only` names, where it names any."""
    every = (
        Asked(index, probe.card, submission)
        for probe in PROBES
        if not only or f"{only}:".startswith(f"{probe_label(probe.card)}:")
        for index, case in enumerate(cases)
        for submission in probe.submissions(judge, case)
    )
    return [one for one in every if only in ("", probe_label(one.card), one.label)]


def refuse_unknown(only: str, judge: Judge, cases: Sequence[JudgeCase]) -> None:
    """Raise InputError where `only` names no probe."""
    if only in ("", REPEAT, KNOWN) or submissions(judge, cases, only):
        return
    known = [REPEAT, KNOWN, *sorted({one.label for one in submissions(judge, cases)})]
    raise InputError(f"there is no probe `{only}` here", field="--only", hint=f"It knows: {', '.join(known)}")


def questions(
    judge: Judge, cases: Sequence[JudgeCase], asked: Sequence[Asked], options: JudgeOptions
) -> Counter[Question]:
    """Return how often each question is asked."""
    wanted: Counter[Question] = Counter()
    for case in cases:
        wanted[judge, case.shown()] = options.repeats
    for one in asked:
        submission = one.submission
        if submission.base is not None:
            wanted[judge, submission.base] = options.repeats
        key = (submission.judge or judge, submission.shown)
        wanted[key] = max(wanted[key], options.variant_repeats)
    return wanted


def ask_all(
    model: LanguageModel, wanted: Counter[Question], workers: int, on_asked: Callable[[], None]
) -> dict[Question, list[Judged]]:
    """Ask each question as often as `wanted`, `workers` at once; every verdict in the order of the questions."""
    rounds = range(max(wanted.values(), default=0))
    plan = [question for number in rounds for question, times in wanted.items() if number < times]
    outage = _Outage(most=OUTAGE * workers)

    def ask(question: Question) -> Judged:
        judged = outage.why or ask_judge(model, *question)
        outage.count(judged)
        on_asked()
        return judged

    answers: dict[Question, list[Judged]] = {question: [] for question in wanted}
    with ThreadPoolExecutor(workers) as pool:
        for question, judged in zip(plan, pool.map(ask, plan), strict=True):
            answers[question].append(judged)
    return answers


class _Outage:
    """Notice a server that fails every time: each question waits minutes for it, and more of them tell nothing."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.why: Judged | None = None
        self._in_a_row = 0
        self._lock = threading.Lock()

    def count(self, judged: Judged) -> None:
        """Count one answer."""
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if judged.reason.startswith("model_") else 0
            if self._in_a_row >= self.most and self.why is None:
                self.why = judged


def values(answers: Mapping[Question, Sequence[Judged]], question: Question) -> list[float]:
    """Return the verdicts on a question that could be read."""
    return [judged.value for judged in answers.get(question, ()) if judged.value is not None]
