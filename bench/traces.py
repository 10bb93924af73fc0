"""A gigabyte of verifiers' `traces.jsonl`: speed and memory of reading it, and of importing it whole.

    .venv/bin/python bench/traces.py [MEGABYTES]

Episodes of agents with tools: 4 to 40 turns, replies of some 600 characters, outputs of tools mostly short with some
of 20,000, as coding agents have them; every tenth with the token ids and log probabilities that a training run writes.
The file is the same on every machine. Bars on 1,000 MB: 40 MB/s a core and 500 MB, for the reader (which makes
rollouts, verdicts and trajectories); the import, which also hashes and syncs a file for each trajectory, is printed
beside. Seconds are those of a core, start-up included, so that a busy machine tells the same. The floor is orjson
reading each line and dropping it. Where FAIRTRIAL_VERIFIERS names an interpreter with verifiers, its own loader reads
the first 100 MB. Exit 1 where a bar is missed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson

LEAST_MB_A_SECOND, MOST_MB = 40.0, 500
_WORDS = [
    f"{a}{b}" for a in ("read", "file", "test", "line", "path", "build", "check") for b in ("", "s", "ed", "ing", "-x")
]

READ = """
import sys
from pathlib import Path
from fairtrial.formats import Options, verifiers
rows = size = 0
for batch in verifiers.read(Path(sys.argv[1]), Options()):
    assert not batch.skipped, batch.skipped[:3]
    rows += batch.rollouts.num_rows
    size += sum(map(len, batch.blobs))
print(rows, size)
"""
FLOOR = """
import sys, orjson
print(sum(len(orjson.loads(line)["traces"]) for line in open(sys.argv[1], "rb")), 0)
"""
THEIRS = """
import sys
from pathlib import Path
from verifiers.v1.trace import WireTrace
from verifiers.v1.utils.trace_store import read_episodes
print(sum(len(episode.traces) for episode in read_episodes(Path(sys.argv[1]).parent, WireTrace)), 0)
"""


def write_traces(path: Path, megabytes: int) -> int:
    """Write episodes until the file has `megabytes`; return how many."""
    chance = random.Random(0)
    written = episodes = 0
    with path.open("wb") as handle:
        while written < megabytes * 1_000_000:
            line = orjson.dumps(_episode(chance, episodes)) + b"\n"
            handle.write(line)
            written, episodes = written + len(line), episodes + 1
    return episodes


def _prose(chance: random.Random, characters: int) -> str:
    words = chance.choices(_WORDS, k=max(1, characters // 7))
    return " ".join(word if at % 12 else f"{word}.\n" for at, word in enumerate(words, 1))


def _episode(chance: random.Random, number: int) -> dict[str, Any]:
    with_tokens = number % 10 == 0
    prompt = _prose(chance, chance.randint(500, 4000))
    nodes = [_node("system", {"content": _prose(chance, 1500)}, None), _node("user", {"content": prompt}, 0)]
    calls: list[dict[str, Any]] = []
    for turn in range(chance.randint(4, 40)):
        call = {"id": f"call_{turn}", "type": "function", "name": "bash",
                "arguments": orjson.dumps({"command": _prose(chance, 120)}).decode()}  # fmt: skip
        nodes.append(_node("assistant", {"content": _prose(chance, chance.randint(50, 1200)), "tool_calls": [call]},
                           len(nodes) - 1))  # fmt: skip
        if with_tokens:
            _add_tokens(chance, nodes[-1])
        usage = {"prompt_tokens": 900 * turn, "completion_tokens": 150, "cached_input_tokens": 500}
        calls.append({"node": len(nodes) - 1, "model": "m", "finish_reason": "tool_calls", "usage": usage})
        output = _prose(chance, 20_000 if chance.random() < 0.05 else chance.randint(20, 2500))
        nodes.append(_node("tool", {"content": output, "tool_call_id": f"call_{turn}"}, len(nodes) - 1))
    nodes.append(_node("assistant", {"content": _prose(chance, 400)}, len(nodes) - 1))
    return _wrapped(chance, number, prompt, nodes, calls)


def _node(role: str, message: dict[str, Any], parent: int | None) -> dict[str, Any]:
    empty: dict[str, list[Any]] = {"token_ids": [], "mask": [], "is_content": [], "logprobs": []}
    return {"parent": parent, "message": {"role": role, **message}, "sampled": role == "assistant",
            "timestamp": 1.7e9 + (parent or 0), **empty}  # fmt: skip


def _add_tokens(chance: random.Random, node: dict[str, Any]) -> None:
    count = len(node["message"]["content"]) // 4
    node["token_ids"] = [chance.randint(0, 150_000) for _ in range(count)]
    node["mask"] = [True] * count
    node["logprobs"] = [round(-chance.random(), 4) for _ in range(count)]


def _wrapped(chance: random.Random, number: int, prompt: str, nodes: list[Any], calls: list[Any]) -> dict[str, Any]:
    task = {"type": "Repair", "key": f"{number // 4:064x}", "hash": f"{number // 4:064x}",
            "data": {"idx": number // 4, "prompt": prompt}}  # fmt: skip
    ok = chance.random() < 0.95
    passed = {"score": float(chance.random() < 0.4), "weight": 1.0}
    trace = {
        "version": 1, "id": f"{number:032x}", "verifiers": {"version": "0.4.0"}, "task": task, "nodes": nodes,
        "agent": {"name": "agent", "trainable": True, "config": {
            "model": "m", "harness": {"id": "bash"}, "runtime": {"type": "docker"}, "sampling": {"temperature": 1.0}}},
        "calls": calls, "rewards": {"tests": passed if ok else None}, "metrics": {"turns": float(len(calls))},
        "is_completed": True, "ok": ok, "stop_condition": "agent_completed",
        "errors": [] if ok else [{"type": "SandboxError", "message": "went away"}],
        "timing": {"start": 1.7e9, "agent": {"start": 1.7e9, "end": 1.7e9 + 90.0}},
    }  # fmt: skip
    return {"id": f"e{number:031x}", "env": {"id": "repair"}, "task": task, "run": {"type": "eval", "id": "run"},
            "ok": ok, "errors": [], "traces": [trace]}  # fmt: skip


def measured(*command: str) -> tuple[float, float, list[int]]:
    """Run a command; return its seconds of a core, its peak memory in MB, and the numbers that it printed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return (
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        [int(word) for word in said.split() if word.isdigit()],
    )


