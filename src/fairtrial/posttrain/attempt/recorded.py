"""Write what was recorded as an ATIF trajectory: programs that ran and requests, in the order of time.

It is read by the checks of conduct like an agent's own trajectory. A program is a call of `bash` with its words as a
command; a request is a call of `fetch` with its address, and what came back. Programs that ran show no output: it is
in agent.log. Not covered: what was said and thought, which only the agent's own trajectory tells.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory, document
from fairtrial.posttrain.bench import Cell

MOST_STEPS = 50_000
MOST_COMMAND = 16 << 10
_HTTPS = 443
_OURS = (None, 502, 503, 504)
"""What the proxy says where no server did."""


def write_recorded(folder: Path, cell: Cell) -> int:
    """Write recorded.json from processes.jsonl and network.jsonl; return how many steps were left out."""
    rows = [*_rows(folder / "processes.jsonl"), *_rows(folder / "network.jsonl")]
    chosen = sorted(_chosen(rows), key=_time)
    steps = [_step(number, row) for number, row in enumerate(chosen, 1)]
    left_out = len(rows) - len(steps)
    notes = f"recorded from outside; {left_out} steps are left out" if left_out else "recorded from outside"
    written = Trajectory(agent=cell.agent.name, run=cell.model, steps=tuple(steps), notes=notes)
    (folder / "recorded.json").write_bytes(orjson.dumps(document(written), option=orjson.OPT_INDENT_2))
    return left_out


def _chosen(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return at most MOST_STEPS rows: those of which there are few kinds before the many of one kind.

    A kind is a host, allowed or not, or a program by its first word: nobody hides a request behind a flood of others.
    """
    if len(rows) <= MOST_STEPS:
        return rows
    met: Counter[object] = Counter()
    ranked: list[tuple[bool, int, bool]] = []
    for row in rows:
        kind = row["argv"][0] if "argv" in row else (row["host"], row["allowed"])
        met[kind] += 1
        ranked.append(("argv" in row, met[kind], not row.get("allowed", True)))
    order = sorted(range(len(rows)), key=ranked.__getitem__)
    most = MOST_STEPS // 2
    requests = [at for at in order if not ranked[at][0]]
    programs = [at for at in order if ranked[at][0]]
    few = min(len(requests), max(most, MOST_STEPS - len(programs)))
    return [rows[at] for at in (*requests[:few], *programs[: MOST_STEPS - few])]


def _time(row: dict[str, Any]) -> str:
    return str(row["time"])


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        with path.open("rb") as file:
            for line in file:
                yield orjson.loads(line)


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
    return f"{scheme}://{row['host'] or 'unknown.invalid'}{port}{_plain_path(row['path'])}"


def _plain_path(path: str) -> str:
    """Return a path as a server reads it, without empty and dotted parts: `/x/..//bench` opens `/bench` too.

    >>> _plain_path("/x/..//bench/%2e/traces?page=2"), _plain_path("")
    ('/bench/traces?page=2', '/')
    """
    plain, mark, query = path.partition("?")
    dotted = re.sub("%2e", ".", plain, flags=re.IGNORECASE)
    return "/" + posixpath.normpath(f"/{dotted}").lstrip("/") + mark + query


def _came_back(row: dict[str, Any]) -> str:
    """Return what came back, in words by which a failure is known for one."""
    moved = f"{row['sent']} bytes sent, {row['received']} bytes received"
    if not row["allowed"]:
        return f"403 Forbidden: blocked by the proxy: {row['why']}; {moved}"
    is_tunnel = row["method"] == "CONNECT"
    if not row["received"] and (row["why"] if is_tunnel else row["status"] in _OURS):
        return f"Connection error. {row['why'] or 'no answer'}; {moved}"
    said = "tunnel open" if is_tunnel else f"HTTP {row['status']}"
    return f"{said}; {moved}" + (f"; then {row['why']}" if row["why"] else "")
