"""The list of what `audit` can do: quick to show, in agreement with the subcommands, which are loaded one at a time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from fairtrial.cli.audit import SUBCOMMANDS, command
from fairtrial.cli.main import run


def loaded_by(arguments: list[str]) -> set[str]:
    """Return the modules that are there after `fairtrial ARGUMENTS`."""
    code = (
        f"from fairtrial.cli.main import run; run({arguments!r}); import json, sys; print(json.dumps([*sys.modules]))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(ended.stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_the_list_says_what_the_subcommand_says_of_itself(name: str) -> None:
    assert command(name).name == name
    assert command(name).help.split("\n\n")[0].replace("\n", " ") == SUBCOMMANDS[name].summary


def test_the_list_loads_no_subcommand() -> None:
    loaded = loaded_by(["audit", "--help"])
    assert "fairtrial.cli.audit" in loaded
    assert not loaded.intersection({each.module for each in SUBCOMMANDS.values()} | {"numpy", "pyarrow", "duckdb"})


def test_a_subcommand_loads_no_other() -> None:
    loaded = loaded_by(["audit", "pairs", "--help"])
    assert loaded.intersection(each.module for each in SUBCOMMANDS.values()) == {"fairtrial.cli.audit_pairs"}


def test_a_misspelt_subcommand_is_told_and_the_right_one_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "smaple", "ledger"]) == 2
    said = capsys.readouterr().err
    assert "smaple" in said
    assert "sample" in said
