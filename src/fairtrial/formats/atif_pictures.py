"""Take the images that a trajectory names into the ledger: their paths become addresses of blobs.

Only files below the trajectory's own folder are read, and only images: a trajectory comes from others, and must not
be able to carry a file of this machine into the ledger. Nothing is fetched; a URL stays as it is, and is told.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif_content import image_source
from fairtrial.records import digest

MOST_BYTES = 32_000_000
"""Of one image."""


@dataclass(frozen=True, slots=True)
class WithPictures:
    """A trajectory whose images are blobs."""

    document: bytes
    """As it was where it names no image that could be taken."""
    blobs: tuple[bytes, ...]
    missing: tuple[str, ...]
    """One line for each image that could not be taken."""


def with_pictures(document: bytes, folder: Path) -> WithPictures:
    """Return the ATIF `document`, found in `folder`, with its images taken in. Documents that are none stay as are."""
    if b'"image"' not in document:
        return WithPictures(document, (), ())
    try:
        whole = orjson.loads(document)
    except orjson.JSONDecodeError:
        return WithPictures(document, (), ())
    blobs: dict[str, bytes] = {}
    missing: list[str] = []
    for source in _sources(whole):
        if is_blob(source["path"]):
            continue
        found = _taken(source["path"], folder)
        if isinstance(found, str):
            missing.append(f"the image {source['path'][:200]!r} {found}")
            continue
        blobs[digest(found)] = found
        source["path"], source["media_type"] = digest(found), media_type_of(found)
    return WithPictures(orjson.dumps(whole) if blobs else document, tuple(blobs.values()), tuple(missing))


def is_blob(path: str) -> bool:
    """Say whether a picture's path is the address of a blob.

    >>> is_blob("sha256:" + 64 * "a"), is_blob("images/1.png")
    (True, False)
    """
    return path.startswith("sha256:") and len(path) == 71


def media_type_of(data: bytes) -> str:
    r"""Return the media type of an image that the format allows, by its first bytes; empty for anything else.

    >>> media_type_of(b"GIF89a..."), media_type_of(b"<svg>")
    ('image/gif', '')
    """
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    openings = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
    return next((kind for opening, kind in openings.items() if data.startswith(opening)), "")


def _sources(whole: Any) -> Iterator[dict[str, Any]]:
    """Yield the source of every image of the steps, to be changed in place."""
    steps = whole.get("steps") if isinstance(whole, dict) else None
    for step in steps if isinstance(steps, list) else ():
        if not isinstance(step, dict):
            continue
        observation = step.get("observation")
        results = observation.get("results") if isinstance(observation, dict) else None
        outputs = [one.get("content") for one in results if isinstance(one, dict)] if isinstance(results, list) else []
        for content in (step.get("message"), *outputs):
            for part in content if isinstance(content, list) else ():
                if source := image_source(part):
                    yield source


def _taken(path: str, folder: Path) -> bytes | str:
    """Return the bytes of an image, or why they cannot be taken."""
    data = _inline(path) if path.startswith("data:") else _file(path, folder)
    if isinstance(data, str):
        return data
    return data if media_type_of(data) else "is not a JPEG, PNG, GIF or WebP"


def _inline(path: str) -> bytes | str:
    head, comma, body = path.partition(",")
    if not comma or not head.endswith(";base64"):
        return "is a data URL without base64"
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error:
        return "is a data URL that is not base64"


def _file(path: str, folder: Path) -> bytes | str:
    if "://" in path:
        return "is at a URL, and nothing is fetched"
    try:
        place = (folder / path).resolve()
        if not place.is_relative_to(folder.resolve()):
            return "lies outside the trajectory's folder"
        if not place.is_file():
            return "is not there"
        if place.stat().st_size > MOST_BYTES:
            return f"is larger than {MOST_BYTES} bytes"
        return place.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the name, a ring of links
        return f"cannot be read: {getattr(error, 'strerror', None) or error}"
