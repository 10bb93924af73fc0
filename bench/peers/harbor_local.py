"""A local environment for Harbor, without isolation: what its runner costs when the environment costs nothing.

Loaded by Harbor's own interpreter (`harbor run -e bench.peers.harbor_local:LocalEnvironment`), never by fairtrial. The
inside paths of a task become folders below the trial's own, in commands and in the small text files that are uploaded.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult  # type: ignore[import-not-found]

_INSIDE = re.compile(r"(?<![\w./-])/(app|tests|solution|logs|installed-agent)(?=[/\s\"';)]|$)")


class LocalEnvironment(BaseEnvironment):  # type: ignore[misc]
    """Runs commands on the host, in a temporary folder."""

    @staticmethod
    def type() -> str:
        """Return the name that Harbor prints."""
        return "local"

    def _validate_definition(self) -> None:
        """Accept any Dockerfile: none is built."""

    async def start(self, force_build: bool) -> None:  # noqa: ARG002
        """Make the folder."""
        self._root = Path(tempfile.mkdtemp(prefix="bench-harbor-"))
        for name in ("app", "tests", "solution", "logs/verifier", "logs/agent", "logs/artifacts"):
            (self._root / name).mkdir(parents=True)

    async def stop(self, delete: bool) -> None:  # noqa: ARG002
        """Remove the folder."""
        shutil.rmtree(self._root, ignore_errors=True)

    def _place(self, path: str) -> Path:
        return self._root / str(path).lstrip("/")

    def _rewritten(self, text: str) -> str:
        return _INSIDE.sub(lambda found: f"{self._root}/{found[1]}", text)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Copy a file in, its inside paths rewritten."""
        target = self._place(target_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self._rewritten(Path(source_path).read_text()))
        target.chmod(0o755)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Copy a folder in, file by file."""
        for path in Path(source_dir).rglob("*"):
            if path.is_file():
                await self.upload_file(path, f"{target_dir}/{path.relative_to(source_dir)}")

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Copy a file out."""
        shutil.copy2(self._place(source_path), target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Copy a folder out."""
        if self._place(source_dir).is_dir():
            shutil.copytree(self._place(source_dir), target_dir, dirs_exist_ok=True)

    async def exec(self, command: str, cwd: str | None = None, env: Any = None, **_: Any) -> ExecResult:
        """Run a command with bash."""
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", self._rewritten(command), cwd=self._place(cwd or "/app"),
            env={"PATH": "/usr/bin:/bin", **(env or {})},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await process.communicate()
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0)
