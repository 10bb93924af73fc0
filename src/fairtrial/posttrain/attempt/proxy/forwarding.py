"""One plain HTTP request through the proxy: read whole by h11, written anew, so that both ends see the same one.

What comes is taken apart and framed again: no second request can hide in the first. One request is taken of a
connection, which is then closed. Not covered: upgrades, such as websockets without TLS.
"""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import h11
import orjson

from fairtrial.posttrain.attempt.proxy.allowing import HTTP_PORT, RefusalError, plain_host
from fairtrial.posttrain.attempt.proxy.request_log import Request

CHUNK = 1 << 16
IDLE_SECONDS = 600.0
"""A model that thinks may be silent for long."""
MOST_READ_BODY = 1 << 20
"""Bodies up to this size are looked into for the model that they name."""
_OWN_HEADERS = frozenset({b"connection", b"proxy-connection", b"keep-alive", b"te", b"trailer", b"upgrade", b"expect",
                          b"host", b"proxy-authorization", b"proxy-authenticate"})  # fmt: skip
Headers = list[tuple[bytes, bytes]]


def read_target(head: h11.Request, request: Request) -> bytes:
    """Fill in where a request goes, and return its path. Raise RefusalError for what a proxy cannot be asked."""
    target = head.target.decode("ascii", "replace")
    request.method = head.method.decode("ascii", "replace")
    if not target.lower().startswith("http://"):
        raise RefusalError("this proxy is asked with whole addresses that begin with http://, or with CONNECT", 400)
    try:
        parts = urlsplit(target)
        port = parts.port
    except ValueError as error:
        raise RefusalError("this address cannot be read", 400) from error
    if "@" in parts.netloc:
        raise RefusalError("an address with a name and a password is not taken", 400)
    request.host = _host_of(parts.netloc)
    request.port = HTTP_PORT if port is None else port
    request.path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    named = [value.decode("ascii", "replace").lower() for name, value in head.headers if name == b"host"]
    if len(named) > 1 or (named and _named(named[0]) != (request.host, request.port)):
        raise RefusalError("the header `Host` names another host than the address", 400)
    return request.path.encode("ascii", "replace")


def _host_of(netloc: str) -> str:
    host = netloc.rpartition(":")[0] if netloc.rpartition(":")[2].isdecimal() and not netloc.endswith("]") else netloc
    return plain_host(host.removesuffix(":"))


def _named(header: str) -> tuple[str, int]:
    parts = header.rpartition(":")
    port = int(parts[2]) if parts[0] and parts[2].isdecimal() and not header.endswith("]") else HTTP_PORT
    return _host_of(header), port


async def forward(
    client: h11.Connection,
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    head: h11.Request,
    path: bytes,
    request: Request,
) -> None:
    """Hand a request to a server and what it answers back. Raise RefusalError where no answer came."""
    ours = h11.Connection(h11.CLIENT)
    host = request.host if request.port == HTTP_PORT else f"{request.host}:{request.port}"
    headers = [(b"host", host.encode()), *_passed_on(list(head.headers)), (b"connection", b"close")]
    reader, writer = server
    try:
        writer.write(ours.send(h11.Request(method=head.method, target=path, headers=headers)) or b"")
        await _send_body(client, streams, ours, writer, request)
        await _hand_back(client, streams[1], ours, reader, request)
    except h11.RemoteProtocolError as error:
        raise RefusalError(f"what came is no HTTP: {error}", 502) from error
    except h11.LocalProtocolError as error:
        raise RefusalError(f"this request cannot be handed on: {error}", 400) from error
    except TimeoutError as error:
        raise RefusalError("nothing came for too long", 504) from error
    except OSError as error:
        raise RefusalError("the connection broke", 502) from error


def _passed_on(headers: Headers) -> Headers:
    """Return headers without those of one connection, and with one framing."""
    named = {one.strip().lower() for name, value in headers if name == b"connection" for one in value.split(b",")}
    dropped = _OWN_HEADERS | (named - {b"content-length", b"transfer-encoding"})
    if any(name == b"transfer-encoding" for name, _ in headers):
        dropped |= {b"content-length"}
    return [(name, value) for name, value in headers if name not in dropped]


async def _send_body(
    client: h11.Connection,
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ours: h11.Connection,
    writer: asyncio.StreamWriter,
    request: Request,
) -> None:
    held = bytearray()
    if client.they_are_waiting_for_100_continue:
        streams[1].write(client.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
    while True:
        event = await next_event(client, streams[0])
        if isinstance(event, h11.Data):
            request.sent += len(event.data)
            if len(held) <= MOST_READ_BODY:
                held += event.data
            writer.write(ours.send(event) or b"")
            await writer.drain()
        elif isinstance(event, h11.EndOfMessage):
            writer.write(ours.send(h11.EndOfMessage()) or b"")
            await writer.drain()
            request.model = _model_of(bytes(held))
            return
        else:
            raise ConnectionResetError


def _model_of(body: bytes) -> str:
    """Return the model that a body of JSON names; empty where it names none."""
    if not body.lstrip().startswith(b"{") or len(body) > MOST_READ_BODY:
        return ""
    try:
        content = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    model = content.get("model") if isinstance(content, dict) else None
    return model[:200] if isinstance(model, str) else ""


async def _hand_back(
    client: h11.Connection,
    out: asyncio.StreamWriter,
    ours: h11.Connection,
    reader: asyncio.StreamReader,
    request: Request,
) -> None:
    while True:
        event = await next_event(ours, reader)
        if isinstance(event, h11.Response):
            request.status = event.status_code
            headers = [*_passed_on(list(event.headers)), (b"connection", b"close")]
            answer = h11.Response(status_code=event.status_code, headers=_without_coding(headers), reason=event.reason)
            out.write(client.send(answer) or b"")
        elif isinstance(event, h11.Data):
            request.received += len(event.data)
            out.write(client.send(event) or b"")
            await out.drain()
        elif isinstance(event, h11.EndOfMessage):
            out.write(client.send(h11.EndOfMessage()) or b"")
            await out.drain()
            return
        elif not isinstance(event, h11.InformationalResponse):
            raise ConnectionResetError


def _without_coding(headers: Headers) -> Headers:
    """Return headers without the framing of the server's connection: h11 frames anew for the client's."""
    return [(name, value) for name, value in headers if name != b"transfer-encoding"]


async def next_event(
    connection: h11.Connection, reader: asyncio.StreamReader, seconds: float = IDLE_SECONDS
) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
    """Return the next event of a connection that is no want of data."""
    while True:
        event = connection.next_event()
        if event is not h11.NEED_DATA:
            return event
        async with asyncio.timeout(seconds):
            connection.receive_data(await reader.read(CHUNK))
