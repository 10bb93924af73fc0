"""One request over the wire, through pydantic-ai, and what came of it as a value. No retry, no budget, no cache.

Every foreign exception stops here. pydantic-ai and the OpenAI client take seconds to load, so they are imported when a
wire is opened and not before. A wire owns an event loop in a thread of its own: many threads may ask at once, and a
caller that runs a loop itself is not disturbed. It must not cross a fork.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import urlsplit

from fairtrial.models.conversation import Call, Message, Reply, Request, Returned, Said
from fairtrial.models.outcome import Reason
from fairtrial.models.spec import NO_KEY, ModelSpec, Usage
from fairtrial.records import storable

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models.openai import OpenAIChatModel

CONNECT_SECONDS = 10.0
"""A machine that does not answer at all is not waited for as long as a slow reply is."""
DETAIL_CHARACTERS = 500
RETRIED_STATUS = frozenset({408, 409, 425, 429})
NOTHING_USED = Usage(input_tokens=0, output_tokens=0, cost_usd=0.0)
"""A request turned away at the door is not charged."""
REFUSAL_CODES = frozenset({"content_filter", "content_policy_violation"})
_FULL = re.compile(r"context (?:length|size|window)|exceed_context_size|prompt is too long|maximum model length"
                   r"|input token count|`inputs` tokens", re.IGNORECASE)  # fmt: skip
"""How servers that the client library does not know word that a conversation no longer fits."""

Finish = Literal["stop", "length", "filter", "context"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What the server sent."""

    reply: Reply = field(default_factory=Reply)
    usage: Usage = field(default_factory=Usage)
    finish: Finish = "stop"
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why nothing usable came."""

    reason: Reason
    detail: str
    is_passing: bool
    """True where asking again may help."""
    wait_seconds: float | None = None
    """How long the server asked to be left alone."""


class Wire:
    """An open way to one model."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self._key = spec.key()
        self._client = _client(spec, self._key)
        self._model = _model(spec, self._client)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="language-model", daemon=True)
        self._thread.start()

    def ask(self, request: Request, seconds: float) -> Received | Failure:
        """Ask once and wait at most `seconds`."""
        asking = asyncio.run_coroutine_threadsafe(self._ask(request, seconds), self._loop)
        try:
            return asking.result()
        except BaseException:
            asking.cancel()
            raise

    async def _ask(self, request: Request, seconds: float) -> Received | Failure:
        try:
            async with asyncio.timeout(seconds):
                return await _send(self._model, self.spec, request)
        except TimeoutError:
            return Failure(reason="timeout", detail=f"no reply within {seconds:.3g} s", is_passing=True)
        except Exception as error:  # noqa: BLE001  the boundary to the client library and to whatever a server sends
            return _classified(error, self._key)

    def close(self) -> None:
        """Close the connections and end the thread."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._client.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _client(spec: ModelSpec, key: str) -> AsyncOpenAI:
    from openai import AsyncOpenAI, DefaultAsyncHttpx2Client, Timeout

    # A proxy named in the environment is for the world outside, never for a server on this machine.
    address = urlsplit(spec.url())
    is_local = address.hostname in ("127.0.0.1", "localhost", "::1")
    # Loading the certificates takes 50 ms an episode; plain http needs none, and this context trusts nobody.
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if address.scheme == "http" else True
    timeout = Timeout(spec.request_seconds, connect=CONNECT_SECONDS)
    http = DefaultAsyncHttpx2Client(timeout=timeout, trust_env=not is_local, verify=verify)
    return AsyncOpenAI(base_url=spec.url(), api_key=key, max_retries=0, timeout=timeout, http_client=http)


def _model(spec: ModelSpec, client: AsyncOpenAI) -> OpenAIChatModel:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    host = urlsplit(spec.url()).hostname or ""
    if host.endswith((".openai.com", ".openai.azure.com")):
        return OpenAIChatModel(spec.name, provider=OpenAIProvider(openai_client=client))
    # Only OpenAI's own servers insist on `max_completion_tokens`; every compatible one knows `max_tokens`.
    # `strict` in a tool's definition is OpenAI's own as well.
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=False, openai_supports_strict_tool_definition=False
    )
    provider = OpenAICompatibleProvider("openai-compatible", openai_client=client, profile=profile)
    return OpenAIChatModel(spec.name, provider=provider)


async def _send(model: OpenAIChatModel, spec: ModelSpec, request: Request) -> Received:
    from pydantic_ai.direct import model_request
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters)
        for tool in request.tools
    ]
    settings: Any = {
        "temperature": spec.temperature,
        "max_tokens": spec.max_tokens,
        "seed": spec.seed,
        "openai_reasoning_effort": spec.effort or None,
    }
    response = await model_request(
        model,
        _messages(request),
        model_settings={name: value for name, value in settings.items() if value is not None},  # type: ignore[arg-type]
        model_request_parameters=ModelRequestParameters(function_tools=tools),
        instrument=False,
    )
    return _received(response, spec)


def _messages(request: Request) -> list[ModelMessage]:
    """Return the conversation as pydantic-ai's messages; what follows a reply in a row is one request."""
    from pydantic_ai.messages import ModelRequest, SystemPromptPart

    parts: list[Any] = [SystemPromptPart(content=request.instructions)] if request.instructions else []
    messages: list[ModelMessage] = []
    for message in request.messages:
        if isinstance(message, Reply):
            if parts:
                messages.append(ModelRequest(parts=parts))
            messages.append(_sent_back(message))
            parts = []
        else:
            parts.append(_part(message))
    if parts:
        messages.append(ModelRequest(parts=parts))
    return messages


