"""A report in any shape is read in bounded work, and what stands besides is seen."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).resolve().parents[2] / "examples/csv-report/pool-visits/tests"
RIGHT = (TESTS / "truth.csv").read_text()


@pytest.fixture(scope="module")
def shapes() -> ModuleType:
    spec = importlib.util.spec_from_file_location("shapes_of_reports", TESTS / "shapes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        # Bytecode beside the grader would be part of the task.
        patch.setattr(sys, "dont_write_bytecode", True)
        spec.loader.exec_module(module)
    return module


def besides(shapes: ModuleType, folder: Path, report: str) -> bool:
    (folder / "report").write_text(report)
    passed: bool = shapes.nothing_besides(str(folder)).passed
    return passed


@pytest.mark.parametrize("more", ["", "All pools,Q1,102,349.05\n", "Tanner Street,total,138,465.65\n"])
def test_totals_may_stand_beside(shapes: ModuleType, tmp_path: Path, more: str) -> None:
    assert besides(shapes, tmp_path, RIGHT + more)


@pytest.mark.parametrize(
    "more", ["Tanner Street,Q1,30,72.40\n", "Eastgate Pool,Q1,30,72.40\n", "Tanner Street,Q5,1,1.00\n"]
)
def test_a_figure_twice_or_of_another_name_is_seen(shapes: ModuleType, tmp_path: Path, more: str) -> None:
    assert not besides(shapes, tmp_path, RIGHT + more)


@pytest.mark.parametrize(
    "report",
    [
        "",
        "[" * 50_000,
        '{"a":' * 900 + "1" + "}" * 900,
        json.dumps({**{f"k{number}": "s" for number in range(2000)}, **{f"m{number}": {} for number in range(2000)}}),
        "a\n" + "1" * 50_000 + "x",
        ",".join(["a"] * 9000) + "\n" + ",".join(["b"] * 9000),
        "| a |\n" * 9000,
        "1,2\n" * 500_000,
    ],
    ids=["empty", "brackets", "deep", "many keys", "digits", "wide", "long", "huge"],
)
def test_junk_is_credited_with_nothing(shapes: ModuleType, tmp_path: Path, report: str) -> None:
    assert not besides(shapes, tmp_path, report)


def test_a_pipe_in_the_folder_is_not_waited_for(shapes: ModuleType, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "report")
    assert not shapes.nothing_besides(str(tmp_path)).passed
