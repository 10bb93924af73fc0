"""A language model that is a script: an OpenAI-compatible server on loopback, for tests, demos and users' own tests.

It speaks chat completions without streaming, with tool calls, reasoning and usage, and it can fail in the ways that
real servers do. It thinks of nothing: what it says is a list of replies, or a function of the request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    """Lower-case names."""
    turn: int
    """0 for the first request that the server got."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the conversation."""
        return list(self.body.get("messages", []))

    @property
    def last(self) -> str:
        """Return the text of the last message."""
        return str(self.messages[-1].get("content") or "") if self.messages else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that the server does when asked. Make it with `say`, `call`, `fail`, ... below."""

    text: str | None = None
    reasoning: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """(tool, arguments as JSON text)."""
    finish: str = ""
    refusal: str = ""
    usage: tuple[int, int] | None = None
    """(input, output) tokens; None counts characters."""
    counts_usage: bool = True
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes | None = None
    """Sent as the body instead of a well-formed one."""
    delay_seconds: float = 0.0
    hangs_up: bool = False


Script = Sequence[Line] | Callable[[Asked], Line]


def say(text: str, *, reasoning: str = "", usage: tuple[int, int] | None = None) -> Line:
    """Answer with a text."""
    return Line(text=text, reasoning=reasoning, usage=usage)


def call(tool: str, /, *, text: str | None = None, usage: tuple[int, int] | None = None, **arguments: Any) -> Line:
    """Call a tool with these arguments."""
    return Line(text=text, calls=((tool, json.dumps(arguments)),), usage=usage)


def call_malformed(tool: str, arguments: str) -> Line:
    """Call a tool with arguments that are not JSON."""
    return Line(calls=((tool, arguments),))


def refuse(why: str) -> Line:
    """Decline."""
    return Line(refusal=why)


def cut(text: str) -> Line:
    """Answer with a text that ends at the token limit."""
    return Line(text=text, finish="length")


def fail(status: int, message: str = "scripted failure", *, code: str = "", retry_after: float | None = None) -> Line:
    """Answer with an HTTP error."""
    headers = () if retry_after is None else (("Retry-After", str(retry_after)),)
    error = {"message": message, "type": "scripted", "code": code or None}
    return Line(status=status, headers=headers, raw=json.dumps({"error": error}).encode())


def garble() -> Line:
    """Answer 200 with JSON that stops in the middle."""
    return Line(raw=b'{"id": "scripted", "choices": [{"index": 0, "mess')


def hang_up() -> Line:
    """Close the connection without an answer."""
    return Line(hangs_up=True)


def slowly(line: Line, seconds: float) -> Line:
    """Do `line` only after `seconds`."""
    return replace(line, delay_seconds=seconds)


@dataclass
class ScriptedServer:
    """Serve a script on loopback while the context is open.

    A list is gone through once; after its end every request is an error that no client retries.
    """

    script: Script
    asked: list[Asked] = field(default_factory=list)
    """Every request so far."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    @property
    def base_url(self) -> str:
        """Return the root of the API."""
        if self._server is None:
            raise RuntimeError("the scripted server is not open: use it in a `with`")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._closing.clear()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
        self._server = None

    def next_line(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[Line, int]:
        """Return what to do with one request, and its number."""
        with self._lock:
            asked = Asked(body=body, headers=headers, turn=len(self.asked))
            self.asked.append(asked)
        if callable(self.script):
            return self.script(asked), asked.turn
        if asked.turn < len(self.script):
            return self.script[asked.turn], asked.turn
        return fail(400, "the script has ended"), asked.turn

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than the server is open."""
        self._closing.wait(seconds)


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            line, turn = server.next_line(body, {name.lower(): value for name, value in self.headers.items()})
            server.pause(line.delay_seconds)
            if line.hangs_up:
                return
            data = completion(line, body, turn) if line.raw is None else line.raw
            try:
                self.send_response(line.status)
                for name, value in (*line.headers, ("Content-Type", "application/json")):
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                return  # the client gave up waiting, which is what a slow line is for

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing on stderr."""

    return Handler


def completion(line: Line, body: Mapping[str, Any], turn: int) -> bytes:
    """Return the body of a chat completion that says `line`."""
    message: dict[str, Any] = {"role": "assistant", "content": line.text, "refusal": line.refusal or None}
    if line.reasoning:
        message["reasoning_content"] = line.reasoning
    if line.calls:
        message["tool_calls"] = [
            {"id": f"call_{turn}_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(line.calls)
        ]
    finish = line.finish or ("tool_calls" if line.calls else "stop")
    document: dict[str, Any] = {
        "id": f"scripted-{turn}",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if line.counts_usage:
        document["usage"] = _usage(line, body, message)
    return json.dumps(document).encode()


def _usage(line: Line, body: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, int]:
    counted = (_tokens(body.get("messages", [])), _tokens(message))
    prompt, reply = counted if line.usage is None else line.usage
    return {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}


def _tokens(content: Any) -> int:
    return -(-len(json.dumps(content)) // CHARACTERS_PER_TOKEN)
