"""Known candidates as opaque submissions: the reference, the untouched workspace, and what proof.toml declares.

To `run` each is a folder with a script; only here is it known which score is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairtrial.formats.atif import read_trajectory
from fairtrial.grade.outside import TRAJECTORY
from fairtrial.run import Agent, NullAgent, SubmissionAgent
from fairtrial.tasks import Key

KnownKind = Literal["null", "reference", "defect", "alternative", "hack"]
RIGHT: frozenset[KnownKind] = frozenset({"reference", "alternative"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A candidate, and what a sound grader says of it."""

    name: str
    kind: KnownKind
    agent: Agent
    fails: tuple[str, ...] = ()
    """The checks that a defect fails, and no other; empty where that was not declared."""

    @property
    def passes(self) -> bool:
        """Say whether a sound grader passes it."""
        return self.kind in RIGHT

    @property
    def label(self) -> str:
        """Return the kind, and the name where the kind has several."""
        return self.kind if self.kind in ("null", "reference") else f"{self.kind}:{self.name}"


def known_candidates(key: Key) -> tuple[Known, ...]:
    """Return every candidate of the task whose right score is known, the untouched workspace first.

    Raise FormatError for a declared trajectory that cannot be read.
    """
    known = [Known(name="null", kind="null", agent=NullAgent())]
    folders = {step.name: step.solution for step in key.steps if step.solution is not None}
    trajectories = {name: path for name, folder in folders.items() if (path := folder / TRAJECTORY).is_file()}
    if folders:
        agent = SubmissionAgent(model="reference", folders=folders, variables=key.solution_variables,
                                trajectories=trajectories)  # fmt: skip
        known.append(Known(name="reference", kind="reference", agent=agent))
    last = key.steps[-1].name
    for candidate in key.candidates:
        submission = SubmissionAgent(
            model=candidate.name,
            # In a task of several steps a candidate replaces the last; the steps before it are the reference's.
            folders={**folders, last: candidate.solve.parent},
            script=candidate.solve.name,
            variables=key.solution_variables,
            trajectories={n: p for n, p in trajectories.items() if n != last}
            | ({last: candidate.trajectory} if candidate.trajectory is not None else {}),
        )
        known.append(Known(name=candidate.name, kind=candidate.kind, agent=submission, fails=candidate.fails))
    for path in (p for one in known if isinstance(one.agent, SubmissionAgent) for p in one.agent.trajectories.values()):
        read_trajectory(path)
    return tuple(known)
