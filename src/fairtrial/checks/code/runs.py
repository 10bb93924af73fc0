"""Run tests on a tree that is laid out, by pytest, unittest or any command, and say what each came to.

Pytest and unittest run under drivers of ours, which report beside tests that must fail (canaries), first and last: a
run that passes those, loses them, or ends with another exit code than it should is not believed. The code under test
shares the driver's process, so this tells apart what works against every runner (`os._exit(0)`, a patched assertion, a
hook that makes reports pass), not code written against this very driver; `functions_return` compares outside.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.checks.alone import remove_tree
from fairtrial.checks.apart import Ended, run_apart
from fairtrial.checks.code import drivers
from fairtrial.checks.code.outcomes import NOT_RUN, Outcome, TestRun
from fairtrial.checks.code.report_files import MOST_BYTES, UnreadableError, outcomes
from fairtrial.checks.code.trees import Entry
from fairtrial.checks.protocol import CheckError

CANARIES = """import unittest


class Test{token}(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(len(__name__), -1)

    def test_raise(self):
        raise AssertionError(__name__)

    def test_assert(self):
        assert __name__ == ""

    def test_raises(self):
        with self.assertRaises(LookupError):
            len(__name__)
"""
PER_FILE = 4
_TEXTS = ("test", "raised", "said", "file", "outcome", "as", "when", "crashed")


@dataclass(frozen=True, slots=True)
class Limits:
    """How a program of the work's is run: what it may use, and what it sees."""

    seconds: float = 300.0
    memory_mb: float = 0.0
    """Address space; 0 is no limit."""
    user: str = ""
    """Whom it runs as; a grader that is root says "nobody"."""
    environment: Mapping[str, str] = field(default_factory=dict)
    import_from: tuple[str, ...] = (".",)
    """Folders of the code that Python imports from."""

    @classmethod
    def of(cls, stated: Mapping[str, Any] | None) -> Limits:
        """Return what a check's `run` states. Raise CheckError for what makes no sense."""
        values = dict(stated or {})
        known = {"seconds", "memory_mb", "user", "environment", "import_from"}
        if strange := sorted(set(values) - known):
            raise CheckError(f"`run` has no key `{strange[0]}`; it has {', '.join(sorted(known))}")
        numbers = [values.get("seconds", 1), values.get("memory_mb", 0)]
        if not all(isinstance(number, int | float) and number >= 0 for number in numbers) or not numbers[0]:
            raise CheckError("`run`: seconds and memory_mb are numbers above 0")
        folders, variables = values.get("import_from", ["."]), values.get("environment", {})
        if not isinstance(folders, list) or not all(isinstance(one, str) for one in folders):
            raise CheckError("`run`: import_from is a list of folders in the code")
        if not isinstance(variables, dict) or not all(isinstance(one, str) for one in variables.values()):
            raise CheckError("`run`: environment is a table of texts")
        return cls(**values | {"import_from": tuple(folders)})

    def run(self, argv: Sequence[str], folder: Path, stdin: str = "") -> Ended:
        """Run `argv` in `folder` within these limits."""
        variables = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **self.environment}
        return run_apart(argv, folder, seconds=self.seconds, stdin=stdin, user=self.user, environment=variables,
                         memory_bytes=int(self.memory_mb * 1_000_000), most_output=MOST_BYTES)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Runner:
    """How tests are run."""

    kind: str
    """`pytest`, `unittest`, or `command`."""
    python: str = ""
    arguments: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, text: str, run: Mapping[str, Any] | None) -> Runner:
        """Return what `runner` and `run` of a check say: `pytest …`, `unittest`, `PYTHON -m pytest …`, or a command."""
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise CheckError(f"`runner` is no command: {error}") from error
        if not words:
            raise CheckError("`runner` is empty")
        python, rest = sys.executable, words
        if len(words) > 2 and words[1] == "-m":
            python, rest = words[0], words[2:]
        kind = rest[0] if rest[0] in ("pytest", "unittest") else "command"
        if kind == "unittest" and rest[1:]:
            raise CheckError("`runner`: unittest takes no words; what it runs is `at`")
        arguments = tuple(rest[1:] if kind != "command" else words)
        if kind == "pytest" and any(re.match(r"-x$|--exitfirst|--maxfail|-n|--forked", word) for word in arguments):
            raise CheckError("`runner`: pytest runs all tests in one process here, beside tests that must fail")
        return cls(kind, python, arguments, Limits.of(run))

    @property
    def names_tests(self) -> bool:
        """Say whether it tells how each test ended, not only how all did."""
        by_go = self.arguments[:2] == ("go", "test") and "-json" in self.arguments
        return self.kind != "command" or by_go or any("{report}" in word for word in self.arguments)

    def run(self, folder: Path, paths: Sequence[str], before: str = "") -> TestRun:
        """Run the tests below `paths` in `folder`. `before` is Python that is run first, where Python is run."""
        if self.kind == "command":
            return self._command(folder)
        token = f"c{secrets.token_hex(6)}"
        own = [word for word in self.arguments if "/" in word or word.endswith(".py")]
        there = [path for path in paths if (folder / path).exists()]
        if not there and not own:
            return TestRun({})
        beside = there[0] if there and (folder / there[0]).is_dir() else "."
        files = [f"{beside}/{token}_{place}.py" for place in ("first", "last")]
        for file in files:
            (folder / file).write_text(CANARIES.format(token=token))
        config = next(
            (name for path in (*paths, ".") if (folder / (name := f"{path}/pytest.ini")).is_file()), "/dev/null"
        )
        options = ["-c", config] if self.kind == "pytest" else []
        asked = {
            "secret": secrets.token_hex(16),
            "canaries": token,
            "paths": [files[0], *([] if own else there), files[1]],
            "arguments": [*options, *self.arguments],
            "import_from": list(self.limits.import_from),
            "before": before,
        }
        program = [self.python, "-s", "-B", "-c", drivers.source(f"{self.kind}_driver")]
        ended = self.limits.run(program, folder, json.dumps(asked))
        return _believed(ended, str(asked["secret"]), token)

    def _command(self, folder: Path) -> TestRun:
        with _private(open_to_all=bool(self.limits.user)) as private:
            report = Path(private, secrets.token_hex(8))
            words = [word.replace("{report}", str(report)) for word in self.arguments]
            ended = self.limits.run(words, folder)
            refuse_lacking(ended, words)
            if ended.code is None:
                return TestRun({}, f"the command {ended.said}", cut_short=True)
            names_report = words != list(self.arguments)
            if not self.names_tests:
                said = (ended.errors or ended.output).strip()[-300:]
                return TestRun({"exit code": Outcome("passed" if ended.code == 0 else "failed", said)})
            data = Entry(report, "file", MOST_BYTES + 1).data() if names_report else ended.output.encode()
        if not data:
            return TestRun({}, f"the command {ended.said} and left no report: {ended.errors[-200:]}")
        try:
            tests = outcomes(data)
        except UnreadableError as error:
            return TestRun({}, str(error))
        well = all(outcome.status not in ("failed", "error") for outcome in tests.values())
        odd = "" if well == (ended.code == 0) else f"the command {ended.said}, which its report does not say"
        return TestRun(tests, odd)


