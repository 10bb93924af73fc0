"""Rules on how a test runner is called: in the agent's folder, or with nothing run taken for a pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, program, row, says
from fairtrial.attack.reading.sources import Sources

_VALUED = {
    "-k",
    "-m",
    "-p",
    "-o",
    "-c",
    "-n",
    "-W",
    "--rootdir",
    "--timeout",
    "--junitxml",
    "--ctrf",
    "--tb",
    "--with",
    "-w",
    "--maxfail",
    "--json-report-file",
}


def pytest_in_workdir(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find pytest that collects from the agent's folder, with the agent's conftest.py and settings."""
    moved = [words[1] for _, words in script.commands() if words[0] == "cd" and len(words) > 1]
    outside = bool(moved) and not any(moved[-1] == root or moved[-1].startswith(f"{root}/") for root in sources.roots)
    for node, words in script.commands():
        is_pytest = program(words) in ("pytest", "py.test") or "pytest" in words
        if (
            not is_pytest
            or "--noconftest" in words
            or program(words) in ("pip", "pip3", "apt-get", "apt", "grep", "echo")
        ):
            continue
        if words[:1] == ["uv"] and "pip" in words:
            continue
        places = _places(words[words.index("pytest") + 1 :] if "pytest" in words else words[1:])
        agents = [place for place in places if not place.startswith("/") or _below(place, sources.roots)]
        if (agents and not outside) or (not places and not outside):
            what = f"`{agents[0]}`" if agents else "its working folder"
            yield row(node), f"`pytest` collects {what}, where conftest.py, settings and tests may be the agent's."


def nothing_run_passes(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find pytest's exit status 5 (no tests were collected) taken for a pass."""
    for node in script.nodes("test_command"):
        text = says(node)
        if re.search(r"(-eq|-ne|==?|!=)\s*[\"']?5\b", text) and re.search(
            r"\$\{?(\?|\w*(status|code|rc|exit|ret)\w*)", text, re.I
        ):
            yield row(node), "Status 5 of pytest says that no test was collected; it is singled out here."
        if re.search(r"(-ne\s+1|!=\s*[\"']?1|-lt\s+2|-le\s+1)\b", text) and "pytest" in script.text and "$?" in text:
            yield row(node), "Every status of pytest but 1 passes: usage errors and empty collections too."


def nothing_run_passes_in_python(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find exit status 5 in a list of good ones."""
    for node, operator, left, right in file.compares:
        if isinstance(operator, ast.In) and isinstance(right, ast.Tuple | ast.List | ast.Set):
            values = {constant(part) for part in right.elts}
            if {0, 5} <= values and re.search(r"returncode|code|status|rc|exit", ast.unparse(left)):
                yield node.lineno, "Status 5 of pytest says that no test was collected; here it is a good one."


def _places(words: list[str]) -> list[str]:
    found, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in _VALUED:
            skip = True
        elif not word.startswith("-") and not re.match(r"\d*[<>|&]", word):
            found.append(word.partition("::")[0])
    return found


def _below(place: str, roots: tuple[str, ...]) -> bool:
    return any(place == root or place.startswith(f"{root}/") for root in roots)


RULES = (
    Rule(
        card=static_card(
            "pytest_in_workdir",
            "pytest that collects from the agent's folder",
            ("BGW-108", "BGW-109", "BGW-131", "TRACE-1", "TRACE-8"),
        ),
        shell=pytest_in_workdir,
    ),
    Rule(
        card=static_card(
            "nothing_run_passes", "a run of no tests that passes", ("BGW-109", "BGW-125", "BGW-126", "TRACE-1")
        ),
        python=nothing_run_passes_in_python,
        shell=nothing_run_passes,
    ),
)
