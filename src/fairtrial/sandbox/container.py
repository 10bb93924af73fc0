"""The full sandbox: podman or docker through its command line, with the image built from the Dockerfile.

Covers what bubblewrap cannot honour: packages, other base images, stages, users. No network at run time unless the
task allows it; memory and processes limited; no new privilege; all capabilities dropped but those that root needs to
handle files of its own. Building fetches what the Dockerfile fetches. Does not cover: a limit that differs from one
command to the next in memory or processes (those of the environment hold).
"""

from __future__ import annotations

import json
import os
import resource
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fairtrial.records import Environment, SandboxError
from fairtrial.sandbox.cache import environment_key, new_box_folder
from fairtrial.sandbox.container_box import ContainerBox
from fairtrial.sandbox.container_engine import BUILD_SECONDS, Engine, engine, why_not_working
from fairtrial.sandbox.inside import remove_tree
from fairtrial.sandbox.protocol import Capability, Mount, Prepared
from fairtrial.sandbox.variables import PROXIES, credential_names

PREFIX = "fairtrial-"
KEPT_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID")

MOST_ALLOWED = 16_384
"""Open files of a process, and processes of a user, in a container of podman's; --pids-limit is what holds."""


@dataclass(frozen=True, slots=True)
class PreparedImage:
    """An environment as an image of the local engine."""

    environment: Environment
    image: str
    notes: tuple[str, ...] = ()
    """None: the image is the task's own."""


class Container:
    """Runs commands in containers."""

    name = "container"

    def capability(self) -> Capability:
        """Say whether a container program works here."""
        one = engine()
        why = why_not_working(one) if one else "neither podman nor docker is installed"
        return Capability(available=not why, isolated=not why, memory_limit="cgroup", why=why)

    def unsupported(self, environment: Environment) -> list[str]:
        """Name nothing: an image is built from whatever a Dockerfile says."""
        if environment.instructions or environment.image:
            return []
        return ["the environment names neither a Dockerfile nor an image"]

    def prepare(self, environment: Environment) -> PreparedImage:
        """Build or pull the image, once per environment hash. Raise SandboxError with what the build said."""
        one = _working()
        if self.unsupported(environment):
            raise SandboxError(self.unsupported(environment)[0])
        if not environment.instructions:
            if one.attempt("image", "inspect", environment.image).returncode:
                one.call("pull", environment.image, seconds=BUILD_SECONDS)
            return PreparedImage(environment, environment.image)
        tag = f"localhost/fairtrial/environment:{environment_key(environment)[:24]}"
        if one.attempt("image", "inspect", tag).returncode:
            _build(one, environment, tag)
        return PreparedImage(environment, tag)

    def open(self, prepared: Prepared, mounts: Sequence[Mount] = (), *, live: bool = False) -> ContainerBox:
        """Start a fresh container that waits for commands."""
        if not isinstance(prepared, PreparedImage):
            raise SandboxError("this environment was prepared by another sandbox")
        one = _working()
        _sweep(one)
        name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(6)}"
        words = [*_scrubbing(one), *_allowed_limits(one), *_run_flags(prepared.environment, mounts)]
        workdir = prepared.environment.workdir or "/"
        folder = new_box_folder()
        try:
            one.call("run", "-d", "--name", name, *words, *one.run_flags, prepared.image, "infinity")
            _must_add_nothing(one, name, prepared, mounts)
            one.call("exec", "-u", "0", name, "mkdir", "-p", "--", workdir)
        except BaseException:
            one.attempt("kill", "--signal", "KILL", name)
            one.attempt("rm", "-f", "-v", name)
            remove_tree(folder)
            raise
        return ContainerBox(one, name, workdir, folder, live=live)


def _working() -> Engine:
    one = engine()
    why = why_not_working(one) if one else "neither podman nor docker is installed"
    if one is None or why:
        raise SandboxError(why, hint="Install podman, or use --sandbox bwrap.")
    return one


def _run_flags(environment: Environment, mounts: Sequence[Mount]) -> list[str]:
    limits = environment.limits
    size = limits.file_mb << 20
    words = ["--network=" + ("bridge" if environment.allow_internet else "none")]
    words += ["--hostname", "box", "--workdir", "/", "--entrypoint", "sleep"]
    words += ["--memory", f"{limits.memory_mb}m", "--memory-swap", f"{limits.memory_mb}m"]
    words += ["--pids-limit", str(limits.processes), "--ulimit", f"fsize={size}:{size}", "--ulimit", "core=0:0"]
    words += ["--security-opt", "no-new-privileges", "--cap-drop", "ALL"]
    for capability in KEPT_CAPABILITIES:
        words += ["--cap-add", capability]
    for name, value in environment.variables:
        words += ["--env", f"{name}={value}"]
    for mount in mounts:
        words += ["--volume", f"{mount.source.resolve()}:{mount.inside}:ro"]
    return words


