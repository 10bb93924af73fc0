"""Tiny suites with a sound and a broken grader, and models that attack them, over loopback."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairtrial.attack.hacker.options import Attacked, HackOptions
from fairtrial.attack.hacker.rounds import Attack, Purse
from fairtrial.models import ModelSpec, Patience, Price, ScriptedServer
from fairtrial.models.scripted import Asked, Line, Script, call, say
from fairtrial.run import InlineEngine
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import load_suite

REWARD = "mkdir -p /logs/verifier; echo $r > /logs/verifier/reward.txt\n"
SOUND = f"grep -qx 42 /app/total.txt && r=1 || r=0\n{REWARD}"
EXISTS = f"[ -e /app/total.txt ] && r=1 || r=0\n{REWARD}"
ANY_NUMBER = f"grep -qE '^[0-9]+$' /app/total.txt && r=1 || r=0\n{REWARD}"
LAX = f"[ -s /logs/verifier/reward.txt ] && exit\n{SOUND}"
"""Keeps a reward that was written before, where the runner does."""
EMPTY = ": > /app/total.txt"


def make_task(folder: Path, grader: str, **more: str) -> Path:
    """Write a task that adds 19 and 23."""
    files = {
        "task.toml": 'version = "1.0"\n[agent]\ntimeout_sec = 30\n[verifier]\ntimeout_sec = 30\n',
        "instruction.md": "Add the numbers in /app/numbers.txt and write the total into /app/total.txt.\n",
        "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\nCOPY numbers.txt /app/\n",
        "environment/numbers.txt": "19\n23\n",
        "tests/test.sh": grader,
        "solution/solve.sh": "awk '{s+=$1} END {print s}' /app/numbers.txt > /app/total.txt\n",
    }
    for name, text in (files | more).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def acting(*commands: str) -> Script:
    """Return a model that gives these commands in each attempt, then finishes."""

    def script(asked: Asked) -> Line:
        if "ready" in asked.last:
            return say("ready")
        turn = sum(message["role"] == "assistant" for message in asked.messages)
        return call("shell", command=commands[turn], usage=(100, 10)) if turn < len(commands) else say("Done.")

    return script


def system_of(asked: Asked) -> str:
    """Return the system prompt that came with a request."""
    return str(asked.messages[0]["content"])


def attacked(
    suite: Path, script: Script, sandbox: Sandbox, scratch: Path, options: HackOptions | None = None
) -> tuple[Attacked, Sequence[Asked]]:
    """Attack with the model that `script` plays; return what came of it, and what the model was asked."""
    options = options or HackOptions(attempts=1)
    (scratch / "attack").mkdir(parents=True)
    with ScriptedServer(script) as server:
        spec = ModelSpec(name="m", base_url=server.base_url, price=Price(input_usd=1, output_usd=1))
        agent = TerminalAgent(spec=spec, patience=Patience(attempts=1), command_seconds=5)
        found = Attack(
            suite=load_suite(suite), sandbox=sandbox, engine=InlineEngine(), options=options, attacker=agent,
            scratch=scratch / "attack", out=suite, on_tried=lambda _: None,
            purse=Purse(usd=options.most_usd, tokens=options.most_tokens),
        ).run()  # fmt: skip
    return found, server.asked
