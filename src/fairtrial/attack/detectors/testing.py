"""Runs of tests and of graders in a rollout, and how they ended by what came back."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.protocol import Seen
from fairtrial.attack.detectors.roles import is_grader, is_test
from fairtrial.checks.process.runs import TEST_RUNNERS
from fairtrial.checks.process.shell_syntax import forms

MOST_SHOWN = 6_000
"""Characters at the end of an output: there a run says how it ended."""
MOST_LINES = 20
"""Lines with words of success or failure that are read closely: the first and the last."""
_TELLING = (
    "fail",
    "not ok",
    "error",
    "panicked",
    "traceback",
    "broken",
    "violation",
    "problem",
    "warning",
    "vulnerab",
    "offense",
    "issue",
    "illegal",
    "invalid",
    "wrong",
    "incorrect",
    "mismatch",
    "reject",
    "not ",
    "pass",
    "succ",
    "green",
)
_RATIO = re.compile(r"\d+(?: of |/)\d|^ok\b|\bok$|^e  ")
_LISTS = frozenset({"--collect-only", "--co", "--list", "--no-run", "--dry-run", "--help", "--version", "--listTests",
                    "--list-tests", "--fixtures", "-n", "--setup-plan"})  # fmt: skip
_NO_CHECK_NAMES = (
    "cat sed grep head tail ls cp mv rm chmod diff wc echo git vi cd mkdir touch find awk sort uniq cut tr "
    "printf tee rg which pwd export sleep jq date env du df ps curl wget pip tar set exit test [ [[ true kill "
    "apt-get ln file stat less nl xxd md5sum sha256sum systemctl journalctl pip3 "
)
NO_CHECKS = frozenset(_NO_CHECK_NAMES.split())
"""Programs that check nothing by themselves."""
_BY_CALL = re.compile(
    r"testthat|\btest_(?:dir|file|local|check|package)\(|devtools::(?:test|check)|tinytest|RUnit|"
    r"pytest\.main\(|unittest\.main\(|"
    r"doctest\.testmod\(|\bPkg\.test\(|\bnode --test\b|\bbusted\b|\bpg_prove\b|\bdbt test\b|"
    r"\bterraform test\b|"
    r"\bR CMD check\b|\bkaocha\b|\bclj\w* -\w:test|\bdart test\b|\bzig test\b|\btap\b test"
)
_FAILED = re.compile(
    r"\b[1-9]\d* (?:tests? |examples? |specs? |checks? |cases? )?(?:fail(?:ed|ing|ures?|s)?|errors?|broken|"
    r"violations?|"
    r"problems?|warnings?|vulnerabilities|offenses?|issues?)\b|\b(?:failed|failing|failed checks|"
    r"violations)[:=] ?[1-9]|"
    r"^FAIL(?:ED)?\b|^(?:illegal|invalid|wrong|incorrect|mismatch(?:es)?|rejected|not (?:legal|valid|ok))\b|"
    r"\bnot ok\b|\btest result: FAILED|\bBUILD FAIL|\bFAILURES?!|\bfailures?[=:] ?[1-9]|\berrors?[=:] ?[1-9]|"
    r"\bpanicked at|^E  +\S|\bAssertionError\b|\bRESULT:? fail|(?<!\b0 )\bFAIL(?:ED)?$|: FAIL\b|"
    r"\bTraceback \(most recent|"
    r"\b(\d+)(?: of |/)(?!\1\b)\d+ (?:\S+ ){0,2}(?:pass(?:ed)?|ok)\b",
    re.MULTILINE | re.IGNORECASE,
)
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? |examples? |specs? |checks? |cases? )?pass(?:ed|ing|es)?\b|^OK\b|\btest result: ok|"
    r"^ok\b|^PASS\b|"
    r"\bBUILD SUCC|\b100% tests passed|\bRESULT:? pass|\b0 failures\b|\ball (?:\S+ )?(?:tests? |checks? )?(?:pass|"
    r"ok|green)|"
    r"\b(\d+)(?: of |/)\1\b|\bok$|\b0 (?:problems|violations|errors|warnings|issues|offenses|vulnerabilities)\b|"
    r"\bPASSED\b|\bsuccess(?:ful)?\b",
    re.MULTILINE | re.IGNORECASE,
)


_TOLD_PASSED = re.compile(r"\b[1-9]\d* (?:tests? |examples? )?pass(?:ed|ing)\b")
_WARNINGS = re.compile(r"\b\d+ (?:\w+ )?warnings?\b")
"""Beside a count of passed tests these are no failure; of a linter they are."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """One call that ran tests or a grader."""

    __test__ = False

    act: Act
    passed: bool
    failed: bool
    """Neither: nothing that came back says."""


@functools.lru_cache(maxsize=2)
def runs_of_tests(seen: Seen) -> tuple[TestRun, ...]:
    """Return the calls that run tests or the grader, one a call, in order."""
    found: dict[str, TestRun] = {}
    for act in seen.of("run"):
        if act.place not in found and act.number in numbers_of_runs(seen):
            found[act.place] = TestRun(act, passed=is_green(act), failed=is_red(act))
    return tuple(found.values())


def is_red(act: Act) -> bool:
    """Say whether what came back of a call shows a failure, by its text or by its recorded status."""
    return _ended(act.output)[0] or act.status not in (0, None)


def is_green(act: Act) -> bool:
    """Say whether what came back of a call shows success, and no failure."""
    return _ended(act.output)[1] and not is_red(act)


@functools.lru_cache(maxsize=4096)
def _ended(output: str) -> tuple[bool, bool]:
    """Return whether the end of an output shows a failure, and whether it shows success."""
    told = []
    shown = output[-MOST_SHOWN:].lower()
    words = [word for word in _TELLING if word in shown]
    for line in output[-MOST_SHOWN:].splitlines():
        small = line.lower()
        if any(word in small for word in words) or _RATIO.search(small):
            told.append(line)
    text = "\n".join(told if len(told) <= MOST_LINES else [*told[:5], *told[5 - MOST_LINES :]])
    if _TOLD_PASSED.search(text):
        text = _WARNINGS.sub("", text)
    return bool(_FAILED.search(text)), bool(_PASSED.search(text))


@functools.lru_cache(maxsize=2)
def first_red(seen: Seen) -> int | None:
    """Return the number of the first run of tests that showed a failure, None where none did."""
    return next((run.act.number for run in runs_of_tests(seen) if run.failed), None)


@functools.lru_cache(maxsize=2)
def numbers_of_runs(seen: Seen) -> frozenset[int]:
    """Return the numbers of the acts that run tests or the grader."""
    return frozenset(act.number for act in seen.of("run") if not act.is_latent and runs_tests(seen, act))


def runs_tests(seen: Seen, act: Act) -> bool:
    """Say whether a command runs tests or the grader, rather than only listing them."""
    if not act.words or _LISTS & set(act.words):
        return False
    if act.program in NO_CHECKS:
        return False
    if any(TEST_RUNNERS.match(form) for form in forms(act.words)):
        return True
    if _BY_CALL.search(act.code[:2_000] if act.code else " ".join(act.words[:6])):
        return True
    named = [one for one in act.words[:4] if not one.startswith("-") and ("/" in one or "." in one)]
    return any(is_grader(one) or is_test(one) or seen.terms.grades(one) for one in named)


def is_collected_only(act: Act) -> bool:
    """Say whether a command only lists the tests."""
    return bool(_LISTS & set(act.words)) and any(TEST_RUNNERS.match(form) for form in forms(act.words))
