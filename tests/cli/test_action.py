"""The GitHub Action: its file is what a composite action must be, and what its steps call is what our commands take.

Read by a reader of its own, of the part of YAML that it uses: it refuses what it does not know. Not covered: GitHub.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer

from fairtrial.cli.main import VERBS

ROOT = Path(__file__).resolve().parents[2]
_KEY = re.compile(r"([A-Za-z][\w-]*):(?: (.*))?$")


def parsed(lines: list[tuple[int, str]]) -> Any:
    """Read mappings, lists of mappings, block texts and plain or quoted scalars; `lines` are (indent, text)."""
    if lines[0][1].startswith("- "):
        starts = [n for n, (indent, text) in enumerate(lines) if indent == lines[0][0] and text.startswith("- ")]
        parts = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
        return [parsed([(part[0][0] + 2, part[0][1][2:]), *part[1:]]) for part in parts]
    found: dict[str, Any] = {}
    n = 0
    while n < len(lines):
        indent, text = lines[n]
        match = _KEY.match(text)
        assert match, text
        assert indent == lines[0][0], text
        end = next((m for m in range(n + 1, len(lines)) if lines[m][0] <= indent and lines[m][1]), len(lines))
        assert match[1] not in found, text
        found[match[1]] = value(match[2] or "", lines[n + 1 : end])
        n = end
    return found


def value(text: str, inner: list[tuple[int, str]]) -> Any:
    if text == "|":
        least = min(indent for indent, line in inner if line)
        return "\n".join(" " * (indent - least) + line for indent, line in inner).rstrip() + "\n"
    if not text:
        return parsed([line for line in inner if line[1]])
    assert not [line for _, line in inner if line], text
    if text[0] in "\"'":
        assert text[-1] == text[0]
        return text[1:-1]
    assert not re.search(r": | #|^[\[{&*!|>%@`]", text), f"a plain scalar that YAML reads otherwise: {text}"
    return text


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in (ROOT / "action.yml").read_text().splitlines()]
    found = parsed([line for line in lines if line[1] or line[0] == 0])
    assert isinstance(found, dict)
    return found


def test_it_is_a_composite_action_and_every_input_is_described_and_used(action: dict[str, Any]) -> None:
    assert action["runs"]["using"] == "composite"
    assert {"name", "description"} <= set(action)
    text = (ROOT / "action.yml").read_text()
    for name, about in action["inputs"].items():
        assert about["description"], name
        assert about.get("required") == "true" or "default" in about, name
        assert f"inputs.{name}" in text, name
    page = (ROOT / "docs" / "certificate.md").read_text()
    assert {name for name in action["inputs"] if f"`{name}`" not in page} == set()
    named = set(re.findall(r"inputs\.([\w-]+)", text))
    assert named <= set(action["inputs"])


def test_every_step_is_named_and_does_one_thing_with_pinned_actions(action: dict[str, Any]) -> None:
    steps = action["runs"]["steps"]
    for step in steps:
        assert step["name"]
        assert ("run" in step) != ("uses" in step), step["name"]
        if "uses" in step:
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@v\d+", step["uses"])
        else:
            assert step["shell"] == "bash"
            # What a caller hands in reaches a script as a variable: it is never part of the script's text.
            assert "${{" not in step["run"], step["name"]
    uses = " ".join(step.get("uses", "") for step in steps)
    assert "github/codeql-action/upload-sarif@" in uses
    assert "actions/upload-artifact@" in uses


def test_outputs_come_from_steps_that_are_there(action: dict[str, Any]) -> None:
    identifiers = {step["id"] for step in action["runs"]["steps"] if "id" in step}
    text = (ROOT / "action.yml").read_text()
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) <= identifiers


@pytest.mark.parametrize("step", ["Install bubblewrap", "Install fairtrial", "Prove", "Say whether it holds"])
def test_scripts_are_bash(action: dict[str, Any], step: str) -> None:
    (script,) = [one["run"] for one in action["runs"]["steps"] if one["name"] == step]
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def prove_step(action: dict[str, Any], tmp_path: Path, *, exit_code: int = 0, **inputs: str) -> tuple[int, list[str]]:
    """Run the step that proves, with a fairtrial that only writes down what it is called with."""
    called = tmp_path / "called.json"
    program = tmp_path / "fairtrial" / "bin" / "fairtrial"
    program.parent.mkdir(parents=True)
    program.write_text(
        f'#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done >{called}\necho page\nexit {exit_code}\n'
    )
    program.chmod(0o755)
    (step,) = [one for one in action["runs"]["steps"] if one["name"] == "Prove"]
    usual = {name: about.get("default", "") for name, about in action["inputs"].items()} | inputs
    filled = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: usual[match[1]], text)
        for name, text in step["env"].items()
    }
    places = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output"),
              "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}  # fmt: skip
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=tmp_path, check=False,
        env={"PATH": os.environ["PATH"], **places, **filled}, capture_output=True, text=True,
    )  # fmt: skip
    assert (tmp_path / "output").read_text() == f"exit-code={exit_code}\n"
    assert "page" in (tmp_path / "summary").read_text()
    return done.returncode, called.read_text().splitlines()


@pytest.mark.parametrize(
    "inputs",
    [
        {"suite": "suites/refunds"},
        {"suite": "a b", "baseline": "known findings.json", "arguments": "--repeats 5 --known-only"},
        {"suite": "a;touch pwned", "sarif": "out/$(touch pwned).sarif"},
    ],
)
def test_what_is_called_is_what_prove_takes(action: dict[str, Any], tmp_path: Path, inputs: dict[str, str]) -> None:
    code, words = prove_step(action, tmp_path, **inputs)
    assert (code, words[0]) == (0, "prove")
    command: Any = typer.main.get_command(importlib.import_module(VERBS["prove"].module).app)
    with command.make_context("prove", words[1:]) as context:
        taken = context.params
    assert [str(path) for path in taken["paths"]] == inputs["suite"].split()
    assert str(taken["sarif"]) == inputs.get("sarif", action["inputs"]["sarif"]["default"])
    assert taken["certificate"] is not None
    assert taken["junit"] is not None
    assert str(taken["baseline"] or "") == inputs.get("baseline", "")
    assert taken["repeats"] == (5 if "arguments" in inputs else 3)
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize("exit_code", [1, 2, 3])
def test_the_step_goes_on_to_the_uploads_and_the_last_one_fails(
    action: dict[str, Any], tmp_path: Path, exit_code: int
) -> None:
    code, _ = prove_step(action, tmp_path, exit_code=exit_code, suite="suite")
    assert code == 0
    last = action["runs"]["steps"][-1]["run"]
    done = subprocess.run(["bash", "-e", "-c", last], env={"CODE": str(exit_code)}, check=False)
    assert done.returncode == exit_code


def test_the_reader_refuses_what_it_does_not_know() -> None:
    for text in ("a: [1]", "a: b: c", "a: 1\na: 2"):
        with pytest.raises(AssertionError):
            parsed([(0, line) for line in text.splitlines()])
    assert parsed([(0, "a:"), (2, "- b: 'x'"), (4, "c: |"), (6, "y"), (8, "z")]) == {"a": [{"b": "x", "c": "y\n  z\n"}]}
    assert json.dumps(parsed([(0, "a: true")])) == '{"a": "true"}'
