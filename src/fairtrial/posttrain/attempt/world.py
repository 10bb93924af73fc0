"""What an agent and an evaluator find in their boxes beside the box itself: Python, the base model, mounts, variables.

All of it is shown read-only, and nothing else of the host is. Variables are an allow list: what the rules pass by name,
what BENCH.toml states, and the box's own. Not covered: what a folder that the bench mounts holds; its author chose it.
"""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import fairtrial
from fairtrial.posttrain.bench import Agent, Bench
from fairtrial.records import InputError
from fairtrial.sandbox import BASE_VARIABLES, Mount, passed_variables

BASE_MODEL = "/base_model"
AGENT = "/agent"
_SETTINGS = (*(f"pip.{end}" for end in ("conf", "ini")), ".env", ".netrc", ".pypirc", "uv.toml")
"""What may lie in the folder of a Python and hold keys."""


def mounts_of(bench: Bench, empty: Path) -> tuple[Mount, ...]:
    """Return what both boxes are shown: Python where the bench asks for it, and the bench's own mounts.

    `empty` is an empty file, shown in the place of settings that may hold keys.
    """
    return (*(_python_mounts(empty) if bench.toml.world.python else ()), *own_mounts(bench))


def variables_of(bench: Bench) -> dict[str, str]:
    """Return the variables of both boxes."""
    first = [str(Path(sys.prefix) / "bin")] if bench.toml.world.python else []
    path = ":".join([*first, BASE_VARIABLES["PATH"]])
    passed = passed_variables(bench.rules.toml.credentials.pass_env)
    return {"PATH": path, "TMPDIR": "/tmp"} | passed | bench.toml.world.variables


def base_mounts(bench: Bench, base: str) -> tuple[Mount, ...]:
    """Return what shows the base model at /base_model. Raise InputError where its folder holds no file."""
    return tuple(shown(bench.base_weights(base), BASE_MODEL))


def agent_mounts(agent: Agent) -> tuple[Mount, ...]:
    """Return what shows the agent's own files at /agent; nothing where it has none."""
    return () if agent.files is None else (Mount(agent.files.resolve(), AGENT),)


def shown(folder: Path, inside: str) -> Iterator[Mount]:
    """Yield what shows a folder of large files in place; links that lead out of it are shown as what they lead to.

    A model in a cache of downloads is such a folder of links.
    """
    links = [path for path in sorted(folder.rglob("*")) if path.is_symlink()]
    outside = [path for path in links if not path.resolve().is_relative_to(folder.resolve())]
    if not outside:
        yield Mount(folder.resolve(), inside, in_place=_is_open(folder))
        return
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield Mount(path.resolve(), f"{inside}/{path.relative_to(folder)}", in_place=_is_open(path.resolve()))


def _is_open(path: Path) -> bool:
    """Say whether whoever a box runs as may read all of a file or folder; what is closed is copied for it."""
    for one in (path, *path.rglob("*")) if path.is_dir() else (path,):
        mode = one.stat().st_mode
        wanted = 0o005 if stat.S_ISDIR(mode) else 0o004
        if mode & wanted != wanted:
            return False
    return True


def python_folders() -> list[Path]:
    """Return the folders of the Python that runs this, its packages and ours, none of which lies in another."""
    folders: list[Path] = []
    for folder in (Path(sys.base_prefix), Path(sys.prefix), Path(fairtrial.__file__).resolve().parent):
        if not any(folder.is_relative_to(one) for one in (*folders, Path("/usr"))):
            folders.append(folder)
    return folders


def _python_mounts(empty: Path) -> Iterator[Mount]:
    """Yield the Python that runs this, its packages and ours, each where it lies on the host."""
    for folder in python_folders():
        yield Mount(folder, str(folder), in_place=True)
        for name in _SETTINGS:
            if (folder / name).is_file():
                yield Mount(empty, str(folder / name), in_place=True)


def own_mounts(bench: Bench) -> Iterator[Mount]:
    """Yield the mounts that BENCH.toml names."""
    for at, text in enumerate(bench.toml.world.mounts):
        source, colon, inside = text.rpartition(":")
        if not colon or not inside.startswith("/") or inside == "/":
            raise InputError(f"`{text}` is no mount", path=bench.path, field=f"world.mounts.{at}",
                             hint="Write HOST:INSIDE, such as `data/hub:/hub`.")  # fmt: skip
        folder = bench.beside(source)
        if not folder.exists():
            raise InputError(f"`{source}` is not there to be mounted", path=bench.path, field=f"world.mounts.{at}")
        yield from shown(folder, inside) if folder.is_dir() else [Mount(folder.resolve(), inside)]
