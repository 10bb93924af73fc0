"""Hold a pass again with less room where the server says that the conversation, or its images, do not fit.

What `--context-tokens` says is a guess about a model that only its server knows. Halves are tried down to the least
room, so that what is long is read in more parts and nothing is lost. Not covered: replies that are cut.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from fairtrial.audit.judging.passes import Bench, Settled
from fairtrial.audit.judging.settings import LEAST_TOKENS, JudgeSettings
from fairtrial.audit.judging.talk import Broken

Said = TypeVar("Said", bound=Settled[Any])


def fitted(bench: Bench, hold: Callable[[Bench], Said | Broken]) -> tuple[Said | Broken, Bench]:
    """Return what `hold` gives with as much room as the server takes, and the bench with that room.

    Where nothing fits, return why the first try did not.
    """
    first: Broken | None = None
    tried = bench
    while True:
        found = hold(tried)
        if not isinstance(found, Broken):
            return found, tried
        first = first or found
        narrower = _narrower(tried.settings, found)
        if narrower is None:
            return (found if found.reason == first.reason or found.reason not in _OF_ROOM else first), bench
        tried = replace(tried, settings=narrower)


_OF_ROOM = ("truncated_context", "context_too_small", "model_rejected")


def _narrower(settings: JudgeSettings, broken: Broken) -> JudgeSettings | None:
    """Return settings with half the room, or half the images; None where less room would not help."""
    if broken.reason == "truncated_context" and settings.context_tokens > LEAST_TOKENS:
        return replace(settings, context_tokens=max(settings.context_tokens // 2, LEAST_TOKENS))
    if broken.reason == "model_rejected" and broken.images > 1:
        return replace(settings, most_images=broken.images // 2)
    return None


def less_room(asked: JudgeSettings, had: JudgeSettings) -> list[str]:
    """Return what a judge had less of than was asked for, in words.

    >>> less_room(JudgeSettings(context_tokens=8000), JudgeSettings(context_tokens=4000))
    ['room for 8000 tokens in one conversation: the server took 4000']
    """
    told = []
    if had.context_tokens < asked.context_tokens:
        told.append(f"room for {asked.context_tokens} tokens in one conversation: the server took {had.context_tokens}")
    if had.most_images < asked.most_images:
        told.append(f"more than {had.most_images} images in one message: the server refused them")
    return told
