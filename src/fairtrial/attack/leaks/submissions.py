"""What the probes of leaks share: the answers that are looked for, and who does the steps before the last."""

from __future__ import annotations

from fairtrial.attack.leaks.finds import Answer
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target
from fairtrial.run import Agent, SubmissionAgent

BY_PRODUCTS = ("/__pycache__/", "/.pytest_cache/", "/.mypy_cache/", "/.git/", "/node_modules/")
MOST_BYTES = 4_000_000


def answers(target: Target) -> list[Answer]:
    """Return the reference's files that are worth looking for."""
    found = []
    for change in target.changes:
        is_by_product = any(part in change.inside for part in BY_PRODUCTS) or change.inside.endswith(".pyc")
        if change.after is None or is_by_product or change.after.stat().st_size > MOST_BYTES:
            continue
        before = change.before.read_bytes() if change.before is not None else None
        answer = Answer(change.inside, change.after.read_bytes(), before)
        if answer.is_telling:
            found.append(answer)
    return found


def earlier_steps(target: Target) -> Agent | None:
    """Return the reference for the steps before the last, which leaks are not asked about; None where there is one."""
    folders = {step.name: step.solution for step in target.key.steps[:-1] if step.solution is not None}
    if not folders:
        return None
    return SubmissionAgent(model="reference", folders=folders, variables=target.key.solution_variables)


def by_reference(target: Target, name: str, what: str) -> Submission:
    """Return the reference's work as the bearer of a lead: it passes wherever the grader works at all."""
    folders = {step.name: step.solution for step in target.key.steps if step.solution is not None}
    agent = SubmissionAgent(model="reference", folders=folders, variables=target.key.solution_variables)
    why = "An agent could take it from there; that it would get past with it is not shown."
    return Submission(name=name[:200], agent=agent, expects="fails", what=what, severity="lead", why=why)
