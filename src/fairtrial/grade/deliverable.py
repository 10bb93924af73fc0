"""What of a box counts as the deliverable: the workdir, what the environment laid outside it, declared artifacts.

Never the home, /tmp (but for a workdir below it), /logs, /tests or /solution: an agent could plant start-up files
there, and no user is handed them. An agent that leaves its work elsewhere has not delivered it, unless
task.toml names the place in `artifacts`.
"""

from __future__ import annotations

import json
import posixpath

from fairtrial.records import SandboxError
from fairtrial.tasks import Task

MOST_BYTES = 256_000_000
_NEVER = ("/tests", "/solution", "/logs", "/tmp", "/proc", "/dev", "/sys", "/usr", "/bin", "/sbin", "/lib", "/lib64",
          "/etc", "/run", "/var/run")  # fmt: skip


def deliverable_paths(task: Task) -> tuple[str, ...]:
    """Return the inside paths that make up the deliverable, outermost only, in order.

    Parts of the system are never among them, whatever the Dockerfile copied there. Raise SandboxError for a workdir
    that cannot be handed in, unless the task declares artifacts: right work would be lost, and pass for wrong.
    """
    environment = task.environment
    workdir = posixpath.normpath(environment.workdir)
    is_own = workdir.startswith("/tmp/")
    if not task.artifacts and (workdir == "/" or (_inside(workdir, _NEVER) and not is_own)):
        raise SandboxError(
            f"the workdir {workdir} cannot be handed in: it holds more than the agent's work",
            hint="Set WORKDIR to a folder of its own, or name what is handed in as `artifacts` in task.toml.",
        )
    paths = [environment.workdir, *task.artifacts]
    for instruction in environment.instructions:
        if instruction.keyword in ("COPY", "ADD"):
            paths.append(_destination(instruction.value, environment.workdir))
    kept: list[str] = []
    for path in sorted({posixpath.normpath(p) for p in paths if p.startswith("/")}):
        is_never = _inside(path, _NEVER) and not (is_own and path == workdir)
        if path != "/" and not is_never and not _inside(path, kept):
            kept.append(path)
    return tuple(kept)


def _destination(value: str, workdir: str) -> str:
    words = json.loads(value) if value.startswith("[") else [w for w in value.split() if not w.startswith("--")]
    return posixpath.join(workdir, str(words[-1])) if words else workdir


def _inside(path: str, folders: tuple[str, ...] | list[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