def refuse_lacking(ended: Ended, words: Sequence[str]) -> None:
    """Raise CheckError where the machine has no such program; one that lies in the work is the work's to bring."""
    if not ended.is_started and ("/" not in words[0] or Path(words[0]).is_absolute()):
        raise CheckError(f"`{words[0]}` cannot be run here: {ended.errors.strip()[-200:]}")


@contextlib.contextmanager
def _private(*, open_to_all: bool) -> Iterator[Path]:
    """Yield a folder for a report, and remove it whatever was put there."""
    folder = Path(tempfile.mkdtemp(prefix="report-"))
    try:
        folder.chmod(0o777 if open_to_all else 0o700)
        yield folder
    finally:
        remove_tree(folder)


def _believed(ended: Ended, secret: str, token: str) -> TestRun:
    """Return the outcomes that a driver told, and what is odd about them."""
    records, strange = _records(ended.output, secret)
    if ended.code == 1 and not records and "is not installed for" in ended.errors:
        raise CheckError(ended.errors.strip()[-300:])
    if not ended.is_started:
        raise CheckError(f"Python cannot be run here: {ended.errors[-300:]}")
    phases, raised, files, collected = _sorted_out(records)
    tests = {name: _outcome(ends, raised.get(name, {})) for name, ends in phases.items()}
    canaries = [tests.pop(name) for name in list(tests) if token in name]
    names = [name for name in collected if token not in name]
    ends = [record["ended"] for record in records if "ended" in record]
    lost = {name: _outcome([("collect", outcome)], raised.get(of, {})) for name, (outcome, of) in files.items()}
    problem = ""
    if ended.code is None:
        problem = f"the run {ended.said}"
    elif not ends:
        crash = [": " + " ".join(record["crashed"].split()) for record in records if "crashed" in record]
        problem = f"the run {ended.said} before its end{''.join(crash)}"
    elif strange or ends != [ended.code] or len(set(names)) != len(names):
        problem = "the report was written by something else than the runner"
    elif len(canaries) != 2 * PER_FILE or any(canary.status != "failed" for canary in canaries):
        problem = "tests that must fail were passed or lost, so its report says nothing"
    elif not set(tests) <= set(names) or any(len(when) != len(set(when)) for when in _whens(phases)):
        problem = "the report does not hold the tests that were found, once each"
    unheard = dict.fromkeys(set(names) - set(tests), NOT_RUN)
    return TestRun(tests | unheard, problem, lost, cut_short=not ends)


