"""Lay what a build wrote to a system folder over the host's, in a mount namespace that ends with the process.

As root a plain overlay; otherwise one in a user namespace (Linux 5.11 or later). Nothing stays mounted on the host.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HOST_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_MOUNT = 'while [ "$1" != -- ]; do mount -t overlay overlay -o "$1" "$2" || exit 125; shift 2; done; shift; exec "$@"'

_BIND = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 125; shift 2; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class Layer:
    """One system folder with what was written over it."""

    name: str
    """Without slash: `usr`."""
    upper: Path
    work: Path | None = None
    """Given while building; without it the merged view is read-only."""


def mounted(layers: Mapping[Path, Layer]) -> list[str]:
    """Return the start of a command line that mounts each layer at its host folder, then runs the rest."""
    if not layers:
        return []
    namespace = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    words = [*namespace, "sh", "-c", _MOUNT, "sh"]
    for folder, layer in layers.items():
        words += [_options(layer), str(folder)]
    return [*words, "--"]


def bound(binds: Mapping[Path, Path]) -> list[str]:
    """Return the start of a command line that shows at each place (key) a host path (value), then runs the rest."""
    if not binds:
        return []
    words = ["unshare", "-m", "sh", "-c", _BIND, "sh"]
    for point, source in binds.items():
        words += [str(source), str(point)]
    return [*words, "--"]


def _options(layer: Layer) -> str:
    lower = f"/{layer.name}"
    upper = _escaped(layer.upper)
    if layer.work is None:
        options = f"ro,lowerdir={upper}:{lower}"
    else:
        options = f"lowerdir={lower},upperdir={upper},workdir={_escaped(layer.work)}"
    return options if os.geteuid() == 0 else f"{options},userxattr"


def _escaped(path: Path) -> str:
    """Return a path as overlay options want it."""
    text = str(path)
    for special in "\\,:":
        text = text.replace(special, "\\" + special)
    return text


@cache
def why_no_overlay(folder: Path) -> str:
    """Return why layers kept in `folder` cannot be mounted here; empty where they can."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="overlay-try-") as name:
        base = Path(name)
        for part in ("upper", "work", "merged"):
            (base / part).mkdir()
        layer = Layer("usr", base / "upper", base / "work")
        script = 'echo a > "$1/fairtrial-try" && cat "$1/fairtrial-try"'
        command = [*mounted({base / "merged": layer}), "sh", "-c", script, "sh", str(base / "merged")]
        tried = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": HOST_PATH},
            check=False,
        )
        # The kernel leaves a folder without permissions in `work`.
        for left in (base / "work").iterdir():
            left.chmod(0o700)
    said = tried.stdout.decode(errors="replace").strip()
    if tried.returncode == 0:
        return ""
    return f"this machine permits no overlay ({said.splitlines()[-1] if said else 'no reason given'})"
