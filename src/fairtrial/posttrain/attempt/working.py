"""Let the agent's command work in its box, with the proxy and the recorder around it, until it ends or is ended.

Nothing of the box runs any more when `work` returns, however it returns. What was recorded is on the disk then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from fairtrial.posttrain.attempt.proxy import Allowing, Proxy
from fairtrial.posttrain.attempt.recorded import write_recorded
from fairtrial.posttrain.attempt.recorder import Recorder
from fairtrial.posttrain.attempt.workspace import WORKSPACE
from fairtrial.posttrain.attempt.world import variables_of
from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.folder import RunFolder, Stop
from fairtrial.records import Limits, SandboxError
from fairtrial.sandbox import Command, Completed
from fairtrial.sandbox.live_box import EXIT_NOT_ENTERED, LiveBox

PROXY_PORT = 3128
"""Inside the box, where nothing else listens when an agent begins."""
OUTPUT_BYTES = 16 << 20
"""Of what the agent prints, as much is kept: head and tail. Past 16 times as much it is ended."""
_OWN = "localhost,127.0.0.1,::1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """How an agent's work ended, and what was seen of it."""

    done: Completed
    stop: Stop
    cpu_seconds: float
    requests: int
    refused_requests: int
    processes: int
    writes: int
    not_recorded: tuple[str, ...]


def work(box: LiveBox, bench: Bench, cell: Cell, folder: RunFolder) -> Worked:
    """Run the command of a cell in a box that was laid out, and record what it does."""
    network, minutes = bench.toml.network, bench.toml.budget.cpu_minutes
    allowing = Allowing.of(network.allowed_hosts, network.routes)
    recorder = Recorder(box, folder, minutes * 60 if minutes is not None else None)
    argv = ("/bin/sh", "-c", cell.agent.command)
    with Proxy(box.listen(PROXY_PORT), allowing, folder.path / "network.jsonl") as proxy:
        try:
            recorder.start(argv)
            done = _run(box, recorder, Command(argv, cwd=WORKSPACE, variables=variables_of(bench) | proxy_variables(),
                                               limits=limits_of(bench)))  # fmt: skip
            recorder.stop_looking()
        finally:
            box.end()
            recorder.stop()
    (folder.path / "agent.log").write_text(done.output, "utf-8", "replace")
    left_out = write_recorded(folder.path, cell)
    told = [f"{left_out:,} steps are not in recorded.json"] if left_out else []
    told += [f"{proxy.log.left_out:,} requests are not in network.jsonl"] if proxy.log.left_out else []
    return Worked(done=done, stop="cpu_limit" if recorder.processes.is_over_cpu else _stop(done),
                  cpu_seconds=round(recorder.processes.cpu_seconds, 3), requests=proxy.log.requests,
                  refused_requests=proxy.log.refused, processes=len(recorder.processes.seen), writes=recorder.writes,
                  not_recorded=(*recorder.not_recorded(), *told))  # fmt: skip


def _run(box: LiveBox, recorder: Recorder, command: Command) -> Completed:
    """Run a command. What looks like a box that could not be entered is the agent's doing where it was seen at work.

    Else an agent that prints such words and ends with such a code would be let try again, with nothing kept of it.
    """
    begun = time.monotonic()
    try:
        return box.run(command)
    except SandboxError as error:
        recorder.stop_looking()
        if box.has_ended() or not recorder.processes.has_begun:
            raise
        return Completed(exit_code=EXIT_NOT_ENTERED, output=str(error), seconds=time.monotonic() - begun)


def limits_of(bench: Bench) -> Limits:
    """Return the limits of the agent's command."""
    budget = bench.toml.budget
    return Limits(seconds=budget.minutes * 60, memory_mb=budget.memory_mb, processes=budget.processes,
                  file_mb=budget.file_mb, output_bytes=OUTPUT_BYTES)  # fmt: skip


def proxy_variables() -> dict[str, str]:
    """Return the variables by which programs find the proxy, in both spellings."""
    address = f"http://127.0.0.1:{PROXY_PORT}"
    named = {"HTTP_PROXY": address, "HTTPS_PROXY": address, "ALL_PROXY": address, "NO_PROXY": _OWN}
    return named | {name.lower(): value for name, value in named.items()}


def _stop(done: Completed) -> Stop:
    """Name why an agent stopped."""
    if done.killed == "timeout":
        return "agent_timeout"
    if done.killed == "memory":
        return "memory"
    return "finished" if done.exit_code == 0 else "agent_error"
