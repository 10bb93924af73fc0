"""Calls of models in shell commands: addresses that are asked, programs that ask by themselves, ways through others.

A command that only prints or writes a host asks nothing. What a program that was there before does is not in sight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.contamination.conduct.decoding import hidden_texts
from fairtrial.contamination.conduct.leads import Certainty, Lead
from fairtrial.contamination.conduct.pieces import Piece, line_with
from fairtrial.contamination.conduct.shell_variables import expanded
from fairtrial.contamination.usage.clients import ANTHROPIC, GOOGLE, OPENAI, host_of_model
from fairtrial.contamination.usage.configured import leads_of_settings
from fairtrial.contamination.usage.hosts import ExternalHosts, host_of, hosts_in
from fairtrial.contamination.usage.programs import MODEL_PATH

FETCHERS = frozenset({"curl", "wget", "http", "https", "xh", "httpie", "aria2c", "nc", "ncat", "telnet", "openssl",
                      "socat", "ssh", "websocat", "wscat", "grpcurl", "curlie", "axel", "lynx", "w3m", "hey", "ab",
                      "autossh", "stunnel", "nginx", "caddy", "mitmproxy", "mitmdump", "cloudflared", "proxychains",
                      "proxychains4", "torsocks", "iptables", "socks5"})  # fmt: skip
TUNNELS = frozenset(
    {"ssh", "autossh", "socat", "stunnel", "ncat", "nginx", "caddy", "mitmproxy", "mitmdump", "iptables"}
)
_SAYING_NAMES = (
    "echo printf cat grep rg sed awk ls which find git tee head tail less cd mkdir rm cp mv touch true : egrep jq "
    "ping dig nslookup host traceroute export man test ["
)
_SAYING = frozenset(_SAYING_NAMES.split())
ALONE: dict[str, str] = {
    "openai": OPENAI, "claude": ANTHROPIC, "claude-code": ANTHROPIC, "codex": OPENAI, "gemini": GOOGLE,
    "gemini-cli": GOOGLE, "chatgpt": OPENAI, "sgpt": OPENAI, "tgpt": "chatgpt.com", "aichat": OPENAI, "mods": OPENAI,
    "aider": OPENAI, "anthropic": ANTHROPIC, "cohere": "api.cohere.com", "replicate": "api.replicate.com",
    "together": "api.together.xyz", "groq": "api.groq.com", "opencode": "", "goose": "", "crush": "",
    "cursor-agent": "", "amp": "", "qwen": "dashscope.aliyuncs.com", "llm": OPENAI, "ttok": "", "oterm": "",
    "interpreter": OPENAI, "gptme": OPENAI, "copilot": "api.githubcopilot.com",
}  # fmt: skip
"""Programs that ask a model by themselves -> where; empty where it depends on their settings."""
_NPM = {"@anthropic-ai/claude-code": "claude", "@openai/codex": "codex", "@google/gemini-cli": "gemini"}
_HARMLESS_WORDS = frozenset({"--version", "-v", "-V", "--help", "-h", "help", "version", "models", "keys", "logs",
                             "config", "completion", "doctor", "update", "mcp", "plugins", "aliases"})  # fmt: skip
_TAKES_MODEL = frozenset({"inspect", "lm_eval", "lm-eval", "litellm", "promptfoo", "aider", "llm", "aichat", "mods",
                          "distilabel", "dspy", "opencode", "goose", "crush", "interpreter", "gptme", "vf-eval",
                          "evalplus.evaluate", "evalplus.codegen", "helm-run", "lighteval", "swe-agent", "mini",
                          "harbor", "tb", "data-designer", "bespoke"})  # fmt: skip
_MODEL_OPTIONS = (
    "--model",
    "-m",
    "--models",
    "--judge-model",
    "--grader-model",
    "--model-name",
    "--llm",
    "--weak-model",
)
_URL_OPTIONS = re.compile(
    r"(?:--?(?:api[_-]?base|base[_-]?url|model-base-url|openai-api-base|server|endpoint|url|host)[= ]|"
    r"(?:api_base|base_url)=)['\"]?(\S+?)(?=['\",\s]|$)"
)
_OWN_VARIABLES = (
    "OPENAI_BASE_URL",
    "OPENAI_API_BASE",
    "ANTHROPIC_BASE_URL",
    "LLM_BASE_URL",
    "INSPECT_EVAL_MODEL_BASE_URL",
)
_ANTHROPICS = re.compile(r"^claude|^anthropic|^gemini")
_FORWARD = re.compile(r"\s-\w*L\s*(?:[\w.*]+:)?\d+:([\w.\[\]-]+):\d+")
_SSH = re.compile(r"\b(?:auto)?ssh\s[^;&|\n]*")
_SSH_HOST = re.compile(r"(?:[\w.-]+@|(?<=\s))([\w-]+(?:\.[\w-]+)+)(?=\s|$)")


def leads_of_command(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield the leads of one command."""
    words, name = piece.words, _NPM.get(piece.words[0] if piece.words else "", piece.program)
    if name == "gh" and words[1:2] in (("models",), ("copilot",)):
        yield from _asked(piece, "models.github.ai", hosts, piece.text)
    elif name == "aws" and words[1:2] and re.match(r"bedrock(?:-agent)?-runtime$|sagemaker-runtime$", words[1]):
        yield from _asked(piece, "bedrock-runtime.us-east-1.amazonaws.com", hosts, piece.text)
    elif name == "gcloud" and re.search(r"\bai (?:endpoints predict|endpoints raw-predict|model-garden)", piece.text):
        yield from _asked(piece, "us-central1-aiplatform.googleapis.com", hosts, piece.text)
    elif name == "ollama":
        yield from _of_ollama(piece, hosts)
    elif name in ALONE or name in _TAKES_MODEL or words[1:3] == ("-m", "inspect_ai"):
        yield from _of_asker(piece, name, hosts)
    elif words[1:2] == ("-m",) and words[2:3] and words[2] in (*ALONE, *_TAKES_MODEL):
        yield from _of_asker(piece, words[2], hosts)
    if name in _SAYING:
        return
    yield from leads_of_settings(piece, hosts, name in ALONE or name in _TAKES_MODEL)
    yield from _of_addresses(piece, name, hosts)


