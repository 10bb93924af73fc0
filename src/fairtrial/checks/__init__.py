"""The library with which authors write graders: checks, what they found, and how it adds up to a score.

It runs in a task's tests, from one file (`kit`) and the standard library alone, and out of the box where a check needs
what the agent must not reach. A check is a function; the families are sub-packages: state, code, cost, process, judged.
"""

from fairtrial.checks.aggregation import CheckRule, Rules, Score, aggregate
from fairtrial.checks.checks_file import ChecksFile, Declared, read_checks
from fairtrial.checks.protocol import Check, CheckError, Given, Inside, Result
from fairtrial.checks.registry import catalogue, find
from fairtrial.checks.report import Report
from fairtrial.checks.running import in_box, outside

__all__ = [
    "Check",
    "CheckError",
    "CheckRule",
    "ChecksFile",
    "Declared",
    "Given",
    "Inside",
    "Report",
    "Result",
    "Rules",
    "Score",
    "aggregate",
    "catalogue",
    "find",
    "in_box",
    "outside",
    "read_checks",
]
