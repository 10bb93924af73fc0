"""Calls of models in Python programs: clients and where they go, requests and their addresses, libraries never called.

Where an address is computed, so that no host is in sight, the call is told as unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fairtrial.contamination.conduct.decoding import hidden_texts
from fairtrial.contamination.conduct.leads import Certainty, Lead
from fairtrial.contamination.conduct.pieces import Piece
from fairtrial.contamination.conduct.python_reading import Called, Program
from fairtrial.contamination.conduct.python_values import HOLE, UNKNOWN, Made, Nothing, Table, Texts, Value, texts_of
from fairtrial.contamination.usage.clients import PACKAGES, Client, client_of, host_of_model
from fairtrial.contamination.usage.hosts import ExternalHosts, host_of

NETWORK = re.compile(
    r"^(?:requests|httpx|urllib|urllib2|urllib3|aiohttp|http|socket|ssl|websockets?|pycurl|grequests|curl_cffi|"
    r"httplib2|niquests|treq|asks|tornado|asyncio|paramiko|sshtunnel|openai|anthropic|wget)\b"
)
SENDS = re.compile(r"\.(?:get|post|put|request|urlopen|stream|send|connect|create_connection|urlretrieve|"
                   r"HTTPS?Connection|open_connection|ws_connect|fetch|SSHTunnelForwarder|Request)$")  # fmt: skip
_SENT = re.compile(r"\.(?:get|post|put|request|urlopen|urlretrieve|fetch|create_connection|ws_connect)$")
MODEL_PATH = re.compile(
    r"/chat/completions\b|/v1/(?:completions|messages|responses|embeddings|rerank)\b|:(?:stream)?[gG]enerateContent\b|"
    r"/api/(?:generate|chat)\b|/model/[\w.:-]+/(?:invoke|converse)\b|/v1beta/models\b|/openai/deployments/"
)
"""Paths by which servers of models are asked."""
_ASKING = re.compile(
    r"\.(?:chat\.completions\.(?:create|parse|stream)|messages\.(?:create|stream)|responses\.(?:create|parse)|"
    r"generate_content(?:_async)?|models\.generate_content|chat_completion|invoke_model|converse)$"
)
_QUIET = re.compile(r"\.(?:close|with_options|copy|api_key)$")
_MODEL_SETTINGS = frozenset({"model", "max_tokens", "temperature", "max_new_tokens", "top_p", "stream"})
_COMMANDS = re.compile(r"(?:^|\.)(?:run|Popen|call|check_call|check_output|system|popen|getoutput)$")


def leads_of_program(piece: Piece, program: Program, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield the leads of one program."""
    found: list[Lead] = []
    clients = 0
    for called in program.calls:
        client = client_of(called.name)
        if client is not None:
            clients += 1
            found += _of_client(piece, program, called, client, hosts)
        elif called.name.startswith("boto3.") and called.last == "client" and _is_bedrock(called):
            clients += 1
            found += _at(piece, called, "bedrock-runtime.us-east-1.amazonaws.com", hosts, called.name)
        elif NETWORK.match(called.name) or SENDS.search(f".{called.last}"):
            found += _of_request(piece, called, hosts)
    if not clients:
        found += _of_strangers(piece, program)
    named = {one.host for one in found}
    found += _of_texts(piece, program, hosts, named)
    yield from found
    yield from _imports(piece, program)


def quoted(piece: Piece, line: int) -> str:
    """Return a line of a program, as it stands."""
    lines = piece.text.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else piece.text[:200]


def _sure(piece: Piece, called: Called) -> Certainty:
    """Return how sure a call is: what only makes a client or a request asks nothing until that is used."""
    if called.is_dormant or not (called.is_used or _is_sent(called)):
        return "mention"
    return piece.certainty()


def _is_sent(called: Called) -> bool:
    """Say whether a call asks by itself, whatever becomes of what it gives."""
    client = client_of(called.name)
    return client.asks_at_once if client is not None else bool(_SENT.search(f".{called.last}"))


