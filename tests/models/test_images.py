"""Images are part of what is asked: of its content address, and of the estimate that a budget holds."""

from __future__ import annotations

from fairtrial.models import Image, Request, Said
from fairtrial.models.conversation import IMAGE_CHARACTERS


def asked(*data: bytes) -> Request:
    images = tuple(Image(media_type="image/png", data=one) for one in data)
    return Request(instructions="", messages=(Said(text="look", images=images),))


def test_another_image_is_another_request() -> None:
    assert asked(b"a").content() != asked(b"b").content() != asked().content()
    assert asked().content()["messages"] == [{"said": "look"}]


def test_an_image_is_estimated_by_a_round_figure() -> None:
    assert asked(b"a" * 10**6).characters() - asked().characters() < 2 * IMAGE_CHARACTERS
    assert asked(b"a").characters() - asked().characters() > IMAGE_CHARACTERS
