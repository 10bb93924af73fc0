"""The example suites hold what they declare: every known candidate gets the score that it should."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.grade import read_rules
from fairtrial.prove import ProveOptions, prove
from fairtrial.run import InlineEngine
from fairtrial.sandbox import Bubblewrap
from fairtrial.tasks import find_tasks, load_suite, load_task
from fairtrial.tasks.lint import lint

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TASKS = {path.name: path for path in find_tasks(EXAMPLES)}
NEEDS = {"close-pairs": ("gcc", "valgrind")}
"""Programs that a task's grader runs, and that the sandbox takes from this machine. Such tasks take minutes."""
MANY = ("pool-visits", "stalled-parcels")
"""Tasks with so many candidates that grading them belongs to the extra tests."""


@pytest.fixture(scope="module")
def bubblewrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bubblewrap]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAIRTRIAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        sandbox = Bubblewrap()
        capability = sandbox.capability()
        if not capability.available:
            pytest.skip(f"bubblewrap does not work here: {capability.why}")
        yield sandbox


def test_every_task_reads_without_error_or_lead() -> None:
    assert [(one.task, problem.what) for one in lint(EXAMPLES) for problem in one.problems] == []


def test_every_task_declares_each_kind_of_candidate() -> None:
    assert len(TASKS) >= 6
    for path in TASKS.values():
        _, key = load_task(path)
        kinds = [candidate.kind for candidate in key.candidates]
        assert key.steps[0].solution is not None
        assert kinds.count("defect") >= 2, path
        assert {"alternative", "hack"} <= set(kinds), path


def marks(name: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a task: counted instructions take half a minute, many candidates ten seconds."""
    return [pytest.mark.extra] * (name in (*NEEDS, *MANY)) + [pytest.mark.long] * (name in NEEDS)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in TASKS])
def test_known_candidates_get_their_score(name: str, bubblewrap: Bubblewrap) -> None:
    if missing := [program for program in NEEDS.get(name, ()) if shutil.which(program) is None]:
        pytest.skip(f"{name} needs {' and '.join(missing)}")
    suite = load_suite(TASKS[name])
    options = ProveOptions(repeats=1, concurrency=1, known_only=True)
    (proven,) = prove(suite, bubblewrap, InlineEngine(), options, tool="test", on_tried=lambda _: None)
    assert [finding.claim for finding in proven.findings] == []
    key = suite.keys[name]
    declared = {f"{candidate.kind}:{candidate.name}" for candidate in key.candidates}
    assert {"null", "reference"} | declared <= set(proven.proof.measured)


@pytest.mark.parametrize("name", [name for name, path in TASKS.items() if (path / "tests/checks.toml").exists()])
def test_each_check_catches_a_planted_violation_and_most_defects_fall_to_one_alone(name: str) -> None:
    checks = {check["name"] for check in tomllib.loads((TASKS[name] / "tests/checks.toml").read_text())["check"]}
    proof = tomllib.loads((TASKS[name] / "proof.toml").read_text())["candidate"]
    fails = [candidate["fails"] for candidate in proof if candidate["kind"] == "defect"]
    assert checks == {check for failed in fails for check in failed}
    assert 2 * sum(len(failed) == 1 for failed in fails) >= len(fails)


def test_the_refund_desk_has_four_workflows_of_easy_and_hard_checks() -> None:
    path = TASKS["four-tickets"] / "grading.toml"
    rules = read_rules(path)
    marked = re.findall(r'\[\[check\]\]  # (easy|hard)\nname = "(\w+)"\nworkflow = "(\w+)"', path.read_text())
    assert [name for _, name, _ in marked] == [check.name for check in rules.checks]
    split = [
        tuple(sum(flow == workflow and mark == level for mark, _, flow in marked) for level in ("easy", "hard"))
        for workflow in rules.workflows
    ]
    assert split == [(6, 0), (4, 2), (3, 3), (3, 3)]


@pytest.mark.parametrize("name", [name for name, path in TASKS.items() if (path / "tests/seed.sql").exists()])
def test_the_database_is_what_its_seed_says(name: str) -> None:
    seeded = sqlite3.connect(":memory:")
    seeded.executescript((TASKS[name] / "tests/seed.sql").read_text())
    laid = sqlite3.connect(f"file:{TASKS[name]}/environment/workspace/shop.db?mode=ro", uri=True)
    try:
        assert list(laid.iterdump()) == list(seeded.iterdump())
    finally:
        seeded.close()
        laid.close()


@pytest.mark.parametrize(
    "name", ["verdict.py", "packages.py", "drive.py", "run_tests.py", "table_answer.py", "fairtrial.pyz"]
)
def test_a_file_that_several_graders_hold_is_the_same_in_each(name: str) -> None:
    copies = [path.read_bytes() for path in EXAMPLES.glob(f"*/*/tests/{name}")]
    assert len(copies) >= 2
    assert len(set(copies)) == 1


def test_the_given_tests_of_a_bug_fix_are_those_that_are_graded() -> None:
    for path in EXAMPLES.glob("bug-fix/*"):
        given = {file.name: file.read_bytes() for file in (path / "environment/workspace/tests").glob("*.py")}
        graded = {file.name: file.read_bytes() for file in (path / "tests/original_tests").glob("*.py")}
        assert given == graded != {}


def test_the_original_that_tests_must_fail_on_is_what_agents_get() -> None:
    for path in EXAMPLES.glob("bug-fix/*"):
        (package,) = (folder for folder in (path / "tests/original").iterdir() if folder.is_dir())
        for file in package.glob("*.py"):
            assert file.read_bytes() == (path / "environment/workspace" / package.name / file.name).read_bytes()


def test_no_known_candidate_lies_where_an_agent_sees_it() -> None:
    for path in TASKS.values():
        laid = {file.read_bytes() for file in (path / "environment").rglob("*") if file.is_file()}
        scripts = [*path.glob("solution/*"), *path.glob("candidates/*/*")]
        assert len(scripts) > 3
        assert not laid & {script.read_bytes() for script in scripts}
