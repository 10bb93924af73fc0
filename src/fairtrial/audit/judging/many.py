"""Judge many rollouts, some at once: each is kept as it ends, a server that is gone ends the work, so does the budget.

What is not reached is said to be so: it is no failure of anybody's. Stopping (Ctrl-C) waits for the replies that are
under way and asks nothing more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from fairtrial.audit.judging.cases import Case
from fairtrial.audit.judging.judge import Judge, Judged
from fairtrial.audit.judging.passes import Bench
from fairtrial.audit.judging.settings import reviewer_name
from fairtrial.audit.judging.talk import Broken
from fairtrial.models import preflight

OUTAGE = 3
"""So many rollouts in a row that broke for the server's sake make one ask whether it is still there."""
GIVEN_UP = 9
"""So many in a row end the work though the server answers a short question: it does not answer these."""
NOT_REACHED = "not_reached"


@dataclass(slots=True)
class _Ending:
    """Notices why the rest need not be tried."""

    judge: Judge
    why: str = ""
    _in_a_row: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, judged: Judged) -> None:
        """Count one that ended."""
        reason = judged.ungraded.reason if judged.ungraded is not None else ""
        with self._lock:
            if reason == "over_budget":
                self.why = self.why or "the budget is used up"
            self._in_a_row = (
                self._in_a_row + 1 if reason.startswith("model_") else 0 if judged.askings else self._in_a_row
            )
            in_a_row = self._in_a_row
        if in_a_row < OUTAGE or self.why:
            return
        if (trouble := preflight(self.judge.bench.model.spec)) is not None:
            self.why = f"the model cannot be asked any more: {trouble.reason}: {trouble.detail}"
        elif in_a_row >= GIVEN_UP:
            self.why = f"{in_a_row} rollouts in a row broke for the server's sake, which answers short questions alone"


def judge_all(judge: Judge, cases: Sequence[Case], repeats: int, at_once: int) -> Iterator[Judged]:
    """Yield what each of `cases` came to, as it ends; round by round where there are repeats."""
    ending = _Ending(judge)
    plan = iter([(case, repeat) for repeat in range(1, repeats + 1) for case in cases])

    def work(case: Case, repeat: int) -> Judged:
        if ending.why:
            reviewer = reviewer_name(judge.bench.model.spec, repeat)
            return Judged(case=case, reviewer=reviewer, repeat=repeat, ungraded=Broken(NOT_REACHED, ending.why))
        judged = judge.judge(case, repeat)
        ending.count(judged)
        return judged

    with ThreadPoolExecutor(at_once) as pool:
        try:
            yield from _as_they_end(pool, plan, work, at_once, judge.bench)
        finally:
            judge.bench.stop.set()  # leaving the block waits for the replies that are under way


def _as_they_end(
    pool: ThreadPoolExecutor, plan: Iterator[tuple[Case, int]], work: Callable[[Case, int], Judged], at_once: int,
    bench: Bench,
) -> Iterator[Judged]:  # fmt: skip
    """Keep `at_once` in work, no more: what waits in a pool could not be stopped."""
    running: set[Future[Judged]] = set()
    while True:
        while len(running) < at_once and (next_one := next(plan, None)) is not None:
            running.add(pool.submit(work, *next_one))
        if not running:
            return
        try:
            done, running = wait(running, return_when=FIRST_COMPLETED)
        except KeyboardInterrupt:
            bench.stop.set()
            bench.model.stop()
            for future in running:  # a pass that is paid for and ends by now is kept
                yield future.result()
            raise
        for future in done:
            yield future.result()
