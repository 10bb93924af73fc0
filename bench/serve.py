"""`serve` on 100,000 rollouts and on trajectories of 5,000 steps: time to answer, its ratio to a static page, memory.

    .venv/bin/python bench/serve.py [ROLLOUTS]

Bars: list pages answer in 200 ms (95th percentile), a trajectory of 5,000 steps that was never read before shows its
first steps in 300 ms, and reading eight such trajectories adds at most 300 MB. The floor is the same server answering
with a static page of 30 kB. One client over loopback, one connection. The server's processor time is printed beside: on
a machine that does other work the clock shows that work too. Making the ledger is not timed. Exit 1 where a bar is
missed.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

import orjson
import uvicorn
from starlette.responses import HTMLResponse
from starlette.routing import Route

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory, document
from fairtrial.ledger import Ledger
from fairtrial.records import Rollout
from fairtrial.serve import Site, application, readers_named
from fairtrial.serve.listening import bound, settle
from fairtrial.serve.listing import Filter, rollouts
from fairtrial.serve.snapshot import taken
from measure import build

LIST_SECONDS, FIRST_SECONDS, MOST_MB = 0.2, 0.3, 300.0
STEPS, TRAJECTORIES, ROUNDS = 5_000, 8, 40


def long_trajectory(number: int) -> bytes:
    """Return a document of 5,000 steps, 1.4 KB each, unlike any other."""
    text = "\n".join(f"src/module_{at}.py:{at}: some line of output, {number}" for at in range(18))
    steps = tuple(_step(at, text) for at in range(STEPS))
    return orjson.dumps(document(Trajectory(agent="loop", steps=steps)))


def _step(at: int, text: str) -> AtifStep:
    call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": f"grep -rn 'part {at}' src | head"})
    return AtifStep(
        source="agent", message=f"Looking at part {at}.", tool_calls=(call,),
        timestamp=f"2026-01-01T{at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d}Z",
        metrics=Metrics(prompt_tokens=900, completion_tokens=40),
        observations=(Observation(content=text, source_call_id="c"),),
    )  # fmt: skip


def serving(site: Site, listening: socket.socket, floor: bytes) -> None:
    """Serve, with a static page of `floor` beside the real ones."""
    settle()
    app = application(site)
    app.router.routes.insert(0, Route("/floor", lambda _: HTMLResponse(floor)))
    uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off")).run(sockets=[listening])


class Client:
    """One connection that is kept, as a browser keeps it; and the server's process."""

    def __init__(self, port: int, token: str, process: int) -> None:
        self.process = process
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Host": f"127.0.0.1:{port}", "Cookie": f"fairtrial-{port}={token}"}

    def seconds(self, path: str) -> tuple[float, bytes]:
        """Return how long the whole answer took, and the answer."""
        start = time.perf_counter()
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status)
        return time.perf_counter() - start, body

    def processor(self) -> float:
        """Return the processor seconds that the server has used."""
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(process: int) -> float:
    """Return the memory of a process."""
    fields = Path(f"/proc/{process}/status").read_text(encoding="ascii").split("VmRSS:")[1].split()
    return int(fields[0]) / 1024


def timed(client: Client, name: str, paths: list[str], floor: float) -> float:
    """Ask for `paths`, print the percentiles, and return the 95th."""
    used = client.processor()
    seconds = [client.seconds(path)[0] for path in paths]
    used = (client.processor() - used) / len(paths)
    last, middle = statistics.quantiles(seconds, n=20)[-1], statistics.median(seconds)
    print(f"{name:<33} p50 {middle * 1e3:6.1f} ms  p95 {last * 1e3:6.1f} ms  processor {used * 1e3:6.1f} ms"
          f"  {middle / floor:5.1f} × floor")  # fmt: skip
    return last


def pages_of(ledger: Ledger) -> dict[str, str]:
    """Return the list pages that are measured: first, filtered, ordered, in the middle, tasks."""
    snapshot = taken(ledger)
    middle = snapshot.one("select id from rows where seq = (select count(*) // 2 from rows)")
    model = snapshot.one("select model from rows limit 1")
    assert middle
    assert model
    assert rollouts(snapshot, Filter()).rows
    return {
        "rollouts": "/rollouts",
        "rollouts, failed of one model": f"/rollouts?verdict=failed&model={model['model']}",
        "rollouts, dearest first": "/rollouts?order=dearest",
        "rollouts, a page in the middle": f"/rollouts?after={middle['id']}",
        "tasks, lowest pass rate first": "/tasks?order=pass+rate",
        "overview": "/",
    }


def main() -> int:
    """Make the ledger, serve it, measure, print, and say whether the bars are met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        ledger = build(Path(folder) / "ledger", count)
        long = [Rollout(task="long", model=f"m{at}", trajectory=ledger.put_blob(long_trajectory(at)))
                for at in range(TRAJECTORIES)]  # fmt: skip
        ledger.append("rollouts", long)
        with bound("127.0.0.1", 0) as listening:
            return measured(ledger, long, listening)


def measured(ledger: Ledger, long: list[Rollout], listening: socket.socket) -> int:
    """Measure against a server in a process of its own."""
    port = listening.getsockname()[1]
    readers = readers_named()
    site = Site(ledger=ledger, readers=readers, hosts=frozenset({f"127.0.0.1:{port}"}))
    process = multiprocessing.get_context("fork").Process(target=serving, args=(site, listening, b"x" * 30_000))
    process.start()
    try:
        client = Client(port, readers[0].token, process.pid or 0)
        first, _ = client.seconds("/rollouts")
        print(f"{'first page, with the snapshot':<33} {first * 1e3:10.1f} ms")
        floor = statistics.median([client.seconds("/floor")[0] for _ in range(ROUNDS)])
        timed(client, "floor: a static page of 30 kB", ["/floor"] * ROUNDS, floor)
        slowest = max(timed(client, name, [path] * ROUNDS, floor) for name, path in pages_of(ledger).items())
        before, base = resident_mb(client.process), "/rollouts/"
        cold = timed(client, "5,000 steps, never read before", [base + one.id for one in long], floor)
        added, again = resident_mb(client.process) - before, base + long[-1].id
        timed(client, "5,000 steps, read before", [again] * ROUNDS, floor)
        timed(client, "40 more steps", [f"{again}/steps?from={at * 40 + 1}" for at in range(ROUNDS)], floor)
        timed(client, "search of all 5,000 steps", [f"{again}?q=part+4999"] * ROUNDS, floor)
        print(f"{len(long)} trajectories added {added:.0f} MB; the server holds {resident_mb(client.process):.0f} MB")
    finally:
        process.terminate()
        process.join()
    missed = [name for name, is_met in (("lists", slowest < LIST_SECONDS), ("first content", cold < FIRST_SECONDS),
                                        ("memory", added < MOST_MB)) if not is_met]  # fmt: skip
    print("bars met" if not missed else f"bars missed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
