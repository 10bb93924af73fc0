"""What a run of tests came to: an outcome for each test by its name, and whether the run can be believed as a whole.

Only `passed` passes: a test that was skipped, expected to fail or never heard of has shown nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.checks.protocol import CheckError

MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one test ended."""

    status: str
    """`passed`, `failed`, `error` (before or after the test itself), `skipped`, `xfailed` or `xpassed`."""
    said: str = ""
    lacks_name: bool = False
    """The test itself asked for a name or a parameter that the code does not have."""

    @property
    def line(self) -> str:
        """Return how it ended, for a sentence."""
        return f"{self.status}: {self.said[:160] or 'no more is said'}"

    @property
    def passed(self) -> bool:
        """Say whether it passed."""
        return self.status == "passed"


NOT_RUN = Outcome("error", "it did not run")


@dataclass(frozen=True, slots=True)
class TestRun:
    """The outcomes of one run by the names of the tests."""

    __test__ = False

    tests: Mapping[str, Outcome]
    problem: str = ""
    """Why the run as a whole cannot be believed, as a clause; "" where it can."""
    not_collected: Mapping[str, Outcome] = field(default_factory=dict)
    """Files of tests that could not be read, with why."""
    cut_short: bool = False
    """The run did not come to its end: it crashed, left or was stopped. The test that it was at is an error."""

    @property
    def passed(self) -> set[str]:
        """Return the names of the tests that passed; none of a run that is not believed."""
        return set() if self.problem else {name for name, outcome in self.tests.items() if outcome.passed}

    def of(self, name: str) -> Outcome:
        """Return the outcome of the test `name`, or of its file; one that was not heard of is an error."""
        if name in self.tests:
            return self.tests[name]
        for file, outcome in self.not_collected.items():
            if name == file or name.startswith((f"{file}::", f"{file}.")):
                return outcome
        return NOT_RUN


def meant(wanted: str, names: Iterable[str]) -> list[str]:
    """Return those of `names` that `wanted` means: itself, its parametrised cases, or the one test of that short name.

    >>> meant("test_a.py::test_b", ["test_a.py::test_b[1]", "test_a.py::test_b[2]", "test_a.py::test_bc"])
    ['test_a.py::test_b[1]', 'test_a.py::test_b[2]']
    >>> meant("test_b", ["test_a.py::test_b", "test_c.py::test_b"])
    []
    """
    known = list(names)
    if wanted in known:
        return [wanted]
    if cases := [name for name in known if name.startswith(f"{wanted}[")]:
        return cases
    short = [name for name in known if name.endswith((f"::{wanted}", f".{wanted}"))]
    return short if len(short) == 1 else []


def names_in(stated: list[str] | str | None, parameter: str) -> list[str]:
    """Return the names of tests stated as a list, or in a file: lines, a JSON list, or SWE-bench's two lists."""
    if stated is None or isinstance(stated, list):
        return stated or []
    try:
        text = Path(stated).read_text(encoding="utf-8")
        value = json.loads(text) if text.lstrip().startswith(("[", "{")) else text.split("\n")
    except (OSError, ValueError) as error:
        raise CheckError(f"`{parameter}` cannot be read: {error}") from error
    if isinstance(value, dict):
        lists = [value.get("FAIL_TO_PASS", []), value.get("PASS_TO_PASS", [])]
        value = [name for names in lists for name in (json.loads(names) if isinstance(names, str) else names)]
    if not all(isinstance(name, str) for name in value):
        raise CheckError(f"`{parameter}` holds something else than names of tests")
    return [name.strip() for name in value if name.strip()]


def counted(number: float, noun: str) -> str:
    """Return `1 test` or `2 tests`.

    >>> counted(1, "test"), counted(0, "file")
    ('1 test', '0 files')
    """
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def told(names: Iterable[str], run: TestRun) -> dict[str, str]:
    """Return the first of `names` with how each ended, as evidence."""
    return {name: _line(run.of(name)) for name in sorted(names)[:MOST_NAMED]}


def _line(outcome: Outcome) -> str:
    return f"{outcome.status}: {outcome.said}" if outcome.said else outcome.status
