"""Run by an interpreter with verifiers 0.1 (v0): runs on a scripted model, read again with its own loader.

    python peer_v0.py FOLDER

Prints what that loader says of each rollout, as JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import verifiers as vf
from datasets import Dataset
from verifiers.types import ClientConfig
from verifiers.utils.save_utils import load_outputs

QUESTIONS = ("say 4", "say 5", "use the tool", "refuse")


class Server(ThreadingHTTPServer):
    """Takes many calls at once."""

    request_queue_size = 128


class Model(BaseHTTPRequestHandler):
    """Answers by what it is asked."""

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = next(m["content"] for m in asked["messages"] if m["role"] == "user")
        prompt = prompt if isinstance(prompt, str) else prompt[0]["text"]
        if prompt == "refuse":
            return self.send(400, {"error": {"message": "refused", "type": "invalid_request_error"}})
        message: dict[str, Any] = {"role": "assistant", "content": "5" if prompt == "say 5" else "4"}
        if prompt == "use the tool" and not any(m["role"] == "tool" for m in asked["messages"]):
            function = {"name": "add", "arguments": json.dumps({"a": 2, "b": 2})}
            message = {"role": "assistant", "content": None, "tool_calls": [
                {"id": "call_1", "type": "function", "function": function}]}  # fmt: skip
        return self.send(200, {
            "id": "c", "object": "chat.completion", "created": 1, "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
        })  # fmt: skip

    def send(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def right(completion: Any, answer: str) -> float:
    """Reward the right answer."""
    last = completion[-1]
    return float((last["content"] if isinstance(last, dict) else last.content) == answer)


async def main(folder: Path) -> None:
    """Write the runs."""
    server = Server(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = ClientConfig(api_base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key_var="NO_KEY", max_retries=0)
    data = Dataset.from_list([{"question": question, "answer": "4"} for question in QUESTIONS])
    found = {}
    for name, env in (
        ("single", vf.SingleTurnEnv(dataset=data, eval_dataset=data, rubric=vf.Rubric(funcs=[right]))),
        ("tools", vf.ToolEnv(tools=[add], dataset=data, eval_dataset=data, rubric=vf.Rubric(funcs=[right]))),
    ):
        out = folder / name
        await env.evaluate(client=client, model="scripted", rollouts_per_example=2, results_path=out, save_results=True)
        found[str(out)] = [
            {"reward": one["reward"], "example_id": one["example_id"], "error": bool(one.get("error")),
             "steps": sum(m["role"] != "tool" for m in [*one["prompt"], *(one["completion"] or [])])}
            for one in load_outputs(out)
        ]  # fmt: skip
    server.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(Path(sys.argv[1])))
