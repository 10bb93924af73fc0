"""The work of rollouts that a ledger keeps.

A rollout whose steps are one prompt and one reply is its reply alone, so that a completion in training is shown as the
same completion out of a ledger is.
"""

from __future__ import annotations

from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.grade.groupwise import Chosen, Passing, work_of
from fairtrial.ledger import Ledger
from fairtrial.records import FormatError, LedgerError
from fairtrial.train.criteria.work import Work


def kept_work(ledger: Ledger, row: dict[str, str | None], instruction: str) -> Work:
    """Return the work of one rollout of `ledger`, as far as it is kept; `row` has the columns of `rollouts`."""
    chosen = Chosen(Passing(rollout=str(row["id"])), row["answer"], "", row["deliverable"] or "")
    trajectory = _trajectory(ledger, row["trajectory"] or "")
    answer = row["answer"]
    if trajectory is not None:
        instruction = instruction or _opening(trajectory)
        if _is_one_reply(trajectory):
            answer, trajectory = answer if answer is not None else trajectory.final_message, None
    return Work(task=str(row["task"]), instruction=instruction, family=row["family"] or "", answer=answer,
                files=work_of(ledger, chosen, ("deliverable",)) or (), trajectory=trajectory)  # fmt: skip


def _trajectory(ledger: Ledger, address: str) -> Trajectory | None:
    """Return the steps, None where they are not kept, or no longer as they were."""
    try:
        return read_trajectory(ledger.get_blob(address)) if address else None
    except (LedgerError, FormatError):
        return None


def _is_one_reply(trajectory: Trajectory) -> bool:
    own = [step for step in trajectory.steps if step.source == "agent"]
    return len(own) == 1 and not own[0].tool_calls and not own[0].observations


def _opening(trajectory: Trajectory) -> str:
    """Return what was said before the agent began."""
    said = []
    for step in trajectory.steps:
        if step.source == "agent":
            break
        said.append(step.message)
    return "\n\n".join(text for text in said if text)
