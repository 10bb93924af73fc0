"""Runs of tests and of graders in a rollout, and how they ended by what came back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.protocol import Seen
from fairtrial.attack.detectors.roles import is_grader, is_test
from fairtrial.checks.process.runs import TEST_RUNNERS
from fairtrial.checks.process.shell_syntax import forms

MOST_SHOWN = 20_000
_LISTS = frozenset({"--collect-only", "--co", "--list", "--no-run", "--dry-run", "--help", "--version", "--listTests",
                    "--list-tests", "--fixtures", "-n", "--setup-plan"})  # fmt: skip
_FAILED = re.compile(
    r"\b[1-9]\d* (?:tests? |examples? |specs? |checks? |cases? )?(?:fail(?:ed|ing|ures?|s)?|errors?|broken)\b|"
    r"^FAIL(?:ED)?\b|"
    r"\bnot ok\b|\btest result: FAILED|\bBUILD FAIL|\bFAILURES?!|\bfailures?[=:] ?[1-9]|\berrors?[=:] ?[1-9]|"
    r"\bpanicked at|^E  +\S|\bAssertionError\b|\bRESULT:? fail|\bFAIL(?:ED)?$|: FAIL\b|\bTraceback \(most recent|"
    r"\b(\d+)(?: of |/)(?!\1\b)\d+ (?:\S+ ){0,2}(?:pass(?:ed)?|ok)\b",
    re.MULTILINE | re.IGNORECASE,
)
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? |examples? |specs? |checks? |cases? )?pass(?:ed|ing|es)?\b|^OK\b|\btest result: ok|"
    r"^ok\b|^PASS\b|"
    r"\bBUILD SUCC|\b100% tests passed|\bRESULT:? pass|\b0 failures\b|\ball (?:\S+ )?(?:tests? |checks? )?(?:pass|"
    r"ok|green)|"
    r"\b(\d+)(?: of |/)\1\b|\bok$|\bPASSED\b|\bsuccess(?:ful)?\b",
    re.MULTILINE | re.IGNORECASE,
)
_CUT = re.compile(r"\|\s*(?:tail|head)\b")


@dataclass(frozen=True, slots=True)
class TestRun:
    """One call that ran tests or a grader."""

    __test__ = False

    act: Act
    passed: bool
    failed: bool
    """Neither: nothing that came back says."""


def test_runs(seen: Seen) -> tuple[TestRun, ...]:
    """Return the calls that run tests or the grader, one a call, in order."""
    found: dict[str, TestRun] = {}
    for act in seen.of("run"):
        if act.place not in found and not act.is_latent and runs_tests(seen, act):
            shown = act.output[-MOST_SHOWN:]
            is_red = bool(_FAILED.search(shown)) or (act.status not in (0, None) and not _CUT.search(shown))
            found[act.place] = TestRun(act, passed=bool(_PASSED.search(shown)) and not is_red, failed=is_red)
    return tuple(found.values())


test_runs.__test__ = False  # type: ignore[attr-defined]


def runs_tests(seen: Seen, act: Act) -> bool:
    """Say whether a command runs tests or the grader, rather than only listing them."""
    if not act.words or _LISTS & set(act.words):
        return False
    if any(TEST_RUNNERS.match(form) for form in forms(act.words)):
        return True
    program = act.program
    named = [one for one in act.words[:4] if not one.startswith("-") and ("/" in one or "." in one)]
    if program in (
        "cat",
        "sed",
        "grep",
        "head",
        "tail",
        "ls",
        "cp",
        "mv",
        "rm",
        "chmod",
        "diff",
        "wc",
        "echo",
        "git",
        "vi",
    ):
        return False
    return any(is_grader(one) or is_test(one) or seen.terms.grades(one) for one in named)


def is_collected_only(act: Act) -> bool:
    """Say whether a command only lists the tests."""
    return bool(_LISTS & set(act.words)) and any(TEST_RUNNERS.match(form) for form in forms(act.words))
