"""Say whether tests pass on the work: hidden ones laid in place of its own, run apart, reported for each by name."""
# ruff: noqa: PT028 - a check, though named like a test

from __future__ import annotations

from typing import Any

from fairtrial.checks.code.laying import CONTROL, Layer, in_place_of, laid
from fairtrial.checks.code.outcomes import TestRun, counted, meant, names_in, told
from fairtrial.checks.code.runs import Runner
from fairtrial.checks.code.trees import Tree, key, work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work


@of_the_work
def tests_pass(
    code: Inside,
    tests: Inside = "",
    at: str = "tests",
    runner: str = "pytest",
    must_pass: list[str] | Inside | None = None,
    reference: Inside = "",
    may_skip: list[str] | None = None,
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if tests pass on a copy of the folder `code`: those that `must_pass` names, or that pass on the `reference`.

    `tests` is a folder of the key that is put in place of the folder `at`; without it the work's own tests run.
    `runner` is `pytest …`, `unittest`, `PYTHON -m pytest …`, or a command whose exit code counts, or whose JUnit or
    CTRF report where it says `{report}`. `must_pass` is a list, or a file of the key with names; without it and a
    `reference`, all tests that are found must. A skipped test has not passed unless `may_skip` names it. `run` says
    how: seconds, memory_mb, user, environment, and import_from, the folders of `code` that Python imports from. The
    value is the share that passed.
    """
    how = Runner.of(runner, run)
    wanted = names_in(must_pass, "must_pass")
    if wanted and not how.names_tests:
        raise CheckError("`must_pass` names tests, and an exit code tells nothing of each: add {report} to `runner`")
    layers = [in_place_of(key(tests, "tests"), at)] if tests else []
    if reference and not wanted and how.names_tests:
        wanted = _passing(how, key(reference, "reference"), layers, at)
    if how.kind == "command" and how.names_tests and not wanted:
        raise CheckError("a report does not say which tests are missing: state `must_pass`, or a `reference`")
    with laid(work(code), layers, without=CONTROL, user=how.limits.user) as folder:
        return judged(how.run(folder, [at]), wanted, may_skip or [])


def _passing(how: Runner, reference: Tree, layers: list[Layer], at: str) -> list[str]:
    """Return the tests that pass on the reference."""
    with laid(reference, layers, user=how.limits.user) as folder:
        run = how.run(folder, [at])
    if run.problem or not run.passed:
        raise CheckError(f"no test passes on the reference: {run.problem or 'none ran, or all fail'}")
    return sorted(run.passed)


def judged(run: TestRun, wanted: list[str], may_skip: list[str]) -> Result:
    """Return what a run says of the `wanted` tests, or of all where none is named."""
    if run.problem:
        return Result(False, f"{run.problem}; every test was expected to run to its end", 0.0)
    excused = {name for skip in may_skip for name in meant(skip, run.tests) if run.of(name).status == "skipped"}
    names = [*run.tests, *run.not_collected] if not wanted else []
    for name in wanted:
        names += meant(name, run.tests) or [name]
    left = sorted({name for name in names if not run.of(name).passed and name not in excused})
    count = len(set(names) - excused)
    if not count:
        return Result(False, "no test ran; at least one was expected", 0.0)
    share = 1 - len(left) / count
    if not left:
        return Result(True, f"{'the one test passes' if count == 1 else f'all {count} tests pass'}", share)
    why = f"{len(left)} of {counted(count, 'test')} not passed, as {left[0]} ({run.of(left[0]).line})"
    return Result(False, why, share, {"not_passed": told(left, run)})
