"""What a log writes once and refers to: `attachment://` texts of a sample, and the pool of its model calls' messages.

A sample's long texts and media stand in `attachments`; its messages as models were given them stand once in
`events_data.messages` (for some months of 2025 in `message_pool`), and a model event names ranges of them in
`input_refs`. A reference to what is not there stays as it is. Not covered: the pool of raw calls, which repeats the
messages in a provider's words and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_PREFIXES = ("attachment://", "tc://")
"""Today's, and that of 2024."""
_MOST_DEPTH = 300
"""Inspect writes no value nested deeper."""


class Pools:
    """The attachments and pooled messages of one sample."""

    def __init__(self, sample: Mapping[str, Any]) -> None:
        found = sample.get("attachments")
        self._attachments: Mapping[str, Any] = found if isinstance(found, dict) else {}
        data = sample.get("events_data")
        messages = data.get("messages") if isinstance(data, dict) else sample.get("message_pool")
        self._messages: list[Any] = messages if isinstance(messages, list) else []

    def resolved(self, value: Any, depth: int = 0) -> Any:
        """Return `value` with every attachment in its place.

        >>> Pools({"attachments": {"a1": "long"}}).resolved({"cmd": ["attachment://a1", "attachment://b2"]})
        {'cmd': ['long', 'attachment://b2']}
        """
        if isinstance(value, str):
            return self._attachments.get(value.partition("://")[2], value) if value.startswith(_PREFIXES) else value
        if not self._attachments or depth > _MOST_DEPTH:
            return value
        if isinstance(value, dict):
            return {name: self.resolved(inner, depth + 1) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.resolved(inner, depth + 1) for inner in value]
        return value

    def model_input(self, event: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the messages that a model event's model was given, from the pool where they are there.

        >>> pools = Pools({"events_data": {"messages": ["system", "user", "answer", "user 2"]}})
        >>> list(pools.model_input({"input": [], "input_refs": [[0, 1], [2, 4]]}))
        ['system', 'answer', 'user 2']
        """
        inline = event.get("input")
        if isinstance(inline, list):
            yield from inline
        for reference in event.get("input_refs") or ():
            match reference:
                case [int(start), int(end)]:
                    yield from self._messages[max(start, 0) : max(end, 0)]
                case int(at) if 0 <= at < len(self._messages):
                    yield self._messages[at]
