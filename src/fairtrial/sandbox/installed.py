"""Parts of a RUN that ask for what this host has already: then nothing needs to be fetched.

The host stands in for the base image, so `apt-get install python3` holds where dpkg says that python3 is installed.
Only whole simple commands are read; a version that differs, an option that points elsewhere or a package that is not
here leaves the command as it was, and it needs the network.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from functools import cache

from fairtrial.sandbox.variables import BASE_VARIABLES

_JOINT = re.compile(r"(&&|\|\||;|\|(?!\|)|\n|$)")
_SETTING = re.compile(r"^(?:(?:[A-Za-z_]\w*=\S*|sudo|env)\s+)*")
_APT_FLAGS = re.compile(
    r"^(?:-[yqfm]+|-qq|-o|--yes|--assume-yes|--quiet|--no-install-(?:recommends|suggests)|--fix-missing)$"
)
_APT_SETTING = re.compile(r"^[A-Za-z:]+::[\w:]*=\S*$|^Acquire\S+=\S+$|^Dpkg\S+=\S+$")
_PIP_FLAGS = re.compile(
    r"^(?:-[Uqv]+|--upgrade|--quiet|--no-cache-dir|--break-system-packages|--disable-pip-version-check|--no-input)$"
)
_PINNED = re.compile(r"^([A-Za-z0-9][\w.+-]*)(?:\[[\w,]+\])?(?:==([\w.+!-]+))?$")
_LISTS = re.compile(r"^rm\s+-rf?\s+/var/lib/apt/lists/?\*?(?:\s+/var/cache/apt/\S*|\s+/tmp/\*|\s+/var/tmp/\*)*$")


def without_installed(script: str) -> tuple[str, tuple[str, ...]]:
    """Return `script` with what this host has already replaced by `:`, and the commands that were replaced.

    >>> without_installed("apt-get update && make all")[0]
    'apt-get update && make all'
    """
    joined = script.replace("\\\n", " ")
    parts: list[str] = []
    replaced: list[str] = []
    updates: list[int] = []
    at = 0
    for joint in _JOINT.finditer(joined):
        command = joined[at : joint.start()]
        at = joint.end()
        if _is_quoted(joined, joint.start()) or joint[0] == "|":
            parts += [command, joint[0]]
            continue
        words = command.strip()
        if re.fullmatch(_SETTING.pattern[1:] + r"apt(?:-get)?\s+(?:-\S+\s+)*update(?:\s+-\S+)*", words):
            updates.append(len(parts))
        elif _is_here(words):
            replaced.append(words)
            command = _blank(command)
        parts += [command, joint[0]]
    if not replaced:
        return script, ()
    for place in updates:
        replaced.append(parts[place].strip())
        parts[place] = _blank(parts[place])
    rest = "".join(parts)
    return (rest, tuple(replaced)) if not re.search(r"\bapt(?:-get)?\b[^;&|]*\binstall\b", rest) else (script, ())


def _blank(command: str) -> str:
    return re.sub(r"\S.*\S|\S", ":", command, count=1, flags=re.DOTALL)


def _is_quoted(text: str, end: int) -> bool:
    """Say whether a quotation is open at `end`, by counting: enough for build commands, and wrong on the safe side."""
    before = text[:end]
    return before.count('"') % 2 == 1 or before.count("'") % 2 == 1 or "<<" in before


def _is_here(command: str) -> bool:
    """Say whether a simple command only asks for what is installed here, or tidies up after such a one."""
    bare = _SETTING.sub("", command)
    if _LISTS.match(bare) or re.fullmatch(
        r"apt(?:-get)?\s+(?:-\S+\s+)*(?:clean|autoclean|autoremove)(?:\s+-\S+)*", bare
    ):
        return True
    try:
        words = shlex.split(bare)
    except ValueError:
        return False
    if any(mark in bare for mark in "`$<>(){}"):
        return False
    if words[:1] in (["apt-get"], ["apt"]) and "install" in words[1:]:
        named = [w for w in words[1:] if w != "install" and not _APT_FLAGS.match(w) and not _APT_SETTING.match(w)]
        return bool(named) and all(_has_package(name) for name in named)
    pip = words[1:] if words[:1] in (["pip"], ["pip3"]) else words[3:] if words[1:3] == ["-m", "pip"] else []
    if pip[:1] == ["install"]:
        named = [word for word in pip[1:] if not _PIP_FLAGS.match(word)]
        return bool(named) and all(_has_distribution(name) for name in named)
    return False


@cache
def _has_package(name: str) -> bool:
    bare, _, pinned = name.partition("=")
    if not re.fullmatch(r"[a-z0-9][a-z0-9.+:-]*", bare):
        return False
    said = _said(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", bare])
    state, _, version = said.partition(" ")
    return state == "installed" and pinned in ("", version)


@cache
def _has_distribution(name: str) -> bool:
    wanted = _PINNED.match(name)
    if wanted is None:
        return False
    program = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    version = _said(["python3", "-I", "-c", program, wanted[1]])
    return bool(version) and wanted[2] in (None, version)


def _said(command: list[str]) -> str:
    """Return what a program of the host's prints, in the environment of a box; empty where it fails."""
    try:
        done = subprocess.run(command, env=BASE_VARIABLES, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