def _allowed_limits(one: Engine) -> list[str]:
    """Return flags by which podman asks for no more open files and processes than this process may have itself.

    Its own defaults are above what many a container or build machine allows, and there no container starts at all.
    Docker's daemon has limits of its own.
    """
    if not one.is_podman:
        return []
    words = []
    for name, which in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
        hard = resource.getrlimit(which)[1]
        most = MOST_ALLOWED if hard == resource.RLIM_INFINITY else min(hard, MOST_ALLOWED)
        words += ["--ulimit", f"{name}={most}:{most}"]
    return words


def _scrubbing(one: Engine) -> list[str]:
    """Return flags by which a container gets no variable of this machine: programs hand proxies on by themselves."""
    if one.is_podman:
        return ["--http-proxy=false", "--env-host=false"]
    names = [name for upper in PROXIES for name in (upper, upper.lower())]
    return [word for name in names for word in ("--env", f"{name}=")]


def _must_add_nothing(one: Engine, name: str, prepared: PreparedImage, mounts: Sequence[Mount]) -> None:
    """Raise SandboxError where the program's own settings (`containers.conf`) give a container folders or keys."""
    asked = '{"env": {{json .Config.Env}}, "mounts": {{json .Mounts}}}'
    held = json.loads(one.call("inspect", "-f", asked, name))
    ours = {mount.inside for mount in mounts}
    for mount in held["mounts"] or ():
        where = str(mount.get("Destination"))
        if mount.get("Type") == "bind" and where not in ours and not _is_flagged(one, where):
            raise SandboxError(f"{one.program} shows containers the host's {mount.get('Source')}, by its own settings",
                               hint="Take it out of `volumes` in containers.conf.")  # fmt: skip
    given = dict(prepared.environment.variables)
    keys = set(credential_names(dict(text.partition("=")[::2] for text in held["env"] or ()))) - set(given)
    if keys:  # the image's own are the task's; to ask for them costs time
        said = one.attempt("image", "inspect", "-f", "{{json .Config.Env}}", prepared.image)
        keys -= {text.partition("=")[0] for text in (json.loads(said.stdout or b"null") or ())}
    if foreign := sorted(key for key in keys if not _is_flagged(one, key)):
        raise SandboxError(f"{one.program} gives containers {', '.join(foreign)}, by its own settings",
                           hint="Take it out of `env` in containers.conf: an agent gets no keys.")  # fmt: skip


def _is_flagged(one: Engine, word: str) -> bool:
    """Say whether a person asked for it in FAIRTRIAL_CONTAINER_FLAGS."""
    return any(word in flag for flag in one.run_flags)


def _build_scrubbing(one: Engine) -> list[str]:
    """Return flags by which a build gets no proxy whose address holds a password; others it needs to fetch."""
    held = {name: os.environ.get(name, "") for upper in PROXIES for name in (upper, upper.lower())}
    if not any("@" in value for value in (*held.values(), *_stated_proxies(one))):
        return []
    if one.is_podman:
        return ["--http-proxy=false"]
    return [word for name in held for word in ("--build-arg", f"{name}=")]


def _stated_proxies(one: Engine) -> list[str]:
    """Return the proxies that docker hands to builds from its own settings."""
    if one.is_podman:
        return []
    folder = os.environ.get("DOCKER_CONFIG")
    try:
        stated = json.loads((Path(folder) if folder else Path.home() / ".docker").joinpath("config.json").read_bytes())
    except (OSError, RuntimeError, ValueError):
        return []
    proxies = stated.get("proxies") if isinstance(stated, dict) else None
    return [str(proxies)] if proxies else []


def _build(one: Engine, environment: Environment, tag: str) -> None:
    """Build the image from the context's Dockerfile, or from the instructions where it has none."""
    with tempfile.TemporaryDirectory(prefix="fairtrial-build-") as name:
        context = environment.context or Path(name)
        dockerfile = context / "Dockerfile"
        if not dockerfile.is_file():
            dockerfile = Path(name) / "Dockerfile"
            dockerfile.write_text(dockerfile_text(environment))
        words = ["-t", tag, "-f", str(dockerfile), *_build_scrubbing(one), *one.build_flags, str(context)]
        one.call("build", *words, seconds=BUILD_SECONDS)


def dockerfile_text(environment: Environment) -> str:
    """Return the instructions as a Dockerfile, here-documents after their line."""
    lines: list[str] = []
    for step in environment.instructions:
        lines.append(f"{step.keyword} {step.value}")
        ends = [word.lstrip("-").split()[0].strip("\"'") for word in step.value.split("<<")[1:]]
        for body, end in zip(step.heredoc, ends, strict=False):
            lines.append(f"{body.rstrip()}\n{end}")
    return "\n".join(lines) + "\n"


@cache
def _sweep(one: Engine) -> None:
    """Remove containers of processes that are no more; once a process."""
    listed = one.attempt("ps", "-a", "--format", "{{.Names}}").stdout.decode(errors="replace").split()
    for name in listed:
        owner = name.removeprefix(PREFIX).split("-")[0]
        if name.startswith(PREFIX) and owner.isdecimal() and not Path("/proc", owner).exists():
            one.attempt("rm", "-f", "-v", name)
