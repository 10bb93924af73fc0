"""Rules on verdicts that are read out of a report or a log, which the code under test could have printed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, ancestor, program, row, says
from fairtrial.attack.reading.sources import Sources

_PASS_WORDS = re.compile(r"\b(all tests )?(pass(ed)?|PASS(ED)?|OK|SUCCESS|success)\b")
_FAIL_WORDS = re.compile(r"\b(fail(ed|ures?)?|FAIL(ED|URES?)?|errors?|ERRORS?)\b")
_REPORT = re.compile(
    r"(report|results?)[\w.-]*\.xml$|(junit|ctrf|tests?[-_]?(output|results?|report)|pytest)[\w.-]*\.(xml|json|txt|log)$",
    re.IGNORECASE,
)


def marker_lines(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find a log searched for words of success."""
    for node, words in script.commands():
        if program(words) not in ("grep", "egrep", "rg", "awk") or len(words) < 2:
            continue
        wanted = next((word for word in words[1:] if not word.startswith("-")), "")
        negated = ancestor(node, "negated_command") is not None
        if _FAIL_WORDS.search(wanted) and negated:
            yield row(node), "No word of failure is taken for a pass: a run that never came to its tests has none."
        elif _PASS_WORDS.search(wanted) and _is_condition(node):
            yield row(node), f"A line with `{wanted}` is the verdict: the code under test can print one."


def marker_words(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find output searched for words of success, or for the absence of failure."""
    for node, operator, left, right in file.compares:
        word = constant(left)
        if not isinstance(word, str) or not file.is_verdict(node) or not _looks_like_output(right, file):
            continue
        if isinstance(operator, ast.In) and _PASS_WORDS.search(word):
            yield node.lineno, f"`{word}` in the output is the verdict: the code under test can print it."
        if isinstance(operator, ast.NotIn) and _FAIL_WORDS.search(word):
            yield node.lineno, "No word of failure is taken for a pass: a run that never came to its tests has none."


def report_in_reach(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find a test report that is read from a place where the code under test can write."""
    reach = (*sources.roots, "/tmp")
    for call, name in file.calls:
        if name.rpartition(".")[2] not in ("parse", "open", "read_text", "load", "fromfile", "JUnitXml"):
            continue
        for text in strings(call):
            if any(text.startswith(f"{root}/") for root in reach) and _REPORT.search(text) and _is_of_tests(file):
                yield call.lineno, f"`{text}` decides, and the code under test can write it."


def counts_failures(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a report in which only failures are counted: nothing run, or all skipped, passes."""
    counted = re.search(r"[\"'](tests|total|passed|collected|testsRun)[\"']|testsRun", file.text)
    for node, operator, left, right in file.compares:
        key = " ".join(strings(left))
        zero = constant(right) == 0 and constant(right) is not False
        if isinstance(operator, ast.Eq) and zero and _FAIL_WORDS.search(key) and not counted and file.is_verdict(node):
            yield node.lineno, "Only failures are counted: a run of no tests, or of skipped ones, passes."


def _is_condition(node: object) -> bool:
    around = ancestor(node, "if_statement", "list", "negated_command", "command_substitution", "while_statement")  # type: ignore[arg-type]
    return (around is not None and "reward" in says(around)) or (around is not None and around.type == "if_statement")


def _looks_like_output(node: ast.expr, file: PythonFile) -> bool:
    last = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return file.flow.kind(node) == "text" or last in ("stdout", "output", "out", "log", "stderr")


def _is_of_tests(file: PythonFile) -> bool:
    return bool(re.search(r"junit|testsuite|testcase|ctrf|failures|passed", file.text))


RULES = (
    Rule(
        card=static_card(
            "marker_lines", "logs searched for words of success or failure", ("BGW-112", "BGW-125", "TRACE-8")
        ),
        python=marker_words,
        shell=marker_lines,
    ),
    Rule(
        card=static_card(
            "report_in_reach", "test reports that the code under test can write", ("BGW-112", "BGW-131", "TRACE-8")
        ),
        python=report_in_reach,
    ),
    Rule(
        card=static_card(
            "counts_failures", "reports in which only failures count", ("BGW-109", "BGW-125", "BGW-128", "TRACE-1")
        ),
        python=counts_failures,
    ),
)
