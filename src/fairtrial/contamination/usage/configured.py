"""Programs that are sent to a model by a file of settings: gateways, and any other program that is started with one.

Told of `litellm` by the models that it serves (`model: openai/gpt-4o`), of others by an address (`api_base: ...`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.contamination.conduct.leads import Lead
from fairtrial.contamination.conduct.pieces import Piece, line_at, line_with
from fairtrial.contamination.usage.clients import host_of_model
from fairtrial.contamination.usage.hosts import ExternalHosts, host_of

SETTINGS = re.compile(r"\.(?:ya?ml|toml|json|jsonc|ini|cfg|conf|env|properties)$")
_GATEWAY = re.compile(r"^[ \t]*litellm_params\s*:", re.MULTILINE)
_MODEL = re.compile(
    r"^[ \t]{0,40}(?:-[ \t]{0,9})?(?:[\"']?(?:model|model_name|model_id|provider|id)[\"']?[ \t]{0,9}[:=][ \t]{0,9})?"
    r"[\"']?((?:[a-z_]{3,30}[/:])[\w./:@-]{2,100})[\"']?,?[ \t]{0,40}(?:#.*)?$",
    re.MULTILINE,
)
_BASE = re.compile(
    r"^[ \t]*(?:-[ \t]*)?[\"']?\w*(?:api_?base|base_?url|endpoint|api_?url|server_?url|host|url)\w*[\"']?\s*[:=]"
    r"\s*[\"']?([^\s\"',#]+)",
    re.MULTILINE | re.IGNORECASE,
)
_READS_ONLY = frozenset({"yq", "vim", "vi", "nano", "chmod", "diff", "wc", "md5sum", "sha256sum", "tar", "zip", "scp",
                         "rsync", "git", "yamllint", "prettier", "file", "source", ".", "jq", "python", "python3",
                         "node", "ln", "cmp", "sort", "uniq", "xxd", "strings", "base64", "nl", "bat"})  # fmt: skip
"""Programs that do not go where such a file says; of Python and node the program itself is read."""
_MOST = 100_000


def leads_of_gateway(piece: Piece, text: str, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield the models elsewhere that a gateway's settings pass on to."""
    if not _GATEWAY.search(text[:_MOST]):
        return
    parts = re.split(r"(?m)^(?=[ \t]*litellm_params\s*:)", text[:_MOST])
    at = len(parts[0])
    for part in parts[1:]:
        found, base = _MODEL.search(part), _BASE.search(part)
        model = found[1] if found else ""
        host = host_of(base[1]) if base else host_of_model(model) or ""
        if host and hosts.side(host) == "external":
            where = at + (found.start(1) if found else 0)
            yield piece.lead("model_api", f"opens a way to a model at {host}",
                             line_with(text, where, where + len(model)), host=host,
                             line=line_at(text, where))  # fmt: skip
        at += len(part)


def leads_of_settings(piece: Piece, hosts: ExternalHosts, takes_models: bool) -> Iterator[Lead]:
    """Yield where a program goes that is started with a file of settings which the agent wrote."""
    if piece.program in _READS_ONLY:
        return
    for word in piece.words[1:]:
        name = word.partition("=")[2] if word.startswith("-") and "=" in word else word
        held = piece.around.file(name) if SETTINGS.search(name) and len(name) < 300 else None
        if held is None or "<html" in held[:500]:
            continue
        yield from leads_of_gateway(piece, held, hosts)
        seen: set[str] = set()
        for found in _BASE.finditer(held[:_MOST]):
            if (host := host_of(found[1])) and host not in seen and hosts.side(host) == "external":
                seen.add(host)
                yield piece.lead(
                    "model_api", f"is started with settings that send it to {host}", found[0].strip(), host=host
                )
        if takes_models and not seen and not _BASE.search(held) and not _GATEWAY.search(held):
            for found in _MODEL.finditer(held[:_MOST]):
                host = host_of_model(found[1]) or ""
                if host and host not in seen:
                    seen.add(host)
                    yield piece.lead("model_api", f"is started with settings that name a model at {host}",
                                     found[0].strip(), host=host)  # fmt: skip
