"""A small bench, a stand-in for hosts on the network, and attempts in real boxes."""

from __future__ import annotations

import http.server
import json
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest

from fairtrial.posttrain.attempt import attempt
from fairtrial.posttrain.bench import Agent, Bench, Cell, read_bench
from fairtrial.posttrain.folder import Attempted, RunFolder
from fairtrial.sandbox import Bubblewrap

RULES = """
[benchmark]
name = "toy"
version = "1.0"
runs_per_task = 1
traces = ["data.example/bench/toy-traces"]

[[track]]
name = "sort"
against = ["eval.jsonl"]
decoys = ["decoys.jsonl"]

[[base]]
model = "tiny"
weights = "base"

[usage]
external_hosts = ["default", "models.example"]
"""
BENCH = """
[bench]
rules = "rules.toml"

[[benchmark]]
track = "sort"
evaluator = "evaluator"
hidden = "hidden"

[budget]
minutes = {minutes}
{budget}

[world]
python = {python}
{world}

[network]
allowed_hosts = ["models.example", "data.example", "*.pages.example"]

[network.routes]
"models.example" = "127.0.0.1:{port}"
"data.example" = "127.0.0.1:{port}"
"a.pages.example" = "127.0.0.1:{port}"
"""
HANDS_IN = "mkdir final_model && cp /base_model/* final_model/"


def safetensors() -> bytes:
    """Return a file of safetensors with one number."""
    table = orjson.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})
    return struct.pack("<Q", len(table)) + table + struct.pack("<f", 1.0)


@dataclass
class Lab:
    """Lays out a bench below a folder and lets agents try it."""

    path: Path
    port: int = 9
    files: Path | None = None
    said: list[str] = field(default_factory=list)

    def bench(self, *, minutes: float = 1.0, budget: str = "", world: str = "", python: bool = False,
              rules: str = RULES) -> Bench:  # fmt: skip
        (self.path / "base").mkdir(exist_ok=True)
        (self.path / "base/config.json").write_text("{}")
        (self.path / "base/model.safetensors").write_bytes(safetensors())
        for name, text in (("evaluator/evaluate.py", "print(1)\n"), ("evaluator/items.jsonl", '{"q": "3 1 2"}\n'),
                           ("hidden/items.jsonl", '{"q": "hidden-item"}\n'), ("eval.jsonl", '{"q": "3 1 2"}\n'),
                           ("decoys.jsonl", '{"q": "decoy-item"}\n'), ("rules.toml", rules)):  # fmt: skip
            (self.path / name).parent.mkdir(exist_ok=True)
            (self.path / name).write_text(text)
        text = BENCH.format(minutes=minutes, budget=budget, python=str(python).lower(), world=world, port=self.port)
        (self.path / "BENCH.toml").write_text(text)
        return read_bench(self.path / "BENCH.toml")

    def cell(self, command: str) -> Cell:
        return Cell(agent=Agent(name="ada", command=command, files=self.files), base="tiny", track="sort")

    def folder(self) -> RunFolder:
        return RunFolder.of(self.path / "results", self.cell(""))

    def run(self, command: str, bench: Bench | None = None) -> tuple[Attempted, RunFolder]:
        """Let an agent try that is one command."""
        folder = self.folder()
        return attempt(bench or self.bench(), self.cell(command), folder, Bubblewrap(), self.said.append), folder


def lines(path: Path) -> list[dict[str, object]]:
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def log(folder: RunFolder) -> str:
    """Return what an agent printed."""
    return (folder.path / "agent.log").read_text()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAIRTRIAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def bubblewrap() -> Bubblewrap:
    sandbox = Bubblewrap()
    capability = sandbox.capability()
    if not capability.available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    return sandbox


class _Echo(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        if self.headers.get("transfer-encoding") == "chunked":
            length, body = 0, self._chunks()
        else:
            body = self.rfile.read(length)
        said = json.dumps({"method": self.command, "path": self.path, "body": body.decode(),
                           "headers": [[name.lower(), value] for name, value in self.headers.items()]})  # fmt: skip
        self.send_response(404 if "missing" in self.path else 200)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(said.encode())

    do_POST = do_GET  # noqa: N815
    do_HEAD = do_GET  # noqa: N815

    def _chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="session")
def stand_in() -> Iterator[int]:
    """Serve on loopback what says back what it was asked; yields the port."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture
def lab(tmp_path: Path, bubblewrap: Bubblewrap, stand_in: int) -> Lab:
    del bubblewrap
    return Lab(tmp_path, stand_in)
