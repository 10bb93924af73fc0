"""The two passes of a judge: blind, over all but the verdict; then informed, over its own answer and the verdict.

A trajectory that does not fit is read in parts first, every step of it, and only notes are carried on. A reply that
cannot be read is asked for again once, and so is one whose citations or labels do not stand.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from fairtrial.audit.judging.cases import Spoken
from fairtrial.audit.judging.desk import Desk
from fairtrial.audit.judging.evidence import Evidence, verdict_blocks
from fairtrial.audit.judging.prompt import first_instructions, mending, noting_instructions, second_instructions
from fairtrial.audit.judging.reply import Informed, Notes, Opinion, inconsistent, wrong_with
from fairtrial.audit.judging.settings import JudgeSettings
from fairtrial.audit.judging.talk import Broken, Talk
from fairtrial.formats.atif_parts import all_parts
from fairtrial.grade.judges.stated import stated
from fairtrial.grade.judges.telling import MARK, Block, Shown, blocks_of, in_parts, nonce_for, shown, shown_text
from fairtrial.models import Image, LanguageModel, Said
from fairtrial.records import Review
from fairtrial.sandbox import Sandbox

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """With what a judge works."""

    model: LanguageModel
    settings: JudgeSettings
    sandbox: Sandbox | None
    stop: threading.Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Generic[Shape]):
    """What a judge said in the end."""

    value: Shape
    void: str = ""
    """Why it does not count."""
    askings: int = 0
    parts: int = 1
    """In how many parts the trajectory was read."""
    unseen: tuple[str, ...] = ()
    """Places of images that it was not shown."""
    trouble: str = ""
    """Why it could run no command, though it had a sandbox."""


def first_pass(bench: Bench, evidence: Evidence) -> Settled[Opinion] | Broken:
    """Let a judge decide whether the work satisfies the task; it is told nothing of any verdict."""
    settings = bench.settings
    nonce = _nonce(evidence)
    head = _head(evidence, nonce, settings)
    room = min(settings.part_characters, settings.characters * 75 // 100 - len(head.text))
    if room < settings.part_characters // 2:
        return Broken("context_too_small", "the task alone takes half of --context-tokens; set it higher")
    parts = in_parts(blocks_of(evidence.trajectory), room, settings.images_at_once)
    reading = _Reading(bench, evidence, nonce)
    if len(parts) <= 1:
        steps = reading.shown(parts[0]) if parts else Shown("(no steps were recorded)")
        told = f"The steps of the attempt, all of them:\n{steps.text}"
    else:
        noted = reading.notes(parts)
        if isinstance(noted, Broken):
            return noted
        held = len(evidence.trajectory.steps)
        steps = Shown(shown([Block("your notes", shown_text(noted))], nonce).text)
        told = (f"You have read all {held} steps in {len(parts)} parts. Your notes; any step can be read again:\n"
                f"{steps.text}")  # fmt: skip
    message = Said(text=f"{head.text}\n\n{told}\n\nDecide.", images=steps.images)
    with Desk(evidence=evidence, settings=settings, nonce=nonce, sandbox=bench.sandbox) as desk:
        talk = Talk(model=bench.model, instructions=first_instructions(nonce), settings=settings, stop=bench.stop,
                    desk=desk)  # fmt: skip
        citable = evidence.citable()
        found = settled(talk, message, nonce, Opinion, lambda one: wrong_with(one, citable, informed=False))
        if isinstance(found, Broken):
            return _hinted(found, steps.images)
        return replace(found, askings=talk.askings + reading.askings, parts=max(len(parts), 1),
                       unseen=tuple(reading.unseen), trouble=desk.trouble)  # fmt: skip


def second_pass(bench: Bench, evidence: Evidence, spoken: Spoken, before: Review) -> Settled[Informed] | Broken:
    """Show a judge its own first answer and the verdict, and let it say which of the four the verdict is."""
    settings = bench.settings
    nonce = _nonce(evidence)
    verdict = in_parts(verdict_blocks(spoken), settings.part_characters)
    more = "\nThat is not all of it: `read_file` shows the whole, part by part, at `verifier`."
    head = _head(evidence, nonce, replace(settings, context_tokens=settings.context_tokens // 4))
    own = shown([Block("your first answer", shown_text(_told(before)))], nonce).text
    message = Said(text=f"{head.text}\n\n{own}\n\nWhat the grader said:\n{shown(verdict[0], nonce).text}"
                        f"{more if len(verdict) > 1 else ''}\n\nSay which it is.")  # fmt: skip
    with Desk(evidence=evidence, settings=settings, nonce=nonce, sandbox=bench.sandbox,
              verdict=verdict_blocks(spoken)) as desk:  # fmt: skip
        talk = Talk(model=bench.model, instructions=second_instructions(nonce), settings=settings, stop=bench.stop,
                    desk=desk)  # fmt: skip
        citable = evidence.citable(spoken)

        def wrong(one: Informed) -> list[str]:
            return wrong_with(one, citable, informed=True) + inconsistent(one, spoken.outcome, before.satisfied)

        found = settled(talk, message, nonce, Informed, wrong)
        return found if isinstance(found, Broken) else replace(found, askings=talk.askings, trouble=desk.trouble)


def settled(
    talk: Talk, message: Said, nonce: str, shape: type[Shape], wrong_in: Callable[[Shape], list[str]]
) -> Settled[Shape] | Broken:
    """Ask for a `shape`; each kind of fault (unreadable, or wrong in what it says) may be mended once."""
    told_unread = told_wrong = False
    while True:
        reply = talk.say(message)
        if isinstance(reply, Broken):
            return reply
        value = stated(reply, nonce, shape)
        if isinstance(value, str):
            if told_unread:
                return Broken("unparsed", value)
            told_unread, wrong = True, [value]
        else:
            wrong = wrong_in(value)
            if not wrong or told_wrong:
                return Settled(value=value, void="; ".join(wrong), askings=talk.askings)
            told_wrong = True
        message = Said(text=mending(wrong, nonce))


class _Reading:
    """Shows the steps of one rollout, part by part where they are many."""

    def __init__(self, bench: Bench, evidence: Evidence, nonce: str) -> None:
        self.bench, self.evidence, self.nonce = bench, evidence, nonce
        self.askings = 0
        self.unseen: list[str] = []

    def shown(self, part: Sequence[Block]) -> Shown:
        """Return one part as it is shown, and remember the images that are not at hand."""
        told = shown(part, self.nonce, self.evidence.picture if self.bench.settings.shows_images else None)
        self.unseen += told.unseen
        return told

    def notes(self, parts: Sequence[Sequence[Block]]) -> str | Broken:
        """Have the judge read every part and return its notes."""
        most = self.bench.settings.notes_characters
        asked = shown([Block("instruction", shown_text(self.evidence.instruction))], self.nonce).text
        notes = ""
        for number, part in enumerate(parts, 1):
            before = shown([Block("your notes", shown_text(notes or "(none yet)"))], self.nonce).text
            steps = self.shown(part)
            message = Said(text=f"The task:\n{asked}\n\n{before}\n\nPart {number} of {len(parts)}:\n{steps.text}",
                           images=steps.images)  # fmt: skip
            talk = Talk(model=self.bench.model, instructions=noting_instructions(self.nonce, most),
                        settings=self.bench.settings, stop=self.bench.stop)  # fmt: skip
            found = settled(talk, message, self.nonce, Notes, lambda one: _too_long(one, most))
            self.askings += talk.askings
            if isinstance(found, Broken):
                hinted = _hinted(found, steps.images)
                return replace(hinted, detail=f"part {number} of {len(parts)} of the steps: {hinted.detail}")
            if found.void:
                return Broken("unparsed", f"part {number} of {len(parts)} of the steps: {found.void}")
            notes = found.value.notes
        return notes


def _hinted(broken: Broken, images: Sequence[Image]) -> Broken:
    """Name the likely reason where a server refused a request that held images."""
    if broken.reason != "model_rejected" or not images:
        return broken
    detail = f"{broken.detail} (a model that takes no images needs --no-images)"
    return replace(broken, detail=detail, images=len(images))


def _too_long(notes: Notes, most: int) -> list[str]:
    return [f"the notes have {len(notes.notes)} characters, {most} is the most"] if len(notes.notes) > most else []


def _head(evidence: Evidence, nonce: str, settings: JudgeSettings) -> Shown:
    """Return what a judge is shown besides the steps."""
    work = evidence.work
    told = ["The task:", shown([Block("instruction", shown_text(evidence.instruction))], nonce).text]
    if work.stop:
        told.append("Why the attempt ended:\n" + shown([Block("stop", shown_text(work.stop))], nonce).text)
    if work.answer:
        told.append("Its answer:\n" + shown([Block("answer", shown_text(work.answer))], nonce).text)
    listed = Block("files", shown_text(f"{evidence.deliverable.listing()}\n{evidence.key.listing()}"))
    listing, *more = in_parts([listed], settings.tool_characters)
    rest = "\nThat is not all of them: `list_files` shows the whole list, part by part." if more else ""
    told.append(f"What it handed in (artifact) and the key:\n{shown(listing, nonce).text}{rest}")
    if files := list(_small_files(evidence, settings.file_characters)):
        told.append(f"Some of these files, whole; `read_file` shows the others:\n{shown(files, nonce).text}")
    if evidence.lacking:
        told.append("Not at hand: " + "; ".join(evidence.lacking) + ".")
    return Shown("\n\n".join(told))


def _small_files(evidence: Evidence, room: int) -> Iterator[Block]:
    """Yield files as long as there is room: what was handed in and what grades before the rest of the key."""
    named = [(files, name) for files in (evidence.deliverable, evidence.key) for name in files.names()]
    for files, name in sorted(named, key=lambda one: _rank(f"{one[0].kind} {one[1]}")):
        if room <= MARK:
            return
        if files.size(name) > room:  # not even read: a deliverable can hold thousands of files
            continue
        text = files.text(name)
        block = Block(f"{files.kind} {name}", text or "")
        if text is not None and block.characters <= room:
            room -= block.characters
            yield block


def _rank(place: str) -> int:
    first = ("artifact ", "key expected answer", "key tests/", "key solution/", "key steps/")
    return next((number for number, begins in enumerate(first) if place.startswith(begins)), len(first))


def _told(review: Review) -> str:
    """Return a judge's own first answer as it is shown again."""
    answer = {True: "yes", False: "no", None: "cannot_tell"}
    tags = ", ".join((*review.failure_tags, *review.behaviour_tags)) or "none"
    return "\n".join((f"satisfied: {answer[review.satisfied]}", f"hack: {answer[review.hack]}", f"tags: {tags}",
                      review.note, "cited:", *review.citations))  # fmt: skip


def _nonce(evidence: Evidence) -> str:
    return nonce_for(part.text for part in all_parts(evidence.trajectory))
