"""Whether what was run came about: refusals, unreachable hosts and missing things, told by what came back."""

from __future__ import annotations

import re

_REFUSED = re.compile(
    r"\b401\b[^\n]{0,40}|invalid[ _]api[ _]?key|incorrect api key|AuthenticationError|authentication_error|"
    r"\b403 Forbidden|PermissionDenied|api_key client option must be set|Unauthorized|No API key|insufficient_quota|"
    r"API key not (?:valid|found)|[Mm]issing API key|[Pp]lease (?:log in|set your api key)",
    re.IGNORECASE,
)
_UNREACHABLE = re.compile(
    r"Connection refused|Could not resolve host|Name or service not known|Temporary failure in name resolution|"
    r"Network is unreachable|No route to host|Connection timed out|Max retries exceeded|APIConnectionError|"
    r"ECONNREFUSED|ENOTFOUND|EAI_AGAIN|getaddrinfo|Connection reset|ConnectTimeout|Failed to connect|ProxyError|"
    r"unable to access '|blocked by|Operation timed out|Connection error\.|network access is disabled",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"No such file or directory|Repository not found|RepositoryNotFoundError|DatasetNotFoundError|doesn't exist on the "
    r"Hub|\b404\b[^\n]{0,30}|could not be found|command not found|No module named|No matching distribution|"
    r"Permission denied|cannot open|not found: |does not exist",
    re.IGNORECASE,
)
_WENT = re.compile(r"\b200 OK\b|\"HTTP/1\.1\" 200|Receiving objects: 100%|Successfully (?:installed|downloaded)|Saved ")
_MOST = 20_000


def failure(output: str, status: int | None = None) -> str:
    """Return why what was run came to nothing; empty where nothing says so.

    >>> failure("curl: (7) Failed to connect to api.openai.com port 443: Connection refused")
    'what came back says that it is unreachable'
    >>> failure("Cloning into 'x'...\\nReceiving objects: 100% (9/9), done."), failure("")
    ('', '')
    """
    shown = output if len(output) < 2 * _MOST else output[:_MOST] + output[-_MOST:]
    if not shown or _WENT.search(shown):
        return ""
    if status == 0 and not _REFUSED.search(shown) and not _UNREACHABLE.search(shown):
        return ""
    for pattern, why in (
        (_REFUSED, "was refused"),
        (_UNREACHABLE, "is unreachable"),
        (_ABSENT, "is not there"),
    ):
        if pattern.search(shown):
            return f"what came back says that it {why}"
    return ""