def _records(output: str, secret: str) -> tuple[list[dict[str, Any]], bool]:
    """Return the records under `secret`, and whether there is anything else."""
    lines = [line for line in output.split("\n") if line]
    mine = [line.removeprefix(f"{secret} ") for line in lines if line.startswith(f"{secret} ")]
    try:
        records = [json.loads(line) for line in mine]
    except (ValueError, RecursionError):
        return [], True
    told = [record for record in records if _is_record(record)]
    return told, len(told) != len(lines)


def _is_record(value: Any) -> bool:
    """Say whether `value` is a record such as a driver writes; what learned the secret could write anything."""
    if not isinstance(value, dict) or not isinstance(value.get("collected", []), list):
        return False
    texts = [value[name] for name in _TEXTS if name in value] + value.get("collected", [])
    kinds = [name for name in ("collected", "raised", "file", "when", "ended", "crashed") if name in value]
    wants = {"raised": ("test", "said"), "file": ("outcome",), "when": ("test", "outcome", "expected_to_fail")}
    return (
        all(isinstance(text, str) for text in texts)
        and len(kinds) == 1
        and all(name in value for name in wants.get(kinds[0], ()))
    )


Phases = dict[str, list[tuple[str, str]]]


def _sorted_out(
    records: list[dict[str, Any]],
) -> tuple[Phases, dict[str, dict[str, Any]], dict[str, tuple[str, str]], list[str]]:
    phases: Phases = {}
    raised: dict[str, dict[str, Any]] = {}
    files: dict[str, tuple[str, str]] = {}
    collected: list[str] = []
    for record in records:
        if "collected" in record:
            collected += record["collected"]
        elif "raised" in record:
            raised.setdefault(record["test"], record)
        elif "file" in record:
            files[record["file"]] = (record["outcome"], record.get("as", record["file"]))
        elif "when" in record:
            status = record["outcome"]
            if record["expected_to_fail"]:
                status = "xfailed" if status == "skipped" else "xpassed"
            phases.setdefault(record["test"], []).append((record["when"], status))
    return phases, raised, files, collected


def _whens(phases: Phases) -> list[list[str]]:
    return [[when for when, _ in ends] for ends in phases.values()]


def _outcome(ends: list[tuple[str, str]], raised: Mapping[str, Any]) -> Outcome:
    bad = [(when, status) for when, status in ends if status != "passed"]
    if not bad:
        ran = any(when == "call" for when, _ in ends)
        return Outcome("passed") if ran else Outcome("error", "it did not end")
    when, status = bad[0]
    if status == "failed" and when != "call":
        status = "error"
    return Outcome(status, " ".join(str(raised.get("said", "")).split()), _lacks_name(raised))


def _lacks_name(raised: Mapping[str, Any]) -> bool:
    said = str(raised.get("said", ""))
    kind = raised.get("raised")
    asked = kind in ("ImportError", "ModuleNotFoundError") or (
        kind == "AttributeError" and "'NoneType'" not in said) or (
        kind == "TypeError" and "argument" in said and "()" in said)  # fmt: skip
    return bool(raised.get("in_test")) and asked
