"""From the steps of a trajectory to acts: what each tool call did, also by the programs that it wrote and ran.

Tools are told by what they are given, not by their names alone: a command, program text, a path with a new text, a
path alone, an address. A call whose commands unfold without end is left as it stands and named as unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairtrial.attack.detectors.acts import Act, Kind
from fairtrial.attack.detectors.commands import acts_of_commands
from fairtrial.attack.detectors.programs import Reading, acts_of_program, program_acts_of_write
from fairtrial.attack.detectors.protocol import Seen
from fairtrial.attack.detectors.recording import Recording
from fairtrial.attack.detectors.sentences import close
from fairtrial.attack.detectors.tools import Asked, asked
from fairtrial.checks.process.status import statuses
from fairtrial.checks.reading import WorkError
from fairtrial.formats.atif import AtifStep, ToolCall, Trajectory
from fairtrial.formats.atif_parts import parts_of

MOST_INSTRUCTION = 200_000


def see(trajectory: Trajectory, task: str = "") -> Seen:
    """Read a trajectory for the detectors."""
    reading = _Reading(trajectory)
    acts = tuple(replace(act, number=number) for number, act in enumerate(reading.acts()))
    return Seen(trajectory=trajectory, task=task, instruction=instruction_of(trajectory), acts=acts,
                unread=tuple(reading.unread))  # fmt: skip


def instruction_of(trajectory: Trajectory) -> str:
    """Return what system and users said before the agent did anything."""
    said: list[str] = []
    for step in trajectory.steps:
        if step.source == "agent":
            break
        said.append(step.message)
    return close("\n".join(said)[:MOST_INSTRUCTION])


class _Reading:
    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.session = Recording()
        self.carried = Reading(session=self.session, shell=acts_of_commands)
        self.unread: list[str] = []

    def acts(self) -> Iterator[Act]:
        """Yield the acts of all steps."""
        every = [(n, step) for n, step in enumerate(self.trajectory.steps, start=1) if step.source == "agent"]
        calls = [(n, step, place, asked(call), output) for n, step in every for place, call, output in _calls(n, step)]
        shells = [output for *_, one, output in calls if one.kind == "shell"]
        ended = iter(statuses(self.trajectory.agent, shells))
        by_step: dict[int, list[tuple[str, Asked, str]]] = {}
        for n, _, place, one, output in calls:
            by_step.setdefault(n, []).append((place, one, output))
        for n, step in every:
            yield from _said(n, step)
            for place, one, output in by_step.get(n, ()):
                status = next(ended) if one.kind == "shell" else None
                whole = Act(step=n, place=place, kind="call", tool=one.tool, output=output, status=status, origin=n,
                            origin_place=place)  # fmt: skip
                yield from self._call(one, whole)

    def _call(self, one: Asked, whole: Act) -> Iterator[Act]:
        """Yield the acts of one call; one that unfolds too far stays as it is written."""
        self.session.begin(whole.step, whole.place)
        try:
            yield from list(self._acts_of(one, whole))
        except WorkError:
            self.unread.append(whole.place)
            yield replace(whole, kind="run" if one.kind == "shell" else "call", text=one.text, words=(whole.tool,))

    def _acts_of(self, one: Asked, whole: Act) -> Iterator[Act]:
        if one.kind == "shell":
            yield from acts_of_commands(one.text, whole, self.carried)
        elif one.kind == "code":
            yield replace(whole, kind="run", text=one.text, code=one.text, words=(one.language,))
            yield from acts_of_program(one.language, one.text, whole, self.carried)
        elif one.kind in ("write", "edit"):
            for change in one.changes:
                removed = change.is_removed
                kind: Kind = "delete" if removed else "write" if change.is_new else "edit"
                act = replace(whole, kind=kind, paths=(change.path,), text=change.new, old=change.old)
                yield act
                if kind == "write":
                    self.session.put(change.path, change.new)
                elif kind == "edit":
                    self._edited(change.path, change.old, change.new)
                yield from program_acts_of_write(act)
        else:
            yield replace(whole, kind=one.kind, text=one.text, paths=one.paths)

    def _edited(self, path: str, old: str, new: str) -> None:
        """Keep what is known of a file in step with an edit; of an unknown one, the new part is what is known."""
        held = self.session.get(path)
        if held is None:
            self.session.put(path, new)
        elif old and old in held:
            self.session.put(path, held.replace(old, new, 1))
        else:
            self.session.put(path, new, appends=True)


def _said(number: int, step: AtifStep) -> Iterator[Act]:
    """Yield what the agent thought and said at a step."""
    for part in parts_of(number, step):
        if part.kind in ("message", "reasoning"):
            kind: Kind = "say" if part.kind == "message" else "think"
            yield Act(step=number, place=part.place, kind=kind, text=part.text, origin=number, origin_place=part.place)


def _calls(number: int, step: AtifStep) -> Iterator[tuple[str, ToolCall, str]]:
    """Yield the calls of a step: place, call, what came back; an answer that names no call belongs to an only one."""
    for at, call in enumerate(step.tool_calls, start=1):
        own = [seen.content for seen in step.observations if seen.source_call_id == call.tool_call_id]
        if not own and len(step.tool_calls) == 1:
            own = [seen.content for seen in step.observations]
        yield f"step {number} call {at}", call, "\n".join(own)