def _of_client(piece: Piece, program: Program, called: Called, client: Client, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield where one client goes."""
    model = called.named.get("model", called.named.get("model_name", _nth(called, client.model_at)))
    if client.host == "hf.space":
        space = texts_of(_nth(called, 0))
        for one in space or ("",):
            owned = one.replace("/", "-").lower()
            yield from _at(piece, called, host_of(one) if "://" in one or not one else f"{owned}.hf.space", hosts, one)
        return
    stated = _stated(called, client, program)
    addresses = texts_of(stated)
    if any("/" in one and "://" not in one for one in addresses) and "InferenceClient" in called.name:
        addresses, stated = (), Nothing()
    if addresses:
        for one in addresses:
            yield from _at(piece, called, "" if HOLE in host_of(one) else host_of(one), hosts, one)
        return
    if stated == UNKNOWN:
        yield from _at(piece, called, "", hosts, called.name)
        return
    default = _by_default(client, texts_of(model), model)
    if default is None or default:
        yield from _at(piece, called, default or "", hosts, called.name)


def _by_default(client: Client, models: tuple[str, ...], model: Value) -> str | None:
    """Return where a client goes that has no address; empty for this machine, None where it is not in sight."""
    by_name = [host_of_model(one) for one in models]
    if client.is_local:
        return "ollama.com" if any(re.search(r"[:-]cloud$", one) for one in models) else ""
    if client.host:
        return client.host
    if isinstance(model, Made):
        return ""
    known = [one for one in by_name if one is not None]
    return next((one for one in known if one), known[0] if known else None)


def _stated(called: Called, client: Client, program: Program) -> Value:
    """Return the address that a client is given; Nothing where it is given none, UNKNOWN where it is not in sight."""
    tables = [one for one in called.named.values() if isinstance(one, Table)]
    for given in (called.named, *(table.entries for table in tables)):
        for name in client.urls:
            if name in given and given[name] != Nothing():
                held = given[name]
                return held if isinstance(held, Texts) else UNKNOWN
    if client.at is not None and called.given and texts_of(called.given[client.at]):
        return called.given[client.at]
    for name in ("api_base", "base_url"):
        if client.asks_at_once and f"openai.{name}" in program.settings:
            return program.settings[f"openai.{name}"]
        if client.asks_at_once and f"litellm.{name}" in program.settings:
            return program.settings[f"litellm.{name}"]
    held_by = [program.variables[name] for name in client.variables if program.variables.get(name)]
    return Texts((held_by[0],)) if held_by else Nothing()


def _at(piece: Piece, called: Called, host: str, hosts: ExternalHosts, what: str) -> Iterator[Lead]:
    """Yield a lead for a host that was asked, as it stands on one side or the other."""
    side = hosts.side(host)
    sure = _sure(piece, called)
    if side == "own" or _QUIET.search(called.name):
        return
    quote = quoted(piece, called.line)
    if host and side != "unknown" and host not in quote and what and what not in quote:
        quote = f"{quote} [{what}]"
    if side == "external":
        yield piece.lead("model_api", f"asks a model at {host}", quote, host=host, certainty=sure, line=called.line)
    else:
        open_side: Certainty = "mention" if sure == "mention" else "unnamed" if side == "unnamed" else "unresolved"
        claim = f"asks a model at {host}, which the rules neither name nor allow" if side == "unnamed" else (
            "asks a model, and where is not in sight")  # fmt: skip
        yield piece.lead("model_api", claim, quote, host=host if side == "unnamed" else "", certainty=open_side,
                         line=called.line)  # fmt: skip


def _of_request(piece: Piece, called: Called, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield what a request says: an external host in any argument, or a path of models at another host."""
    for text in called.texts:
        external = hosts.found(text)
        for _, _, host in external:
            yield from _at(piece, called, host, hosts, text)
        if not external and MODEL_PATH.search(text) and (HOLE in text or "://" in text):
            host = host_of(text)
            yield from _at(piece, called, "" if HOLE in host else host, hosts, text)
            return
    if SENDS.search(f".{called.last}") and _holds_prompt((*called.given, *called.named.values())):
        address = texts_of(called.named.get("url", _nth(called, 0)))
        for one in address or ("",):
            if not hosts.found(one):
                yield from _at(piece, called, "" if HOLE in host_of(one) else host_of(one), hosts, one)


def _holds_prompt(values: Iterable[Value]) -> bool:
    """Say whether a request carries what a model is asked with: messages, or a prompt with settings of a model."""
    for value in values:
        if isinstance(value, Table):
            keys = set(value.entries)
            if "messages" in keys or ("prompt" in keys and keys & _MODEL_SETTINGS):
                return True
            if _holds_prompt(value.entries.values()):
                return True
    return False


def _of_strangers(piece: Piece, program: Program) -> Iterator[Lead]:
    """Yield calls of a client that another file made."""
    for called in program.calls:
        if _ASKING.search(f".{called.name}") and "()" not in called.name.partition(".")[0] and piece.state == "ran":
            yield piece.lead("model_api", "asks a model, and where is not in sight", quoted(piece, called.line),
                             certainty="unresolved", line=called.line)  # fmt: skip
            return


def _of_texts(piece: Piece, program: Program, hosts: ExternalHosts, named: set[str]) -> Iterator[Lead]:
    """Yield external hosts that stand in a program, plain or hidden, and were not seen asked."""
    sends = any(
        NETWORK.match(one.name) and SENDS.search(f".{one.last}") and not _is_plain(one) for one in program.calls
    )
    for text, line in program.texts:
        for _, _, host in hosts.found(text):
            if host not in named:
                sure = piece.certainty() if sends else "mention"
                claim = f"a request goes to an address in a program that holds {host}" if sends else f"names {host}"
                yield piece.lead("model_api", claim, quoted(piece, line), host=host, certainty=sure, line=line)
        for code, plain in hidden_texts(text) if len(text) < 4000 else ():
            for _, _, host in hosts.found(plain):
                if host not in named and not hosts.found(text):
                    yield piece.lead("model_api", f"holds {host}, hidden by its spelling", code, host=host, line=line)


def _is_plain(called: Called) -> bool:
    """Say whether a request goes to an address that is in sight."""
    return any("://" in text and HOLE not in host_of(text) for text in called.texts)


def _imports(piece: Piece, program: Program) -> Iterator[Lead]:
    """Yield libraries that ask models and that nothing in the program calls."""
    for module, line in program.imports:
        package = next((one for one in PACKAGES if module == one or module.startswith(f"{one}.")), None)
        if package is not None and not any(
            called.name.startswith(package) or called.name.partition("(")[0].startswith(package)
            for called in program.calls
        ):
            yield piece.lead("model_api", f"imports {module}, and does not call it", quoted(piece, line),
                             host=PACKAGES[package], certainty="mention", line=line)  # fmt: skip


def _is_bedrock(called: Called) -> bool:
    return any("bedrock" in text or "sagemaker-runtime" in text for text in called.texts)


def _nth(called: Called, number: int) -> Value:
    return called.given[number] if number < len(called.given) else Nothing()


def commands_of_program(program: Program) -> Iterator[tuple[str, int]]:
    """Yield the command lines that a program starts, with their line."""
    for called in program.calls:
        if _COMMANDS.search(called.name) and called.name.partition(".")[0] in ("subprocess", "os", "sp"):
            first = called.given[0] if called.given else called.named.get("args", UNKNOWN)
            words = [texts_of(one)[0] if texts_of(one) else "*" for one in first] if isinstance(first, tuple) else []
            for line in [" ".join(_shell_word(one) for one in words)] if words else texts_of(first):
                yield line.replace(HOLE, "*"), called.line


def _shell_word(word: str) -> str:
    return word if re.fullmatch(r"[\w./:=@%+,-]+", word) else "'" + word.replace("'", "'\\''") + "'"
