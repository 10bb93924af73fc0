"""What of the host a box may see: an allow list of system folders and files, all read-only. Nothing else is mounted.

Never the home, the ledger, the suite or another box. Account files are ours, not the host's.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fairtrial.sandbox.host_secrets import cover_arguments, is_kept_back

SYSTEM_FOLDERS = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC_SHOWN = (
    "R",
    "alternatives",
    "bash.bashrc",
    "ca-certificates.conf",
    "fonts",
    "java-*-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "magic",
    "mime.types",
    "perl",
    "protocols",
    "python3*",
    "services",
    "ssl",
    "terminfo",
)
"""Copied once into a folder that is mounted read-only; /etc of a box holds links to it, which a box may replace."""
ETC_HIDDEN = ("private", "*.key", "*.pem", "*.0", ".java")
"""Keys; and single certificates, which the one file of all of them holds too."""
ETC_SMALL = ("debian_version", "nsswitch.conf", "profile", "timezone")
"""Copied into every box, so that it may change its own."""
HOST_ETC = ".host"
EMPTY = ".empty"
"""Beside them, a file that is put over what must not be read."""
OWN_ETC = {
    "passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": "root:x:0:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 box\n",
    "hostname": "box\n",
    "resolv.conf": "",
}
OWN_FOLDERS = {
    "dev": 0o755,
    "etc": 0o755,
    f"etc/{HOST_ETC}": 0o755,
    "home": 0o755,
    "opt": 0o755,
    "proc": 0o555,
    "root": 0o700,
    "run": 0o755,
    "srv": 0o755,
    "tmp": 0o1777,
    "var": 0o755,
    "var/lib": 0o755,
    "var/log": 0o755,
    "var/tmp": 0o1777,
}


@cache
def system_folders() -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return (real system folders, (name, target) of those that are links, as on a merged /usr)."""
    real: list[str] = []
    links: list[tuple[str, str]] = []
    for name in SYSTEM_FOLDERS:
        path = Path("/", name)
        if path.is_symlink():
            links.append((name, str(path.readlink())))
        elif path.is_dir():
            real.append(name)
    return tuple(real), tuple(links)


def state() -> str:
    """Return what tells one state of the host's shown files from another, for cache keys."""
    names = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/certs")
    times = [str(os.stat(name).st_mtime_ns) if Path(name).exists() else "" for name in names]  # noqa: PTH116
    return " ".join([platform.machine(), platform.freedesktop_os_release().get("PRETTY_NAME", ""), *times])


def copy_host_etc(folder: Path, etc: Path = Path("/etc")) -> None:
    """Copy the shown part of /etc into `folder`, links as links; no keys, nothing that sets one or cannot be read."""
    folder.mkdir()
    (folder / EMPTY).touch(0o444)
    for pattern in ETC_SHOWN:
        for source in sorted(etc.glob(pattern)):
            if source.is_dir():
                hidden = shutil.ignore_patterns(*ETC_HIDDEN)
                shutil.copytree(
                    source, folder / source.name, symlinks=True, ignore=hidden, copy_function=_copy_readable
                )
            else:
                _copy_readable(str(source), str(folder / source.name))


def _copy_readable(source: str, target: str) -> str:
    """Copy what every user of the host may read, and nothing else."""
    if Path(source).stat().st_mode & 0o004 and not is_kept_back(Path(source)):
        shutil.copyfile(source, target)
    return target


def lay_skeleton(root: Path, host_etc: Path) -> None:
    """Make the folders, links and account files that every box has. `host_etc` is what `copy_host_etc` filled."""
    for name, mode in OWN_FOLDERS.items():
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name).chmod(mode)
    real, links = system_folders()
    for name in real:
        (root / name).mkdir()
    for name, target in links:
        (root / name).symlink_to(target)
    for name, text in OWN_ETC.items():
        (root / "etc" / name).write_text(text)
    (root / "etc/mtab").symlink_to("/proc/self/mounts")
    for name in ("localtime", "os-release"):
        if Path("/etc", name).is_symlink():
            (root / "etc" / name).symlink_to(Path("/etc", name).readlink())
    for name in ETC_SMALL:
        if Path("/etc", name).is_file() and not is_kept_back(Path("/etc", name)):
            shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    for path in sorted(one for one in host_etc.iterdir() if one.name != EMPTY):
        (root / "etc" / path.name).symlink_to(f"{HOST_ETC}/{path.name}")


def system_place(inside: str) -> tuple[str, str] | None:
    """Return (system folder, path below it) where a normal inside path lies in one, links of a merged /usr followed.

    None where the path is the box's own.
    """
    first, _, rest = inside.lstrip("/").partition("/")
    if first not in SYSTEM_FOLDERS:
        return None
    target = dict(system_folders()[1]).get(first)
    if target is None:
        return first, rest
    first, _, below = target.strip("/").partition("/")
    return first, f"{below}/{rest}".strip("/")


def mount_arguments(
    host_etc: Path, layers: Mapping[str, Path], uppers: Mapping[str, Path], *, writable: bool = False
) -> list[str]:
    """Return bubblewrap's arguments that show the host.

    `layers` replaces a system folder by a merged view of it, of which `uppers` is the written side.
    """
    arguments: list[str] = []
    for name in system_folders()[0]:
        how = "--bind" if writable and name in layers else "--ro-bind"
        arguments += [how, str(layers.get(name, f"/{name}")), f"/{name}"]
    arguments += cover_arguments(host_etc / EMPTY, uppers)
    return [*arguments, "--ro-bind", str(host_etc), f"/etc/{HOST_ETC}"]
