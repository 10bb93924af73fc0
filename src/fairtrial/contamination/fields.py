"""The texts of one row: every text field of a JSON object, at any depth, with the name of the place it came from.

Names, roles and ids are not text: `id`, `role`, `type` and the like are left out, for a grader of overlap must not
find that all rows share the word "assistant".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

NOT_TEXT = frozenset(("id", "role", "type", "name", "source", "split", "tool_call_id", "source_call_id"))
"""Fields that name a thing; a row's text never lies in them."""


def texts_of(document: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield (place, text) for each text in `document`, in its order.

    >>> list(texts_of({"id": "7", "messages": [{"role": "user", "content": "Why?"}]}))
    [('messages[0].content', 'Why?')]
    """
    if isinstance(document, str):
        if document:
            yield place or "text", document
    elif isinstance(document, dict):
        for key, value in document.items():
            if key not in NOT_TEXT:
                yield from texts_of(value, f"{place}.{key}" if place else key)
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from texts_of(value, f"{place}[{number}]")
