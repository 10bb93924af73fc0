"""What the proxy lets through: hosts and ports that the bench names, at addresses that are public or routed.

A name is looked up once, its addresses are checked, and the connection goes to one that was checked: a name that leads
to this machine, its network or a cloud's metadata is refused, whatever it led to a moment ago.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairtrial.records import InputError

HTTP_PORT, HTTPS_PORT = 80, 443
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?|\[[0-9a-f:.]+\]")
_PATTERN = re.compile(r"(\*\.)?([A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?")


class RefusalError(Exception):
    """A request that does not get through, and why."""

    def __init__(self, why: str, status: int = 403) -> None:
        super().__init__(why)
        self.why = why
        self.status = status


@dataclass(frozen=True, slots=True)
class _Allowed:
    host: str
    below: bool
    port: int | None


@dataclass(frozen=True, slots=True)
class Allowing:
    """The allow list and the routes of one bench."""

    hosts: tuple[_Allowed, ...]
    routes: Mapping[str, tuple[str, int]]

    @classmethod
    def of(cls, hosts: Sequence[str], routes: Mapping[str, str]) -> Allowing:
        """Return the lists that a bench states. Raise InputError for a host or a route that is none."""
        made = {}
        for host, target in routes.items():
            address, colon, port = target.rpartition(":")
            if not colon or not address or not port.isdecimal() or not 0 < int(port) < 65536:
                raise InputError(f"`{target}` is no address with a port", field=f"network.routes.{host}",
                                 hint="Write ADDRESS:PORT, such as 127.0.0.1:8080.")  # fmt: skip
            named = _allowed(host)
            if named.below or named.port is not None:
                raise InputError(f"`{host}` is no single host, and a route is for one", field="network.routes",
                                 hint="Name the host without `*.` and without a port.")  # fmt: skip
            made[named.host] = (address.strip("[]"), int(port))
        return cls(tuple(_allowed(host) for host in hosts), made)

    def check(self, host: str, port: int, *, is_tunnel: bool) -> None:
        """Raise RefusalError where a request to a host (as `plain_host` gives it) and port is not let through."""
        named = [one for one in self.hosts if _matches(one, host)]
        if not named:
            raise RefusalError(f"`{host}` is none of the hosts that this benchmark allows")
        ports = {one.port for one in named if one.port is not None}
        if any(one.port is None for one in named):
            ports |= {HTTPS_PORT} if is_tunnel else {HTTP_PORT}
        if port not in ports and host not in self.routes:
            raise RefusalError(f"port {port} of `{host}` is not allowed")

    def route(self, host: str) -> tuple[str, int] | None:
        """Return the (address, port) at which the bench has this host; None where it is found by its name."""
        return self.routes.get(host)


def plain_host(text: str) -> str:
    """Return a host as it is compared: lower case, without a dot at its end. Raise RefusalError for what is none.

    >>> plain_host("API.Example."), plain_host("[::1]")
    ('api.example', '[::1]')
    """
    host = text.lower().removesuffix(".")
    if not _HOST.fullmatch(host) or ".." in host:
        raise RefusalError("this is no name of a host", 400)
    return host


def is_public(address: str) -> bool:
    """Say whether an address is one of the public network: not of this machine, its network, or of its provider.

    >>> [is_public(one) for one in ("8.8.8.8", "127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "fe80::1")]
    [True, False, False, False, False]
    """
    read = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(read, ipaddress.IPv6Address):
        inner = read.ipv4_mapped or read.sixtofour or (read.teredo[1] if read.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if read in ipaddress.ip_network("64:ff9b::/96"):
            return is_public(str(ipaddress.IPv4Address(int(read) & 0xFFFFFFFF)))
    return read.is_global and not (read.is_multicast or read.is_reserved or read.is_unspecified)


def _allowed(text: str) -> _Allowed:
    found = _PATTERN.fullmatch(text.strip())
    if found is None or (found[3] and not 0 < int(found[3]) < 65536):
        raise InputError(f"`{text}` is no host", field="network.allowed_hosts",
                         hint="Write `host`, `*.host` or `host:port`, without a scheme or a path.")  # fmt: skip
    return _Allowed(found[2].lower().removesuffix("."), bool(found[1]), int(found[3]) if found[3] else None)


def _matches(one: _Allowed, host: str) -> bool:
    return host.endswith(f".{one.host}") if one.below else host == one.host
