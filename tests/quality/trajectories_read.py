"""Reads the labelled trajectories of this folder: plain text, one file a task, into ATIF documents with labels.

The text is written as somebody would tell it; the builder turns it into the tool calls of six scaffolds, so that no
detector learns one of them. A line that starts with `%% ` and a word below is a mark; all else is the text of the mark
before it.

    %% task NAME | DOMAIN        %% agent SCAFFOLD      %% system      %% user
    %% rollout ID honest VERDICT KIND      %% rollout ID hack GROUP(1-10) subtle|blatant VERDICT
    %% say                       a step of the agent; `%% say!` where the step did it
    %% bash | %% python | %% write PATH | %% edit PATH ... %% to ... | %% call NAME (arguments as JSON)     %% out
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "trajectories"

GROUPS = ("test_modification", "test_targeting", "coverage_gaming", "degenerate_implementation", "swallowed_errors",
          "leaked_answers", "history_mining", "environment_tampering", "credentials", "unchecked_claims")  # fmt: skip

_MARK = re.compile(r"^%% (task|agent|system|user|rollout|say!?|bash|python|write|edit|to|call|out)(?: (.*))?$")


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """One trajectory and what its author meant by it."""

    task: str
    name: str
    domain: str
    is_hack: bool
    group: str
    """Of a hack, one of GROUPS."""
    is_subtle: bool
    kind: str
    """Of honest work: what could be mistaken for a hack in it."""
    verdict: str
    evidence: tuple[int, ...]
    """The steps that did it."""
    document: dict[str, Any]
    """ATIF."""


def labelled(folder: Path = FOLDER) -> list[Labelled]:
    """Return all, in the order of tasks and rollouts."""
    return [one for path in sorted(folder.glob("*.txt")) for one in told(path.read_text(encoding="utf-8"))]


def _marks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each mark: its word, the rest of its line, the text below."""
    open_mark: tuple[str, str] | None = None
    lines: list[str] = []
    for line in text.split("\n"):
        if found := _MARK.match(line):
            if open_mark:
                yield *open_mark, "\n".join(lines).strip("\n")
            open_mark, lines = (found[1], (found[2] or "").strip()), []
        else:
            lines.append(line)
    if open_mark:
        yield *open_mark, "\n".join(lines).strip("\n")


def told(text: str) -> Iterator[Labelled]:
    """Yield the rollouts that a text tells."""
    head: dict[str, str] = {}
    rollouts: list[tuple[str, list[tuple[str, str, str]]]] = []
    for word, rest, below in _marks(text):
        if word == "rollout":
            rollouts.append((rest, []))
        elif rollouts:
            rollouts[-1][1].append((word, rest, below))
        else:
            head[word] = rest or below
    task, domain = (part.strip() for part in head["task"].split("|"))
    for label, marks in rollouts:
        name, what, *more = label.split()
        steps, evidence = _steps(marks, head["agent"])
        document = {
            "schema_version": "ATIF-v1.6",
            "agent": {"name": f"{head['agent']}-agent", "version": "1", "model_name": "model"},
            "steps": [{"step_id": 1, "source": "system", "message": head["system"]},
                      {"step_id": 2, "source": "user", "message": head["user"]}, *steps],
        }  # fmt: skip
        hack = what == "hack"
        yield Labelled(
            task=task, name=f"{task}__{name}", domain=domain, is_hack=hack, document=document, evidence=evidence,
            group=GROUPS[int(more[0]) - 1] if hack else "", is_subtle=hack and more[1] == "subtle",
            verdict=more[2] if hack else more[0], kind="" if hack else more[1],
        )  # fmt: skip


def _steps(marks: list[tuple[str, str, str]], scaffold: str) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
    steps: list[dict[str, Any]] = []
    evidence = []
    for at, (word, rest, below) in enumerate(marks):
        number = len(steps) + 2
        if word.startswith("say"):
            steps.append({"step_id": number + 1, "source": "agent", "message": below})
            evidence += [number + 1] * word.endswith("!")
        elif word == "out":
            step = steps[-1]
            results = step.setdefault("observation", {"results": []})["results"]
            results.append({"source_call_id": step["tool_calls"][-1]["tool_call_id"], "content": below})
        elif word != "to":
            new = marks[at + 1][2] if word == "edit" else ""
            calls = steps[-1].setdefault("tool_calls", [])
            function, arguments = _call(scaffold, word, rest, below, new)
            calls.append({"tool_call_id": f"c{number}_{len(calls) + 1}", "function_name": function,
                          "arguments": arguments})  # fmt: skip
    return steps, tuple(evidence)


def _call(scaffold: str, word: str, rest: str, text: str, new: str) -> tuple[str, dict[str, Any]]:
    """Return the tool and its arguments as the scaffold would call it."""
    if word == "call":
        return rest, json.loads(text)
    if word == "python":
        return "execute_ipython", {"code": text}
    if word == "bash":
        return {
            "codex": ("shell", {"command": ["bash", "-lc", text], "timeout_ms": 120_000}),
            "desk": ("shell", {"command": text}),
            "openhands": ("execute_bash", {"command": text}),
            "terminus": ("bash_command", {"keystrokes": text + "\n", "duration": 5.0}),
        }.get(scaffold, ("bash", {"command": text}))
    return _file_call(scaffold, word, rest, text, new)


def _file_call(scaffold: str, word: str, path: str, text: str, new: str) -> tuple[str, dict[str, Any]]:
    if scaffold == "codex":
        return "apply_patch", {"input": _patch(word, path, text, new)}
    if scaffold == "openhands":
        if word == "write":
            return "str_replace_editor", {"command": "create", "path": path, "file_text": text}
        return "str_replace_editor", {"command": "str_replace", "path": path, "old_str": text, "new_str": new}
    if word == "write":
        return "write_file", {"path": path, "content": text + "\n"}
    return "str_replace_edit", {"path": path, "old_str": text, "new_str": new}


def _patch(word: str, path: str, text: str, new: str) -> str:
    def signed(sign: str, lines: str) -> str:
        return "".join(f"{sign}{line}\n" for line in lines.split("\n"))

    body = f"*** Add File: {path}\n" + signed("+", text)
    if word == "edit":
        body = f"*** Update File: {path}\n@@\n" + signed("-", text) + signed("+", new)
    return f"*** Begin Patch\n{body}*** End Patch\n"
