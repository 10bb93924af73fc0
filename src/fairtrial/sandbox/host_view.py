"""What of the host a box may see: an allow list of system folders and files, all read-only. Nothing else is mounted.

Never the home, the ledger, the suite or another box. Account files are ours, not the host's.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SYSTEM_FOLDERS = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC_FOLDERS = ("alternatives", "ca-certificates", "fonts", "ld.so.conf.d", "ssl/certs", "terminfo")
ETC_FOLDER_PATTERNS = ("java-*-openjdk", "perl", "python3*", "R")
ETC_FILES = (
    "bash.bashrc",
    "debian_version",
    "ld.so.cache",
    "ld.so.conf",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "profile",
    "protocols",
    "services",
    "ssl/openssl.cnf",
    "timezone",
)
"""Copied, so that a box may change its own; folders are mounted read-only."""
OWN_ETC = {
    "passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": "root:x:0:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 box\n",
    "hostname": "box\n",
    "resolv.conf": "",
    "shells": "/bin/sh\n/bin/bash\n",
}
OWN_FOLDERS = {
    "dev": 0o755,
    "etc": 0o755,
    "etc/ssl": 0o755,
    "home": 0o755,
    "mnt": 0o755,
    "opt": 0o755,
    "proc": 0o555,
    "root": 0o700,
    "run": 0o755,
    "srv": 0o755,
    "sys": 0o555,
    "tmp": 0o1777,
    "var": 0o755,
    "var/lib": 0o755,
    "var/log": 0o755,
    "var/tmp": 0o1777,
}
BASE_VARIABLES = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "HOSTNAME": "box",
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


@cache
def shown_etc() -> tuple[str, ...]:
    """Return which folders of /etc are shown, those that this host has."""
    found = [name for name in ETC_FOLDERS if Path("/etc", name).is_dir()]
    for pattern in ETC_FOLDER_PATTERNS:
        found += [path.name for path in sorted(Path("/etc").glob(pattern)) if path.is_dir()]
    return tuple(found)


def lay_skeleton(root: Path) -> None:
    """Make the folders, account files and mount points that every box has."""
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
    for name in ETC_FILES:
        if Path("/etc", name).is_file():
            shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    for name in shown_etc():
        (root / "etc" / name).mkdir(parents=True, exist_ok=True)


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


def mount_arguments(layers: Mapping[str, Path], *, writable: bool = False) -> list[str]:
    """Return bubblewrap's arguments that show the host. `layers` replaces a system folder by a merged view of it."""
    arguments: list[str] = []
    for name in system_folders()[0]:
        how = "--bind" if writable and name in layers else "--ro-bind"
        arguments += [how, str(layers.get(name, f"/{name}")), f"/{name}"]
    for name in shown_etc():
        arguments += ["--ro-bind", os.path.realpath(f"/etc/{name}"), f"/etc/{name}"]
    return arguments
