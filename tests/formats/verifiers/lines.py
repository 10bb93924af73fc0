"""Lines as verifiers writes them, made by hand: an episode with its traces, and a row of v0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairtrial.formats import Options, verifiers


def node(role: str, content: Any, parent: int | None, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": content} | {k: more.pop(k) for k in ("tool_calls", "tool_call_id") if k in more}
    return {"parent": parent, "message": message, "sampled": role == "assistant", "timestamp": 1.7e9} | more


def talk(*said: str) -> list[dict[str, Any]]:
    """Return nodes of a user and an assistant in turn."""
    return [node(("user", "assistant")[n % 2], text, n - 1 if n else None) for n, text in enumerate(said)]


def trace(name: str = "t1", **more: Any) -> dict[str, Any]:
    return {
        "version": 1, "id": name, "verifiers": {"version": "0.4.0"}, "nodes": talk("2+2", "4"),
        "task": {"type": "Sum", "data": {"idx": 0, "answer": "4"}, "key": "h" * 64, "hash": "h" * 64},
        "agent": {"name": "agent", "trainable": True,
                  "config": {"model": "m", "harness": {"id": "bash"}, "sampling": {"temperature": 1.0}}},
        "calls": [{"node": 1, "usage": {"prompt_tokens": 6, "cached_input_tokens": 4, "completion_tokens": 3}}],
        "rewards": {"right": {"score": 1.0, "weight": 1.0}}, "metrics": {"turns": 1.0}, "ok": True, "errors": [],
        "stop_condition": "agent_completed", "is_completed": True,
        "timing": {"start": 1.7e9, "agent": {"start": 1.7e9, "end": 1.7e9 + 2.5}},
    } | more  # fmt: skip


def episode(*traces: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = list(traces or [trace()])
    return {
        "id": "e1", "env": {"id": "sums"}, "task": found[0]["task"], "run": {"type": "eval", "id": "r1"},
        "ok": all(one["ok"] for one in found), "errors": [], "traces": found,
    } | more  # fmt: skip


def row(number: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "example_id": number, "prompt": [{"role": "user", "content": "2+2"}],
        "completion": [{"role": "assistant", "content": "4"}], "reward": 1.0, "task": "default", "answer": "4",
        "error": None, "stop_condition": "no_tools_called", "metrics": {"right": 1.0}, "right": 1.0,
        "token_usage": {"input_tokens": 10.0, "output_tokens": 3.0},
    } | more  # fmt: skip


def written(file: Path, *lines: Any) -> Path:
    """Write lines; text and bytes as they are, NaN as Python writes it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    told = [line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
            for line in lines]  # fmt: skip
    file.write_bytes(b"\n".join(told) + b"\n")
    return file


def read(path: Path, **options: Any) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Return rollouts with `verdict` and `document` (their trajectory), and the skipped."""
    rows: list[dict[str, Any]] = []
    skipped: list[tuple[str, str]] = []
    for batch in verifiers.read(path, Options(**options)):
        verdicts = {v["rollout"]: v for v in batch.verdicts.to_pylist()}
        blobs = {digest_of(blob): blob for blob in batch.blobs}
        for rollout in batch.rollouts.to_pylist():
            told = {"verdict": verdicts.get(rollout["id"]), "document": blobs.get(rollout["trajectory"])}
            rows.append(rollout | told)
        skipped += [(skip.where, skip.why) for skip in batch.skipped]
    return rows, skipped


def digest_of(blob: bytes) -> str:
    from hashlib import sha256

    return f"sha256:{sha256(blob).hexdigest()}"


def said(one: dict[str, Any]) -> str:
    """Return the reason where a rollout is ungraded, else the outcome."""
    verdict = one["verdict"]
    return verdict["reason"] or verdict["outcome"] if verdict else "none"
