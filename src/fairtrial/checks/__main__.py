"""Grade in the box: `python3 -I /tests/fairtrial.pyz /tests` runs tests/checks.toml and writes /logs/verifier."""

from __future__ import annotations

import io
import sys
import tomllib
from pathlib import Path

from fairtrial.checks.aggregation import Rules
from fairtrial.checks.alone import begin, end_others
from fairtrial.checks.checks_file import NAME, read_checks
from fairtrial.checks.running import in_box
from fairtrial.records.errors import FairtrialError, FormatError

LOGS = Path("/logs/verifier")
"""Where Harbor's runners look. A report that goes elsewhere is somebody trying the checks, whose processes live on."""
USAGE = "usage: fairtrial.pyz TESTS [LOGS]\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the checks that lie in the folder TESTS; return the exit code (0 graded, 2 bad input, 3 not measured)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a box may speak ASCII, and what checks found may not
    words = sys.argv[1:] if arguments is None else arguments
    if not 1 <= len(words) <= 2:
        sys.stderr.write(USAGE)
        return 2
    tests, logs = Path(words[0]), Path(words[1]) if len(words) == 2 else LOGS
    try:
        file = read_checks(tests / NAME)
        is_alone = file.end_others and logs == LOGS
        begin(logs, ends_others=is_alone)
        rules = rules_of(tests)
        report = in_box(file)
        if is_alone:
            end_others()
        reward = report.write(logs, rules)
    except FairtrialError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"error: the report cannot be written into {logs}: {error.strerror}\n")
        return 3
    for name, result in report.results.items():
        sys.stdout.write(f"{'ok  ' if result.passed else 'FAIL'} {name}: {result.why}\n")
    for name, why in report.broken.items():
        sys.stdout.write(f"BROKEN {name}: {why}\n")
    return 3 if reward is None else 0


def rules_of(tests: Path) -> Rules | None:
    """Return the rules of TESTS/grading.toml, None where there is none. Raise InputError for one that says none."""
    path = tests / "grading.toml"
    if not path.is_file():
        return None
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"is not TOML: {error}", path=path) from error
    return Rules.of(values)


if __name__ == "__main__":
    raise SystemExit(main())
