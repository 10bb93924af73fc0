"""Agreement of all who answered one question: pairs of people, all people together, each judge beside people.

Figures are of the rollouts that both answered, as they were drawn; they are not weighted back to the population. Kappa
falls where nearly all answers are the same, however well raters agree, so the share of yes stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairtrial.audit.agreement.chance_corrected import alpha, kappa
from fairtrial.audit.agreement.rated import Question, Rated, common
from fairtrial.measure.intervals import clustered_ratio
from fairtrial.records import Estimate

Answer = Callable[[Rated], bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Answers of two raters: the first's, then the second's."""

    yes_yes: int
    yes_no: int
    no_yes: int
    no_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two raters, on the rollouts that both were asked of."""

    first: str
    second: str
    n: int
    """Rollouts that both told."""
    cannot_tell: int
    """Rollouts that both read, where one or both cannot tell."""
    table: Table
    first_yes: float | None
    """Prevalence: the share that the first answers with yes."""
    second_yes: float | None
    agree: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """All raters of a kind, on rollouts that two or more of them told."""

    raters: tuple[str, ...]
    n: int
    yes: float | None
    """Prevalence: the share of their answers that are yes."""
    agree: Estimate
    """Share of pairs of answers that are the same."""
    alpha: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCompared:
    """One judge beside people: what they say in common, or what adjudication says. People are the first rater."""

    judge: str
    compared: Compared
    sensitivity: Estimate
    """Of what people answer with yes, the share that the judge does."""
    specificity: Estimate
    """Of what people answer with no, the share that the judge does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAgreement:
    """Who agrees with whom on one question."""

    question: Question
    read_by: Mapping[str, int]
    """People -> rollouts that they read."""
    judged_by: Mapping[str, int]
    answers: int
    """Answers of people other than `cannot tell`."""
    people: Together | None
    """None where nobody read what another read."""
    pairs: tuple[Compared, ...]
    judges: tuple[JudgeCompared, ...]
    judges_together: Together | None
    disputed: int
    """Rollouts on which people disagree, and nobody has adjudicated."""
    adjudicated: int

    @property
    def is_measured(self) -> bool:
        """Say whether there is anything to compare."""
        return bool(self.people or self.judges or self.judges_together)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """All questions."""

    questions: tuple[QuestionAgreement, ...]
    seed: int


def agreement(of_question: Mapping[Question, Sequence[Rated]], seed: int = 0) -> Agreed:
    """Return who agrees with whom, by question."""
    return Agreed(questions=tuple(_question(name, rows, seed) for name, rows in of_question.items()), seed=seed)


def _question(question: Question, rows: Sequence[Rated], seed: int) -> QuestionAgreement:
    people = _counted(row.people for row in rows)
    judges = _counted(row.judges for row in rows)
    beside = [_judge(name, _answer_of_judge(name), rows, seed) for name in judges]
    if len(judges) > 1:
        beside.append(_judge("judges", lambda row: common(row.judges.values()), rows, seed))
    pairs = [_compared((a, _answer_of_person(a)), (b, _answer_of_person(b)), _both(rows, a, b), seed)
             for a, b in combinations(people, 2) if _both(rows, a, b)]  # fmt: skip
    return QuestionAgreement(
        question=question, read_by=people, judged_by=judges,
        answers=sum(answer is not None for row in rows for answer in row.people.values()),
        people=_together([row.people for row in rows], rows, seed), pairs=tuple(pairs),
        judges=tuple(one for one in beside if one.compared.n + one.compared.cannot_tell),
        judges_together=_together([row.judges for row in rows], rows, seed),
        disputed=sum(row.is_disputed for row in rows), adjudicated=sum(row.is_adjudicated for row in rows),
    )  # fmt: skip


def _counted(answers: Iterable[Mapping[str, bool | None]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for told in answers:
        for name in told:
            found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items()))


def _both(rows: Sequence[Rated], first: str, second: str) -> list[Rated]:
    return [row for row in rows if first in row.people and second in row.people]


def _answer_of_person(name: str) -> Answer:
    return lambda row: row.people.get(name)


def _answer_of_judge(name: str) -> Answer:
    return lambda row: row.judges.get(name)


def _compared(first: tuple[str, Answer], second: tuple[str, Answer], rows: Sequence[Rated], seed: int) -> Compared:
    told = [(a, b, row.group) for row in rows
            if (a := first[1](row)) is not None and (b := second[1](row)) is not None]  # fmt: skip
    pairs, groups, n = [(a, b) for a, b, _ in told], [group for _, _, group in told], len(told)
    counts = [pairs.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))]
    return Compared(
        first=first[0], second=second[0], n=n, cannot_tell=len(rows) - n,
        table=Table(yes_yes=counts[0], yes_no=counts[1], no_yes=counts[2], no_no=counts[3]),
        first_yes=(counts[0] + counts[1]) / n if n else None, second_yes=(counts[0] + counts[2]) / n if n else None,
        agree=_share([a == b for a, b in pairs], [1] * n, groups, "rollouts"), kappa=kappa(pairs, groups, seed),
    )  # fmt: skip


def _judge(name: str, answer: Answer, rows: Sequence[Rated], seed: int) -> JudgeCompared:
    both = [row for row in rows if row.judges and (name == "judges" or name in row.judges)
            and (row.people or row.is_adjudicated)]  # fmt: skip
    return JudgeCompared(judge=name, compared=_compared(("people", lambda row: row.person), (name, answer), both, seed),
                         sensitivity=_right(answer, both, True), specificity=_right(answer, both, False))  # fmt: skip


def _right(answer: Answer, rows: Sequence[Rated], wanted: bool) -> Estimate:
    """Return the share of what people answer with `wanted` that the judge answers so too."""
    told = [(answer(row), row.group) for row in rows if row.person is wanted]
    said = [(judge is wanted, group) for judge, group in told if judge is not None]
    return _share([right for right, _ in said], [1] * len(said), [group for _, group in said], "rollouts")


def _together(answers: Sequence[Mapping[str, bool | None]], rows: Sequence[Rated], seed: int) -> Together | None:
    """Return what all raters of a kind come to; None where no rollout was read by two."""
    if not any(len(told) > 1 for told in answers):
        return None
    units, groups = [], []
    for told, row in zip(answers, rows, strict=True):
        said = [answer for answer in told.values() if answer is not None]
        if len(said) > 1:
            units.append(said)
            groups.append(row.group)
    raters = sorted({name for told in answers if len(told) > 1 for name in told})
    same = [len(list(combinations([a for a in unit if a], 2))) + len(list(combinations([a for a in unit if not a], 2)))
            for unit in units]  # fmt: skip
    labels = [answer for unit in units for answer in unit]
    return Together(raters=tuple(raters), n=len(units), yes=sum(labels) / len(labels) if labels else None,
                    agree=_share(same, [len(unit) * (len(unit) - 1) // 2 for unit in units], groups, "pairs"),
                    alpha=alpha(units, groups, seed))  # fmt: skip


def _share(part: Sequence[int], whole: Sequence[int], groups: Sequence[Hashable], unit: str) -> Estimate:
    """Return sum part / sum whole with its interval over groups."""
    n = sum(whole)
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method="none of these was compared", unit=unit)
    names = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    found = clustered_ratio(np.array(part, dtype=np.int64), np.array(whole, dtype=np.int64),
                            np.array([names[group] for group in groups], dtype=np.int64))  # fmt: skip
    return Estimate(value=found.value, low=found.low, high=found.high, n=n, method=found.method, unit=unit)