def main() -> int:
    """Print the figures; return 1 where a bar is missed."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "traces.jsonl"
        episodes = write_traces(file, megabytes)
        size = file.stat().st_size / 1e6
        floor, _, _ = measured(sys.executable, "-c", FLOOR, str(file))
        seconds, peak, (rows, blobs) = measured(sys.executable, "-c", READ, str(file))
        call = "from fairtrial.cli.main import main; main()"
        whole, whole_peak, _ = measured(
            sys.executable, "-c", call, "import", str(file), "--format", "verifiers", "--to", f"{name}/ledger"
        )
        assert rows == episodes
        print(f"file       {size:,.0f} MB, {episodes:,} episodes")
        print(f"floor      orjson.loads: {floor:.1f} s, {size / floor:,.0f} MB/s")
        print(f"read       {seconds:.1f} s, {size / seconds:,.0f} MB/s, {peak:,.0f} MB peak, "
              f"{seconds / floor:.1f} times the floor; trajectories of {blobs / 1e6:,.0f} MB")  # fmt: skip
        print(f"import     {whole:.1f} s, {size / whole:,.0f} MB/s, {whole_peak:,.0f} MB peak")
        _beside_theirs(Path(name), min(megabytes, 100))
    return int(size / seconds < LEAST_MB_A_SECOND or peak > MOST_MB or whole_peak > MOST_MB)


def _beside_theirs(folder: Path, megabytes: int) -> None:
    """Print how long verifiers' own loader takes, where it is at hand."""
    theirs = os.environ.get("FAIRTRIAL_VERIFIERS")
    if not theirs:
        return
    file = folder / "part" / "traces.jsonl"
    file.parent.mkdir()
    write_traces(file, megabytes)
    ours, our_peak, _ = measured(sys.executable, "-c", READ, str(file))
    seconds, peak, _ = measured(theirs, "-c", THEIRS, str(file))
    print(f"verifiers  {megabytes} MB: {seconds:.1f} s, {peak:,.0f} MB peak; ours {ours:.1f} s, {our_peak:,.0f} MB: "
          f"{seconds / ours:.1f} times as fast")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
