"""The judge of criteria as one stage asks it: within the bound that the recipe states, over all its restarts.

What was spent is kept beside the verdicts after every step; a step that was killed is not counted. Past the bound a
judge is not asked, and what it was to pay is paid nothing: None, and the watch pauses the run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairtrial.models import Budget
from fairtrial.records import InputError
from fairtrial.train.criteria import Answer, Answers, Criterion, TriedCriteria, Work, asker_of
from fairtrial.train.recipe import Credit


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCost:
    """What a judge took in one stage so far."""

    tokens: int = 0
    usd: float = 0.0


@dataclass(slots=True, kw_only=True)
class CountedAnswers:
    """Answers as another does, and writes down what that cost."""

    answers: Answers
    budget: Budget
    before: JudgeCost
    file: Path | None

    def ask_all(self, pairs: Sequence[tuple[Criterion, Work]]) -> list[Answer]:
        """Return an answer for each pair, in order."""
        calls = self.budget.spent.calls
        found = self.answers.ask_all(pairs)
        if self.file is not None and self.budget.spent.calls > calls:
            spent = self.budget.spent
            _write(self.file, JudgeCost(tokens=self.before.tokens + spent.tokens, usd=self.before.usd + spent.cost_usd))
        return found


@contextmanager
def bounded_asker(
    criteria: TriedCriteria, credit: Credit, folder: Path | None, number: int
) -> Iterator[CountedAnswers]:  # fmt: skip
    """Lend the judge of `criteria` to stage `number`, its verdicts and what it cost kept in `folder`."""
    file = None if folder is None else folder / f"spent-{number}.json"
    before = read_cost(file)
    budget = Budget(
        tokens=None if credit.judge_tokens is None else max(0, credit.judge_tokens - before.tokens),
        usd=None if credit.judge_usd is None else max(0.0, credit.judge_usd - before.usd),
    )
    with asker_of(criteria, budget=budget, kept=folder) as asker:
        yield CountedAnswers(answers=asker, budget=budget, before=before, file=file)


def read_cost(file: Path | None) -> JudgeCost:
    """Return what `file` says was spent; nothing where there is none. Raise InputError for one that says nothing."""
    if file is None or not file.exists():
        return JudgeCost()
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        return JudgeCost(tokens=int(said["tokens"]), usd=float(said["usd"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"does not say what the judge has cost: {error}", path=file,
                         hint="Take it away to count anew.") from error  # fmt: skip


def _write(file: Path, cost: JudgeCost) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.part")
    beside.write_text(json.dumps({"tokens": cost.tokens, "usd": cost.usd}) + "\n", encoding="utf-8")
    beside.replace(file)
