"""A ledger under review and a running server, for the tests of the review pages and of pairs.

Everything that a blind page must not tell is a word of its own that stands nowhere else (`SECRETS`): model, agent,
verdict, score, checks, evidence, finding, what a harness wrote behind the agent's last act.
"""

from __future__ import annotations

import gzip
import http.client
import io
import json
import socket
import tarfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import uvicorn
from starlette.applications import Starlette

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory, document
from fairtrial.ledger import Ledger
from fairtrial.records import CheckResult, Draw, Finding, Rollout, Sample, Stratum, Verdict
from fairtrial.serve import Reader, Site, application, readers_named
from fairtrial.serve.pairs.table import table_of
from fairtrial.serve.review.desk import desk_of

TASKS = ("kettle-refund", "roster-shift", "gauge-dedupe", "loan-memo", "cron-gap")
SECRETS = ("quokka-large", "axolotl-agent", "verdict-narwhal", "ibex-check", "pangolin-finding", "harness-okapi",
           "step-limit-lemur", "label-marmot", "stratum-tapir", "0.8642")  # fmt: skip
SENTENCE = "names at block boundaries are read correctly"


def trajectory(number: int, *, passed: bool) -> Trajectory:
    """Return what one agent did: it looks, changes a file, tests, and says what it did."""
    calls = (
        ToolCall(tool_call_id="a", function_name="bash", arguments={"command": f"grep -rn total src | head -{number}"}),
        ToolCall(tool_call_id="b", function_name="edit", arguments={
            "path": "src/report.py", "old_str": "total = sum(rows)\nprint(total)",
            "new_str": "total = sum(set(rows))\nprint(total)"}),
        ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "python -m pytest -q"}),
    )  # fmt: skip
    said = (
        f"src/report.py:1: total = sum(rows)  # row {number}",
        "The file has been updated.",
        f"{number} passed in 0.02s",
    )
    steps = [
        AtifStep(source="system", message="You are an engineer. Tools: bash, edit.", timestamp="2026-02-01T10:00:00Z"),
        AtifStep(source="user", message=f"Count every row once, case {number}. Keep `print`; no new files.",
                 timestamp="2026-02-01T10:00:01Z"),
    ]  # fmt: skip
    for at, (call, output) in enumerate(zip(calls, said, strict=True)):
        steps.append(AtifStep(
            source="agent", message=f"Step {at} of case {number}: looking at it.", timestamp=f"2026-02-01T10:0{at}:30Z",
            model="quokka-large", reasoning="It counts a row twice." if at == 1 else "", tool_calls=(call,),
            observations=(Observation(content=output, source_call_id=call.tool_call_id),),
            metrics=Metrics(prompt_tokens=500, completion_tokens=40)))  # fmt: skip
    steps.append(AtifStep(source="agent", message=f"Done with case {number}: {SENTENCE}.", model="quokka-large",
                          observations=(Observation(content="harness-okapi in an observation"),)))  # fmt: skip
    steps.append(AtifStep(source="user", message=f"harness-okapi: verdict-narwhal {'passed' if passed else 'failed'}"))
    return Trajectory(agent="axolotl-agent", model="quokka-large", steps=tuple(steps), notes="label-marmot")


