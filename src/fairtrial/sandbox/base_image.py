"""Judge whether the host can stand for a base image: an operating system, or one with a language the host has too.

Only the name is looked at; which version the host has is said in a note, not promised.
"""

from __future__ import annotations

import platform
import re
import shutil
import sys
from pathlib import Path

SYSTEMS = frozenset({"alpine", "bash", "buildpack-deps", "busybox", "debian", "scratch", "ubuntu", "debian-slim"})
LANGUAGES = {"gcc": "gcc", "golang": "go", "node": "node", "openjdk": "java", "perl": "perl", "python": "python3",
             "ruby": "ruby", "rust": "cargo"}  # fmt: skip
HOST_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def split_image(value: str) -> tuple[str, str]:
    """Return name and tag of an image, with Docker Hub's own prefixes taken off.

    >>> split_image("docker.io/library/python:3.11-slim@sha256:00")
    ('python', '3.11-slim')
    >>> split_image("localhost:5000/team/base")
    ('localhost:5000/team/base', '')
    """
    name = value.partition("@")[0]
    head, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:
        head, tag = name, ""
    head = re.sub(r"^(?:index\.|registry-1\.)?docker\.io/", "", head)
    return head.removeprefix("library/"), tag


def judge_image(value: str) -> tuple[str, str]:
    """Return (why the host cannot stand for this image or empty, what to note about the stand-in)."""
    name, tag = split_image(value)
    note = f"image {value} is stood in for by this host ({_host_name()})"
    if name in SYSTEMS:
        return "", note
    if name not in LANGUAGES:
        return f"image {value} holds files that this host does not have", ""
    program = shutil.which(LANGUAGES[name], path=HOST_PATH)
    if program is None:
        return f"image {value} needs {LANGUAGES[name]}, which this host does not have in its system folders", ""
    wanted = re.match(r"\d+(?:\.\d+)?", tag)
    return "", f"{note}, whose {LANGUAGES[name]} is {Path(program).resolve()}" + (
        f"; the tag asks for {wanted[0]}" if wanted else ""
    )


def _host_name() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", sys.platform)
    except OSError:
        return sys.platform
