"""Calls of models in programs of other languages than Python: by addresses, by the names of libraries, by variables.

By patterns, with names followed to the literals they are given. Not covered: addresses that are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from fairtrial.contamination.conduct.decoding import hidden_texts
from fairtrial.contamination.conduct.leads import Certainty, Lead
from fairtrial.contamination.conduct.pieces import Piece, line_at, line_with
from fairtrial.contamination.usage.clients import ANTHROPIC, GOOGLE, OPENAI
from fairtrial.contamination.usage.hosts import ExternalHosts, host_of, hosts_in
from fairtrial.contamination.usage.programs import MODEL_PATH

SENDS_CODE = re.compile(
    r"\b(?:fetch|axios|got|ky|needle|superagent|undici|request|http\.(?:Get|Post|NewRequest|Client)|https?\.(?:get|request)|"
    r"Net::HTTP|Faraday|HTTParty|RestClient|curl_init|curl_exec|file_get_contents|LWP|HTTP::Tiny|reqwest|ureq|"
    r"HttpClient|HttpRequest|OkHttp|POST|httr|WebSocket|Bun\.fetch|Invoke-(?:RestMethod|WebRequest)|irm|iwr|URLSession|"
    r"ktor|Req\.(?:get|post)|HTTPoison|Finch|download\.file|req_perform|Start-BitsTransfer|ProcessBuilder|sttp|requests\.(?:get|post)|libcurl|curl_easy\w*|urlopen|dio|exec(?:Sync)?|system)\b"
)
_MAKERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), host)
    for pattern, host in (
        (r"\bnew\s+(?:OpenAI|OpenAIApi|ChatOpenAI)\s*\(", OPENAI),
        (r"\bnew\s+AzureOpenAI\s*\(", "openai.azure.com"),
        (r"\bnew\s+(?:Anthropic|ChatAnthropic)\s*\(", ANTHROPIC),
        (r"\bnew\s+(?:GoogleGenerativeAI|GoogleGenAI|ChatGoogleGenerativeAI)\s*\(", GOOGLE),
        (r"\bnew\s+(?:VertexAI)\s*\(", "us-central1-aiplatform.googleapis.com"),
        (r"\bnew\s+(?:Groq|ChatGroq)\s*\(", "api.groq.com"),
        (r"\bnew\s+(?:Mistral|MistralClient|ChatMistralAI)\s*\(", "api.mistral.ai"),
        (r"\bnew\s+(?:CohereClient|CohereClientV2)\s*\(", "api.cohere.com"),
        (r"\bnew\s+Together\s*\(", "api.together.xyz"),
        (r"\bnew\s+Replicate\s*\(", "api.replicate.com"),
        (r"\bnew\s+(?:HfInference|InferenceClient)\s*\(", "router.huggingface.co"),
        (r"\bnew\s+BedrockRuntimeClient\s*\(", "bedrock-runtime.us-east-1.amazonaws.com"),
        (r"\b(?:createOpenAI|openai)\s*\(\s*(?=['\"{])", OPENAI),
        (r"\b(?:createAnthropic|anthropic)\s*\(\s*(?=['\"{])", ANTHROPIC),
        (r"\b(?:createGoogleGenerativeAI|google)\s*\(\s*(?=['\"{])", GOOGLE),
        (r"\bopenai\.NewClient(?:WithConfig)?\s*\(", OPENAI),
        (r"\bOpenAI::Client\.new\b", OPENAI),
        (r"\bAnthropic::Client\.new\b", ANTHROPIC),
    )
)
_ADDRESS = re.compile(
    r"(?:baseURL|baseUrl|base_url|basePath|endpoint|uri_base|BaseURL|host|azureEndpoint|configuration)['\"]?\s*[:=]\s*"
    r"(?:process\.env\.(\w+)\s*(?:\|\||\?\?)?\s*)?(?:['\"`]([^'\"`\n]{1,300})['\"`]|([A-Za-z_]\w*))?"
)
_KNOWN = re.compile(
    r"\b(?:const|let|var|my|val|final|string)?\s*[$@]?([A-Za-z_]\w*)\s*:?=\s*['\"`]([^'\"`\n]{1,300})['\"`]"
)
_FILLED = re.compile(
    r"\$\{(\w+)\}|#\{(\w+)\}|['\"`]\s*[+.]\s*\$?(\w+)\s*[+.]\s*['\"`]|(?<=[=(,])\s*(\w+)\s*\+\s*['\"`]"
)
_OUTSIDE = re.compile(
    r"\bprocess\.env\b|\bDeno\.env\b|\bos\.(?:Getenv|LookupEnv)\b|\benv::var\b|\bSystem\.getenv\b|\bENV\[|\bgetenv\(|"
    r"\$ENV\{|\$env:|\bSys\.getenv\b|\bargv\b|\bos\.Args\b|\benv::args\b|\bENV\.fetch\b|\bEnvironment\.GetEnv"
)
"""Where a program takes from what is not in its text."""
_COMMENT = re.compile(r"(?<![:'\"`\w])//[^\n]*|^[ \t]*#(?!!)[^\n{]*$", re.MULTILINE)
_MOST = 200_000
_ARGUMENTS = 600
MOST_CLIENTS = 200


def leads_of_code(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield the leads of a program in another language."""
    text = _without_comments(piece.text[:_MOST])
    known = dict(_KNOWN.findall(text))
    for maker, host in _MAKERS:
        for found in islice(maker.finditer(text), MOST_CLIENTS):
            yield from _of_client(piece, text, found, host, known, hosts)
    filled = _FILLED.sub(lambda m: known.get(next(one for one in m.groups() if one), m[0]), text)
    sends = bool(SENDS_CODE.search(text))
    seen: set[str] = set()
    for version in dict.fromkeys((text, filled)):
        for start, end, host in hosts.found(version):
            if host not in seen:
                seen.add(host)
                claim = f"asks a model at {host}" if sends else f"names {host}"
                sure: Certainty = piece.certainty() if sends else "mention"
                yield piece.lead("model_api", claim, line_with(version, start, end), host=host, certainty=sure,
                                 line=line_at(version, start))  # fmt: skip
    for code, plain in hidden_texts(text) if sends else ():
        for _, _, host in hosts.found(plain):
            if host not in seen:
                seen.add(host)
                yield piece.lead("model_api", f"holds {host}, hidden by its spelling", code[:120], host=host)
    if sends and not seen:
        yield from _of_paths(piece, filled, hosts)


