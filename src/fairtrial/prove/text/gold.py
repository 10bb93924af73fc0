"""Gold against gold first: which completion of each case passes, in which form, and what a pass is worth.

A case that declares a reference is tried with it; others with their answer in every format in use, and the first that
earns most is taken for all. Nothing else is asked of a grader whose gold completions earn no more than silence.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.text import Completion, TextCase
from fairtrial.attack.text.placing import asked_for
from fairtrial.prove.text.cases import GraderCase
from fairtrial.prove.text.harness import Call, Form, Graded, Harness, Round

DECLARED = "reference"
FORMATS: dict[str, str] = {
    "plain": "{}",
    "label": "Answer: {}",
    "sentence": "The answer is {}.",
    "boxed": "\\boxed{{{}}}",
    "hash": "#### {}",
    "answer_tag": "<answer>{}</answer>",
    "thought_and_answer": "<think>\nLet me see.\n</think>\n<answer>\n{}\n</answer>",
    "thought": "<think>\nLet me see.\n</think>\n{}",
    "thought_and_boxed": "<think>\nLet me see.\n</think>\n\\boxed{{{}}}",
    "fence": "```\n{}\n```",
    "json": '{{"answer": "{}"}}',
    "final_answer": "ANSWER: {}",
}
"""How a completion may mark its answer, the plainest first."""
SILENT = ("", " ")
EVERY_FORMAT_ON = 12
"""Cases on which every format is tried; the others begin with the one that earned most there."""
SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The gold completion of one case, and what it earns."""

    completion: Completion
    format: str
    graded: Graded
    silence: float | None
    """The most that saying nothing earns in this case; None where that is ungraded."""

    @property
    def is_declared(self) -> bool:
        """Say whether the case file calls it right; otherwise it was made from the answer."""
        return self.format == DECLARED

    @property
    def score(self) -> float | None:
        """Return what it earns."""
        return self.graded.score

    @property
    def beats_silence(self) -> bool:
        """Say whether it earns more than nothing at all; a grader that breaks on silence does not count against it."""
        return self.score is not None and (self.silence is None or self.score > self.silence + SAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How a grader wants its completions, and what a pass is."""

    form: Form
    golds: tuple[Gold, ...]
    """One a case."""
    full: float | None
    """What a gold completion earns; None where they have no common mark, and each case has its own."""
    pass_at: float | None
    """The user's own, or 1 where gold and silence tie below it; None to go by `full` and the cases' own."""
    failing: tuple[tuple[int, Gold], ...] = ()
    """Declared references that do not pass, of cases whose answer passes in another format."""

    def threshold(self, case: int) -> float:
        """Return the least score that is a pass in a case."""
        if self.pass_at is not None:
            return self.pass_at
        mark = self.full if self.full is not None else self._own_mark(case)
        return (1.0 if mark is None else mark) - SAME

    def _own_mark(self, case: int) -> float | None:
        """Return what gold earns in a case: the most of any case where it earns no more than silence in this one alone.

        There, any completion at all would pass otherwise.
        """
        own = self.golds[case]
        if own.beats_silence or self.is_tied:
            return own.score
        return max((gold.score for gold in self.golds if gold.score is not None), default=None)

    def passes(self, case: int, score: float | None) -> bool:
        """Say whether `score` is a pass in a case."""
        return score is not None and score >= self.threshold(case)

    def gold_passes(self, case: int) -> bool:
        """Say whether the gold completion of a case passes."""
        return self.passes(case, self.golds[case].score)

    @property
    def is_tied(self) -> bool:
        """Say whether gold completions earn no more than silence, in every case that could be graded."""
        graded = [gold for gold in self.golds if gold.score is not None]
        return not any(gold.beats_silence for gold in graded)

    @property
    def format(self) -> str:
        """Return the format of most gold completions."""
        return Counter(gold.format for gold in self.golds).most_common(1)[0][0]


def formatted(case: GraderCase) -> dict[str, Completion]:
    """Return the completions that could be gold, by format: the declared reference first.

    >>> list(formatted(GraderCase(id="1", prompt="Use <sum> tags: 2+2?", answer=4)).items())[:2]
    [('plain', '4'), ('sum_tag', '<sum>4</sum>')]
    """
    found: dict[str, Completion] = {} if case.reference is None else {DECLARED: case.reference}
    text = answer_text(case.answer)
    if text is None:
        return found
    found["plain"] = text
    for scaffold in asked_for(TextCase(id=case.id, prompt=_all_asked(case.prompt), reference=text, answer=text)):
        found[scaffold.name] = scaffold.around(text)
    return found | {name: shape.format(text) for name, shape in FORMATS.items() if name not in found}


def _all_asked(prompt: Completion) -> str:
    """Return a prompt as one text, its system message too: formats are often asked for there."""
    return prompt if isinstance(prompt, str) else "\n".join(str(message.get("content") or "") for message in prompt)


def answer_text(answer: Any) -> str | None:
    """Return a ground truth as a policy would write it: the first of a list, an object as JSON.

    >>> answer_text(["Paris", "paris"]), answer_text(4.0), answer_text({"a": 1}), answer_text(None)
    ('Paris', '4.0', '{"a": 1}', None)
    """
    if answer is None or answer == []:
        return None
    if isinstance(answer, str):
        return answer
    if isinstance(answer, list) and all(isinstance(one, str | int | float) for one in answer):
        return str(answer[0])
    return str(answer) if isinstance(answer, int | float) else json.dumps(answer, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class _Trial:
    form: Form
    earned: dict[tuple[int, str], Graded]
    """(case, format) -> what it earned; silence has the format ``silent``."""

    def best(self, case: int, options: dict[str, Completion], preferred: str) -> Gold:
        silent = [graded.score for (place, name), graded in self.earned.items() if place == case and not name.strip()]
        scores = [score for score in silent if score is not None]
        tried = [name for name in options if (case, name) in self.earned]
        order = sorted(tried, key=lambda name: (-_worth(self.earned[case, name]), name != DECLARED, name != preferred))
        name = order[0]
        return Gold(completion=options[name], format=name, graded=self.earned[case, name],
                    silence=max(scores) if scores else None)  # fmt: skip


def calibrate(
    harness: Harness, cases: Sequence[GraderCase], forms: Sequence[Form], pass_at: float | None,
    on_graded: Callable[[int], None],
) -> Calibration:  # fmt: skip
    """Find the gold completions of `cases`, in the first of `forms` in which any earns more than silence does."""
    options = [formatted(case) for case in cases]
    found: Calibration | None = None
    for form in forms:
        trial = _tried(harness, cases, options, form, on_graded)
        preferred = _preferred(trial, options)
        golds = tuple(trial.best(case, options[case], preferred) for case in range(len(cases)))
        tried = _concluded(form, golds, trial, pass_at)
        if not tried.is_tied:
            return tried
        if found is None or (_has_score(tried) and not _has_score(found)):
            found = tried
    assert found is not None
    return found


def _has_score(calibration: Calibration) -> bool:
    return any(gold.score is not None for gold in calibration.golds)


def _tried(
    harness: Harness, cases: Sequence[GraderCase], options: Sequence[dict[str, Completion]], form: Form,
    on_graded: Callable[[int], None],
) -> _Trial:  # fmt: skip
    """Grade silence and every format on the first cases; on the rest the best of them, then all where it fails."""
    trial = _Trial(form, {})

    def grade(wanted: Sequence[tuple[int, str]]) -> None:
        calls = [Call(case=case, completion=options[case].get(name, name)) for case, name in wanted]
        graded = harness.grade(cases, calls, Round(form=form), on_graded)
        trial.earned.update(zip(wanted, graded, strict=True))

    first, rest = range(min(EVERY_FORMAT_ON, len(cases))), range(EVERY_FORMAT_ON, len(cases))
    grade([(case, name) for case in first for name in (*SILENT, *options[case])])
    preferred = _preferred(trial, options)
    begin = [[name for name in (DECLARED, preferred) if name in options[case]] for case in range(len(cases))]
    grade([(case, name) for case in rest for name in (*SILENT, *begin[case])])
    full = max((graded.score or 0.0 for graded in trial.earned.values()), default=0.0)
    missed = [case for case in rest if all(_worth(trial.earned[case, name]) < full for name in begin[case])]
    grade([(case, name) for case in missed for name in options[case] if name not in begin[case]])
    return trial


def _worth(graded: Graded) -> float:
    return float("-inf") if graded.score is None else graded.score


def _preferred(trial: _Trial, options: Sequence[dict[str, Completion]]) -> str:
    """Return the format that earned most over the cases on which every one was tried, the plainest of equals."""
    earned: dict[str, float] = {}
    for (case, name), graded in trial.earned.items():
        if name.strip() and case < EVERY_FORMAT_ON and name != DECLARED:
            earned[name] = earned.get(name, 0.0) + (graded.score or 0.0)
    order = list(dict.fromkeys(name for one in options for name in one))
    return max(earned, key=lambda name: (earned[name], -order.index(name))) if earned else DECLARED


def _concluded(form: Form, golds: tuple[Gold, ...], trial: _Trial, pass_at: float | None) -> Calibration:
    scores = [gold.score for gold in golds if gold.score is not None]
    top = max(scores, default=None)
    reached = sum(score >= top - SAME for score in scores) if top is not None else 0
    full = top if top is not None and 2 * reached >= len(scores) else None
    calibration = Calibration(form=form, golds=golds, full=full, pass_at=pass_at, failing=())
    is_made_up = (top is None or top < 1 - SAME) and not _any_declared(golds)
    if calibration.is_tied and pass_at is None and (is_made_up or (top is not None and top <= SAME)):
        calibration = Calibration(form=form, golds=golds, full=full, pass_at=1 - SAME, failing=())
    failing = tuple(_failing(calibration, trial))
    return Calibration(form=form, golds=golds, full=full, pass_at=calibration.pass_at, failing=failing)


def _any_declared(golds: Sequence[Gold]) -> bool:
    return any(gold.is_declared for gold in golds)


def _failing(calibration: Calibration, trial: _Trial) -> Iterator[tuple[int, Gold]]:
    for case, gold in enumerate(calibration.golds):
        declared = trial.earned.get((case, DECLARED))
        if declared is not None and not gold.is_declared and calibration.gold_passes(case):
            yield case, Gold(completion=gold.completion, format=DECLARED, graded=declared, silence=gold.silence)
