"""No text that an agent may leave makes the reading of conduct raise, or take long."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.lookup import BenchmarkNames, lookups_of
from fairtrial.contamination.usage import ExternalHosts, usage_of

NAMES = BenchmarkNames(repository=("https://github.com/ada/FigBench",), names=("FigBench",))
PIECES = (
    "import openai\n", "OpenAI(", "base_url=", "'http", "\x00", "f'{", "}", "os.environ", "[::-1]", "<<E\n", "$(", "`",
    "curl ", "sk-", "env|", "\\x61", "%41", "a=1;", "'+'", "class A:\n", "    ", "def f(x):\n", "return ", "lambda:",
    "*[", "**{", "é", "\ud800", ")", "ada/FigBench", "{", '"', "b64decode('", "exec(", "git clone ",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@contextmanager
def _left(text: str, ending: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"left{ending}").write_bytes(text.encode("utf-8", "surrogatepass"))
        yield Path(folder)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.sampled_from([".py", ".sh", ".js", ".log", ".toml", ".ipynb", ".env", ".mk", ".yml", ".ps1"]))
def test_no_file_makes_it_raise(text: str, ending: str) -> None:
    with _left(text, ending) as folder:
        for found in (usage_of([folder], ExternalHosts()), lookups_of([folder], NAMES)):
            assert found.read or found.unreadable
            json.dumps([one.row() for one in found.findings])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_no_trajectory_makes_it_raise(said: list[tuple[str, str]]) -> None:
    steps = [{"step_id": 1, "source": "user", "message": "x"}]
    for number, (command, output) in enumerate(said, 2):
        clean = [one.encode("utf-8", "replace").decode() for one in (command, output)]
        call = {"tool_call_id": "c", "function_name": "bash", "arguments": {"command": clean[0]}}
        steps.append({"step_id": number, "source": "agent", "message": "", "tool_calls": [call],
                      "observation": {"results": [{"source_call_id": "c", "content": clean[1]}]}})  # type: ignore[dict-item]  # fmt: skip
    whole = {"schema_version": "ATIF-v1.8", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": steps}
    with _left(json.dumps(whole), ".json") as folder:
        assert usage_of([folder], ExternalHosts()).read
        assert lookups_of([folder], NAMES).read


@pytest.mark.extra
@pytest.mark.parametrize(
    "unit", ["\n", " ", "sk-", "env\n", "'a' + ", "/*", "grep -r sk- ", "ada/FigBench ", "API_KEY=", "<<A "]
)
@pytest.mark.parametrize("ending", [".py", ".js", ".sh"])
def test_a_hundred_thousand_characters_take_a_moment(unit: str, ending: str) -> None:
    with _left(unit * (100_000 // len(unit)), ending) as folder:
        began = time.process_time()
        usage_of([folder], ExternalHosts())
        lookups_of([folder], NAMES)
        assert time.process_time() - began < 5