def _part(message: Message) -> Any:
    from pydantic_ai.messages import BinaryContent, ToolReturnPart, UserPromptPart

    match message:
        case Said(text=text, images=images):
            shown = [BinaryContent(data=image.data, media_type=image.media_type) for image in images]
            return UserPromptPart(content=[text, *shown] if shown else text)
        case Returned(call=call, text=text):
            return ToolReturnPart(tool_name=call.name, content=text, tool_call_id=call.id)
        case Reply():
            raise TypeError("a reply is a message of its own")


def _sent_back(reply: Reply) -> ModelMessage:
    from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart

    if reply.wire:
        return ModelMessagesTypeAdapter.validate_json(reply.wire)[0]
    parts: list[Any] = [TextPart(content=reply.text)] if reply.text else []
    parts += [ToolCallPart(tool_name=call.name, args=call.arguments, tool_call_id=call.id) for call in reply.calls]
    return ModelResponse(parts=parts)


def _received(response: ModelResponse, spec: ModelSpec) -> Received:
    from pydantic_ai.messages import ModelMessagesTypeAdapter, TextPart, ThinkingPart, ToolCallPart

    texts, thoughts, calls = [], [], []
    for part in response.parts:
        # A lone surrogate could neither be kept nor sent back, and what a model says is never the server's fault.
        for name in ("content", "args", "tool_name"):
            if isinstance(said := getattr(part, name, None), str):
                setattr(part, name, storable(said))
        if isinstance(part, TextPart):
            texts.append(part.content)
        elif isinstance(part, ThinkingPart):
            thoughts.append(part.content)
        elif isinstance(part, ToolCallPart):
            arguments = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
            calls.append(Call(name=part.tool_name, arguments=arguments, id=part.tool_call_id))
    reply = Reply(
        text="".join(texts),
        reasoning="\n".join(thoughts),
        calls=tuple(calls),
        wire=ModelMessagesTypeAdapter.dump_json([response]).decode(),
    )
    refusal = str((response.provider_details or {}).get("refusal", ""))
    return Received(reply=reply, usage=_usage(response, spec), finish=_finish(response), refusal=refusal)


def _finish(response: ModelResponse) -> Finish:
    if response.finish_reason == "content_filter":
        return "filter"
    return "length" if response.finish_reason == "length" else "stop"


def _usage(response: ModelResponse, spec: ModelSpec) -> Usage:
    used = response.usage
    if not used.input_tokens and not used.output_tokens:
        return Usage()  # the server counted nothing, which no reply really takes
    reasoning = used.details.get("reasoning_tokens", 0)
    return spec.usage(used.input_tokens, used.output_tokens, used.cache_read_tokens, reasoning)


def _classified(error: Exception, key: str) -> Received | Failure:
    """Return what an error of the client library means."""
    from pydantic_ai import exceptions

    detail = _without_key(str(error), key)
    if isinstance(error, exceptions.ModelContextWindowExceededError):
        return Received(finish="context", usage=NOTHING_USED)
    if isinstance(error, exceptions.ModelHTTPError):
        return _classified_status(error, detail)
    if isinstance(error, exceptions.ModelTimeoutError):
        return Failure(reason="timeout", detail=detail, is_passing=True)
    if isinstance(error, exceptions.ModelConnectionError):
        return Failure(reason="unreachable", detail=detail, is_passing=True)
    return Failure(reason="bad_response", detail=f"{type(error).__name__}: {detail}", is_passing=True)


def _classified_status(error: Any, detail: str) -> Received | Failure:
    from pydantic_ai import exceptions

    status: int = error.status_code
    if error.provider_error_code in REFUSAL_CODES:
        return Received(finish="filter", refusal=detail, usage=NOTHING_USED)
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return Failure(reason="rate_limited", detail=detail, is_passing=False)
    if status in RETRIED_STATUS:
        reason: Reason = "timeout" if status == 408 else "rate_limited"
        return Failure(reason=reason, detail=detail, is_passing=True, wait_seconds=error.retry_after)
    if status >= 500:
        return Failure(reason="server_error", detail=detail, is_passing=True, wait_seconds=error.retry_after)
    if status in (401, 403):
        return Failure(reason="unauthorized", detail=detail, is_passing=False)
    if _FULL.search(detail):
        return Received(finish="context", usage=NOTHING_USED)
    return Failure(reason="rejected", detail=detail, is_passing=False)


def _without_key(text: str, key: str) -> str:
    """Return `text` shortened and without the key, which some servers repeat in their error."""
    hidden = text if key == NO_KEY else text.replace(key, "[key]")
    return hidden if len(hidden) <= DETAIL_CHARACTERS else hidden[:DETAIL_CHARACTERS] + "..."
