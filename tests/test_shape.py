"""The shape of the code: budgets of length, names, docstrings, where errors are caught and where imports stand.

A budget that must be broken gets a line, with a reason, in the tables below; a line that is no longer needed fails too.
Not covered: which way imports point (test_layers) and what is exported (test_public).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "fairtrial"
TESTS = ROOT / "tests"

FUNCTION_LINES, FILE_LINES, CLASS_LINES, PARAMETERS = 60, 400, 250, 8

_OPTIONS = (
    "a verb: its parameters are its options, each documented beside its name, and it hands them on as typed objects"
)

OVER_BUDGET: dict[str, str] = {
    "src/fairtrial/cli/attack.py::attack_": _OPTIONS,
    "src/fairtrial/cli/audit_checklist.py::checklist": _OPTIONS,
    "src/fairtrial/cli/authoring_calibrate.py::calibrate": _OPTIONS,
    "src/fairtrial/cli/authoring_records.py::records": _OPTIONS,
    "src/fairtrial/cli/authoring_synthetic.py::synthetic": _OPTIONS,
    "src/fairtrial/cli/audit_estimate.py::estimate_": _OPTIONS,
    "src/fairtrial/cli/audit_task.py::task": _OPTIONS,
    "src/fairtrial/cli/audit_sample.py::sample": _OPTIONS,
    "src/fairtrial/cli/audit_judge.py::judge": _OPTIONS,
    "src/fairtrial/cli/rules_judge.py::judge": _OPTIONS,
    "src/fairtrial/cli/certify.py::certify": _OPTIONS,
    "src/fairtrial/cli/check.py::check_": _OPTIONS,
    "src/fairtrial/cli/compare.py::compare_": _OPTIONS,
    "src/fairtrial/cli/contamination_scan.py::scan_": _OPTIONS,
    "src/fairtrial/cli/contamination_split.py::split_": _OPTIONS,
    "src/fairtrial/cli/criteria.py::criteria_": _OPTIONS,
    "src/fairtrial/cli/detect.py::detect": _OPTIONS,
    "src/fairtrial/cli/lift.py::lift_": _OPTIONS,
    "src/fairtrial/cli/export.py::export_": _OPTIONS,
    "src/fairtrial/cli/measure.py::measure_": _OPTIONS,
    "src/fairtrial/cli/posttrain_run.py::run": _OPTIONS,
    "src/fairtrial/cli/prove.py::prove_": _OPTIONS,
    "src/fairtrial/cli/rank.py::rank": _OPTIONS,
    "src/fairtrial/cli/report.py::report_command": _OPTIONS,
    "src/fairtrial/cli/run.py::run": _OPTIONS,
    "src/fairtrial/cli/serve.py::serve_": _OPTIONS,
    "src/fairtrial/cli/train.py::train": _OPTIONS,
}
"""`src/fairtrial/file.py::qualified.name` (or the file alone) to the reason why it may exceed a budget."""

CATCH_ALL: dict[str, str] = {
    "src/fairtrial/authoring/calibrate/naming.py::_guarded": "the user's code: what it raises is told",
    "src/fairtrial/checks/code/drivers/functions_driver.py::answer": "code under test: what it raises is its answer",
    "src/fairtrial/run/engine.py::LocalEngine.map": "a job: whatever was not foreseen costs that job, not the run",
    "src/fairtrial/run/cluster/working.py::work": "a job on a node: what nobody foresaw costs that job, not the run",
    "src/fairtrial/cli/main.py::_guarded": "the front door: an unforeseen error becomes a message and exit code 3",
    "src/fairtrial/train/rewards/function.py::FunctionReward._paid": "the user's reward: what it raises is a reason",
    "src/fairtrial/train/running/child.py::_work": "the process of a seed: what a library raises is told as its end",
    "src/fairtrial/train/rewards/naming.py::load_function": "the user's module: whatever its import raises is told",
    "src/fairtrial/checks/running.py::_run": "a check: what nobody foresaw costs that check, not the whole report",
    "src/fairtrial/checks/apart.py::_tell": "a fork that runs a program: it is raised where it was asked for",
    "src/fairtrial/checks/limits.py::_worked": "a parser on a hostile document: whatever it raises, it cannot be read",
    "src/fairtrial/models/wire.py::Wire._ask": "the model: whatever its client library raises becomes a typed outcome",
    "src/fairtrial/prove/text/grader_side/__main__.py::_loaded": "a text grader: what its import raises is told",
    "src/fairtrial/prove/text/grader_side/calling.py::_graded": "a text grader: what it raises is that call's outcome",
    "src/fairtrial/prove/text/grader_side/calling.py::_said": "a text grader: its exception may not even print",
}
"""Functions that may catch Exception, with the boundary that they guard."""

LATE_IMPORTS: dict[str, str] = {}
"""Functions that may import fairtrial themselves: those behind an optional extra."""

NOT_MIRRORED = {"examples": "the suites in examples/", "quality": "planted faults, across packages"}
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "core", "misc", "manager", "managers"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def label(path: Path, name: str = "") -> str:
    return path.relative_to(ROOT).as_posix() + (f"::{name}" if name else "")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def definitions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield every function and class below `node` with its qualified name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            yield prefix + child.name, child
            yield from definitions(child, f"{prefix}{child.name}.")
        else:
            yield from definitions(child, prefix)


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    return ((name, node) for name, node in definitions(parsed(path)) if isinstance(node, Function))


def lines(node: Function | ast.ClassDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def parameters(node: Function) -> int:
    arguments = node.args
    named = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return len([name for name in named if name not in ("self", "cls")])


def over_budget() -> dict[str, str]:
    """Return everything that exceeds a budget, with what it exceeds."""
    found: dict[str, str] = {}
    for path in python_files("src", "tests", "bench"):
        length = len(path.read_text(encoding="utf-8").splitlines())
        if length > FILE_LINES:
            found[label(path)] = f"{length} lines, a file has at most {FILE_LINES}"
        for name, node in definitions(parsed(path)):
            limit = CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES
            if lines(node) > limit:
                found[label(path, name)] = f"{lines(node)} lines, at most {limit}"
            elif isinstance(node, Function) and parameters(node) > PARAMETERS:
                found[label(path, name)] = f"{parameters(node)} parameters, at most {PARAMETERS}"
    return found


def catches_all(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(
        kind is None or (isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException")) for kind in caught
    )


def swallows(node: Function) -> bool:
    """Say whether `node` catches everything and does not end by raising it again."""
    return any(
        isinstance(child, ast.ExceptHandler)
        and catches_all(child)
        and not (isinstance(child.body[-1], ast.Raise) and child.body[-1].exc is None)
        for child in ast.walk(node)
    )


def imports_fairtrial(node: Function) -> bool:
    for child in ast.walk(node):
        if isinstance(child, ast.ImportFrom) and (child.level or (child.module or "").split(".")[0] == "fairtrial"):
            return True
        if isinstance(child, ast.Import) and any(alias.name.split(".")[0] == "fairtrial" for alias in child.names):
            return True
    return False


def functions_that(claim: Callable[[Function], bool]) -> set[str]:
    """Return the functions of src for which `claim` holds; of nested ones, the outermost alone."""
    found = set()
    for path in python_files("src"):
        for name, node in functions(path):
            if claim(node) and not any(label(path, name).startswith(f"{outer}.") for outer in found):
                found.add(label(path, name))
    return found


def is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def is_declaration(node: Function | ast.ClassDef) -> bool:
    """Say whether `node` is a Protocol's method on one line: its name and types say all."""
    only = node.body[0]
    return isinstance(only, ast.Expr) and isinstance(only.value, ast.Constant) and only.value.value is ...


