"""Connect to where a request may go: by route, or to a public address that was looked up and checked just now."""

from __future__ import annotations

import asyncio
import socket

from fairtrial.posttrain.attempt.proxy.allowing import Allowing, RefusalError, is_public

CONNECT_SECONDS = 15.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(allowing: Allowing, host: str, port: int) -> Streams:
    """Return the streams of a connection to a host that was let through. Raise RefusalError where there is none."""
    route = allowing.route(host)
    if route is not None:
        return await _opened(*route, host)
    error: RefusalError | None = None
    for address in await _addresses(host, port):
        try:
            return await _opened(address, port, host)
        except RefusalError as refused:
            error = refused
    raise error or RefusalError(f"`{host}` has no address", 502)


async def _addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raise RefusalError where one of them is not public."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            found = await loop.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except TimeoutError as error:
        raise RefusalError(f"`{host}` could not be looked up in time", 504) from error
    except (OSError, UnicodeError) as error:
        raise RefusalError(f"`{host}` could not be looked up", 502) from error
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not all(is_public(one) for one in addresses):
        raise RefusalError(f"`{host}` leads to an address that is not public")
    return addresses


async def _opened(address: str, port: int, host: str) -> Streams:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_connection(address, port)
    except TimeoutError as error:
        raise RefusalError(f"`{host}` did not answer in time", 504) from error
    except OSError as error:
        raise RefusalError(f"`{host}` could not be reached", 502) from error
