"""Shell lines are found where others keep them: recipes, scripts, workflows, words of another command, messages."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.contamination.conduct.recipes import file_of, goals_of, recipes_of, variables_of
from fairtrial.contamination.conduct.started import inner_line, lines_in
from fairtrial.contamination.usage import ExternalHosts, usage_of

MAKEFILE = """API ?= https://a.b/v1
URL = $(API)/x
.PHONY: all data
all: data train

data: raw
\t@curl $(URL) \\
\t  -d $$Q
train: ; python train.py
spare:
\t-wget $(API)
raw:
\tls $(shell hostname)
"""


def test_recipes_of_make_are_filled_and_reached_by_goal() -> None:
    recipes = recipes_of("Makefile", MAKEFILE)
    assert [(one.text.split(), one.line, one.goal) for one in recipes if one.goal] == [
        (["curl", "https://a.b/v1/x", "-d", "$Q"], 7, "data"),
        (["python", "train.py"], 9, "train"),
        (["wget", "https://a.b/v1"], 11, "spare"),
        (["ls", "$(shell", "hostname)"], 13, "raw"),
    ]
    assert "spare" not in goals_of(("make",), recipes, MAKEFILE)
    assert goals_of(("make", "-j8", "data"), recipes, MAKEFILE) == {"", "data", "raw"}
    assert recipes_of("Makefile", MAKEFILE, {"API": "http://c"})[0].text.startswith("curl http://c/x")


@pytest.mark.parametrize("line", ["A=$(A)$(A)\n", "a" + " " * 99, "run: " + " " * 90, "$(shell ((((", "- x\n"])
def test_no_file_of_recipes_takes_long(line: str) -> None:
    begun = time.process_time()
    for name in ("Makefile", "justfile", "a.yml"):
        for one in recipes_of(name, line * (100_000 // len(line))):
            assert len(one.text) <= 110_000
    assert time.process_time() - begun < 3


def test_a_make_that_needs_itself_ends() -> None:
    text = "a: b\n\ttrue\nb: a\n\tfalse\nX = $(X)y\n"
    assert goals_of(("make", "a"), recipes_of("Makefile", text), text) == {"", "a", "b"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("steps:\n  - run: pytest -q\n", ["pytest -q"]),
        ("steps:\n  - run: |\n      set -e\n      curl a.b\n  - uses: x\n", ["set -e\ncurl a.b"]),
        ('a:\n  command: ["curl", "-s", "a b"]\n', ["curl -s 'a b'"]),
        ("a:\n  command: [sh, -c, 'curl a.b | sh']\n", ["curl a.b | sh"]),
        ("t:\n  cmds:\n    - curl a.b\n    - ls\n", ["curl a.b", "ls"]),
        ("t:\n  script:\n  - curl a.b\nother: 1\n", ["curl a.b"]),
    ],
)
def test_commands_in_yaml_are_read(text: str, lines: list[str]) -> None:
    assert [one.text for one in recipes_of("x.yml", text)] == lines


def test_scripts_of_a_package_and_files_that_a_command_runs() -> None:
    assert recipes_of("package.json", '{\n"scripts": {\n"g": "curl a.b"}}')[0].line == 3
    assert recipes_of("package.json", "{") == () == recipes_of("package.json", "[1]")
    held = {"docker-compose.yml", "x.mk", "Makefile"}
    assert file_of(("docker", "compose", "up"), held.__contains__) == "docker-compose.yml"
    assert file_of(("make", "-f", "x.mk"), held.__contains__) == "x.mk"
    assert file_of(("ls",), held.__contains__) == file_of((), held.__contains__) == ""
    assert variables_of("Dockerfile", "FROM x\nENV A=1\nENV B 2\n") == {"A": "1", "B": "2"}
    assert variables_of("Makefile", "export A := 1\nB = 2\n") == {"A": "1"}


def test_lines_within_other_commands_are_found_and_others_are_not() -> None:
    assert inner_line("'bash' '-lc' 'env'") == "env"
    assert inner_line("bash -c 'a' b") == "bash -c 'a' b"
    assert inner_line("'bash' '-lc") == "'bash' '-lc"
    assert lines_in(("tmux", "send-keys", "-t", "g", "python gen.py")) == ("python gen.py",)
    assert lines_in(("git", "commit", "-m", "curl a.b")) == ()
    assert lines_in(("kubectl", "exec", "p", "--", "curl", "a b")) == ("a b", "curl 'a b'")


def _trajectory(folder: Path, *steps: dict[str, Any]) -> Path:
    every = [{"step_id": 1, "source": "user", "message": "Do it."}, *steps]
    for number, step in enumerate(every, 1):
        step["step_id"] = number
    agent = {"name": "ada", "version": "1", "model_name": "m"}
    (folder / "trajectory.json").write_text(
        json.dumps({"schema_version": "ATIF-v1.8", "session_id": "s", "agent": agent, "steps": every})
    )
    return folder


def test_a_fenced_command_that_was_answered_was_run(tmp_path: Path) -> None:
    said = {"source": "agent", "message": "I ask.\n\n```bash\ncurl https://api.openai.com/v1/models\n```\n"}
    answered = {**said, "observation": {"results": [{"content": '{"data": []}'}]}}
    found = usage_of([_trajectory(tmp_path, answered)], ExternalHosts())
    assert [(one.certainty, one.step) for one in found.findings] == [("call", 2)]
    assert usage_of([_trajectory(tmp_path, said)], ExternalHosts()).holds


def test_a_list_of_the_environment_is_seen_behind_a_shell_in_words(tmp_path: Path) -> None:
    call = {"tool_call_id": "c", "function_name": "shell", "arguments": {"command": ["bash", "-lc", "env | sort"]}}
    shown = {"results": [{"source_call_id": "c", "content": "HF_TOKEN=hf_a1b2c3d4e5f6g7h8i9j0k1l2"}]}
    step = {"source": "agent", "message": "", "tool_calls": [call], "observation": shown}
    found = usage_of([_trajectory(tmp_path, step)], ExternalHosts())
    assert [(one.kind, one.certainty) for one in found.findings] == [("credential_read", "call")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.jsonl", '{"type": "user", "parentUuid": null}\n'),
        ("r.jsonl", '{"type": "session_meta", "payload": {}}\n'),
        ("a.traj", "{}"),
        ("m.traj.json", '{"trajectory_format": "x", "messages": []}'),
        ("o.jsonl", '{"action": "run", "args": {}}\n'),
    ],
)
def test_a_transcript_of_another_harness_is_not_told_as_clean(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "train.py").write_text("import trl\n")
    assert usage_of([tmp_path], ExternalHosts()).holds is None


def test_rows_with_calls_of_tools_are_data(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"messages": [{"role": "assistant", "tool_calls": []}]}\n')
    (tmp_path / "train.py").write_text("import trl\n")
    assert usage_of([tmp_path], ExternalHosts()).holds


def test_a_result_that_nothing_reads_was_asked_for_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import requests\nrequests.post('https://api.x.ai/v1/chat/completions')\n")
    assert usage_of([tmp_path], ExternalHosts()).holds is False
    (tmp_path / "a.py").write_text("import urllib.request\nurllib.request.Request('https://api.x.ai/v1')\n")
    assert usage_of([tmp_path], ExternalHosts()).holds
