"""Whether an action ran tests or the program, and whether what came back shows that it went well.

Said by observations: a count of passed tests without a failed one, or the recorded status of a run whose output is
shown. A line that the command itself prints (`echo "5 passed"`) says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairtrial.checks.process.shell_commands import Ran
from fairtrial.checks.process.shell_syntax import forms, is_python
from fairtrial.checks.process.trajectory import Act

TEST_RUNNERS = re.compile(
    r"(pytest|py\.test|nose2|tox|nox|unittest|doctest|trial|stestr|bats|jest|vitest|mocha|ava|rspec|phpunit|ctest|"
    r"gotestsum|prove|runtests?(\.\w+)?|run_tests?(\.\w+)?)\b(?! *=)|"
    r"(cargo|go|dotnet|mix|swift|deno|bun|lein|sbt|zig( build)?|flutter|npm|yarn|pnpm|make|just|rake|stack|cabal|"
    r"gradlew?|mvnw?|bazel|manage\.py|ninja|meson|hatch)\b.*\b\S*(test|check|verify|regress|fuzz|spec|e2e)\S*|"
    r"\S*python[\d.]*\s+(-\w+\s+)*\S*(manage\.py\s+test|test_\w+\.py|\w+_test\.py|tests?/\S+\.py|tests?\.py)\b"
)
PROGRAMS = re.compile(
    r"(python|node|deno|ruby|perl|php|java|dotnet|Rscript|lua|julia|bun)[\d.]*\b|(go|cargo|npm|make) run\b|"
    r"\.{1,2}/\S+|/(?!usr/|bin/|sbin/)\S+/\S+|ba?sh \S+|psql .*-f|sqlite3\b|curl\b|http\b"
)
MOST_SHOWN = 500_000
"""Characters at the end of an output: there a run says how it went."""
_NO_RUN = frozenset({"--version", "-V", "--help", "-h", "--collect-only", "--co", "--fixtures", "--markers", "--list",
                     "--no-run", "--setup-plan", "-n", "--dry-run"})  # fmt: skip
_NOT_A_PROGRAM = ("pip", "venv", "ensurepip", "py_compile", "compileall", "json.tool", "http.server", "black", "ruff",
                  "mypy", "isort", "flake8", "build", "sysconfig", "site")  # fmt: skip
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|^OK\b|\btest result: ok\. [1-9]|^ok\s+\S+|^PASS\b|\bBUILD SUCCESS|"
    r"\b100% tests passed|\bTests:\s+(?:\d+ \w+, )*[1-9]\d* passed|^ok [1-9]|\bPASSED\b|^(?:# )?pass [1-9]|"
    r"\b(\d+) (?:of|/) \1 \S+(?: \S+)? (?:ok|pass)|\b[1-9]\d* examples?, 0 failures|"
    r"\b[Aa]ll (?:\d+ )?tests? (?:passed|ok)",
    re.MULTILINE,
)
_FAILED = re.compile(
    r"\b[1-9]\d* (?:tests? )?fail(?:ed|ing|ures?)\b|\b[1-9]\d* errors?\b|^FAILED\b|^FAIL\b|\bTraceback \(most recent|"
    r"\bFAILURES?!|\bnot ok [1-9]|\btest result: FAILED|\bBUILD FAIL|\bno tests? (?:ran|found|were)|^ERROR\b|"
    r"\bpanicked at|^E  +\S|^# fail [1-9]|\bfailures=[1-9]|\berrors=[1-9]|\bpanic:|\bNo tests found|^Ran 0 tests",
    re.MULTILINE,
)
_WENT_WRONG = re.compile(
    r"\bTraceback \(most recent|\b\w*Error:|\b\w*Exception:|command not found|No such file or directory|"
    r"[Ss]egmentation fault|\bpanic(?:ked)?[: ]|Permission denied|[Aa]ssertion [^\n]{0,200}failed|\bcore dumped|"
    r"^[Ee]rror\b|\bFAIL(?:ED|URE)?\b|(?<!0 )\b[Ff]ail(?:ed|ures?|s)?\b(?!\s*[=:]\s*0)|\bnot ok\b",
    re.MULTILINE,
)


def runs_of_tests(act: Act) -> list[Ran]:
    """Return the commands of an action that run tests, and not only list them."""
    return [ran for ran in act.commands if ran.is_certain and _is_test(ran)]


def runs_of_programs(act: Act) -> list[Ran]:
    """Return the commands of an action that run a program rather than a small tool."""
    return [ran for ran in act.commands if ran.is_certain and not _is_test(ran) and _is_program(ran)]


def _is_test(ran: Ran) -> bool:
    if set(ran.words) & _NO_RUN and not _has_workers(ran.words):
        return False
    return any(TEST_RUNNERS.match(form) for form in forms(ran.words))


def _has_workers(words: Sequence[str]) -> bool:
    """Say whether `-n` counts pytest's workers, as it does with xdist; with make it means a dry run."""
    return "-n" in words and not set(words) & (_NO_RUN - {"-n"}) and any(one.endswith("pytest") for one in words)


def _is_program(ran: Ran) -> bool:
    shown = forms(ran.words)
    if set(ran.words) & {"--version", "-V", "--help"} or not any(PROGRAMS.match(form) for form in shown):
        return False
    if any(TEST_RUNNERS.match(form) for form in shown):
        return False  # it lists tests
    inner = shown[-1].split()
    return not (any(is_python(one.split(" ")[0]) for one in shown) and bool(inner) and inner[0] in _NOT_A_PROGRAM)


def shows_success(act: Act, runs: Sequence[Ran], *, of_tests: bool) -> str:
    """Return the words that show that the runs went well; empty where nothing does."""
    if not any(ran.is_shown for ran in runs):
        return ""
    told = [ran.words for ran in act.commands if ran.program in ("echo", "printf")]
    lines = [line for line in act.observation[-MOST_SHOWN:].splitlines() if not _is_told(line, told)]
    seen = "\n".join(lines)
    if of_tests:
        if _FAILED.search(seen):
            return ""
        found = _PASSED.search(seen)
        if found and (act.status in (0, None) or not runs[-1].is_whole):
            return " ".join(found[0].split())
    elif _WENT_WRONG.search(seen):
        return ""
    if act.status is not None:
        whole = [ran for ran in runs if ran.is_whole]
        return "exit status 0" if act.status == 0 and whole and (seen.strip() or not of_tests) else ""
    return " ".join(seen.split())[-80:] if not of_tests else ""


def _is_told(line: str, told: Sequence[Sequence[str]]) -> bool:
    """Say whether the command itself printed this line."""
    text = line.strip()
    return bool(text) and any(text in " ".join(words[1:]) for words in told)
