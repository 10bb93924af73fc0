"""Say whether the tests that the work brings tell right code from wrong: each of them, on each version, by its outcome.

A test that asks the original for a name which it lacks says nothing of behaviour: it counts only where it passes on a
right version too (`passes_on`), as then the task asked for that name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.laying import CONTROL, Layer, controls_of, laid, tests_of
from fairtrial.checks.code.outcomes import MOST_NAMED, NOT_RUN, Outcome, TestRun, told
from fairtrial.checks.code.rewording import reworded, with_text_of
from fairtrial.checks.code.runs import Runner
from fairtrial.checks.code.trees import Tree, key, work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, of_the_work


@of_the_work
def own_tests_hold(
    code: Inside,
    original: Inside,
    at: str = "tests",
    runner: str = "pytest",
    passes_on: list[Inside] | None = None,
    fails_on: list[Inside] | None = None,
    at_least: int = 1,
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if the work's own tests pass on its code and at least `at_least` of them fail on the `original`.

    They must also pass on every version that `passes_on` lists (the reference, right code of another design), and each
    that `fails_on` lists (the bug in other words, mutants) must fail one of them. Versions are folders of the key, laid
    over the original. A test that passes on the original once the work's text stands in it as a string, or that fails
    on the work in other words with the original's text, reads code and counts for nothing. The value is how many tests
    catch the bug.
    """
    how = Runner.of(runner, run)
    if at_least < 1:
        raise CheckError("`at_least` is 1 or more")
    trial = _Trial(how, at, work(code), key(original, "original"), bool(passes_on))
    names = trial.sound()
    rights = [trial.run_on(trial.version(place, "passes_on"), place) for place in passes_on or ()]
    for place, right in zip(passes_on or (), rights, strict=True):
        if refused := {name for name in names if not right.of(name).passed and not right.of(name).lacks_name}:
            return _failed(f"{len(refused)} of its tests refuse right code", refused, right, place)
    shared = {name for name in names if all(right.of(name).passed for right in rights)}
    catching = trial.caught(trial.original, "the original", names, shared if rights else set())
    if len(catching) < at_least:
        run_there = trial.run_on(trial.original, "the original")
        why = f"{len(catching)} of its {len(names)} tests fail on the original, and at least {at_least} should"
        return Result(False, why, float(len(catching)), {"on_the_original": told(names, run_there)})
    for place in fails_on or ():
        if not trial.caught(trial.version(place, "fails_on"), place, names, shared if rights else set()):
            return Result(
                False, f"none of its {len(names)} tests fails on wrong code, {_last(place)}", float(len(catching))
            )
    evidence = {"catching": sorted(catching)[:MOST_NAMED]}
    return Result(
        True, f"{len(catching)} of its {len(names)} tests fail on the original", float(len(catching)), evidence
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """The tests of one work, and the versions that they are tried on."""

    how: Runner
    at: str
    tree: Tree
    original: Tree
    has_rights: bool
    """Tests that look for a file which the work alone has are refused by other right code; else here."""

    def tests(self) -> Layer:
        layer = tests_of(self.tree, self.at)
        controls = [name for name in CONTROL if name != "conftest.py"]
        return Layer({n: e for n, e in layer.files.items() if not matches(n, controls)}, layer.at, layer.instead_of)

    def code(self) -> Tree:
        tests = self.tests()
        own = {str(Path(tests.at, name)) for name in tests.files}
        return {name: entry for name, entry in self.tree.items() if name not in own}

    def version(self, place: str, parameter: str) -> Tree:
        return {**self.original, **key(place, parameter)}

    def run_on(self, tree: Tree, place: str) -> TestRun:
        with laid(
            tree, [controls_of(self.original), self.tests()], without=CONTROL, user=self.how.limits.user
        ) as folder:
            run = self.how.run(folder, [self.at])
        if run.problem and not run.cut_short:
            raise WorkError(f"its own tests, run on {_last(place)}, cannot be believed: {run.problem}")
        return run

    def sound(self) -> set[str]:
        """Return the tests that pass on the work, each time and in other words. Raise WorkError where one fails."""
        run = self.run_on(self.tree, "its own code")
        if run.problem:
            raise WorkError(f"its own tests do not come to an end on its own code: {run.problem}")
        bad = {name for name, outcome in {**run.tests, **run.not_collected}.items() if _fails(outcome)}
        if bad and (bad := bad - self.failed_before(bad)):
            name = min(bad)
            raise WorkError(f"{len(bad)} of its own tests fail on its own code, as {name} ({run.of(name).line})")
        if not run.passed:
            raise WorkError("it brings no test that passes on its own code; at least one was expected")
        again = self.run_on(self.tree, "its own code")
        if unsteady := run.passed - again.passed:
            raise WorkError(f"its own test {min(unsteady)} passes at one time and fails at another")
        if self.how.kind == "command":
            return run.passed
        anew = with_text_of(
            reworded(self.code()), {name: self.original[name] for name in self.original if name in self.code()}
        )
        return run.passed & self.run_on(anew, "its own code in other words").passed

    def failed_before(self, names: set[str]) -> set[str]:
        """Return those of `names` that lie in files which the original has, too, and fail there as well."""
        given = [name for name in self.tree.keys() & self.original.keys() if name not in self.code()]
        same = [name for name in given if self.tree[name].data() == self.original[name].data()]
        starts = tuple(start for path in same for start in _starts(path, self.at))
        run = self.run_on(self.original, "the original")
        return {name for name in names if f"{name}.".startswith(starts) and _fails(run.of(name))}

    def caught(self, tree: Tree, place: str, names: set[str], shared: set[str]) -> set[str]:
        """Return those of `names` that fail on wrong code, its text set aside; `shared` pass on right code."""
        catching = self.told_apart(tree, place, names, shared)
        if catching and self.how.kind != "command":
            as_text = with_text_of(tree, self.code(), new_files=not self.has_rights)
            catching &= self.told_apart(as_text, place, names, shared)
        return catching

    def told_apart(self, tree: Tree, place: str, names: set[str], shared: set[str]) -> set[str]:
        """Return those of `names` that fail on wrong code and pass on the work's, in an order that none can foresee.

        A test could count its runs in a file outside, and fail from the fourth on.
        """
        wrong_first = secrets.choice((True, False))
        before = set() if wrong_first else self.run_on(self.tree, "its own code").passed
        catching = _catching(self.run_on(tree, place), names, shared)
        if wrong_first and catching:
            before = self.run_on(self.tree, "its own code").passed
        return catching & before


def _starts(path: str, at: str) -> list[str]:
    """Return how the names of the tests in a file begin, by pytest and by unittest.

    >>> _starts("tests/a/test_b.py", "tests")
    ['tests/a/test_b.py::', 'tests/a/test_b.py.', 'tests.a.test_b.', 'a.test_b.']
    """
    dotted = path.removesuffix(".py").replace("/", ".")
    return [f"{path}::", f"{path}.", f"{dotted}.", f"{dotted.removeprefix(at.replace('/', '.') + '.')}."]


def _catching(run: TestRun, names: Iterable[str], shared: set[str]) -> set[str]:
    found = {name: run.of(name) for name in names}
    return {name for name, one in found.items() if _fails(one) and (not one.lacks_name or name in shared)}


def _fails(outcome: Outcome) -> bool:
    return outcome.status in ("failed", "error") and outcome is not NOT_RUN


def _failed(what: str, names: set[str], run: TestRun, place: str) -> Result:
    name = min(names)
    why = f"{what}, {_last(place)}, as {name} ({run.of(name).line})"
    return Result(False, why, evidence={"not_passed": told(names, run)})


def _last(place: str) -> str:
    return place.rstrip("/").rpartition("/")[2]
