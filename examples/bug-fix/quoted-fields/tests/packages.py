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


def tests_end(*pairs):
    """Run folders of unit tests, each against a package; say of each pair "passed", "failed", or how else it ended."""
    folders = [lay_out(package, tests) for package, tests in pairs]
    code, output = run_apart([*PYTHON, str(TESTS / "run_tests.py"), *map(str, folders)], "/tmp", seconds=100)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    codes = json.loads(output) if code == 0 else [code] * len(pairs)
    return [{0: "passed", 1: "failed", None: "no end"}.get(code, f"ended with {code}") for code in codes]


def graded_tests(package):
    """Check all unit tests: those that were given still pass, and the agent's tell wrong code from right.

    Its own have to fail on code with the bug, in the original and in other words, and pass on right code of another
    design and on its own.
    """
    own, places = "/app/tests", ("original", "same_bug", "right")
    pairs = [(package, TESTS / "original_tests"), *((TESTS / place / Path(package).name, own) for place in places)]
    given, original, same_bug, right, mended = tests_end(*pairs, (package, own))
    caught = original == same_bug == "failed"
    accepted = right == mended == "passed"
    said = f"original: {original}, same bug in other words: {same_bug}, other right code: {right}, its own: {mended}"
    return {
        "given_tests_pass": "" if given == "passed" else f"the given tests: {given}",
        "own_tests_catch_the_bug": "" if caught else said,
        "own_tests_accept_right_code": "" if accepted else said,
    }
