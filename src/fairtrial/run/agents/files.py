"""The agent that lays given files into the workspace, then runs a script where it has one.

Mutants and probes are made outside the box and handed in by it: no command runs unless the submission needs one. Like
every submission it is opaque to `run`, and its rollouts have `origin = known`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fairtrial.records import digest
from fairtrial.run.agents.shell import START_IN
from fairtrial.run.protocol import Action, Agent, Carries, Episode, Situation
from fairtrial.sandbox import Command, Mount


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesAgent:
    """Lay `files`, remove `removed`, run `script`."""

    model: str
    """Name of the submission."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Inside path -> host file or folder; what is there is replaced."""
    removed: tuple[str, ...] = ()
    """Inside paths that must not be there; they are removed before `files` are laid."""
    script: str = ""
    """Bash, run in the workdir after the files are laid; empty for none."""
    shown: Mapping[str, Path] = field(default_factory=dict)
    """Inside path -> host file or folder shown read-only while the script runs (where the script needs material)."""
    variables: Mapping[str, str] = field(default_factory=dict)
    earlier: Agent | None = None
    """Who acts in the steps before the last; they are left untouched where there is none."""
    name: str = "files"
    effort: str = ""
    needs_isolation: bool = False

    def settings(self) -> Mapping[str, Any]:
        """Return what it hands in, by content."""
        return {
            "files": {inside: _hash(path) for inside, path in self.files.items()},
            "removed": list(self.removed),
            "script": self.script,
            "shown": {inside: _hash(path) for inside, path in self.shown.items()},
            "variables": dict(self.variables),
            "earlier": dict(self.earlier.settings()) if self.earlier is not None else None,
        }

    def mounts(self) -> Sequence[Mount]:
        """Return what the script is shown."""
        earlier = self.earlier.mounts() if self.earlier is not None else ()
        return (*earlier, *(Mount(path, inside) for inside, path in self.shown.items()))

    def carries(self) -> Iterator[Path]:
        """Yield what it lays."""
        yield from self.files.values()
        earlier: object = self.earlier
        if isinstance(earlier, Carries):
            yield from earlier.carries()

    def act(self, situation: Situation) -> Episode:
        """Hand in, in the last step of the task."""
        if situation.step != situation.task.steps[-1]:
            return self.earlier.act(situation) if self.earlier is not None else Episode(actions=(), stop="finished")
        limits = replace(situation.task.environment.limits, seconds=situation.step.agent_seconds)
        workdir = situation.task.environment.workdir
        if self.removed:
            situation.box.run(Command(("rm", "-rf", "--", *self.removed), cwd="/", limits=limits))
        for inside, path in self.files.items():
            situation.box.put(path, inside)
        if not self.script:
            return Episode(actions=(), stop="finished")
        argv = ("bash", "-c", START_IN, "bash", workdir, "bash", "-c", self.script)
        completed = situation.box.run(Command(argv, cwd="/", variables=dict(self.variables), limits=limits))
        action = Action(tool="shell", arguments={"command": self.script}, observation=completed.output)
        stop = "agent_timeout" if completed.killed == "timeout" else "finished"
        if completed.killed not in ("", "timeout"):
            stop = "agent_error"
        return Episode(actions=(action,), stop=stop)


def _hash(path: Path) -> str:
    if path.is_dir():
        return digest("\n".join(f"{p.relative_to(path)} {_hash(p)}" for p in sorted(path.rglob("*"))
                                if p.is_file()).encode())  # fmt: skip
    return digest(path.read_bytes())
