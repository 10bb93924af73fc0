"""Write what was recorded as an ATIF trajectory: programs that ran and requests, in the order of time.

It is read by the checks of conduct like an agent's own trajectory. A program is a call of `bash` with its words as a
command; a request is a call of `fetch` with its address, and what came back. Programs that ran show no output: it is
in agent.log. Not covered: what was said and thought, which only the agent's own trajectory tells.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory, document
from fairtrial.posttrain.bench import Cell

MOST_STEPS = 50_000
MOST_COMMAND = 16 << 10
_HTTPS = 443


def write_recorded(folder: Path, cell: Cell) -> int:
    """Write recorded.json from processes.jsonl and network.jsonl; return how many steps were left out."""
    timed = sorted([*_processes(folder / "processes.jsonl"), *_requests(folder / "network.jsonl")], key=_time)
    steps = [step for number, (_, row) in enumerate(timed[:MOST_STEPS], 1) for step in [_step(number, row)]]
    left_out = len(timed) - len(steps)
    notes = f"recorded from outside; {left_out} steps are left out" if left_out else "recorded from outside"
    written = Trajectory(agent=cell.agent.name, run=cell.model, steps=tuple(steps), notes=notes)
    (folder / "recorded.json").write_bytes(orjson.dumps(document(written), option=orjson.OPT_INDENT_2))
    return left_out


def _time(one: tuple[str, dict[str, Any]]) -> str:
    return one[0]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        with path.open("rb") as file:
            for line in file:
                yield orjson.loads(line)


def _processes(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in _rows(path):
        yield row["time"], row


def _requests(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in _rows(path):
        yield row["time"], row


def _step(number: int, row: dict[str, Any]) -> AtifStep:
    name = f"recorded-{number}"
    if "argv" in row:
        command = shlex.join(row["argv"])[:MOST_COMMAND]
        call = ToolCall(tool_call_id=name, function_name="bash", arguments={"command": command})
        return AtifStep(source="agent", timestamp=row["time"], tool_calls=(call,), llm_calls=0)
    given = {"url": _url(row), "method": row["method"], **({"model": row["model"]} if row["model"] else {})}
    call = ToolCall(tool_call_id=name, function_name="fetch", arguments=given)
    came = Observation(content=_came_back(row), source_call_id=name)
    return AtifStep(source="agent", timestamp=row["time"], tool_calls=(call,), observations=(came,), llm_calls=0)


def _url(row: dict[str, Any]) -> str:
    """Return the address of a request; of a tunnel the one that its client would have asked for."""
    is_tunnel = row["method"] == "CONNECT"
    scheme, usual = ("https", _HTTPS) if is_tunnel else ("http", 80)
    port = "" if row["port"] in (usual, 0) else f":{row['port']}"
    return f"{scheme}://{row['host'] or 'unknown.invalid'}{port}{row['path'] or '/'}"


def _came_back(row: dict[str, Any]) -> str:
    """Return what came back, in words by which a failure is known for one."""
    moved = f"{row['sent']} bytes sent, {row['received']} bytes received"
    if not row["allowed"]:
        return f"403 Forbidden: blocked by the proxy: {row['why']}; {moved}"
    if row["status"] is None or row["why"]:
        return f"Connection error. {row['why'] or 'no answer'}; {moved}"
    said = "tunnel open" if row["method"] == "CONNECT" else f"HTTP {row['status']}"
    return f"{said}; {moved}"
