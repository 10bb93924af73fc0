"""Writes logs as Inspect does, without Inspect: for tests, and in bulk for bench/eval_logs.py.

`write_log` makes a small log of given samples; `write_bulk` one of any size from a few samples that are packed once:
a member is its own head (id, epoch, uuid), packed alone, and a tail that many share, which both zstd and deflate allow.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import zstandard

STORED, DEFLATE, ZSTD = 0, 8, 93
HEADER: dict[str, Any] = {
    "version": 2, "status": "success",
    "eval": {
        "eval_id": "e1", "run_id": "r1", "created": "2026-01-01T00:00:00+00:00", "task": "sums", "task_id": "t1",
        "task_version": 0, "task_args": {}, "dataset": {"name": "sums", "samples": 1}, "model": "lab/m-1",
        "model_generate_config": {}, "config": {"epochs": 1}, "scorers": [{"name": "match"}],
    },
    "plan": {"name": "plan", "steps": [{"solver": "generate", "params": {}}], "config": {}},
    "results": {"total_samples": 1, "completed_samples": 1, "scores": [{"name": "match", "scorer": "match"}]},
    "stats": {"started_at": "2026-01-01T00:00:00+00:00", "completed_at": "2026-01-01T01:00:00+00:00"},
}  # fmt: skip
"""What a log says of itself, as far as it is read."""


def header(**spec: Any) -> dict[str, Any]:
    """Return a header whose `eval` has these fields beside the others."""
    return HEADER | {"eval": HEADER["eval"] | spec}


def sample(id: Any = 1, value: Any = "C", epoch: int = 1, **more: Any) -> dict[str, Any]:
    """Return a sample that answers 4, with a score of this value by `match`."""
    messages = [
        {"id": "m1", "role": "user", "content": "2+2", "source": "input"},
        {"id": "m2", "role": "assistant", "content": "4", "source": "generate", "model": "m-1"},
    ]
    return {
        "id": id, "epoch": epoch, "input": "2+2", "target": "4", "messages": messages,
        "output": {"model": "m-1", "choices": [{"message": messages[1]}], "completion": "4"},
        "scores": {"match": {"value": value, "answer": "4", "explanation": "as it is", "history": []}},
        "metadata": {}, "store": {}, "events": [],
        "model_usage": {"lab/m-1": {"input_tokens": 10, "output_tokens": 3, "total_tokens": 20,
                                    "input_tokens_cache_read": 7}},
        "started_at": "2026-01-01T00:00:00+00:00", "completed_at": "2026-01-01T00:00:10+00:00", "total_time": 10.0,
        "working_time": 8.0, "uuid": f"u-{id}-{epoch}", "attachments": {},
    } | more  # fmt: skip


def text(content: Any) -> bytes:
    """Return JSON as Python writes it: NaN as NaN."""
    import json

    return json.dumps(content).encode()


def write_log(
    path: Path, samples: Sequence[Any], head: Mapping[str, Any] | None = HEADER, method: int = ZSTD, **more: bytes
) -> Path:
    """Write an archive of these samples; `head` None leaves the log unfinished, `more` are further members."""
    archive = Writing(path, method)
    spec = {name: (head or HEADER)[name] for name in ("version", "eval", "plan")}
    archive.add("_journal/start.json", text(spec))
    for one in samples:
        archive.add(f"samples/{one['id']}_epoch_{one['epoch']}.json", text(one))
    for name, content in more.items():
        archive.add(name, content)
    if head is not None:
        archive.add("header.json", text(head))
    archive.close()
    return path


@dataclass
class Writing:
    """An archive that is written member by member, with a directory at its end; zip64 where it is needed."""

    path: Path
    method: int = ZSTD
    members: list[tuple[str, int, int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.file = self.path.open("wb")

    def add(self, name: str, content: bytes) -> None:
        """Add a member."""
        self.add_packed(name, packed(content, self.method), zlib.crc32(content), len(content))

    def add_packed(self, name: str, content: bytes, crc: int, size: int) -> None:
        """Add a member that is packed already."""
        at, encoded = self.file.tell(), name.encode()
        sizes = (crc, len(content), size)
        self.file.write(struct.pack("<4s5H3L2H", b"PK\3\4", 45, 0x800, self.method, 0, 33, *sizes, len(encoded), 0))
        self.file.write(encoded + content)
        self.members.append((name, at, *sizes))

    def close(self) -> None:
        """Write the directory."""
        begun = self.file.tell()
        for name, at, *sizes in self.members:
            extra = struct.pack("<HHQ", 1, 8, at) if at > 0xFFFFFFFE else b""
            place = 0xFFFFFFFF if extra else at
            self.file.write(struct.pack(
                "<4s6H3L5H2L", b"PK\1\2", 45, 45, 0x800, self.method, 0, 33, *sizes, len(name.encode()), len(extra),
                0, 0, 0, 0, place) + name.encode() + extra)  # fmt: skip
        end, count = self.file.tell(), len(self.members)
        if count > 0xFFFE or end > 0xFFFFFFFE:
            self.file.write(struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, end - begun, begun))
            self.file.write(struct.pack("<4sLQL", b"PK\6\7", 0, end, 1))
        capped = (min(count, 0xFFFF), min(count, 0xFFFF), min(end - begun, 0xFFFFFFFF), min(begun, 0xFFFFFFFF))
        self.file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *capped, 0))
        self.file.close()


def packed(content: bytes, method: int, is_last: bool = True) -> bytes:
    """Return `content` as a zip member has it; what is not the last piece can be followed by another."""
    if method == ZSTD:
        return zstandard.ZstdCompressor(level=3).compress(content)
    if method == DEFLATE:
        deflating = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        return deflating.compress(content) + deflating.flush(zlib.Z_FINISH if is_last else zlib.Z_FULL_FLUSH)
    return content


WORDS = tuple(
    first + middle + last
    for first in ("ba", "co", "di", "fe", "gu", "la", "mi", "no", "pe", "ru")
    for middle in ("", "n", "rt", "st", "ll")
    for last in ("a", "e", "ing", "ed", "or", "ity", "s", "le")
)
TURNS = 40
"""Calls of the model in a sample of bulk: some 1.3 MB of JSON, as an agent's usual run has."""


