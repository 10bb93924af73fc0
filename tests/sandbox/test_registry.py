"""A sandbox is found by its short name; a dotted path only from a person."""

from __future__ import annotations

import pytest

from fairtrial.records import InputError
from fairtrial.sandbox import Bubblewrap, Container, FakeSandbox, Local, default, find


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bwrap", Bubblewrap),
        ("bubblewrap", Bubblewrap),
        ("container", Container),
        ("local", Local),
        ("fake", FakeSandbox),
    ],
)
def test_short_names_are_found(name: str, kind: type) -> None:
    assert isinstance(find(name), kind)


def test_a_dotted_path_is_taken_from_a_person_only() -> None:
    path = "fairtrial.sandbox.fake:FakeSandbox"
    assert isinstance(find(path, from_person=True), FakeSandbox)
    with pytest.raises(InputError, match="no sandbox"):
        find(path)


@pytest.mark.parametrize("name", ["nothing.here:X", "fairtrial.sandbox.fake:Nothing", "fairtrial.sandbox.fake:succeed"])
def test_what_is_no_sandbox_is_refused(name: str) -> None:
    with pytest.raises((InputError, TypeError)):
        find(name, from_person=True)


def test_the_default_is_bubblewrap_or_says_why_not() -> None:
    sandbox, why = default()
    assert sandbox.name in ("bwrap", "local")
    assert why
    if sandbox.name == "local":
        assert "nothing is isolated" in why
