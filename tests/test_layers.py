"""Imports point one way: the contract in pyproject.toml, checked by import-linter.

Not covered: imports inside functions (test_shape) and third-party imports at start (test_start).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

ORDER = ["cli", "serve", "report", "posttrain", "train", "board", "audit", "attack", "measure", "grade", "checks",
         "formats"]  # fmt: skip
"""One package of each row above `ledger`, from the top."""


def layers() -> list[list[str]]:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    return [[name.strip(" ()") for name in row.split("|")] for row in contract["layers"]]


def test_imports_respect_the_layers() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run(
        [linter, "--no-cache", "--config", "pyproject.toml"],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_contract_holds_every_package_in_its_order() -> None:
    rows = layers()
    position = {name: number for number, row in enumerate(rows) for name in row}
    assert [*sorted(ORDER, key=lambda name: position[name])] == ORDER
    assert rows[-2:] == [["ledger"], ["records"]]
    packages = {path.parent.name for path in (ROOT / "src" / "fairtrial").glob("*/__init__.py")}
    assert packages <= set(position)
