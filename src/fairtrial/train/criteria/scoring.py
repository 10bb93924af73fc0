"""The share of criteria that a rollout meets: a reward for tasks that are passed too often to teach by passing.

What could not be answered makes the whole share unknown: a share of what is left would compare rollouts of one group by
different criteria. Not covered: whether the rollout passed; a reward asks the grader first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.checks.judged import Judges
from fairtrial.models import Budget, LanguageModel, ModelSpec, Price, preflight
from fairtrial.records import ModelError
from fairtrial.train.criteria.asking import Answers, Asker
from fairtrial.train.criteria.criterion import TriedCriteria
from fairtrial.train.criteria.work import Work

NONE_APPLIES = "no criterion is asked of this family of tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What one rollout meets."""

    share: float | None
    """Weighted share of the criteria that are met, in [0, 1]; None: not all could be answered, or none applies."""
    met: Mapping[str, bool | None] = field(default_factory=dict)
    """Criterion -> whether it is met; None: it could not be answered."""
    why: str = ""
    """Why there is no share; empty where there is one."""


def judge_spec(criteria: TriedCriteria) -> ModelSpec | None:
    """Return the language model that the criteria were tried with; None where no criterion is judged."""
    words = criteria.judge
    if words is None or all(criterion.use for criterion in criteria.kept):
        return None
    return ModelSpec(name=words.model, base_url=words.base_url, effort=words.effort, temperature=words.temperature,
                     api_key_variable=words.api_key_variable, price=_price(words.price))  # fmt: skip


def _price(stated: Sequence[float]) -> Price | None:
    if not stated:
        return None
    return Price(input_usd=stated[0], output_usd=stated[1], cached_input_usd=stated[2] if len(stated) > 2 else None)


@contextmanager
def asker_of(
    criteria: TriedCriteria, *, budget: Budget | None = None, kept: Path | None = None, at_once: int = 4
) -> Iterator[Asker]:
    """Lend what answers `criteria`: the judge that they were tried with, as often as it was asked then.

    `kept` is a folder of verdicts by content: the same completion is judged once. Raise ModelError where the judge
    cannot be asked.
    """
    spec = judge_spec(criteria)
    votes = criteria.judge.votes if criteria.judge is not None else 1
    if spec is None:
        yield Asker(judges=None, votes=votes, at_once=at_once)
        return
    if trouble := preflight(spec):
        raise ModelError(f"the judge `{spec.name}` of the criteria cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Start the server that [judge] of their file names.")  # fmt: skip
    with LanguageModel(spec, budget=budget) as model:
        yield Asker(judges=Judges(model=model, kept=kept, at_once=1), votes=votes, at_once=at_once)


def score(criteria: TriedCriteria, work: Work, asker: Answers) -> Scored:
    """Return the share of `criteria` that `work` meets."""
    return score_all(criteria, [work], asker)[0]


def score_all(criteria: TriedCriteria, works: Sequence[Work], asker: Answers) -> list[Scored]:
    """Return the share of each of `works`, in order; the same work twice is asked about once."""
    meant = [criteria.of_family(work.family) for work in works]
    wanted = {(criterion.name, work.content): (criterion, work)
              for criteria_of, work in zip(meant, works, strict=True) for criterion in criteria_of}  # fmt: skip
    told = dict(zip(wanted, asker.ask_all(list(wanted.values())), strict=True))
    found = []
    for asked, work in zip(meant, works, strict=True):
        answers = {criterion.name: told[(criterion.name, work.content)] for criterion in asked}
        met = {name: answer.yes for name, answer in answers.items()}
        broken = [f"{name}: {answer.broken}" for name, answer in answers.items() if answer.yes is None]
        if not asked or broken:
            found.append(Scored(share=None, met=met, why=broken[0] if broken else NONE_APPLIES))
            continue
        whole = math.fsum(criterion.weight for criterion in asked)
        share = math.fsum(criterion.weight for criterion in asked if met[criterion.name]) / whole
        found.append(Scored(share=share, met=met))
    return found
