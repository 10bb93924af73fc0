"""Attacks: an error says what, where and what to do, as far as is known; exit codes are those of the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.records import (
    FairtrialError,
    FormatError,
    GraderError,
    InputError,
    LedgerError,
    ModelError,
    SandboxError,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InputError("is wrong"), "is wrong"),
        (InputError("is wrong", path=Path("a/b.toml")), "a/b.toml: is wrong"),
        (InputError("is wrong", path="a.toml", line=3), "a.toml:3: is wrong"),
        (InputError("is wrong", line=3), "line 3: is wrong"),
        (InputError("is wrong", field="x.y"), "field `x.y`: is wrong"),
        (InputError("is wrong", path="a", line=3, field="x"), "a:3, field `x`: is wrong"),
        (InputError("is wrong", path="a", hint="Mend it."), "a: is wrong\n  Mend it."),
    ],
)
def test_the_text_says_what_is_known(error: FairtrialError, text: str) -> None:
    assert str(error) == text


@pytest.mark.parametrize(
    ("kind", "code"),
    [(InputError, 2), (FormatError, 2), (LedgerError, 2), (SandboxError, 3), (GraderError, 3), (ModelError, 3)],
)
def test_exit_codes_tell_bad_input_from_what_could_not_be_measured(kind: type[FairtrialError], code: int) -> None:
    assert kind("x").exit_code == code
    assert issubclass(kind, FairtrialError)


def test_a_wrong_file_is_wrong_input() -> None:
    assert issubclass(FormatError, InputError)