EPOCHS = 4


def bulk_sample(seed: int, turns: int = TURNS) -> dict[str, Any]:
    """Return a sample of an agent at work: pooled messages, raw calls, tools, spans, attachments."""
    chance = random.Random(seed)
    attachments: dict[str, str] = {}
    messages: list[dict[str, Any]] = [
        {"id": f"s{seed}", "role": "system", "content": prose(chance, 600)},
        {"id": f"u{seed}", "role": "user", "content": prose(chance, 200), "source": "input"},
    ]
    events: list[dict[str, Any]] = [{"event": "span_begin", "id": "solver", "type": "solver", "name": "react"}]
    for turn in range(turns):
        events += bulk_turn(chance, turn, messages, attachments)
    pool = [{**one, "content": attached(one["content"], attachments)} for one in messages]
    right = chance.random() < 0.5
    return {
        "input": messages[1]["content"], "target": "4", "messages": messages,
        "output": {"model": "m-1", "completion": messages[-1]["content"], "choices": []},
        "scores": {"match": {"value": "C" if right else "I", "answer": "4", "explanation": prose(chance, 60),
                             "history": []}},
        "metadata": {"family": f"kind-{seed % 5}"}, "store": {}, "events": events,
        "model_usage": {"lab/m-1": {"input_tokens": 10_000, "output_tokens": 3_000, "total_tokens": 13_000}},
        "started_at": "2026-01-01T00:00:00+00:00", "completed_at": "2026-01-01T00:10:00+00:00", "total_time": 600.0,
        "working_time": 500.0, "attachments": attachments, "events_data": {"messages": pool, "calls": pool},
    }  # fmt: skip