def packed(files: dict[str, bytes]) -> bytes:
    """Return a deliverable as the ledger keeps it."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"step-0/{path}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(raw.getvalue(), mtime=0)


def make_ledger(folder: Path, rollouts: int = 10, readers: Sequence[int] = (1,)) -> Ledger:
    """Make a ledger with a sample of all its rollouts; `readers` is repeated over the rows."""
    ledger = Ledger.open(folder, create=True)
    made = [_rollout(ledger, number) for number in range(rollouts)]
    ledger.append("verdicts", [verdict for _, verdict in made])
    ledger.append("rollouts", [rollout for rollout, _ in made])
    hits = [Finding(severity="lead", claim="pangolin-finding", rollout=rollout.id, probe="p", family="trajectory",
                    suite="s", task=rollout.task) for rollout, _ in made]  # fmt: skip
    ledger.append("findings", hits)
    draw(ledger, [rollout.id for rollout, _ in made], readers)
    return ledger


def draw(ledger: Ledger, rollouts: Sequence[str], readers: Sequence[int], name: str = "spring") -> Sample:
    """Record a sample of `rollouts`, in the order of their ids."""
    rows = tuple(Draw(rollout=one, stratum="stratum-tapir", probability=0.8642, readers=readers[at % len(readers)],
                      reader_probability=1.0) for at, one in enumerate(sorted(rollouts)))  # fmt: skip
    stratum = Stratum(name="stratum-tapir", population=len(rows), sampled=len(rows))
    sample = Sample(
        seed=7, by=("verdict",), strata=(stratum,), rows=rows, name=name, recorded_at="2026-02-02T00:00:00.000Z"
    )
    ledger.append("samples", [sample])
    return sample


def _rollout(ledger: Ledger, number: int) -> tuple[Rollout, Verdict]:
    passed = number % 2 == 0
    steps = ledger.put_blob(orjson.dumps(document(trajectory(number, passed=passed))))
    files = ledger.put_blob(
        packed({"app/report.py": f"total = {number}\nprint(total)\n".encode(), "app/x.bin": b"\0\1"})
    )
    rollout = Rollout(
        task=TASKS[number % len(TASKS)], model=f"quokka-large-{number % 2}", agent="axolotl-agent", attempt=number,
        suite="s", trajectory=steps, deliverable=files, stop="step-limit-lemur", label="label-marmot", steps=7,
        task_hash="sha256:t", input_tokens=1500, seconds=77.0, recorded_at="2026-02-01T11:00:00.000Z")  # fmt: skip
    verdict = Verdict(
        rollout=rollout.id, outcome="passed" if passed else "failed", score=0.8642, grader="verdict-narwhal",
        checks=(CheckResult("ibex-check", "passed" if passed else "failed", "verdict-narwhal says so"),),
        evidence=json.dumps({"stdout": "verdict-narwhal\nran 1 check"}), recorded_at="2026-02-01T11:00:00.000Z",
    )  # fmt: skip
    return rollout, verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        """Return the document."""
        return json.loads(self.text)


@dataclass(frozen=True, slots=True)
class Running:
    """A server on loopback."""

    site: Site
    port: int

    @property
    def address(self) -> str:
        """Return where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def reader(self, name: str) -> Reader:
        """Return who goes by that name."""
        return next(one for one in self.site.readers if one.name == name)

    def link(self, name: str) -> str:
        """Return the link that lets a reader in."""
        return f"{self.address}/enter?token={self.reader(name).token}"

    def ask(self, name: str, path: str, method: str = "GET", content: Any = None) -> Answer:
        """Ask as that reader, as its page would."""
        reader = self.reader(name)
        host = f"127.0.0.1:{self.port}"
        headers = {"Host": host, "Cookie": f"fairtrial-{self.port}={reader.token}"}
        if method not in ("GET", "HEAD"):
            headers |= {"Origin": self.address, "X-Fairtrial": reader.csrf, "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, None if content is None else json.dumps(content), headers)
            found = connection.getresponse()
            return Answer(found.status, found.read().decode(), {k.lower(): v for k, v in found.getheaders()})
        finally:
            connection.close()

    def rows(self, name: str, area: str = "review") -> list[str]:
        """Return the names of a reader's rows, in the order of their queue."""
        reader = self.reader(name)
        rows = desk_of(self.site).rows(reader) if area == "review" else table_of(self.site).rows(reader).rows
        return [row.name for row in rows]


def site_of(ledger: Ledger, port: int, readers: tuple[Reader, ...]) -> Site:
    """Return a site for a server on that port."""
    return Site(ledger=ledger, readers=readers, hosts=frozenset({f"127.0.0.1:{port}", f"localhost:{port}"}))


def somebody() -> tuple[Reader, ...]:
    """Return an owner, two reviewers, an adjudicator."""
    return readers_named("owner", ("ada", "bo"), ("cy",))


@contextmanager
def running(ledger: Ledger, readers: tuple[Reader, ...] | None = None, port: int = 0) -> Iterator[Running]:
    """Run a real server on loopback while the block lasts."""
    sites: list[Site] = []

    def make(port: int) -> Starlette:
        sites.append(site_of(ledger, port, somebody() if readers is None else readers))
        return application(sites[0])

    with serving(make, port) as taken:
        yield Running(sites[0], taken)


@contextmanager
def serving(make: Callable[[int], Starlette], port: int = 0) -> Iterator[int]:
    """Run the application that `make` returns for a port while the block lasts; yield the port."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    port = listening.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(make(port), log_level="error", lifespan="off", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()
