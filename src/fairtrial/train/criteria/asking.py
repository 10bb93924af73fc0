"""Ask one criterion of one work: a judge by votes, or a program. What could not be answered says why, and is no no.

A judge is a language model with citations that are checked (`checks.judged`); its votes are kept by content, so asking
the same again costs nothing. Where its server is gone, the rest is not waited for, until it is back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from fairtrial.checks import CheckError
from fairtrial.checks.judged import Judgement, Judges, Question, judge
from fairtrial.models import preflight
from fairtrial.records import InputError
from fairtrial.train.criteria.criterion import Criterion
from fairtrial.train.criteria.programs import ran
from fairtrial.train.criteria.work import Work

MARGIN = 1
OUTAGE = 6
"""So many questions in a row that failed for the server's sake make one ask whether it is still there."""
GONE_SECONDS = 60.0
"""So long after it was found gone it is looked for again: a run of training outlives a restart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of asking one criterion of one work."""

    yes: bool | None
    """None: it could not be answered, and `broken` says why."""
    share: float | None = None
    """Of the votes that did not break, how many say yes."""
    is_steady: bool | None = None
    """All votes are alike; None where fewer than two counted."""
    broken: str = ""


class Answers(Protocol):
    """Answers criteria."""

    def ask_all(self, pairs: Sequence[tuple[Criterion, Work]]) -> list[Answer]:
        """Return an answer for each pair, in order."""
        ...


@dataclass(slots=True)
class ScriptedAnswers:
    """Answer by a function, with no server and no model: for tests, of users too."""

    decide: Callable[[Criterion, Work], bool | None]
    """None: it breaks."""
    is_steady: bool = True
    asked: list[tuple[str, Work]] = field(default_factory=list)
    """Every criterion, by name, and work so far."""

    def ask_all(self, pairs: Sequence[tuple[Criterion, Work]]) -> list[Answer]:
        """Return an answer for each pair, in order."""
        self.asked += [(criterion.name, work) for criterion, work in pairs]
        told = [self.decide(criterion, work) for criterion, work in pairs]
        return [
            Answer(yes=None, broken="the script says so")
            if yes is None
            else Answer(yes=yes, share=float(yes), is_steady=self.is_steady)
            for yes in told
        ]


@dataclass(slots=True)
class Asker:
    """Answers criteria. Threads may share one."""

    judges: Judges | None
    """None: criteria that need a judge are not answered."""
    votes: int = 3
    at_once: int = 4
    tick: Callable[[], None] = lambda: None
    """Called after each answer."""
    _gone_at: float | None = None
    _failed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, criterion: Criterion, work: Work) -> Answer:
        """Return whether `work` meets `criterion`."""
        try:
            found = _by_program(criterion, work) if criterion.use else self._judged(criterion, work)
        except (CheckError, InputError) as error:
            found = Answer(yes=None, broken=error.what)
        self.tick()
        return found

    def ask_all(self, pairs: Sequence[tuple[Criterion, Work]]) -> list[Answer]:
        """Return an answer for each pair, in order, as many at once as is allowed."""
        if self.at_once == 1 or len(pairs) < 2:
            return [self.ask(criterion, work) for criterion, work in pairs]
        with ThreadPoolExecutor(self.at_once) as pool:
            return list(pool.map(lambda pair: self.ask(*pair), pairs))

    def _judged(self, criterion: Criterion, work: Work) -> Answer:
        if self.judges is None:
            raise CheckError("it is judged, and there is no judge")
        if self._is_gone():
            raise CheckError("infrastructure: the judge's server no longer answers")
        sources = work.sources(criterion.about)
        if not sources:
            raise CheckError("nothing of the work is kept that could be shown")
        question = Question(asks=f"The criterion: {criterion.question}", sources=sources, reference=work.reference())
        found = judge(self.judges, question, self.votes, MARGIN)
        self._watch(found)
        return _of_votes(found)

    def _watch(self, found: Judgement) -> None:
        """Ask whether the server is there at all where nothing came of it for long."""
        failed = all(vote.broken == "infrastructure" for vote in found.votes)
        with self._lock:
            self._failed = self._failed + 1 if failed else 0
            is_suspect, self._failed = self._failed >= OUTAGE, self._failed % OUTAGE
            if is_suspect:
                self._look()

    def _is_gone(self) -> bool:
        with self._lock:
            if self._gone_at is not None and time.monotonic() - self._gone_at > GONE_SECONDS:
                self._look()
            return self._gone_at is not None

    def _look(self) -> None:
        """See whether the server is there; called with the lock held, so that one thread asks."""
        assert self.judges is not None
        self._gone_at = None if preflight(self.judges.model.spec) is None else time.monotonic()


def _of_votes(found: Judgement) -> Answer:
    counted = found.count("yes") + found.count("no")
    steady = None if counted < 2 else found.share in (0.0, 1.0)
    if found.decided is None:
        return Answer(yes=None, share=found.share, is_steady=steady, broken=found.why_undecided())
    return Answer(yes=found.decided, share=found.share, is_steady=steady)


def _by_program(criterion: Criterion, work: Work) -> Answer:
    passed = ran(criterion, work).passed
    return Answer(yes=passed, share=float(passed), is_steady=True)
