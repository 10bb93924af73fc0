"""An environment for Harbor: `harbor run -e fairtrial.plugins.harbor:BubblewrapEnvironment`.

Harbor keeps its runner, its agents and its verifier; each trial lives in one bubblewrap box, without a daemon. As in
every Harbor environment the verifier runs beside what the agent left alive. A box has no network, whatever the task
allows: that is logged once a trial. Not covered: compose files, GPUs, commands as another user than root.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

from fairtrial.plugins.boxes import HeldBox, environment_at
from fairtrial.records import FairtrialError

TIMED_OUT = "timeout"


class BubblewrapEnvironment(BaseEnvironment):  # type: ignore[misc,unused-ignore]
    """A trial's world in a bubblewrap box."""

    @staticmethod
    def type() -> str:
        """Return the name that Harbor prints."""
        return "fairtrial-bubblewrap"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        """Say that there is no network, and no more."""
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        """Refuse what bubblewrap cannot honour before the trial starts."""
        try:
            self._world = environment_at(Path(self.environment_dir))
        except FairtrialError as error:
            raise ValueError(str(error)) from error

    async def start(self, force_build: bool) -> None:  # noqa: ARG002  prepared environments are kept by content
        """Open the box."""
        try:
            self._held = await asyncio.to_thread(HeldBox, self._world, self._startup_env())
        except FairtrialError as error:
            raise RuntimeError(str(error)) from error
        if self._network_is_public:
            self.logger.warning("a bubblewrap box has no network; the task allows one")
        for note in self._held.notes:
            self.logger.warning(note)
        folders = " ".join(("/logs/agent", "/logs/verifier", "/logs/artifacts", "/tests", "/solution"))
        await self.exec(f"mkdir -p {folders} && chmod 777 {folders}", cwd="/")

    async def stop(self, delete: bool) -> None:  # noqa: ARG002  a box is never kept
        """End every process and remove the box."""
        held = self.__dict__.pop("_held", None)
        if held is not None:
            await asyncio.to_thread(held.close)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Copy a file in."""
        await asyncio.to_thread(self._box.write, Path(source_path), str(target_path))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Copy a folder in, over what is there."""
        await asyncio.to_thread(self._box.write, Path(source_dir), str(target_dir))

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Copy a file out."""
        await self._copy_out(str(source_path), Path(target_path))

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Copy a folder out, links as links."""
        await self._copy_out(str(source_dir), Path(target_dir))

    async def exec(
        self, command: str, cwd: str | None = None, env: dict[str, str] | None = None,
        timeout_sec: int | None = None, user: str | int | None = None, **_: Any,
    ) -> ExecResult:  # fmt: skip
        """Run a command with bash."""
        if user not in (None, "root", 0):
            raise RuntimeError(f"a bubblewrap box has one user, root; not {user!r}")
        ended = await asyncio.to_thread(
            self._box.run, ["bash", "-c", command], cwd=cwd or "",
            variables=self._merge_env(env) or {}, seconds=timeout_sec,
        )  # fmt: skip
        if ended.killed == TIMED_OUT:
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds")
        return ExecResult(stdout=ended.output, stderr=ended.errors, return_code=ended.exit_code)

    @property
    def _box(self) -> HeldBox:
        held: HeldBox | None = getattr(self, "_held", None)
        if held is None:
            raise RuntimeError("the environment was not started")
        return held

    async def _copy_out(self, inside: str, target: Path) -> None:
        if not await asyncio.to_thread(self._box.copy_out, inside, target):
            raise RuntimeError(f"{inside} is not there")
