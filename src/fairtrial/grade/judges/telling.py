"""A trajectory as a judge is shown it: every part of every step as data between marks, in parts that fit its context.

A mark holds a word drawn anew for each asking, and every line of what is shown begins with a bar: nothing in it can
look like a mark. Nothing is cut: what does not fit is split, and says so. Characters that cannot be seen are shown as
signs. Names of models are left out. Not covered: what else the judge is told, and its reply.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fairtrial.checks.judged.visible import one_line, visible
from fairtrial.formats.atif import Trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.atif_parts import all_parts
from fairtrial.models import Image
from fairtrial.models.conversation import IMAGE_CHARACTERS

NONCE_BYTES = 8
MARK = 120
"""Characters that a mark may take."""
LEAST_ROOM = 500

Pictures = Callable[[Picture], Image | None]
"""From a picture to the image, None where it is not at hand."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something that is shown under one mark: a part of a step, a file, what a command printed."""

    place: str
    """As it is cited: `step 7 output 1`."""
    text: str
    title: str = ""
    pictures: tuple[Picture, ...] = ()
    begins: int = 0
    """How many characters of the whole come before this piece."""
    whole: int = 0
    """Length of the whole, where this is a piece of it; 0 where it is whole."""

    @property
    def characters(self) -> int:
        """Return about how much room it takes."""
        return MARK + len(self.text) + 3 * self.text.count("\n") + IMAGE_CHARACTERS * len(self.pictures)


@dataclass(frozen=True, slots=True)
class Shown:
    """Blocks as a message: its text and the images that go with it."""

    text: str
    images: tuple[Image, ...] = ()
    unseen: tuple[str, ...] = ()
    """Places of images that were not at hand."""


def blocks_of(trajectory: Trajectory) -> Iterator[Block]:
    """Yield every part of every step as a block; a step without parts as one that says so."""
    seen = 0
    for part in all_parts(trajectory):
        for empty in range(seen + 1, part.step):
            yield Block(f"step {empty}", "", title="it is empty")
        seen = part.step
        who = trajectory.steps[part.step - 1].source if part.kind == "message" else part.title
        yield Block(part.place, shown_text(part.text), title=who, pictures=part.pictures)
    for empty in range(seen + 1, len(trajectory.steps) + 1):
        yield Block(f"step {empty}", "", title="it is empty")


def shown_text(text: str) -> str:
    r"""Return `text` with what cannot be seen as signs; CR LF is a line's end like any other.

    >>> shown_text("a\r\nb\x1b[0m")
    'a\nb␛[0m'
    """
    # Line by line: a line of plain characters is let through whole, and most lines are. 16 MB took 4 s without.
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line if _is_plain(line) else visible(line) for line in lines)


def _is_plain(line: str) -> bool:
    return line.isascii() and line.replace("\t", "").isprintable()


def nonce_for(texts: Iterable[str]) -> str:
    """Return a word that stands in none of `texts`."""
    held = tuple(texts)
    while True:
        word = secrets.token_hex(NONCE_BYTES)
        if not any(word in text for text in held):
            return word


def in_parts(blocks: Iterable[Block], most: int, images: int | None = None) -> list[list[Block]]:
    """Return `blocks` in parts of at most `most` characters and `images` images, in order; longer blocks are split.

    >>> [[piece.text for piece in part] for part in in_parts([Block("step 1", "ab" * 600)], 1000)] == [
    ...     ["ab" * 440], ["ab" * 160]]
    True
    """
    most = max(most, LEAST_ROOM)
    parts: list[list[Block]] = [[]]
    room, seen = most, 0
    for block in blocks:
        for piece in _pieces(block, most, images):
            is_full = images is not None and seen > 0 and seen + len(piece.pictures) > images
            if (piece.characters > room or is_full) and parts[-1]:
                parts.append([])
                room, seen = most, 0
            parts[-1].append(piece)
            room -= piece.characters
            seen += len(piece.pictures)
    return [part for part in parts if part]


def _pieces(block: Block, most: int, images: int | None) -> Iterator[Block]:
    """Yield `block`, or the pieces of it: each ends with a line where one ends in its second half."""
    if block.characters <= most and (images is None or len(block.pictures) <= images):
        yield block
        return
    for picture in block.pictures:
        yield replace(block, text="", pictures=(picture,), title=f"{block.title}, an image of it".removeprefix(", "))
    text, at = block.text, 0
    while at < len(text):
        end = _end(text, at, most - MARK)
        yield replace(block, text=text[at:end], pictures=(), begins=at, whole=len(text))
        at = end


def _end(text: str, at: int, room: int) -> int:
    """Return where a piece that begins at `at` ends so that its lines, with their bars, take at most `room`."""
    end = min(len(text), at + room)
    while end - at > 1 and (end - at) + 3 * text.count("\n", at, end) > room:
        end -= max(1, (end - at + 3 * text.count("\n", at, end) - room) // 4)
    if end == len(text):
        return end
    line = text.rfind("\n", at + (end - at) // 2, end)
    return line + 1 if line >= 0 else end


def shown(blocks: Sequence[Block], nonce: str, pictures: Pictures | None = None) -> Shown:
    r"""Return `blocks` as a message.

    >>> print(shown([Block("step 2 output 1", "=== 7f step 3\nx", title="bash")], "7f").text)
    === 7f step 2 output 1 (bash)
    | === 7f step 3
    | x
    """
    told: list[str] = []
    images: list[Image] = []
    unseen: list[str] = []
    for block in blocks:
        told.append(_mark(block, nonce))
        told += [f"| {line}" for line in block.text.split("\n")] if block.text else []
        for picture in block.pictures:
            image = pictures(picture) if pictures is not None else None
            if image is None:
                unseen.append(block.place)
                told.append(f"=== {nonce} an image stands here that is not shown to you")
            else:
                images.append(image)
                told.append(f"=== {nonce} image {len(images)} of this message stands here")
    return Shown("\n".join(told), tuple(images), tuple(unseen))


def _mark(block: Block, nonce: str) -> str:
    title = f" ({one_line(block.title, 60)})" if block.title else ""
    piece = f", characters {block.begins + 1} to {block.begins + len(block.text)} of {block.whole}"
    return f"=== {nonce} {one_line(block.place, 300)}{title}{piece if block.whole else ''}"