def bulk_turn(
    chance: random.Random, turn: int, messages: list[dict[str, Any]], attachments: dict[str, str]
) -> list[dict[str, Any]]:
    """Return the events of one turn: the model is called, and its tool; add what was said to `messages`."""
    key, asked, printed = f"c{turn}", prose(chance, 80), prose(chance, 900)
    call = {"id": key, "function": "bash", "arguments": {"cmd": prose(chance, 30)}, "type": "function"}
    said = {"id": f"a{turn}", "role": "assistant", "content": asked, "source": "generate", "model": "m-1",
            "tool_calls": [call]}  # fmt: skip
    short = {**said, "content": attached(asked, attachments)}
    time = f"2026-01-01T00:{turn % 60:02d}:00+00:00"
    usage = {"input_tokens": 100 * turn, "output_tokens": 90, "total_tokens": 100 * turn + 90}
    config = {"temperature": 0.7, "max_tokens": 4096}
    refs = [[0, len(messages)]]
    model = {
        "uuid": f"e{turn}", "span_id": "solver", "timestamp": time, "working_start": float(turn), "event": "model",
        "model": "lab/m-1", "input": [], "input_refs": refs, "tools": [TOOL], "tool_choice": "auto", "config": config,
        "output": {"model": "m-1", "choices": [{"message": short, "stop_reason": "tool_calls"}],
                   "completion": short["content"], "usage": usage, "time": 1.5},
        "call": {"request": {"model": "m-1", "tools": [TOOL]}, "response": {"content": prose(chance, 300)},
                 "call_refs": refs, "call_key": "messages"},
        "completed": time, "working_time": 1.5,
    }  # fmt: skip
    tool = {"uuid": f"t{turn}", "span_id": "solver", "timestamp": time, "working_start": float(turn), "event": "tool",
            "type": "function", "id": key, "function": "bash", "arguments": call["arguments"],
            "result": printed, "events": [], "completed": time, "working_time": 0.5}  # fmt: skip
    messages += [said, {"id": f"r{turn}", "role": "tool", "content": printed, "tool_call_id": key, "function": "bash"}]
    state = {"event": "state", "timestamp": time, "working_start": float(turn), "uuid": f"d{turn}", "changes": [
        {"op": "add", "path": f"/messages/{turn}", "value": short}]}  # fmt: skip
    return [model, tool, state]


TOOL = {"name": "bash", "description": "Runs a command.", "parameters": {
    "type": "object", "properties": {"cmd": {"type": "string", "description": "The command."}}, "required": ["cmd"],
    "additionalProperties": False}}  # fmt: skip


def prose(chance: random.Random, words: int) -> str:
    """Return lines of random words, which pack about as well as what tools print."""
    return "\n".join(" ".join(chance.choices(WORDS, k=12)) for _ in range(max(1, words // 12)))


def attached(content: str, attachments: dict[str, str]) -> str:
    """Put a long text among the attachments, as Inspect does with texts beyond 100 characters in events."""
    if len(content) <= 100:
        return content
    key = f"{zlib.crc32(content.encode()):08x}{zlib.adler32(content.encode()):08x}" * 2
    attachments[key] = content
    return f"attachment://{key}"


def write_bulk(path: Path, least_bytes: int, method: int = ZSTD, kinds: int = 8, turns: int = TURNS) -> tuple[int, int]:
    """Write a log of at least this many bytes on disk; return its number of samples and the bytes of JSON inside."""
    tails = []
    for seed in range(kinds):
        tail = b"," + orjson.dumps(bulk_sample(seed, turns))[1:]
        tails.append((tail, packed(tail, method)))
    archive, count, inside = Writing(path, method), 0, 0
    archive.add("_journal/start.json", text({name: HEADER[name] for name in ("version", "eval", "plan")}))
    while archive.file.tell() < least_bytes or count % EPOCHS:
        tail, tail_packed = tails[count % kinds]
        opening = orjson.dumps({"id": count // EPOCHS, "epoch": count % EPOCHS + 1, "uuid": f"u{count}"})[:-1]
        size = len(opening) + len(tail)
        archive.add_packed(f"samples/{count // EPOCHS}_epoch_{count % EPOCHS + 1}.json",
                           packed(opening, method, is_last=False) + tail_packed,
                           zlib.crc32(tail, zlib.crc32(opening)), size)  # fmt: skip
        count, inside = count + 1, inside + size
    ids = list(range(count // EPOCHS))
    said = header(dataset={"name": "sums", "samples": len(ids), "sample_ids": ids}, config={"epochs": EPOCHS})
    archive.add("header.json", text(said))
    archive.close()
    return count, inside


PEAK = """
def peak():
    with open("/proc/self/status") as told:
        return int(next(line for line in told if line.startswith("VmHWM")).split()[1])
"""
"""Program text: the most memory of this process, KiB. `ru_maxrss` is that of its starter where that one had more."""