def undocumented() -> list[str]:
    missing = []
    for path in python_files("src"):
        if ast.get_docstring(parsed(path)) is None:
            missing.append(label(path))
        inside: set[str] = set()
        for name, node in definitions(parsed(path)):
            if isinstance(node, Function):
                inside.add(name)
            nested = any(name.startswith(f"{outer}.") for outer in inside)
            if is_public(name) and not nested and not is_declaration(node) and ast.get_docstring(node) is None:
                missing.append(label(path, name))
    return missing


def test_no_function_file_class_or_signature_is_over_its_budget() -> None:
    found = {name: why for name, why in over_budget().items() if name not in OVER_BUDGET}
    assert not found, "\n".join(f"{name}: {why}" for name, why in found.items())


def test_every_exception_to_a_budget_is_still_needed_and_has_a_reason() -> None:
    assert set(OVER_BUDGET) <= set(over_budget())
    assert all(reason.strip() for reason in (*OVER_BUDGET.values(), *CATCH_ALL.values(), *LATE_IMPORTS.values()))


def test_only_named_boundaries_catch_everything() -> None:
    assert functions_that(swallows) == set(CATCH_ALL)


def test_no_function_imports_fairtrial() -> None:
    assert functions_that(imports_fairtrial) == set(LATE_IMPORTS)


def test_every_module_and_public_name_has_a_docstring() -> None:
    assert undocumented() == []


def test_no_module_is_named_for_nothing() -> None:
    named = [
        label(path) for path in python_files("src", "tests", "bench") if FORBIDDEN_NAMES & {path.stem, path.parent.name}
    ]
    assert named == []


def test_test_folders_mirror_the_packages() -> None:
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")} - {Path()}
    strange = {f for f in folders if f.parts[0] not in NOT_MIRRORED and not (SOURCE / f).is_dir()}
    assert not strange


@pytest.mark.parametrize(
    ("code", "caught"),
    [
        ("try:\n  x()\nexcept Exception:\n  pass", True),
        ("try:\n  x()\nexcept (ValueError, BaseException):\n  pass", True),
        ("try:\n  x()\nexcept:\n  pass", True),
        ("try:\n  x()\nexcept Exception:\n  undo()\n  raise", False),
        ("try:\n  x()\nexcept ValueError:\n  pass", False),
    ],
)
def test_the_check_for_catch_alls_sees_them(code: str, caught: bool) -> None:
    body = "\n".join("  " + line for line in code.splitlines())
    function = ast.parse(f"def f():\n{body}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert swallows(function) is caught
