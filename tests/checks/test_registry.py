"""Checks are found by name, and a checks.toml that does not fit one is told so. Not covered: what a check finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.checks.protocol import CheckError, Given, Inside, Result
from fairtrial.checks.registry import OUTSIDE, OUTSIDE_NAMES, bound, catalogue
from fairtrial.records import InputError


class Seen(Given):
    NAME = "a trajectory"


def example(path: Inside, least: float = 0.5, names: list[str] | None = None) -> Result:
    return Result(True, f"{path} {least} {names}")


def seeing(seen: Seen) -> Result:
    return Result(True, str(seen))


def test_names_of_outside_checks_are_those_of_their_families() -> None:
    assert frozenset(catalogue(OUTSIDE)) == OUTSIDE_NAMES


def test_paths_start_from_the_root_or_beside_the_file() -> None:
    root, beside = Path("/tmp/deliverable"), Path("/task/tests")
    assert bound(example, {"path": "/app/a", "least": 1}, {}, root, beside) == {
        "path": "/tmp/deliverable/app/a",
        "least": 1.0,
    }
    assert bound(example, {"path": "a"}, {}, root, beside)["path"] == "/task/tests/a"


@pytest.mark.parametrize("stated", [{}, {"path": 3}, {"path": "a", "lest": 1}, {"path": "a", "names": "b"}])
def test_parameters_that_do_not_fit_are_refused(stated: dict[str, object]) -> None:
    with pytest.raises(InputError):
        bound(example, stated, {}, Path("/"), Path("/"))


def test_what_nobody_provides_breaks_the_check() -> None:
    with pytest.raises(CheckError, match="a trajectory"):
        bound(seeing, {}, {}, Path("/"), Path("/"))