def _of_client(
    piece: Piece, text: str, found: re.Match[str], host: str, known: dict[str, str], hosts: ExternalHosts
) -> Iterator[Lead]:
    """Yield where one client goes: by the address among its arguments, a variable, or by itself."""
    given = text[found.end() : found.end() + _ARGUMENTS]
    stated = _ADDRESS.search(given.partition(");")[0])
    where = host
    if stated is not None:
        variable, literal, name = stated.groups()
        where = host_of(piece.variables.get(variable or "", "") or literal or known.get(name or "", ""))
    elif host == OPENAI and piece.variables.get("OPENAI_BASE_URL"):
        where = host_of(piece.variables["OPENAI_BASE_URL"])
    side, line = hosts.side(where), line_at(text, found.start())
    quote = line_with(text, found.start(), found.end())
    if side == "external":
        yield piece.lead("model_api", f"asks a model at {where}", quote, host=where, line=line)
    elif side != "own":
        open_side: Certainty = "unnamed" if side == "unnamed" else "unresolved"
        yield piece.lead("model_api", "asks a model at a host that is not named or not in sight", quote,
                         host=where if side == "unnamed" else "", certainty=open_side, line=line)  # fmt: skip


def _of_paths(piece: Piece, text: str, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield requests by a path of models to hosts that are not named, or that come from outside the program."""
    for found in re.finditer(r"https?://[^\s'\"`<>)]+", text):
        host = host_of(found[0])
        if MODEL_PATH.search(found[0]) and hosts.side(host) == "unnamed":
            yield piece.lead("model_api", f"asks a model at {host}, which the rules neither name nor allow", found[0],
                             host=host, certainty="unnamed", line=line_at(text, found.start()))  # fmt: skip
    if any(hosts.side(host) == "own" for host in hosts_in(text)):
        return
    for found in MODEL_PATH.finditer(text):
        line = line_with(text, *found.span())
        name = re.search(r"\$\{(\w+)\}|(\w+)\s*[+,.]", line.partition(found[0])[0])
        set_by = text if name is None else "\n".join(re.findall(
            rf"^.*\b{name[1] or name[2]}\s*(?:,\s*\w+\s*)?(?::\s*\w+\s*)?:?=.*$", text, re.MULTILINE))  # fmt: skip
        variable = next((one for one in re.findall(r"\w{3,}", f"{line} {set_by}") if one in piece.variables), "")
        if variable and hosts.side(host_of(piece.variables[variable])) == "own":
            continue
        if _OUTSIDE.search(line) or _OUTSIDE.search(set_by):
            yield piece.lead("model_api", "asks a model, and where is not in sight", line, certainty="unresolved",
                             line=line_at(text, found.start()))  # fmt: skip
            return


def _without_comments(text: str) -> str:
    """Return code with its comments blanked; addresses keep their slashes."""
    parts, at = list[str](), 0
    while (start := text.find("/*", at)) >= 0 and (end := text.find("*/", start + 2)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 2
    parts.append(text[at:])
    return _COMMENT.sub("", "".join(parts))
