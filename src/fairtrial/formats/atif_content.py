"""Content of a message or of an output as ATIF has it since v1.6: a text, or a list of text and image parts.

Ours is one text, its parts joined by line feeds, and the pictures within it, each with its place in that text. Parts
of other kinds (audio) are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MEDIA_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
"""The images that the format allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image within a message or an output."""

    media_type: str
    path: str
    """As the document has it: a file beside the trajectory or a URL; in a ledger the address of a blob."""
    at: int = 0
    """How many characters of the text come before it; it stands between two lines."""


def content_read(content: Any) -> tuple[str, tuple[Picture, ...]]:
    r"""Return the text of a message or an output, and the pictures in it.

    >>> shot = {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}
    >>> content_read([{"type": "text", "text": "before"}, shot, {"type": "text", "text": "after"}])
    ('before\nafter', (Picture(media_type='image/png', path='images/1.png', at=6),))
    """
    if not isinstance(content, list):
        return (content if isinstance(content, str) else ""), ()
    texts: list[str] = []
    pictures: list[Picture] = []
    for part in content:
        if not isinstance(part, dict):
            continue
        if isinstance(text := part.get("text"), str):
            texts.append(text)
        elif source := image_source(part):
            pictures.append(Picture(media_type=str(source.get("media_type") or ""), path=source["path"],
                                    at=len("\n".join(texts))))  # fmt: skip
    return "\n".join(texts), tuple(pictures)


def image_source(part: Any) -> dict[str, Any] | None:
    """Return the source of a part that is an image with a path, None for any other part."""
    if not isinstance(part, dict) or part.get("type") != "image":
        return None
    source = part.get("source")
    return source if isinstance(source, dict) and isinstance(source.get("path"), str) and source["path"] else None


def content_written(text: str, pictures: tuple[Picture, ...]) -> str | list[dict[str, Any]]:
    """Return the content as v1.8 has it: the text alone where there are no pictures of a kind that it allows."""
    allowed = [picture for picture in pictures if picture.media_type in MEDIA_TYPES]
    if not allowed:
        return text
    parts: list[dict[str, Any]] = []
    begun = 0
    for picture in sorted(allowed, key=lambda one: one.at):
        if picture.at > begun:
            parts.append({"type": "text", "text": _between(text, begun, picture.at)})
            begun = picture.at
        parts.append({"type": "image", "source": {"media_type": picture.media_type, "path": picture.path}})
    if begun < len(text):
        parts.append({"type": "text", "text": _between(text, begun, len(text))})
    return parts


def _between(text: str, begun: int, end: int) -> str:
    """Return a piece of `text` without the line feed that joined it to the one before."""
    piece = text[begun:end]
    return piece.removeprefix("\n") if begun else piece
