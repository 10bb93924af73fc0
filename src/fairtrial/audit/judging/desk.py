"""The tools of a judge: read steps, search, list and read files, run a command in a box of its own.

All that they return is data between marks. Nothing is cut: what is long comes in parts, and says how to get the next.
A box is opened when the first command is run: the task's world with what was handed in laid where it was, the key at
/key, no network. Where there is none, the judge reads and is told so.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fairtrial.audit.citations import named_place, other_lead
from fairtrial.audit.judging.evidence import Evidence
from fairtrial.audit.judging.keys import Keyed
from fairtrial.audit.judging.settings import JudgeSettings
from fairtrial.grade import deliverable_paths
from fairtrial.grade.judges.telling import Block, Shown, blocks_of, in_parts, shown, shown_text
from fairtrial.models import Call, Tool
from fairtrial.records import Environment, Limits, SandboxError
from fairtrial.run.agents.shell import Shell
from fairtrial.sandbox import Box, Mount, Sandbox, scratch_folder

KEY_FOLDER = "/key"
MOST_HITS = 60
AROUND = 100
"""Characters around a hit of a search."""

_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1}
_PART: dict[str, Any] = {"part": {**_NUMBER, "description": "Which part, where it comes in several; 1 if not given."}}


def _tool(name: str, description: str, required: tuple[str, ...] = (), **properties: Any) -> Tool:
    return Tool(name=name, description=description,
                parameters={"type": "object", "properties": properties, "required": list(required)})  # fmt: skip


READ_STEPS = _tool("read_steps", "Show steps of the trajectory, whole, images too.", ("first", "last"),
                   first={**_NUMBER, "description": "Number of the first step."},
                   last={**_NUMBER, "description": "Number of the last step."}, **_PART)  # fmt: skip
SEARCH = _tool("search", "Find a text, as it stands, in steps, deliverable and key; upper and lower case are one.",
               ("text",), text={"type": "string"})  # fmt: skip
LIST_FILES = _tool("list_files", "List the files of the deliverable and of the key, with their places.", **_PART)
READ_FILE = _tool("read_file", "Show a file of the deliverable or the key.", ("place",), **_PART,
                  place={"type": "string", "description": "As listed: `artifact PATH` or `key PATH`."},
                  )  # fmt: skip
RUN = _tool("run", "Run one bash command on a copy of the deliverable; no network. What it prints helps you to decide, "
            "and cannot be cited.", ("command",), command={"type": "string"})  # fmt: skip
RUN_WITH_KEY = replace(RUN, description=f"{RUN.description} The key is at {KEY_FOLDER}.")


@dataclass(slots=True, kw_only=True)
class Desk:
    """The tools over one rollout's evidence. Use it as a context manager."""

    evidence: Evidence
    settings: JudgeSettings
    nonce: str
    sandbox: Sandbox | None
    """None: no command can be run."""
    verdict: tuple[Block, ...] = ()
    """What the grader said, for the second pass alone."""
    trouble: str = ""
    """Why commands could not be run, where the box could not be opened."""
    _shell: Shell | None = None
    _open: ExitStack = field(default_factory=ExitStack)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools that there are."""
        reading = (READ_STEPS, SEARCH, LIST_FILES, READ_FILE)
        if self.sandbox is None:
            return reading
        return (*reading, RUN if self.evidence.keyed is None else RUN_WITH_KEY)

    def answer(self, call: Call) -> Shown:
        """Do what a call asks for; a call that cannot be carried out is told why."""
        arguments = call.parsed()
        if arguments is None:
            return Shown("The arguments are not a JSON object; nothing was done.")
        found: dict[str, Callable[[dict[str, Any]], Shown]] = {
            READ_STEPS.name: self._read_steps, SEARCH.name: self._search, LIST_FILES.name: self._list_files,
            READ_FILE.name: self._read_file,
        }  # fmt: skip
        if self.sandbox is not None:
            found[RUN.name] = self._run
        if call.name not in found:
            return Shown(f"There is no tool of that name. There are {', '.join(found)}.")
        return found[call.name](arguments)

    def _read_steps(self, arguments: dict[str, Any]) -> Shown:
        held = len(self.evidence.trajectory.steps)
        first, last = _whole(arguments.get("first"), 1), _whole(arguments.get("last"), held)
        if first is None or last is None or not 1 <= first <= last or first > held:
            return Shown(f"`first` and `last` must be numbers of steps, 1 to {held}.")
        chosen = (block for block in blocks_of(self.evidence.trajectory) if first <= _step(block) <= last)
        return self._part(chosen, arguments)

    def _search(self, arguments: dict[str, Any]) -> Shown:
        text = arguments.get("text")
        if not isinstance(text, str) or not text.strip():
            return Shown("`search` needs the argument `text`, which is not empty.")
        hits = list(self._hits(text.casefold()))
        told = self._shown(hits[:MOST_HITS])
        more = f"\n{len(hits) - MOST_HITS} more hits are not listed: search for a longer text."
        return replace(told, text=told.text + (more if len(hits) > MOST_HITS else "")) if hits else Shown("No hit.")

    def _hits(self, text: str) -> Iterator[Block]:
        evidence = self.evidence
        for block in (*blocks_of(evidence.trajectory), *evidence.deliverable.blocks(), *evidence.key.blocks()):
            for number, line in enumerate(block.text.split("\n"), 1):
                at = line.casefold().find(text)
                if at >= 0:
                    around = line[max(at - AROUND, 0) : at + len(text) + AROUND]
                    yield Block(block.place, around, title=f"its line {number}")

    def _list_files(self, arguments: dict[str, Any]) -> Shown:
        listed = f"{self.evidence.deliverable.listing()}\n{self.evidence.key.listing()}"
        return self._part([Block("files", shown_text(listed))], arguments)

    def _read_file(self, arguments: dict[str, Any]) -> Shown:
        place = named_place(str(arguments.get("place") or ""))
        if place == "verifier" and self.verdict:
            return self._part(self.verdict, arguments)
        kind, _, path = place.partition(" ")
        files = {"artifact": self.evidence.deliverable, "key": self.evidence.key}.get(kind)
        if files is not None and path not in files.names():
            path = other_lead(path)  # a path without its slash, or with one too many, is still that path
        if files is None or path not in files.names():
            return Shown("There is no such file: name it as `list_files` does, `artifact PATH` or `key PATH`.")
        text = files.text(path)
        if text is not None:
            return self._part([Block(f"{kind} {path}", text)], arguments)
        source = files.source(path)
        if source is not None and source.image is not None and self.settings.shows_images:
            return Shown(f"=== {self.nonce} {source.title} is shown as image 1", (source.image,))
        return Shown(f"It has no text: {source.unshown if source is not None else 'it cannot be read'}")

    def _run(self, arguments: dict[str, Any]) -> Shown:
        command = arguments.get("command")
        if not isinstance(command, str) or not command.strip():
            return Shown("`run` needs the argument `command`, a text that is not empty.")
        if self.trouble:
            return Shown(f"No command can be run here: {self.trouble}")
        try:
            if self._shell is None:
                self._shell = self._opened()
            ran = self._shell.run(command, self.settings.command_seconds)
        except SandboxError as error:
            self.trouble = error.what
            return Shown(f"No command can be run here: {error.what}")
        return self._shown(
            [Block("run", shown_text(ran.shown(self.settings.tool_characters)), title="what it printed")]
        )

    def _opened(self) -> Shell:
        assert self.sandbox is not None
        keyed = self.evidence.keyed
        world = keyed.task.environment if keyed is not None else Environment()
        mounts = [Mount(self._key_alone(keyed), KEY_FOLDER)] if keyed is not None else []
        prepared = self.sandbox.prepare(replace(world, allow_internet=False))
        box = self._open.enter_context(self.sandbox.open(prepared, mounts))
        self._lay(box)
        return Shell(box=box, limits=Limits(), command_seconds=self.settings.command_seconds, folder=world.workdir)

    def _key_alone(self, keyed: Keyed) -> Path:
        """Return a folder that holds the key and nothing else: the task's own, or a copy where more lies in it."""
        if {path.name for path in keyed.folder.iterdir()} <= set(keyed.places):
            return keyed.folder
        copied = self._open.enter_context(scratch_folder()) / "key"
        try:
            for name in keyed.places:
                source, target = keyed.folder / name, copied / name
                target.parent.mkdir(parents=True, exist_ok=True)
                if source.is_dir():
                    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git"))
                else:
                    shutil.copy2(source, target)
        except (OSError, shutil.Error) as error:
            raise SandboxError(f"the key cannot be copied: {error}") from error
        return copied

    def _lay(self, box: Box) -> None:
        """Lay what was handed in where it was; what the environment put there and is no longer there is removed."""
        folder = self.evidence.handed_in
        if folder is None:
            return
        keyed = self.evidence.keyed
        inside = deliverable_paths(keyed.task) if keyed is not None else tuple(f"/{p.name}" for p in folder.iterdir())
        nothing = folder.parent / "nothing"
        nothing.mkdir(exist_ok=True)
        for path in inside:
            place = folder / path.lstrip("/")
            box.put(place if place.exists() else nothing, path)

    def _part(self, blocks: Iterable[Block], arguments: dict[str, Any]) -> Shown:
        parts = in_parts(blocks, self.settings.tool_characters, self.settings.images_at_once)
        number = _whole(arguments.get("part"), 1)
        if number is None or not 1 <= number <= max(len(parts), 1):
            return Shown(f"It has the parts 1 to {max(len(parts), 1)}.")
        told = self._shown(parts[number - 1] if parts else [])
        if len(parts) == 1:
            return told
        return replace(told, text=f"{told.text}\nThis is part {number} of {len(parts)}.")

    def _shown(self, blocks: list[Block]) -> Shown:
        return shown(blocks, self.nonce, self.evidence.picture if self.settings.shows_images else None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


def _whole(value: Any, default: int) -> int | None:
    if value is None:
        return default
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _step(block: Block) -> int:
    return int(block.place.split()[1])
