"""bohrin on graders from stdin: its battery of wrong programs and its certified rewritings of the reference.

It has submissions for programs alone: a grader of anything else is an error of the kind `not covered`. Flagged is the
weakness of each wrong program that passes, by its own rules of attribution, and of each right one that fails.
"""

from __future__ import annotations

from typing import Any

from bohrin.ir.task import Shape, Task  # type: ignore[import-not-found]
from bohrin.mutate.battery import battery  # type: ignore[import-not-found]
from bohrin.relations import positive_controls  # type: ignore[import-not-found]
from bohrin.spec.probes import probe_for, weakness_of  # type: ignore[import-not-found]
from graders import answer_all, caller


def judge(grader: dict[str, Any]) -> list[str]:
    """Return the weakness classes."""
    if grader["shape"] != "program":
        raise NotImplementedError("not covered: it has submissions for programs alone")
    call, case = caller(grader["file"], grader["path"]), grader["cases"][0]
    reference = case["reference"]
    task = Task(
        id=grader["name"], prompt=case["prompt"], reference=reference, reward_fns=("grade",), shape=Shape.PROGRAM
    )

    def passes(text: str) -> bool:
        try:
            return call(text, case) >= 1
        except BaseException:  # noqa: BLE001  a grader that dies passed nothing
            return False

    wrong = {one.provenance.operator: passes(one.payload.text) for one in battery(task).grounded}
    rejected = {probe_for(operator).id for operator, passed in wrong.items() if not passed}
    found = {weakness_of(probe_for(operator), rejected) for operator, passed in wrong.items() if passed}
    if passes(reference):
        failed = [one for one in positive_controls(task) if not passes(one.payload.text)]
        found |= {probe_for(one.relation).weakness[0] for one in failed}
    else:
        found.add("BGW-124")
    return sorted(found)


if __name__ == "__main__":
    answer_all(judge)
