"""Solvability: a reference is proven, and somebody passes.

Proven says that the author's own solution passes a grader that was tried. Passed says that a policy found the way from
the instruction alone. A task with neither a proof nor a graded attempt was not measured, and is never counted solvable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from fairtrial.authoring.near_copies import groups_of
from fairtrial.authoring.synthetic.attempts import Attempts
from fairtrial.authoring.synthetic.material import Item, Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.result import Answered, Solvability, Solved, TaskSolved
from fairtrial.measure.intervals import clustered_mean
from fairtrial.records import Estimate

REFERENCE_HOLDS = ("proven", "refuted", "reference_passes")
"""The reference was graded and passed: `refuted` says that wrong work passes too, `reference_passes` that more of the
proof could not be measured, as where no image of the task is to be had."""


def solvability_of(suite: Material, attempts: Attempts | None, options: Options) -> Solvability:
    """Return what is known of each task, and the share that is solvable."""
    if attempts is None:
        return Solvability(answer=Answered(status="not_measured", why="no ledger was given"))
    tasks = tuple(_task(item, attempts) for item in suite.items)
    counts: dict[str, int] = dict(Counter(str(task.solved) for task in tasks))
    lacking = _lacking(suite, attempts, tasks)
    measured = [at for at, task in enumerate(tasks) if task.solved != "not_measured"]
    if not measured:
        why = "the ledger holds neither a proof nor a graded attempt of any task"
        return Solvability(answer=Answered(status="not_measured", why=why, not_measured=lacking), tasks=tasks,
                           counts=counts, passed_by_nothing=attempts.passed_by_nothing)  # fmt: skip
    share = _share(tasks, measured, suite.items, options)
    worst = _share(tasks, range(len(tasks)), suite.items, options)
    return Solvability(answer=_answer(tasks, share, worst, attempts, options, lacking), share=share, worst_case=worst,
                       tasks=tasks, counts=counts, passed_by_nothing=attempts.passed_by_nothing)  # fmt: skip


def _task(item: Item, attempts: Attempts) -> TaskSolved:
    tallies = {label: by_task[item.name] for label, by_task in attempts.by_model.items() if item.name in by_task}
    passed_by = tuple(sorted(label for label, tally in tallies.items() if tally.passed))
    graded = sum(tally.graded for tally in tallies.values())
    proof = attempts.proof.get(item.name, "")
    return TaskSolved(task=item.name, solved=_solved(proof, bool(passed_by), graded), proof=proof,
                      passed_by=passed_by, graded=graded,
                      ungraded=sum(tally.ungraded for tally in tallies.values()))  # fmt: skip


def _solved(proof: str, is_passed: bool, graded: int) -> Solved:
    """Return where a task stands.

    >>> _solved("proven", True, 3), _solved("", True, 1), _solved("inconclusive", False, 0), _solved("", False, 4)
    ('proven_and_passed', 'passed_only', 'not_measured', 'neither')
    """
    if proof in REFERENCE_HOLDS:
        return "proven_and_passed" if is_passed else "proven_only"
    if is_passed:
        return "passed_only"
    return "neither" if graded or proof == "reference_refuted" else "not_measured"


def _share(
    tasks: Sequence[TaskSolved], which: Sequence[int] | range, items: Sequence[Item], options: Options
) -> Estimate:
    solved = np.array([tasks[at].solved not in ("neither", "not_measured") for at in which], dtype=np.float64)
    cluster = groups_of([items[at].text for at in which], [items[at].cluster for at in which])
    found = clustered_mean(solved, cluster, confidence=options.confidence)
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(solved), method=found.method,
                    ungraded=sum(tasks[at].ungraded for at in which))  # fmt: skip


def _answer(
    tasks: Sequence[TaskSolved], share: Estimate, worst: Estimate, attempts: Attempts, options: Options,
    lacking: tuple[str, ...],
) -> Answered:  # fmt: skip
    assert share.high is not None
    assert worst.low is not None
    fallen = [task.task for task in tasks if task.proof == "reference_refuted"]
    unmeasured = sum(task.solved == "not_measured" for task in tasks)
    line = f"{options.least_solvable:.0%}"
    if fallen:
        why = f"the reference of {len(fallen)} tasks does not pass its own grader: {', '.join(fallen[:3])}"
    elif attempts.passed_by_nothing:
        why = f"{len(attempts.passed_by_nothing)} tasks are passed by an agent that does nothing"
    elif share.high < options.least_solvable:
        why = f"{share.value:.0%} of the tasks measured are solvable, fewer than {line}"
    elif worst.low >= options.least_solvable:
        return Answered(status="holds", why=f"{worst.value:.0%} of tasks are solvable, {line} at least",
                        not_measured=lacking)  # fmt: skip
    else:
        more = f"; {unmeasured} tasks have neither a proof nor a graded attempt" if unmeasured else ""
        why = f"whether {line} of tasks are solvable is open: {share.value:.0%} of {share.n} measured are{more}"
        return Answered(status="open", why=why, not_measured=lacking)
    return Answered(status="against", why=why, not_measured=lacking)


def _lacking(suite: Material, attempts: Attempts, tasks: Sequence[TaskSolved]) -> tuple[str, ...]:
    found = []
    unproven = sum(task.proof in ("", "inconclusive") for task in tasks)
    if unproven and suite.kind == "text":
        found.append(
            "references: a text task has an answer and nothing that could be proven; only a pass shows it solvable"
        )
    elif unproven:
        found.append(
            f"references: {unproven} tasks have no proof of this content, or an inconclusive one (`fairtrial prove`)"
        )
    if partly := sum(task.proof == "reference_passes" for task in tasks):
        found.append(f"graders: {partly} references pass, by proofs that are inconclusive of the rest")
    if untried := sum(not task.graded for task in tasks):
        found.append(f"solvers: {untried} tasks have no graded attempt by a policy")
    if attempts.other_content:
        found.append(
            f"{attempts.other_content} attempts were at another content of these tasks, and say nothing of this one"
        )
    if attempts.proofs_of_other_content:
        found.append(f"{attempts.proofs_of_other_content} proofs are of another content")
    return tuple(found)
