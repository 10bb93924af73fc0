"""Serve the proxy in a thread of ours, at a socket that listens inside the box.

Limits: so many connections at once, so large a head, so long without a byte. Every request is written down, refused
ones with why; those that still run when the box ends as far as they came.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from pathlib import Path

import h11

from fairtrial.posttrain.attempt.proxy import forwarding, tunnel
from fairtrial.posttrain.attempt.proxy.allowing import Allowing, RefusalError
from fairtrial.posttrain.attempt.proxy.connecting import connect
from fairtrial.posttrain.attempt.proxy.request_log import Request, RequestLog, now

MOST_CONNECTIONS = 128
"""Each is two open files, of the 1,024 that a process may often hold; the recorder needs its own."""
MOST_HEAD = 64 << 10
HEAD_SECONDS = 30.0
ENDING_SECONDS = 10.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """The only way out of a box. Use it as a context manager."""

    def __init__(self, listening: socket.socket, allowing: Allowing, path: Path) -> None:
        self.log = RequestLog(path)
        self._allowing = allowing
        self._listening = listening
        self._open = 0
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="fairtrial-proxy", daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End every connection, and write down what was under way; once more changes nothing."""
        if self._listening.fileno() < 0 and not self._thread.is_alive():
            return
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(ENDING_SECONDS)
        self._listening.close()
        self.log.close()

    def _run(self) -> None:
        with contextlib.closing(self._loop):
            self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        working: set[asyncio.Task[None]] = set()

        def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if self._open >= MOST_CONNECTIONS:
                self._turn_away(writer)
                return
            self._open += 1
            task = self._loop.create_task(self._one((reader, writer)))
            working.add(task)
            task.add_done_callback(working.discard)

        server = await asyncio.start_server(begin, sock=self._listening, limit=MOST_HEAD)
        await self._stop.wait()
        server.close()
        for task in tuple(working):
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)

    def _turn_away(self, out: asyncio.StreamWriter) -> None:
        """Close a connection unread: each one that is held open takes files of this process, which sees by them."""
        self.log.add(Request(began=now(), status=503, why=f"more than {MOST_CONNECTIONS} connections at once"))
        with contextlib.suppress(OSError):
            out.write(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            out.close()

    async def _one(self, client: Streams) -> None:
        """Serve one connection: one request."""
        request = Request(began=now())
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        try:
            await self._handled(connection, client, request)
        except RefusalError as refused:
            self._refuse(connection, client[1], request, refused)
        except (OSError, TimeoutError, h11.ProtocolError) as error:
            request.why = request.why or f"the connection broke: {type(error).__name__}"
        finally:
            self._open -= 1
            if request.method or request.why:
                self.log.add(request)
            with contextlib.suppress(OSError):
                client[1].close()

    async def _handled(self, connection: h11.Connection, client: Streams, request: Request) -> None:
        head = await self._head(connection, client[0])
        if head is None:
            return
        is_tunnel = head.method == b"CONNECT"
        path = b""
        if is_tunnel:
            tunnel.read_target(head.target, request)
        else:
            path = forwarding.read_target(head, request)
        self._allowing.check(request.host, request.port, is_tunnel=is_tunnel)
        request.allowed = True
        server = await connect(self._allowing, request.host, request.port)
        try:
            if is_tunnel:
                client[1].write(connection.send(h11.Response(status_code=200, headers=[])) or b"")
                await client[1].drain()
                await self._tunnelled(connection, client, server, request)
            else:
                await forwarding.forward(connection, client, server, head, path, request)
        finally:
            with contextlib.suppress(OSError):
                server[1].close()

    async def _tunnelled(self, connection: h11.Connection, client: Streams, server: Streams, request: Request) -> None:
        """Serve a tunnel whose beginning was answered: what is wrong from here on can only be closed."""
        try:
            await tunnel.tunnel(client, server, connection.trailing_data[0], request)
        except RefusalError as refused:
            request.allowed, request.status, request.why = False, None, refused.why

    async def _head(self, connection: h11.Connection, reader: asyncio.StreamReader) -> h11.Request | None:
        """Return the head of a request; None where the client went away. Raise RefusalError for what is none."""
        try:
            event = await forwarding.next_event(connection, reader, HEAD_SECONDS)
        except h11.RemoteProtocolError as error:
            raise RefusalError(f"what came is no request of HTTP: {error}", error.error_status_hint or 400) from error
        except TimeoutError as error:
            raise RefusalError("a request began and did not end in time", 408) from error
        return event if isinstance(event, h11.Request) else None

    def _refuse(
        self, connection: h11.Connection, out: asyncio.StreamWriter, request: Request, refused: RefusalError
    ) -> None:
        """Tell a client why its request does not get through."""
        request.allowed = request.allowed and refused.status in (502, 504)
        request.why = refused.why
        if connection.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        request.status = refused.status
        body = f"fairtrial: refused. {refused.why}\n".encode("utf-8", "replace")
        headers = [("content-type", "text/plain; charset=utf-8"), ("content-length", str(len(body))),
                   ("connection", "close")]  # fmt: skip
        answer: tuple[h11.Event, ...] = (
            h11.Response(status_code=refused.status, headers=headers, reason=b"refused by the proxy"),
            h11.Data(data=body), h11.EndOfMessage(),
        )  # fmt: skip
        with contextlib.suppress(OSError, h11.LocalProtocolError):
            for event in answer:
                out.write(connection.send(event) or b"")
