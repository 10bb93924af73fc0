"""Check images: size, format, likeness to another. Needs `Pillow`, which a kit cannot carry: it is in the image."""

from __future__ import annotations

import io
import math
from typing import Any, Literal

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, is_of_the_key, key_bytes, named, of_the_work, plain_bytes

MOST_PIXELS = 100_000_000
_HASH_SIDE = 16

Measure = Literal["pixels", "mean", "hash"]


@of_the_work
def image_is(path: Inside, width: int = 0, height: int = 0, format: str = "", mode: str = "") -> Result:
    """Check an image's `width` and `height` in pixels, `format` (PNG, JPEG, …) and `mode` (RGB, RGBA, L, …)."""
    data = plain_bytes(path)

    def work() -> Any:
        with _image(data) as image:
            image.load()
            return [image.width, image.height, image.format, image.mode]

    found = limited(work, named(path))
    stated = (width, height, format.upper().replace("JPG", "JPEG"), mode)
    if not any(stated):
        raise CheckError("state `width`, `height`, `format` or `mode`")
    for name, one, other in zip(("width", "height", "format", "mode"), found, stated, strict=True):
        if other and one != other:
            raise WorkError(f"{named(path)} has the {name} {one}, not {other}")
    return Result(True, f"{named(path)} is {found[2]}, {found[0]} x {found[1]}, {found[3]}, as it should be")


@of_the_work
def image_similar(
    path: Inside, same_as: Inside, at_least: float = 0.99, measure: Measure = "mean", tolerance: int = 0
) -> Result:
    """Check that an image is like another, from 0 to 1 by `measure`.

    pixels: the share of pixels no channel of which differs by more than `tolerance`; mean: 1 less the mean difference
    of channels, of 255; hash: the share of equal bits of a difference hash (16 x 16), which sees layout and no detail.
    The first two want images of one size, and see transparency.
    """
    data = plain_bytes(path)
    expected = (key_bytes if is_of_the_key(same_as) else plain_bytes)(same_as)
    alike = float(limited(lambda: _likeness(data, expected, measure, tolerance), named(path)))
    return Result(
        alike >= at_least, f"{named(path)} is alike by {alike:.4f} ({measure}), and should be by {at_least:g}", alike
    )


def _image(data: bytes) -> Any:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    image = Image.open(io.BytesIO(data))
    if image.width * image.height > MOST_PIXELS:
        raise WorkError(f"an image of {image.width} x {image.height} pixels is too large")
    return image


def _likeness(data: bytes, expected: bytes, measure: Measure, tolerance: int) -> float:
    from PIL import ImageChops, ImageStat

    with _image(data) as one, _image(expected) as other:
        if measure == "hash":
            bits = [_difference_hash(image) for image in (one, other)]
            return float(sum(a == b for a, b in zip(*bits, strict=True)) / len(bits[0]))
        if one.size != other.size:
            raise WorkError(f"the image has {one.width} x {one.height} pixels, not {other.width} x {other.height}")
        differs = ImageChops.difference(one.convert("RGBA"), other.convert("RGBA"))
        if measure == "mean":
            return 1.0 - math.fsum(ImageStat.Stat(differs).mean) / 4 / 255
        largest = differs.getchannel(0)
        for channel in (1, 2, 3):
            largest = ImageChops.lighter(largest, differs.getchannel(channel))
        return float(sum(largest.histogram()[: tolerance + 1]) / (one.width * one.height))


def _difference_hash(image: Any) -> list[bool]:
    """Return for each of 16 x 16 fields whether it is brighter than the one to its left."""
    small = image.convert("L").resize((_HASH_SIDE + 1, _HASH_SIDE)).tobytes()
    width = _HASH_SIDE + 1
    return [small[y * width + x + 1] > small[y * width + x] for y in range(_HASH_SIDE) for x in range(_HASH_SIDE)]