def _of_addresses(piece: Piece, name: str, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield external hosts among the words; a path of models at a host that is not named; tunnels."""
    is_asking = name in FETCHERS
    text = " ".join(piece.words)
    seen: set[str] = set()
    for start, end, host in hosts.found(text):
        if host not in seen:
            seen.add(host)
            how = "opens a way to a model at" if name in TUNNELS else "asks a model at"
            sure: Certainty = piece.certainty() if is_asking else "mention"
            yield piece.lead("model_api", f"{how} {host}" if is_asking else f"names {host}",
                             text[max(0, start - 80) : end + 80], host=host, certainty=sure)  # fmt: skip
    for one in piece.words[1:] if is_asking else ():
        held = piece.around.file(one.lstrip("@")) if len(one) < 300 else None
        for start, end, host in hosts.found(held or ""):
            if host not in seen:
                seen.add(host)
                yield piece.lead("model_api", f"asks a model at {host}, by a file", line_with(held or "", start, end),
                                 host=host)  # fmt: skip
    if not seen and is_asking:
        for one in piece.words[1:]:
            if MODEL_PATH.search(one) and hosts.side(host_of(one)) in ("unnamed", "unknown"):
                yield from _asked(piece, host_of(one) if hosts.side(host_of(one)) == "unnamed" else "", hosts, one)


def _of_tunnels(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield ports that are forwarded to or through a host that is external, or that the rules do not name."""
    for found in _SSH.finditer(piece.text):
        forward = _FORWARD.search(found[0])
        if forward is None:
            continue
        through = next((one[1] for one in _SSH_HOST.finditer(found[0])), "")
        for host in dict.fromkeys((forward[1], through)):
            side = hosts.side(host) if host else "own"
            if side == "external":
                yield piece.lead("model_api", f"opens a way to a model at {host}", found[0], host=host)
                break
            elif side == "unnamed":
                yield piece.lead("model_api", f"forwards a port through {host}, which the rules neither name nor allow",
                                 found[0], host=host, certainty="unnamed")  # fmt: skip


def _of_ollama(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield models that ollama has elsewhere, and servers of it that are elsewhere."""
    if piece.words[1:2] in (("run",), ("launch",)) and any(re.search(r"[:-]cloud$", one) for one in piece.words[2:]):
        yield from _asked(piece, "ollama.com", hosts, piece.text)
    elsewhere = piece.variables.get("OLLAMA_HOST", "")
    if piece.words[1:2] == ("run",) and elsewhere and hosts.side(host_of(elsewhere)) != "own":
        yield from _asked(piece, host_of(elsewhere), hosts, f"OLLAMA_HOST={elsewhere} {piece.text}")


def _of_asker(piece: Piece, name: str, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield where a program goes that asks models by itself: by its options, its variables, its model's name."""
    words, text = piece.words, " ".join(piece.words)
    if len(words) > 1 and all(one in _HARMLESS_WORDS or one.startswith("-") for one in words[1:]) and any(
        one in _HARMLESS_WORDS for one in words[1:]
    ):  # fmt: skip
        return
    if words[1:2] and words[1] in _HARMLESS_WORDS:
        return
    stated = _URL_OPTIONS.search(text)
    sent = [one for one in _OWN_VARIABLES if piece.variables.get(one)]
    variable = next((piece.variables[one] for one in sent if _ANTHROPICS.search(name) is None or "ANTH" in one), "")
    models = [words[n + 1] for n, one in enumerate(words[:-1]) if one in _MODEL_OPTIONS]
    models += [one.partition("=")[2] for one in words if one.startswith(_MODEL_OPTIONS) and "=" in one]
    if "--oss" in words or re.search(r"\blocal-(?:chat-)?completions\b", text):
        models.append("local/model")
    if stated is not None or variable:
        host = host_of(stated[1] if stated is not None else variable)
        if hosts.side(host) != "own":
            yield from _asked(piece, host, hosts, text)
        return
    if name in ("lm_eval", "lm-eval") and models and re.match(r"(?:openai|anthropic)-", models[0]):
        models = ["gpt-4"] if models[0].startswith("openai") else ["claude-3"]
    named = [host_of_model(one.strip("'\"")) for one in models]
    if known := [one for one in named if one is not None]:
        for host in {one for one in known if one}:
            yield from _asked(piece, host, hosts, text)
    elif ALONE.get(name):
        yield from _asked(piece, ALONE[name], hosts, text)
    elif name in ALONE and len(words) > 1:
        yield from _asked(piece, "", hosts, text)


def _asked(piece: Piece, host: str, hosts: ExternalHosts, quote: str) -> Iterator[Lead]:
    side = hosts.side(host)
    if side == "own":
        return
    if side == "external":
        yield piece.lead("model_api", f"asks a model at {host}", quote, host=host)
    elif side == "unnamed":
        yield piece.lead("model_api", f"asks a model at {host}, which the rules neither name nor allow", quote,
                         host=host, certainty="unnamed")  # fmt: skip
    else:
        yield piece.lead("model_api", "asks a model, and where is not in sight", quote, certainty="unresolved")


def leads_of_line(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield hosts hidden in a line that fetches, ports forwarded, and hosts to which variables send a client."""
    yield from _of_tunnels(piece, hosts)
    line = piece.text
    named = {host for _, _, host in hosts.found(line)}
    is_fetching = any(
        re.search(rf"\b{one}\b", line) for one in ("curl", "wget", "python", "node", "http", "sh", "bash")
    )
    hidden = [(line, expanded(line, piece.variables)), *hidden_texts(line)] if is_fetching else []
    for code, plain in hidden:
        for _, _, host in hosts.found(plain):
            if host not in named:
                named.add(host)
                yield piece.lead("model_api", f"holds {host}, hidden by its spelling", code, host=host)
    for name in _OWN_VARIABLES:
        for value in re.findall(rf"\b{name}=['\"]?([^\s'\";]+)", line):
            for host in hosts_in(value):
                if hosts.side(host) == "external":
                    yield piece.lead("model_api", f"sends clients to {host} by {name}", f"{name}={value}", host=host,
                                     certainty="mention")  # fmt: skip
