"""Run by verifiers' own interpreter (v1): a scripted model on loopback, an environment whose parts fail on purpose.

    python peer_v1.py FOLDER

Writes runs as `vf-eval` does, reads them again with verifiers' own loader, and prints what that says, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx
import verifiers.v1 as vf
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.cli.output import output_path
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.runtimes import ProgramResult
from verifiers.v1.trace import WireTrace
from verifiers.v1.utils.trace_store import read_episodes

TASKS = {
    "right": "say 4",
    "wrong": "say 5",
    "mixed": "say 4 now and then",
    "tool": "use the tool",
    "long": "say 4 later",
    "scoring": "say 4 and break the scoring",
    "agent": "crash",
    "provider": "refuse",
    "finite": "say 4 and reward NaN",
    "slow": "say 4 and time out",
}
calls: dict[str, int] = {}


class Model(BaseHTTPRequestHandler):
    """Answers by what it is asked."""

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = next(m["content"] for m in asked["messages"] if m["role"] == "user")
        calls[prompt] = calls.get(prompt, 0) + 1
        if prompt == "refuse":
            return self.send(400, {"error": {"message": "refused", "type": "invalid_request_error"}})
        return self.send(200, completion(prompt, asked))

    def send(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    """Takes many calls at once: with the usual backlog of 5 some were refused."""

    request_queue_size = 128


def completion(prompt: str, asked: dict[str, Any]) -> dict[str, Any]:
    turns = [m for m in asked["messages"] if m["role"] == "assistant"]
    message: dict[str, Any] = {"role": "assistant", "content": "4"}
    if prompt == "use the tool" and not turns:
        function = {"name": "add", "arguments": json.dumps({"a": 2, "b": 2})}
        message = {"role": "assistant", "content": "", "tool_calls": [
            {"id": "call_1", "type": "function", "function": function}]}  # fmt: skip
    elif prompt == "say 5" or (prompt == "say 4 now and then" and calls[prompt] % 3 == 0):
        message["content"] = "5"
    elif prompt == "say 4 later" and len(turns) < 2:
        message["content"] = "not yet – \u2028 a line of its own"
    reason = "tool_calls" if "tool_calls" in message else "stop"
    return {"id": "c", "object": "chat.completion", "created": 1, "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 10 * len(asked["messages"]), "completion_tokens": 3, "total_tokens": 0,
                      "prompt_tokens_details": {"cached_tokens": 4}}}  # fmt: skip


class ProbeData(vf.TaskData):
    kind: str = ""
    answer: str = "4"


class ProbeTask(vf.Task[ProbeData]):
    @vf.reward(weight=1.0)
    async def right(self, trace: vf.Trace) -> float:
        if self.data.kind == "finite":
            return float("nan")
        return float(trace.last_reply == self.data.answer)

    @vf.reward(weight=0.2)
    async def short(self, trace: vf.Trace) -> float:
        if self.data.kind == "scoring":
            raise RuntimeError("the judge is away")
        if self.data.kind == "slow":
            await asyncio.sleep(30)
        return float(len(trace.last_reply) < 3)

    @vf.metric
    async def turns(self, trace: vf.Trace) -> float:
        return float(trace.num_turns)


class ProbeTaskset(vf.Taskset[ProbeTask, vf.TasksetConfig]):
    def load(self) -> Any:
        for name, prompt in TASKS.items():
            timeout = vf.TaskTimeout(scoring=0.3) if name == "slow" else vf.TaskTimeout()
            yield ProbeTask(ProbeData(name=name, prompt=prompt, kind=name, timeout=timeout), self.config.task)


class ProbeHarness(vf.Harness[vf.HarnessConfig]):
    """Talks in this process: verifiers allows it where every call goes through its endpoint."""

    EXECUTES_CODE: ClassVar[bool] = False
    NEEDS_CONTAINER: ClassVar[bool] = False

    async def launch(self, ctx: Any, _trace: Any, _runtime: Any, endpoint: str, secret: str, _urls: Any,
                     data: Any) -> ProgramResult:  # fmt: skip
        if data.prompt == "crash":
            return ProgramResult(exit_code=3, stdout="", stderr="the agent crashed")
        messages: list[dict[str, Any]] = [{"role": "user", "content": data.prompt}]
        tools = [{"type": "function", "function": {"name": "add", "description": "Add.", "parameters": {
            "type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}}}]  # fmt: skip
        async with httpx.AsyncClient() as client:
            for _ in range(4):
                body = {"model": ctx.model, "messages": messages}
                if data.prompt == "use the tool":
                    body["tools"] = tools
                response = await client.post(f"{endpoint}/chat/completions", json=body,
                                             headers={"authorization": f"Bearer {secret}"})  # fmt: skip
                if response.status_code != 200:
                    return ProgramResult(exit_code=1, stdout="", stderr=response.text)
                said = response.json()["choices"][0]["message"]
                messages.append({k: v for k, v in said.items() if k in ("role", "content", "tool_calls") and v})
                if said.get("tool_calls"):
                    messages[-1].setdefault("content", "")
                    messages.append({"role": "tool", "tool_call_id": said["tool_calls"][0]["id"], "content": "4"})
                elif "not yet" in said["content"]:
                    messages.append({"role": "user", "content": "and now?"})
                else:
                    break
        return ProgramResult(exit_code=0, stdout="", stderr="")


__all__ = ["ProbeHarness", "ProbeTaskset"]


def told(trace: Any, episode: Any) -> dict[str, Any]:
    """Return what verifiers itself says of a trace."""
    return {
        "trace": trace.id, "kind": episode.task.data.model_extra["kind"], "ok": episode.ok and trace.ok,
        "reward": trace.reward, "nulls": [n for n, r in trace.rewards.items() if r is None],
        "scored": len(trace.rewards), "turns": trace.num_turns, "agent": trace.agent.name,
        "messages": [m.role for m in trace.messages], "last_reply": trace.last_reply,
        "stop": trace.stop_condition, "errors": [e.type for e in trace.errors],
        "completion_tokens": trace.usage.completion_tokens if trace.usage else None,
        "input_tokens": trace.usage.input_tokens if trace.usage else None,
    }  # fmt: skip


async def main(folder: Path) -> None:
    server = Server(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seat = {"harness": {"id": "peer_v1"}, "runtime": {"type": "subprocess"}}
    single = {"taskset": {"id": "peer_v1"}, "agent": seat}
    several = {"id": "best-of-n", "taskset": {"id": "peer_v1"}, "agent": seat, "n": 2}
    found = {}
    without = {"exclude": {"names": ["finite"]}}
    for name, env, rollouts, select in (
        ("single", single, 3, without), ("several", several, 1, without),
        ("finite", single, 1, {"include": {"names": ["finite"]}}),
    ):  # fmt: skip
        config = EvalConfig.model_validate({
            "env": env, "model": "scripted", "num_rollouts": rollouts, "push": False, "rich": None,
            "output_dir": str(folder), "run": {"name": name}, "select": select,
            "client": {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "api_key_var": "NO_KEY"},
            "sampling": {"temperature": 0.5},
        })  # fmt: skip
        await run_eval(config)
        out = output_path(config)
        if name == "finite":  # verifiers writes NaN as null, and its loader refuses that
            continue
        found[str(out)] = [told(t, e) for e in read_episodes(out, WireTrace) for t in e.traces]
    server.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    asyncio.run(main(Path(sys.argv[1])))
