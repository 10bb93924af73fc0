"""Keys in what is quoted: told by their shape, and shown by their first characters and length only."""

from __future__ import annotations

import re
from collections.abc import Iterator

SHAPES: dict[str, re.Pattern[str]] = {
    "anthropic": re.compile(r"\bsk-ant-[\w-]{20,}"),
    "openrouter": re.compile(r"\bsk-or-[\w-]{20,}"),
    "openai": re.compile(r"\bsk-(?!ant-|or-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    "google": re.compile(r"\bAIza[\w-]{35}(?![\w-])|\bya29\.[\w-]{20,}"),
    "groq": re.compile(r"\bgsk_[A-Za-z0-9]{20,}"),
    "huggingface": re.compile(r"\bhf_[A-Za-z0-9]{20,}"),
    "replicate": re.compile(r"\br8_[A-Za-z0-9]{20,}"),
    "xai": re.compile(r"\bxai-[A-Za-z0-9]{20,}"),
    "fireworks": re.compile(r"\bfw_[A-Za-z0-9]{20,}"),
    "perplexity": re.compile(r"\bpplx-[A-Za-z0-9]{20,}"),
    "nvidia": re.compile(r"\bnvapi-[\w-]{20,}"),
    "aws": re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    "github": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})"),
    "slack": re.compile(r"\bxox[abprs]-[\w-]{10,}"),
    "private key": re.compile(r"-----BEGIN (?:[A-Z ]+ )?PRIVATE KEY-----"),
}
"""Whose key -> its shape."""
MODEL_KEYS = frozenset({"anthropic", "openrouter", "openai", "google", "groq", "replicate", "xai", "fireworks",
                        "perplexity", "nvidia"})  # fmt: skip
"""Those that open a model elsewhere."""
_ASSIGNED = re.compile(
    r"(?P<name>\b\w{0,40}(?:API_?KEY|ACCESS_KEY(?:_ID)?|TOKEN|SECRET(?:_KEY)?|PASSWORD|PASSWD|CREDENTIALS?|AUTH(?!OR))\w{0,20})"
    r"(?P<sign>['\"]?\s*[=:]\s*['\"]?)(?P<value>[^\s'\"$,;)]{6,})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(?P<name>\b(?:Bearer|Basic|token))(?P<sign>\s+)(?P<value>[\w.+/=~-]{12,})")
_DUMMY = re.compile(
    r"(?i)empty|none|null|dummy|fake|test|example|placeholder|changeme|your|local|xxx|\.\.\.|<|\{|os\.|get|environ|"
    r"not.?needed|unused|token.?abc|anything|true|false|ollama|vllm|sk-1234|abc123|self\.|args\.|tokeniz|max|num|pad|"
    r"config|\[|\("
)
_SEEN = 4


def masked(text: str) -> str:
    """Return a text with what is shaped like a key, or assigned to a name of one, cut to a few characters.

    >>> masked("export GROQ_API_KEY=gsk_abcdefghijklmnopqrstuvwxyz")
    'export GROQ_API_KEY=gsk_… (30 characters)'
    >>> masked("api_key='EMPTY'"), masked("DB_PASSWORD=hunter2hunter2")
    ("api_key='EMPTY'", 'DB_PASSWORD=hunt… (14 characters)')
    """
    for shape in SHAPES.values():
        text = shape.sub(lambda found: _cut(found[0]), text)
    return _BEARER.sub(_hidden, _ASSIGNED.sub(_hidden, text))


def _cut(key: str) -> str:
    return f"{key[:_SEEN]}… ({len(key)} characters)"


def _hidden(found: re.Match[str]) -> str:
    value = found["value"]
    if "…" in value or is_dummy(value):
        return found[0]
    return f"{found['name']}{found['sign']}{_cut(value)}"


def is_dummy(value: str) -> bool:
    """Say whether a value stands where a key would and is none: `EMPTY`, `your-key`, a number."""
    return bool(_DUMMY.search(value)) or value.isdigit() or len(set(value)) < 3


def keys_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield (whose, key) for what is shaped like a key, dummies left out.

    >>> list(keys_in("k = 'sk-1234567890abcdefghij1234'")), list(keys_in("sk-your-key-goes-here-please"))
    ([], [])
    """
    for owner, shape in SHAPES.items():
        for found in shape.finditer(text):
            if not is_dummy(found[0]) and (any(one.isdigit() for one in found[0]) or owner == "private key"):
                yield owner, found[0]


def shows_keys(output: str) -> bool:
    """Say whether what came back holds a key by its shape, or a value of a name of one.

    >>> shows_keys("PATH=/bin\\nOPENAI_API_KEY=sk-x9f8e7d6c5b4a3210abcd"), shows_keys("PATH=/bin\\nHOME=/root")
    (True, False)
    """
    return any(True for _ in keys_in(output)) or any(
        not is_dummy(found["value"]) for found in _ASSIGNED.finditer(output)
    )
