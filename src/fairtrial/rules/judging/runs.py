"""All runs of all rules of one submission, some at once: each ruling is kept as it is given.

A budget that is used up, or a server that is gone, ends the work; what was not reached is said to be so. Ctrl-C waits
for the replies that are under way.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from fairtrial.audit.judging.talk import Broken
from fairtrial.rules.judging.evidence import Evidence
from fairtrial.rules.judging.judge import Judging, Run

GONE = ("model_unreachable", "model_unauthorized", "over_budget", "stopped")
"""Ways to fail after which asking again cannot help."""
NOT_REACHED = "not_reached"


def judge_all(judging: Judging, evidences: Sequence[Evidence], at_once: int) -> Iterator[Run]:
    """Yield what each run came to, as it ends."""
    ended = threading.Event()
    why: list[str] = []

    def work(evidence: Evidence, number: int) -> Run:
        if ended.is_set():
            return Run(rule=evidence.rule, number=number, broken=Broken(NOT_REACHED, why[0]))
        run = judging.run(evidence, number)
        if run.broken is not None and run.broken.reason in GONE:
            why.append(f"{run.broken.reason}: {run.broken.detail}")
            ended.set()
        return run

    with ThreadPoolExecutor(at_once) as pool:
        plan = [pool.submit(work, one, number) for number in range(judging.rules.toml.judges.runs) for one in evidences]
        try:
            for future in as_completed(plan):
                yield future.result()
        except (KeyboardInterrupt, GeneratorExit):
            for future in plan:
                future.cancel()
            judging.stop_all()
            raise
