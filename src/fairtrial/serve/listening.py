"""Listen and answer: one process, one socket, until it is told to stop.

The socket is bound before anything is printed, so that a link that is shown works. Loopback is the default: what is
served is plain HTTP, and on another address everybody on the way can read the pages and the tokens.
"""

from __future__ import annotations

import gc
import ipaddress
import re
import signal
import socket
import threading
from collections.abc import Iterable
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette

from fairtrial.records import FairtrialError, InputError
from fairtrial.serve.app import application
from fairtrial.serve.browse.kept import Kept
from fairtrial.serve.pages import TEMPLATES, environment
from fairtrial.serve.site import Site

_NAME = re.compile(r"(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\]|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*)(?::(?P<port>\d{1,5}))?")
_UNSTATED = (80, 443)
"""Ports of http and https, which browsers leave out of the Host header."""
_COLLECTIONS = (50_000, 20, 50)
"""A trajectory of thousands of steps is a hundred thousand objects that live on: with the interpreter's own thresholds
reading one spends a third of its time on looking for garbage among them."""


def settle() -> None:
    """Set this process up for long trajectories."""
    gc.set_threshold(*_COLLECTIONS)


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raise InputError where the address cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # The protocol is named because asyncio turns Nagle's algorithm off for such sockets alone: with it every answer
        # waits 40 ms for an acknowledgement of its head.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise InputError(f"`{host}` is no address of this machine: {error.strerror or error}",
                         field="--host") from error  # fmt: skip
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except OSError as error:
        made.close()
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}", field="--port",
                         hint="`--port 0` takes one that is free.") from error  # fmt: skip
    return made


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches `host`.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hosts_of(host: str, port: int, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the values of the Host header that are answered; the first one is for links.

    A name may state a port of its own, for what is reached through a tunnel or a proxy. Raise InputError for what is no
    name of a host.

    >>> hosts_of("127.0.0.1", 8321, ["localhost:9000"])
    ('localhost:9000', '127.0.0.1:8321', 'localhost:8321')
    >>> hosts_of("::1", 8321, ["lab.example:443"])
    ('lab.example', 'lab.example:443', '[::1]:8321')
    """
    own = ["127.0.0.1", "localhost"] if host in ("127.0.0.1", "localhost") else [host]
    unstated = host in ("0.0.0.0", "::", "")  # all addresses is no name that a browser can ask for
    found = [*names, *(["127.0.0.1", "localhost"] if unstated else own)]
    return tuple(dict.fromkeys(value for name in found for value in _stated(name, port)))


def _stated(name: str, port: int) -> tuple[str, ...]:
    """Return how a browser names the host: without the port where that is the one of http or https."""
    read = _NAME.fullmatch(name.strip().lower())
    if read is None:
        raise InputError(f"`{name}` is no name of a host", field="--name",
                         hint="NAME or NAME:PORT, as browsers have it: lab.example, localhost:9000.")  # fmt: skip
    host, at = read["host"], int(read["port"] or port)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return (host, f"{host}:{at}") if at in _UNSTATED else (f"{host}:{at}",)


def address_of(host: str) -> str:
    """Return the address that links begin with, for one of `hosts_of`.

    >>> address_of("localhost:8321"), address_of("lab.example:443")
    ('http://localhost:8321', 'https://lab.example')
    """
    return f"https://{host.removesuffix(':443')}" if host.endswith(":443") else f"http://{host}"


def serve(site: Site, listening: socket.socket) -> None:
    """Answer until SIGINT or SIGTERM; requests under way are finished."""
    app = application(site)
    settle()
    ahead = threading.Thread(target=warm, args=(app,), name="warm")
    ahead.start()
    try:
        answer(app, listening)
    finally:
        ahead.join()  # a query that still runs while the interpreter ends would abort it


def heed_interrupt() -> None:
    """Let SIGINT end this process from here on: a shell that starts it in the background has it ignored.

    A server heeds it by itself, but only once it answers, and links are told before that.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def answer(app: Starlette, listening: socket.socket) -> None:
    """Answer with `app` until SIGINT or SIGTERM; requests under way are finished."""
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", server_header=False,
                            timeout_graceful_shutdown=3)  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])


def warm(app: Starlette) -> None:
    """Read ahead what the first page would wait for: the snapshot of the ledger, what it finds, the templates.

    What cannot be read is told by the page that needs it.
    """
    for template in TEMPLATES.glob("*.j2"):
        environment().get_template(template.name)
    kept: Kept = app.state.kept
    with suppress(FairtrialError):
        kept.snapshots.latest()
        kept.findings()
        kept.reviews()
