"""The agent that hands in a given piece of work: a folder with a script that makes it (Harbor's `oracle`).

To `run` a submission is opaque: it does not know whether the folder is a reference, a declared candidate or a mutant.
Its rollouts have `origin = known`, and are left out of every measurement unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.run.agents.shell import START_IN
from fairtrial.run.protocol import Action, Episode, Situation
from fairtrial.sandbox import Command, Mount

INSIDE = "/solution"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionAgent:
    """Run one script per step, from folders laid read-only at /solution."""

    model: str
    """Name of the submission: `reference`, or the candidate's."""
    folders: Mapping[str, Path]
    """Step name -> folder; steps without one are left untouched."""
    script: str = "solve.sh"
    variables: Mapping[str, str] = field(default_factory=dict)
    name: str = "oracle"
    effort: str = ""
    needs_isolation: bool = False
    trajectories: Mapping[str, Path] = field(default_factory=dict)
    """Step name -> ATIF file that says how the work would have come about; only a grader is given it."""

    def declared(self, steps: Sequence[str]) -> Trajectory | None:
        """Return the trajectory that was declared for `steps`, one after another; None where the last has none."""
        files = [self.trajectories[step] for step in steps if step in self.trajectories]
        if not files or steps[-1] not in self.trajectories:
            return None
        parts = [read_trajectory(file) for file in files]
        joined = tuple(step for part in parts for step in part.steps)
        return replace(parts[-1], steps=joined, stated=parts[0].stated if len(parts) == 1 else None)

    def settings(self) -> Mapping[str, Any]:
        """Return the script and its variables; what the script does is the task's, and in the task's hash."""
        return {"script": self.script, "variables": dict(self.variables)}

    def mounts(self) -> Sequence[Mount]:
        """Return the folder of each step, at /solution, or /solution/STEP where there are several."""
        return tuple(Mount(folder, self._inside(step)) for step, folder in self.folders.items())

    def carries(self) -> Iterator[Path]:
        """Yield the declared trajectories."""
        yield from self.trajectories.values()

    def act(self, situation: Situation) -> Episode:
        """Run the step's script."""
        if situation.step.name not in self.folders:
            return Episode(actions=(), stop="finished")
        script = f"{self._inside(situation.step.name)}/{self.script}"
        limits = replace(situation.task.environment.limits, seconds=situation.step.agent_seconds)
        argv = ("bash", "-c", START_IN, "bash", situation.task.environment.workdir, "bash", script)
        completed = situation.box.run(Command(argv, cwd="/", variables=dict(self.variables), limits=limits))
        action = Action(tool="shell", arguments={"command": f"bash {script}"}, observation=completed.output)
        stop = "agent_timeout" if completed.killed == "timeout" else "finished"
        if completed.killed not in ("", "timeout") or (completed.exit_code and stop == "finished"):
            stop = "agent_error"
        return Episode(actions=(action,), stop=stop)

    def _inside(self, step: str) -> str:
        return INSIDE if not step else f"{INSIDE}/{step}"
