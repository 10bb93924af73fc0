"""Which hosts are external models: those that the rules name, with a list of the known ones under the name `default`.

A machine's own servers never are: loopback, private addresses, names without a dot. A host that is neither named nor
allowed stays open.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

DEFAULT = "default"
"""The name by which a list of hosts takes in `KNOWN_HOSTS`."""
KNOWN_HOSTS: dict[str, tuple[str, ...]] = {
    "openai": ("api.openai.com", "*.api.openai.com", "chatgpt.com", "chat.openai.com"),
    "azure": ("*.openai.azure.com", "*.services.ai.azure.com", "*.cognitiveservices.azure.com",
              "models.inference.ai.azure.com", "*.models.ai.azure.com"),
    "github": ("models.github.ai", "api.githubcopilot.com", "*.githubcopilot.com"),
    "anthropic": ("api.anthropic.com", "claude.ai"),
    "google": ("generativelanguage.googleapis.com", "*aiplatform.googleapis.com", "gemini.google.com",
               "cloudcode-pa.googleapis.com"),
    "bedrock": ("bedrock-runtime.*.amazonaws.com", "bedrock.*.amazonaws.com", "bedrock-runtime-fips.*.amazonaws.com",
                "runtime.sagemaker.*.amazonaws.com"),
    "cohere": ("api.cohere.com", "api.cohere.ai"),
    "mistral": ("api.mistral.ai", "codestral.mistral.ai"),
    "together": ("api.together.xyz", "api.together.ai"),
    "groq": ("api.groq.com",),
    "openrouter": ("openrouter.ai", "api.openrouter.ai"),
    "huggingface": ("api-inference.huggingface.co", "router.huggingface.co", "*.endpoints.huggingface.cloud",
                    "*.hf.space"),
    "replicate": ("api.replicate.com",),
    "fireworks": ("api.fireworks.ai",),
    "deepseek": ("api.deepseek.com", "chat.deepseek.com"),
    "xai": ("api.x.ai", "*.api.x.ai"),
    "perplexity": ("api.perplexity.ai",),
    "nvidia": ("integrate.api.nvidia.com", "ai.api.nvidia.com"),
    "cerebras": ("api.cerebras.ai",),
    "sambanova": ("api.sambanova.ai",),
    "deepinfra": ("api.deepinfra.com",),
    "anyscale": ("api.endpoints.anyscale.com",),
    "novita": ("api.novita.ai",),
    "hyperbolic": ("api.hyperbolic.xyz",),
    "nebius": ("api.studio.nebius.ai", "api.studio.nebius.com", "api.tokenfactory.nebius.com"),
    "moonshot": ("api.moonshot.ai", "api.moonshot.cn"),
    "zhipu": ("open.bigmodel.cn", "api.z.ai"),
    "dashscope": ("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"),
    "volcengine": ("ark.cn-beijing.volces.com",),
    "siliconflow": ("api.siliconflow.cn", "api.siliconflow.com"),
    "minimax": ("api.minimax.chat", "api.minimaxi.com", "api.minimax.io"),
    "baidu": ("aip.baidubce.com", "qianfan.baidubce.com"),
    "ai21": ("api.ai21.com",),
    "writer": ("api.writer.com",),
    "databricks": ("*.cloud.databricks.com", "*.azuredatabricks.net"),
    "cloudflare": ("gateway.ai.cloudflare.com",),
    "vercel": ("ai-gateway.vercel.sh",),
    "portkey": ("api.portkey.ai",),
    "helicone": ("oai.helicone.ai", "gateway.helicone.ai", "anthropic.helicone.ai"),
    "ollama": ("ollama.com", "api.ollama.com"),
    "poe": ("api.poe.com",),
    "pollinations": ("text.pollinations.ai", "gen.pollinations.ai"),
    "voyage": ("api.voyageai.com",),
    "jina": ("api.jina.ai",),
    "aimlapi": ("api.aimlapi.com",),
    "chutes": ("llm.chutes.ai",),
    "lambda": ("api.lambda.ai", "api.lambdalabs.com"),
    "baseten": ("inference.baseten.co", "*.api.baseten.co"),
    "modal": ("*.modal.run",),
    "runpod": ("api.runpod.ai", "*.proxy.runpod.net"),
}  # fmt: skip
"""Who serves -> hosts; `*` stands for any part."""
HOST = re.compile(r"(?:(?:https?|wss?)://(?:[^/\s@'\"]*@)?)?(\[[0-9a-fA-F:]+\]|[\w*-]+(?:\.[\w*-]+)+|localhost)")
_URL = re.compile(r"(?:https?|wss?)://(?:[^/\s@'\"]*@)?(\[[0-9a-fA-F:]+\]|[^/\s:'\"`?#)>\\]+)")
_OWN = re.compile(
    r"^(?:localhost|.*\.localhost|0\.0\.0\.0|host\.docker\.internal|.*\.(?:local|internal|lan|svc|cluster))$"
)
_LOCAL_INTERNAL = "metadata.google.internal"

Side = Literal["external", "own", "unnamed", "unknown"]


@dataclass(frozen=True, eq=True)
class ExternalHosts:
    """What the rules say of hosts: patterns that count as external models, and patterns that do not."""

    external: tuple[str, ...] = (DEFAULT,)
    allowed: tuple[str, ...] = ()

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """Return the external patterns, `default` written out."""
        known = [one for hosts in KNOWN_HOSTS.values() for one in hosts]
        every = [p for one in self.external for p in (known if one == DEFAULT else [bare(one)])]
        return tuple(dict.fromkeys(every))

    @cached_property
    def _is_external(self) -> re.Pattern[str]:
        return re.compile("|".join(map(_pattern, self.patterns)) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _is_allowed(self) -> re.Pattern[str]:
        return re.compile("|".join(_pattern(bare(one)) for one in self.allowed) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        every = "|".join(_pattern(one) for one in self.patterns)
        return re.compile(rf"(?<![\w.-])(?:{every})(?![\w-]|\.[A-Za-z0-9])" if every else r"(?!)", re.IGNORECASE)

    def side(self, host: str) -> Side:
        """Say on which side a host stands; `unknown` where it is not in sight.

        >>> hosts = ExternalHosts(allowed=("teacher.example.org",))
        >>> [hosts.side(one) for one in ("api.openai.com", "127.0.0.1", "teacher.example.org", "a.example", "")]
        ['external', 'own', 'own', 'unnamed', 'unknown']
        """
        host = host.lower().strip("[]").rstrip(".")
        if not host or "\0" in host or "$" in host or "{" in host:
            return "unknown"
        if self._is_allowed.fullmatch(host):
            return "own"
        if self._is_external.fullmatch(host):
            return "external"
        return "own" if is_own(host) else "unnamed"

    def found(self, text: str) -> list[tuple[int, int, str]]:
        """Return (start, end, host) of each external host in a text.

        >>> ExternalHosts().found("curl https://api.openai.com/v1")
        [(13, 27, 'api.openai.com')]
        """
        return [
            (one.start(), one.end(), one[0].lower())
            for one in self._anywhere.finditer(text)
            if not self._is_allowed.fullmatch(one[0])
        ]


def bare(named: str) -> str:
    """Return the host of a pattern that a person wrote, without scheme, port and path.

    >>> bare("https://api.example.com:443/v1"), bare("*.example.com")
    ('api.example.com', '*.example.com')
    """
    host = named.strip().lower().rpartition("://")[2].partition("/")[0]
    return host if host.startswith("[") else host.partition(":")[0]


def _pattern(named: str) -> str:
    return re.escape(named).replace(r"\*", r"[\w.-]*")


def is_own(host: str) -> bool:
    """Say whether a host is of this machine or its own network.

    >>> [is_own(one) for one in ("localhost", "10.1.2.3", "::1", "node7", "8.8.8.8", "169.254.169.254")]
    [True, True, True, True, False, False]
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host != _LOCAL_INTERNAL and ("." not in host or bool(_OWN.match(host)))
    return address.is_loopback or address.is_unspecified or (address.is_private and not address.is_link_local)


def host_of(url: str) -> str:
    """Return the host of an address, empty where it has none.

    >>> host_of("https://user:x@api.openai.com:443/v1"), host_of("api.openai.com/v1"), host_of("localhost:8000")
    ('api.openai.com', 'api.openai.com', 'localhost')
    """
    found = _URL.match(url.strip())
    if found:
        return found[1].lower()
    plain = url.strip().partition("/")[0].partition(":")[0].lower()
    return plain if re.fullmatch(r"[\w.-]+", plain) and ("." in plain or plain == "localhost") else ""


def hosts_in(text: str) -> list[str]:
    """Return the hosts of all addresses in a text.

    >>> hosts_in("curl http://localhost:8000/v1 -x https://a.b/")
    ['localhost', 'a.b']
    """
    return [found[1].lower() for found in _URL.finditer(text)]
