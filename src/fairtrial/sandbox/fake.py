"""A sandbox for tests: boxes are temporary folders, and a function of yours says what each command does.

Starts no process. WORKDIR and COPY are laid out as the real ones do; RUN is recorded and not executed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import Environment, SandboxError
from fairtrial.sandbox.cache import new_box_folder
from fairtrial.sandbox.folder_box import FolderBox
from fairtrial.sandbox.host_view import system_place
from fairtrial.sandbox.inside import put_into, remove_tree
from fairtrial.sandbox.layout import Layout
from fairtrial.sandbox.plan import Run, plan
from fairtrial.sandbox.protocol import Capability, Command, Completed, Mount, Prepared

Script = Callable[[Command, Path], Completed]
"""(command, host folder that is `/` in the box) -> how it ended. It may read and write below the folder."""


def succeed(command: Command, root: Path) -> Completed:
    """Do nothing and say that it went well."""
    del command, root
    return Completed(exit_code=0, output="", seconds=0.0)


@dataclass(frozen=True, slots=True)
class FakePrepared:
    """An environment, as it is."""

    environment: Environment
    notes: tuple[str, ...] = ()


class FakeBox(FolderBox):
    """One temporary folder."""

    def __init__(self, folder: Path, root: Path, workdir: str, script: Script, commands: list[Command]) -> None:
        super().__init__(folder, root, workdir)
        self._script = script
        self._commands = commands

    def run(self, command: Command) -> Completed:
        """Record `command` and ask the script how it ended."""
        self._must_be_open()
        self._commands.append(command)
        return self._script(command, self.root)


class FakeSandbox:
    """Records commands in `commands` and answers them by `script`."""

    name = "fake"

    def __init__(self, script: Script = succeed, notes: tuple[str, ...] = ()) -> None:
        self.script = script
        self.notes = notes
        """What its environments say of themselves."""
        self.commands: list[Command] = []
        self.built: list[str] = []
        """RUN lines of the environments opened."""

    def capability(self) -> Capability:
        """Say that nothing runs, so nothing is isolated."""
        return Capability(
            available=True, isolated=False, memory_limit="none", why="nothing is executed: a fake for tests"
        )

    def unsupported(self, environment: Environment) -> list[str]:
        """Name what the real ones could not honour either."""
        return list(plan(environment).problems)

    def prepare(self, environment: Environment) -> FakePrepared:
        """Keep `environment`. Raise SandboxError naming what cannot be honoured."""
        problems = self.unsupported(environment)
        if problems:
            raise SandboxError("this sandbox cannot honour " + "; ".join(problems), path=environment.context)
        return FakePrepared(environment, self.notes)

    def open(self, prepared: Prepared, mounts: Sequence[Mount] = (), *, live: bool = False) -> FakeBox:
        """Open a temporary folder laid out as the environment says."""
        del live
        folder = new_box_folder()
        try:
            root = folder / "root"
            root.mkdir()
            read = plan(prepared.environment)
            Layout(prepared.environment.context, self._placer(root), self._build, folder).take(read.steps)
            for mount in mounts:
                put_into(root, mount.source, mount.inside)
            return FakeBox(folder, root, read.workdir, self.script, self.commands)
        except BaseException:
            remove_tree(folder)
            raise

    def _build(self, step: Run) -> None:
        self.built.append(step.text)

    def _placer(self, root: Path) -> Callable[[str, int], tuple[Path, str]]:
        def place(inside: str, line: int) -> tuple[Path, str]:
            if system_place(inside) is not None:
                raise SandboxError(f"{inside} is a system folder", path="Dockerfile", line=line)
            return root, inside

        return place
