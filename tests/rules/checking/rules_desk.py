"""A rules file with its items, and submissions that are checked by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.cli.main import run

ITEM = "Brook Mill bought flour for 480 on credit, paid back a third of it and returned a sack worth 20. What is owed?"
RULES = """[benchmark]
name = "b"
version = "1"
runs_per_task = 1
repository = ["https://code.example/bench/ledgers"]
[[track]]
name = "one"
against = ["items.jsonl"]
control = ["control.jsonl"]
"""


class Desk:
    """A rules file with its items, and a submission."""

    def __init__(self, folder: Path, rules: str = RULES) -> None:
        self.folder = folder
        self.rules = folder / "rules.toml"
        self.rules.write_text(rules)
        other = (
            "Oak Dairy values its stock at 1240 on Monday and sells goods that cost 310. What is it worth on Friday?"
        )
        self.rows("items.jsonl", {"id": "a1", "question": ITEM, "answer": "300"}, {"id": "a2", "question": other})
        spoons = "Ada counts {} spoons in a drawer of oak. How many are left when she takes {} of them away?"
        self.rows("control.jsonl", *({"id": f"c{n}", "question": spoons.format(n, n % 7)} for n in range(30)))

    def rows(self, name: str, *rows: dict[str, Any]) -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def check(self, *options: str, code: int, more: str = "", **fields: Any) -> None:
        told = {"model": "ada-1"} | fields
        lines = [f"{name} = {json.dumps(value)}" for name, value in told.items()]
        path = self.folder / "submission.toml"
        path.write_text("\n".join(lines) + f"\n{more}")
        assert run(["rules", "check", str(self.rules), str(path), *options]) == code

    def trajectory(self, name: str, *commands: str) -> str:
        steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": "Train the base."}]
        for number, command in enumerate(commands, 2):
            call = {"tool_call_id": "c", "function_name": "bash", "arguments": {"command": command}}
            steps.append({"step_id": number, "source": "agent", "message": "", "tool_calls": [call],
                          "observation": {"results": [{"source_call_id": "c", "content": "done"}]}})  # fmt: skip
        told = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "x", "version": "1"},
                "steps": steps}  # fmt: skip
        (self.folder / name).write_text(json.dumps(told))
        return name


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = orjson.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def by_rule(document: dict[str, Any]) -> dict[str, Any]:
    return {one["rule"]: one for one in document["checks"]}
