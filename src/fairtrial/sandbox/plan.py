"""Read an environment's instructions as steps that this machine can take, and name those that it cannot.

Honoured: FROM (the host stands for a base system), WORKDIR, COPY and ADD of local files, ENV, ARG, RUN that needs no
network or asks for what this host has installed, SHELL. Without effect here: LABEL, EXPOSE, MAINTAINER, STOPSIGNAL,
CMD, ENTRYPOINT, USER root. Everything else is a problem, named with its line; then the environment needs a container.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairtrial.records import Environment, Instruction
from fairtrial.sandbox.base_image import judge_image
from fairtrial.sandbox.dockerfile_words import json_form, pairs, split_flags, split_words, substitute
from fairtrial.sandbox.host_view import system_place
from fairtrial.sandbox.inside import normal
from fairtrial.sandbox.installed import without_installed
from fairtrial.sandbox.network_use import network_use
from fairtrial.sandbox.variables import BASE_VARIABLES

HARMLESS = frozenset({"LABEL", "EXPOSE", "MAINTAINER", "STOPSIGNAL", "CMD", "ENTRYPOINT"})


@dataclass(frozen=True, slots=True)
class MakeFolder:
    """WORKDIR: a folder that must be there."""

    inside: str


@dataclass(frozen=True, slots=True)
class Copy:
    """COPY or ADD of files in the context, or of a here-document."""

    sources: tuple[str, ...]
    target: str
    """Absolute inside path; a trailing / means a folder."""
    line: int
    mode: int | None = None
    text: str | None = None
    """Content of a here-document; `sources` is then its name."""
    unpack: bool = False
    """ADD unpacks a local tar archive."""


@dataclass(frozen=True, slots=True)
class Run:
    """RUN: a command to execute while building."""

    argv: tuple[str, ...]
    workdir: str
    variables: dict[str, str]
    line: int
    text: str


Step = MakeFolder | Copy | Run


@dataclass(slots=True)
class Plan:
    """What an environment asks for, in order, and what of it cannot be had here."""

    workdir: str
    steps: list[Step] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    """ENV, in the end."""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def plan(environment: Environment) -> Plan:
    """Return the steps that lay out `environment`, its problems and notes."""
    reading = _Reading(Plan(workdir=environment.workdir or "/"))
    if environment.image:
        reading.image(environment.image, "task.toml")
    for instruction in environment.instructions:
        reading.take(instruction)
    made = reading.plan
    if environment.allow_internet:
        made.problems.append("task.toml: allow_internet: boxes have no network")
    if system_place(normal(made.workdir)) is not None:
        made.problems.append(
            f"WORKDIR {made.workdir}: lies in a system folder of the host, which a box cannot write to"
        )
    made.variables |= dict(environment.variables)
    made.steps.append(MakeFolder(normal(made.workdir)))
    return made


@dataclass(slots=True)
class _Reading:
    """Follows instructions one by one."""

    plan: Plan
    workdir: str = "/"
    arguments: dict[str, str] = field(default_factory=dict)
    shell: tuple[str, ...] = ("/bin/sh", "-c")
    stages: int = 0

    def take(self, instruction: Instruction) -> None:
        act = {
            "FROM": self._from,
            "WORKDIR": self._workdir,
            "COPY": self._copy,
            "ADD": self._copy,
            "ENV": self._env,
            "ARG": self._arg,
            "RUN": self._run,
            "SHELL": self._shell,
            "USER": self._user,
        }.get(instruction.keyword)
        if act is not None:
            act(instruction)
        elif instruction.keyword not in HARMLESS:
            self._problem(instruction, "is not honoured here")

    def image(self, value: str, where: str) -> None:
        problem, note = judge_image(value)
        if problem:
            self.plan.problems.append(f"{where}: {problem}")
        if note:
            self.plan.notes.append(f"{where}: {note}")

    @property
    def _scope(self) -> dict[str, str]:
        return BASE_VARIABLES | self.arguments | self.plan.variables

    def _problem(self, instruction: Instruction, why: str) -> None:
        text = f"{instruction.keyword} {instruction.value}".split("\n")[0]
        text = text if len(text) <= 100 else text[:97] + "..."
        self.plan.problems.append(f"Dockerfile:{instruction.line}: {text}: {why}")

    def _from(self, instruction: Instruction) -> None:
        self.stages += 1
        if self.stages == 2:
            self._problem(instruction, "a build in several stages is not honoured here")
        words = split_flags(substitute(instruction.value, self.arguments))[1].split()
        self.image(words[0] if words else "", f"Dockerfile:{instruction.line}")

    def _workdir(self, instruction: Instruction) -> None:
        value = substitute(instruction.value.strip().strip("\"'"), self._scope)
        self.workdir = normal(value, self.workdir)
        self.plan.steps.append(MakeFolder(self.workdir))

    def _env(self, instruction: Instruction) -> None:
        self.plan.variables |= pairs(instruction.value, self._scope)

    def _arg(self, instruction: Instruction) -> None:
        for word in split_words(instruction.value):
            name, has_default, default = word.partition("=")
            if has_default or name not in self.arguments:
                self.arguments[name] = substitute(default, self._scope)

    def _shell(self, instruction: Instruction) -> None:
        words = json_form(instruction.value)
        if not words or words[0].rpartition("/")[2] not in ("sh", "bash", "dash"):
            self._problem(instruction, "only sh and bash are honoured")
            return
        self.shell = tuple(words)

    def _user(self, instruction: Instruction) -> None:
        name = substitute(instruction.value.strip(), self._scope).partition(":")[0]
        if name not in ("root", "0"):
            self._problem(instruction, "a box has one user, root")

    def _run(self, instruction: Instruction) -> None:
        flags, text = split_flags(instruction.value)
        script = text
        argv = json_form(text)
        if instruction.heredoc and text.lstrip().startswith("<<"):
            script = instruction.heredoc[0]
        elif instruction.heredoc:
            script = _attach(text, instruction.heredoc)
        here: tuple[str, ...] = ()
        if argv is None and not instruction.heredoc:
            script, here = without_installed(script)
        if here:
            where = f"Dockerfile:{instruction.line}"
            self.plan.notes.append(f"{where}: what this host has installed stands for `{'; '.join(here)}`")
        needs = network_use(script if argv is None else " ".join(argv))
        if needs:
            self._problem(instruction, f"`{needs}` needs the network")
        elif flags.get("mount") or flags.get("network", "none") != "none" or "security" in flags:
            self._problem(instruction, "flags of RUN are not honoured here")
        else:
            command = tuple(argv) if argv is not None else (*self.shell, script)
            scope = self.arguments | self.plan.variables
            self.plan.steps.append(Run(command, self.workdir, scope, instruction.line, text.split("\n")[0]))

    def _copy(self, instruction: Instruction) -> None:
        flags, text = split_flags(instruction.value)
        words = [substitute(word, self._scope) for word in split_words(text)]
        if "from" in flags:
            self._problem(instruction, "files of another stage or image are not here")
        elif any("://" in word or word.startswith("git@") for word in words[:-1]):
            self._problem(instruction, "a URL needs the network")
        elif len(words) < 2:
            self._problem(instruction, "needs a source and a target")
        else:
            self._copy_local(instruction, flags, words)

    def _copy_local(self, instruction: Instruction, flags: dict[str, str], words: list[str]) -> None:
        owner = flags.get("chown", "root").partition(":")[0]
        if owner not in ("root", "0"):
            where = f"Dockerfile:{instruction.line}"
            self.plan.notes.append(f"{where}: --chown={flags['chown']} is left out: a box has one user, root")
        mode = flags.get("chmod", "")
        if mode and not (mode.isdigit() and all(digit in "01234567" for digit in mode)):
            self._problem(instruction, "--chmod is honoured as an octal number only")
            return
        folder = "/" if words[-1].endswith("/") or len(words) > 2 or words[-1] in (".", "..") else ""
        target = normal(words[-1], self.workdir).rstrip("/") + folder
        bits = int(mode, 8) & 0o777 if mode else None
        if instruction.heredoc:
            for word, body in zip(words[:-1], instruction.heredoc, strict=False):
                name = word.lstrip("<-").strip("\"'")
                self.plan.steps.append(Copy((name,), target, instruction.line, bits, body))
            return
        unpack = instruction.keyword == "ADD"
        self.plan.steps.append(Copy(tuple(words[:-1]), target or "/", instruction.line, bits, None, unpack))


def _attach(text: str, bodies: tuple[str, ...]) -> str:
    """Return a shell command with its here-documents after it, as the shell wants them."""
    first, *after = text.split("\n")
    ends = [word.strip("\"'") for word in _openings(first)]
    documents = "".join(f"{body}{end}\n" for body, end in zip(bodies, ends, strict=False))
    return "\n".join([first, documents, *after])


def _openings(line: str) -> list[str]:
    """Return the end words of the here-documents that a line opens.

    >>> _openings("cat <<EOF > a && cat <<-'X' > b")
    ['EOF', "'X'"]
    """
    return [part.lstrip("-").split()[0].split(";")[0] for part in line.split("<<")[1:] if part.lstrip("-").split()]
