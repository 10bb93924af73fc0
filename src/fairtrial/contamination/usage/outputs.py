"""What logs and outputs tell of calls: the lines that clients write of each request, and errors that name a host.

They tell of programs whose text is not in sight, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.contamination.conduct.leads import Certainty, Lead
from fairtrial.contamination.conduct.pieces import Piece, line_at
from fairtrial.contamination.usage.clients import host_of_model
from fairtrial.contamination.usage.hosts import ExternalHosts

_REQUEST = re.compile(
    r"HTTP Request: (?:GET|POST|PUT) https?://([^/\s:\"]+)\S* \"HTTP/[\d.]+ (\d{3})[^\"\n]*\"|"
    r"https?://([^/\s:\"]+):\d+ \"(?:GET|POST|PUT) \S+ HTTP/[\d.]+\" (\d{3})"
)
_UNREACHABLE = re.compile(
    r"HTTPS?ConnectionPool\(host='([^']+)'|Failed to connect to ([\w.-]+)|Could not resolve host: ([\w.-]+)|"
    r"getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)"
)
_LITELLM = re.compile(r"LiteLLM completion\(\) model= ?(\S+?); provider = (\w+)")
_REFUSED = re.compile(r"platform\.openai\.com/account/api-keys|console\.anthropic\.com/\S*keys")
_OWNERS = {"platform.openai.com": "api.openai.com", "console.anthropic.com": "api.anthropic.com"}
_MOST = 5_000_000


def leads_of_output(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield the calls that an output tells of."""
    text = piece.text[:_MOST]
    if "http" not in text.lower() and "LiteLLM" not in text and "getaddrinfo" not in text and "connect" not in text:
        return
    for found in _REQUEST.finditer(text):
        host, status = found[1] or found[3], found[2] or found[4]
        if hosts.side(host) == "external":
            sure: Certainty = "call" if status.startswith("2") else "attempt"
            yield piece.lead("model_api", f"a request to {host} was answered with {status}", found[0], host=host,
                             certainty=sure, line=line_at(text, found.start()))  # fmt: skip
    for found in _UNREACHABLE.finditer(text):
        host = next(one for one in found.groups() if one)
        if hosts.side(host) == "external":
            yield piece.lead("model_api", f"a request to {host} did not get there", found[0], host=host,
                             certainty="attempt", line=line_at(text, found.start()))  # fmt: skip
    for found in _LITELLM.finditer(text):
        host = host_of_model(f"{found[2]}/{found[1]}") or ""
        if host and hosts.side(host) == "external":
            yield piece.lead("model_api", f"asks a model at {host}", found[0], host=host, certainty="call",
                             line=line_at(text, found.start()))  # fmt: skip
    for found in _REFUSED.finditer(text):
        host = _OWNERS[found[0].partition("/")[0]]
        if hosts.side(host) == "external" and re.search(r"\b401\b|[Ii]ncorrect|invalid", text):
            yield piece.lead("model_api", f"a request to {host} was refused", found[0], host=host,
                             certainty="attempt", line=line_at(text, found.start()))  # fmt: skip
