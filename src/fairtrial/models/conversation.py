"""What is said to a language model and what it says back: frozen messages, tools and calls of our own.

They are JSON-able, so that a request has a content address, and they need no third-party package to be made. Text,
and images beside what the user says: no audio, no streaming.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function that the model may call."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON schema of an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool, as the model wrote it: the arguments may be malformed."""

    name: str
    arguments: str
    """JSON text as received."""
    id: str = ""

    def parsed(self) -> dict[str, Any] | None:
        """Return the arguments as an object, None where they are not one.

        >>> Call(name="shell", arguments='{"command": "ls"}').parsed()
        {'command': 'ls'}
        >>> Call(name="shell", arguments='{"command": ').parsed() is None
        True
        """
        try:
            found = json.loads(self.arguments) if self.arguments.strip() else {}
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model said in one turn."""

    text: str = ""
    reasoning: str = ""
    """Empty where the server keeps it to itself."""
    calls: tuple[Call, ...] = ()
    wire: str = field(default="", repr=False)
    """The reply as the client library stores it, sent back unchanged: some servers want their own signatures again."""

    def characters(self) -> int:
        """Return the length of all that was said, from which its tokens are estimated where nobody counted them."""
        return len(self.text) + len(self.reasoning) + sum(len(call.name) + len(call.arguments) for call in self.calls)


IMAGE_CHARACTERS = 4000
"""As how many characters of text an image is estimated; servers count some hundred to some thousand tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image that the model is shown."""

    media_type: str
    """`image/png`, `image/jpeg`, ..."""
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of the user."""

    text: str
    images: tuple[Image, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What a tool call returned."""

    call: Call
    text: str


Message = Said | Returned | Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything a model is asked with in one turn."""

    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()

    def content(self) -> dict[str, Any]:
        """Return the request as JSON, without the ids that a server draws at random."""
        return {
            "instructions": self.instructions,
            "messages": [_content(message) for message in self.messages],
            "tools": [asdict(tool) for tool in self.tools],
        }

    def characters(self) -> int:
        """Return the length of the request as JSON text, from which its tokens are estimated."""
        images = sum(len(message.images) for message in self.messages if isinstance(message, Said))
        return len(json.dumps(self.content(), ensure_ascii=False)) + images * IMAGE_CHARACTERS


def _content(message: Message) -> dict[str, Any]:
    match message:
        case Said(text=text, images=images):
            seen = [hashlib.sha256(image.data).hexdigest() for image in images]
            return {"said": text} | ({"images": seen} if seen else {})
        case Returned(call=call, text=text):
            return {"returned": text, "tool": call.name}
        case Reply(text=text, reasoning=reasoning, calls=calls):
            return {"reply": text, "reasoning": reasoning, "calls": [[call.name, call.arguments] for call in calls]}


def request(instructions: str, *messages: Message | str, tools: Sequence[Tool] = ()) -> Request:
    """Return a request; a plain string is a message of the user.

    >>> request("Be brief.", "Hello").messages
    (Said(text='Hello'),)
    """
    said = tuple(Said(text=message) if isinstance(message, str) else message for message in messages)
    return Request(instructions=instructions, messages=said, tools=tuple(tools))
