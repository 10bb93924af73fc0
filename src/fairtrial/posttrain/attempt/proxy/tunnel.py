"""A tunnel through the proxy, as CONNECT asks for: TLS only, to the host that it was opened for.

Its inside is encrypted and not seen: host, port, the name that the client gives, and the bytes are recorded. What is
no TLS is refused, so that plain requests cannot hide in a tunnel.
"""

from __future__ import annotations

import asyncio
import ipaddress

from fairtrial.posttrain.attempt.proxy.allowing import RefusalError, plain_host
from fairtrial.posttrain.attempt.proxy.hello import HelloError, server_name, wanted_bytes
from fairtrial.posttrain.attempt.proxy.request_log import Request

CHUNK = 1 << 16
HELLO_SECONDS = 30.0
IDLE_SECONDS = 600.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def read_target(target: bytes, request: Request) -> None:
    """Fill in where a tunnel goes. Raise RefusalError for what is no host with a port."""
    request.method = "CONNECT"
    host, colon, port = target.decode("ascii", "replace").rpartition(":")
    if not colon or not port.isdecimal() or not 0 < int(port) < 65536:
        raise RefusalError("CONNECT wants HOST:PORT", 400)
    request.host, request.port = plain_host(host), int(port)


async def tunnel(client: Streams, server: Streams, early: bytes, request: Request) -> None:
    """Hand bytes both ways until one side ends. Raise RefusalError where what begins is no TLS to the host."""
    hello = await _hello(client[0], early)
    try:
        request.sni = server_name(hello[: wanted_bytes(hello)])[:300]
    except HelloError as error:
        raise RefusalError("a tunnel is for TLS; ask for plain pages with their whole address") from error
    if not request.sni and not _is_address(request.host):
        raise RefusalError(f"the tunnel is for `{request.host}`, and its client names no host at its beginning")
    if request.sni and plain_host(request.sni) != request.host:
        raise RefusalError(f"the tunnel is for `{request.host}`, and its client asks for another host")
    server[1].write(hello)
    request.sent += len(hello)
    request.status = 200
    ends = [asyncio.create_task(_pipe(client[0], server[1], request, "sent")),
            asyncio.create_task(_pipe(server[0], client[1], request, "received"))]  # fmt: skip
    try:
        await asyncio.gather(*ends)
    except (OSError, TimeoutError):
        request.why = "the connection broke"
    finally:
        for end in ends:
            end.cancel()


def _is_address(host: str) -> bool:
    """Say whether a host is an address, for which clients name none (RFC 6066 3)."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


async def _hello(reader: asyncio.StreamReader, data: bytes) -> bytes:
    """Return what a client sends first, at least one whole record of TLS."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            while not data or len(data) < wanted_bytes(data):
                more = await reader.read(CHUNK)
                if not more:
                    raise RefusalError("the client closed the tunnel before it said anything")
                data += more
    except HelloError as error:
        raise RefusalError("a tunnel is for TLS; ask for plain pages with their whole address") from error
    except TimeoutError as error:
        raise RefusalError("the client opened a tunnel and said nothing") from error
    except OSError as error:
        raise RefusalError("the connection broke") from error
    return data


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Request, count: str) -> None:
    while True:
        async with asyncio.timeout(IDLE_SECONDS):
            data = await reader.read(CHUNK)
        if not data:
            if writer.can_write_eof():
                writer.write_eof()
            return
        setattr(request, count, getattr(request, count) + len(data))
        writer.write(data)
        await writer.drain()
