"""Run Python packages that nobody here trusts: call their functions, and run unit tests against them.

The same file lies in the tests/ of each bug-fix task. Code of the agent's runs only in processes of its own, which see
inputs and never a right answer; results are compared by the grader.
"""

import json
import shutil
import tempfile
from pathlib import Path

from verdict import plain_file, run_apart

TESTS = Path("/tests")
PYTHON = ["python3", "-I", "-S", "-B"]  # apart from users, sites and caches: quick, and alike everywhere
DISCOVER = "import sys, unittest; sys.path.insert(0, '.'); unittest.main(module=None, argv=['tests', 'discover', '-s', 'tests'])"


def lay_out(package, tests=None):
    """Copy the .py files of a package folder, and of a tests folder beside it, into a folder of their own."""
    folder = Path(tempfile.mkdtemp(prefix="apart-"))
    for source, name in ((Path(package), Path(package).name), (Path(tests) if tests else None, "tests")):
        if source is None or source.is_symlink() or not source.is_dir():
            continue
        (folder / name).mkdir()
        for path in sorted(source.glob("*.py")):
            data = plain_file(path)
            if data is not None:
                (folder / name / path.name).write_bytes(data)
    return folder


def answers(package, calls):
    """Call functions of a package, [name, arguments] each; return their answers, or None where it gave none."""
    folder = lay_out(package)
    code, output = run_apart([*PYTHON, str(TESTS / "drive.py"), Path(package).name], folder, stdin=json.dumps(calls))
    shutil.rmtree(folder, ignore_errors=True)
    try:
        found = json.loads(output.rpartition("ANSWERS ")[2])
    except (ValueError, RecursionError):
        found = None
    return found if code == 0 and isinstance(found, list) and len(found) == len(calls) else [None] * len(calls)


def wrong_answers(package, groups):
    """Ask all cases (name, arguments, right answer) of all groups at once; return group -> "" or its first wrong answer."""
    found = iter(answers(package, [[name, arguments] for cases in groups.values() for name, arguments, _ in cases]))
    wrong = dict.fromkeys(groups, "")
    for group, cases in groups.items():
        for name, arguments, right in cases:
            answer = next(found)
            if json.dumps(answer) != json.dumps(right):
                wrong[group] = wrong[group] or f"{name}{json.dumps(arguments)}: {json.dumps(answer)[:200]}"
    return wrong


def tests_end(package, tests):
    """Run a folder of unit tests against a package; return "passed", "failed" or "no end"."""
    folder = lay_out(package, tests)
    code, _ = run_apart([*PYTHON, "-c", DISCOVER], folder)
    shutil.rmtree(folder, ignore_errors=True)
    return {0: "passed", None: "no end"}.get(code, "failed")


def given_tests(package):
    """Return "" if the tests that the task came with still pass."""
    end = tests_end(package, TESTS / "original_tests")
    return "" if end == "passed" else f"the given tests: {end}"


def own_tests(package):
    """Check the agent's tests: they fail on code with the bug, and pass on its own code and on other right code."""
    name = Path(package).name
    on = {where: tests_end(TESTS / where / name, "/app/tests") for where in ("original", "same_bug", "right")}
    on["own"] = tests_end(package, "/app/tests")
    caught = on["original"] == on["same_bug"] == "failed"
    accepted = on["right"] == on["own"] == "passed"
    said = ", ".join(f"{where}: {end}" for where, end in on.items())
    return {
        "own_tests_catch_the_bug": "" if caught else said,
        "own_tests_accept_right_code": "" if accepted else said,
    }
