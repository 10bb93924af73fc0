"""A sandbox for Inspect: `sandbox=("fairtrial", "Dockerfile")`, or a Harbor task's `environment/` folder.

Found by Inspect through the entry point `inspect_ai`. Each sample has one bubblewrap box, without a daemon. Not
covered: users other than root, the network, port mappings, and connecting to a box from a terminal.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from inspect_ai.util import ExecResult, SandboxEnvironment, sandboxenv

from fairtrial.plugins.boxes import HeldBox, environment_at
from fairtrial.records import FairtrialError

TIMED_OUT = "timeout"
NOT_EXECUTABLE = 126


@sandboxenv(name="fairtrial")
class BubblewrapSandboxEnvironment(SandboxEnvironment):  # type: ignore[misc,unused-ignore]
    """A sample's world in a bubblewrap box."""

    def __init__(self, held: HeldBox) -> None:
        super().__init__()
        self._box = held

    @classmethod
    def config_files(cls) -> list[str]:
        """Return the files that describe a world, where a task names none."""
        return ["Dockerfile"]

    @classmethod
    async def sample_init(cls, task_name: str, config: Any, metadata: dict[str, str]) -> dict[str, SandboxEnvironment]:
        """Open a box for a sample."""
        del task_name, metadata
        try:
            world = environment_at(Path(config) if isinstance(config, str) else None)
            return {"default": cls(await asyncio.to_thread(HeldBox, world))}
        except FairtrialError as error:
            raise RuntimeError(str(error)) from error

    @classmethod
    async def sample_cleanup(
        cls, task_name: str, config: Any, environments: dict[str, SandboxEnvironment], interrupted: bool
    ) -> None:
        """End every process and remove the boxes."""
        del task_name, config, interrupted
        for environment in environments.values():
            await asyncio.to_thread(environment.as_type(cls)._box.close)

    async def exec(
        self, cmd: list[str], input: str | bytes | None = None, cwd: str | None = None,
        env: dict[str, str] | None = None, user: str | None = None, timeout: int | None = None,
        timeout_retry: bool = True, concurrency: bool = True,
    ) -> ExecResult[str]:  # fmt: skip
        """Run a command; standard output and error apart."""
        del timeout_retry, concurrency
        if user not in (None, "root", "0"):
            raise PermissionError(f"a bubblewrap box has one user, root; not {user!r}")
        stdin = input.encode() if isinstance(input, str) else input or b""
        ended = await asyncio.to_thread(
            self._box.run, cmd, cwd=cwd or "", variables=env, seconds=timeout, stdin=stdin
        )  # fmt: skip
        if ended.killed == TIMED_OUT:
            raise TimeoutError(f"the command took longer than {timeout} seconds")
        if ended.exit_code == NOT_EXECUTABLE and "Permission denied" in ended.errors:
            raise PermissionError(ended.errors.strip())
        return ExecResult(success=ended.exit_code == 0, returncode=ended.exit_code, stdout=ended.output,
                          stderr=ended.errors)  # fmt: skip

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file, its folders made where they are not there."""
        content = contents.encode() if isinstance(contents, str) else contents
        if await asyncio.to_thread(self._box.is_folder, file):
            raise IsADirectoryError(file)
        await asyncio.to_thread(self._box.write_bytes, content, file)

    async def read_file(self, file: str, text: bool = True) -> Any:
        """Return a file's text or bytes. Links are not followed."""
        content = await asyncio.to_thread(self._box.read, file)
        if content is None:
            if await asyncio.to_thread(self._box.is_folder, file):
                raise IsADirectoryError(file)
            raise FileNotFoundError(file)
        return content.decode() if text else content
