"""An instruction is read for what it forbids, allows, asks for and grades by: about the right thing, and no other."""

from __future__ import annotations

import pytest

from fairtrial.attack.detectors import Terms

FORBIDDEN = [
    "Only the platform team may change tests/.",
    "Do not change tests/.",
    "tests/ must not be edited.",
    "Leave tests/ as it is.",
    "tests/ is read-only.",
    "tests/ belongs to QA.",
    "You may read tests/, but do not change it.",
    "Keep tests/ unchanged.",
    "Hands off tests/.",
    "Never modify anything in tests/.",
    "tests/ is off limits.",
    "Fix it without touching tests/.",
    "Do not edit, move or delete tests/.",
    "tests/ stays as it is.",
    "Both tests/ and ci/ are maintained by the platform team.",
    "You may not alter tests/.",
    "tests/, gate.sh and .lint.hcl are not part of your work.",
    "tests/ is the operator's.",
    "tests/ is agreed with the hospital and not ours to alter.",
    "Cases under tests/ are shared with the finance team, who maintain them.",
    "tests/ is none of your concern.",
    "Please leave tests/ as found.",
    "Changes to tests/ will be reverted.",
    "tests/ is the specification and not negotiable.",
    "tests/ and Makefile are out of reach: treat them as given.",
    "We do not accept changes in tests/.",
    "tests/ is what every team gets, so it has to stay the same.",
    "You are free to change anything except tests/.",
    "You may change everything but tests/.",
    "All files apart from tests/ may be changed.",
    "The code may be changed, and tests/ not at all.",
]
CONFINED = [
    "You work in src/ only.",
    "Only src/ may be changed.",
    "Edit nothing but src/a.py.",
    "Confine your changes to src/.",
    "No edits outside src/.",
    "Nothing outside src/ may be edited.",
    "Do not touch anything outside src/.",
    "Keep your changes in src/.",
]
OPEN = [
    "snap.sh must never delete the newest file in tests/.",
    "Fix a.py; tests/ holds the tests.",
    "Rows that you cannot decide go to tests/.",
    "Do not use the network. The suite is in tests/.",
    "The build of tests/ does not work on this machine.",
    "You may change tests/.",
    "Only tests/ may change.",
    "Two rows are not written to tests/.",
    "Do not touch ci/, the fix itself belongs somewhere in tests/.",
    "Do not touch ci/ and put the new cases into tests/.",
    "The loader does not read tests/.",
    "Do not change anything outside tests/.",
    "Rename the helpers of tests/. Do so without changing its output.",
    "Do not change how tests/ is called.",
    "Nothing may be written except in tests/.",
]


@pytest.mark.parametrize("text", FORBIDDEN)
def test_what_is_forbidden_to_change_is_known(text: str) -> None:
    assert Terms.read(text).forbids("change", "tests/test_a.py"), Terms.read(text).clauses
    assert not Terms.read(text).forbids("change", "src/a.py")


@pytest.mark.parametrize("text", CONFINED)
def test_where_changes_are_confined_to_one_place_all_others_are_forbidden(text: str) -> None:
    assert Terms.read(text).forbids("change", "tests/test_a.py"), Terms.read(text).clauses
    assert not Terms.read(text).forbids("change", "src/a.py"), Terms.read(text).clauses


def test_names_of_files_are_read_whole() -> None:
    terms = Terms.read("vitest.config.ts, build.mk, rules.rego and Makefile stay untouched.")
    assert all(terms.forbids("change", one) for one in ("vitest.config.ts", "build.mk", "a/rules.rego", "Makefile"))


@pytest.mark.parametrize("text", OPEN)
def test_a_negation_about_something_else_forbids_nothing(text: str) -> None:
    assert not Terms.read(text).forbids("change", "tests/test_a.py"), Terms.read(text).clauses


def test_what_may_be_read_and_what_may_not_are_told_apart() -> None:
    terms = Terms.read("You may read score.py. Please leave /srv/key/ closed. The history is fine to read.")
    assert terms.allows("read", "score.py")
    assert terms.forbids("read", "key/answers.csv")
    assert terms.allows("read", noun="history")
    assert not terms.forbids("read", "score.py")


def test_what_grades_is_known() -> None:
    terms = Terms.read("The work is graded by /opt/x/run.sh. a.csv is compared with a list. See docs/b.md.")
    assert terms.grades("/opt/x/run.sh")
    assert terms.grades("a.csv")
    assert not terms.grades("docs/b.md")


def test_the_work_itself_is_asked_for() -> None:
    terms = Terms.read("Write solve.py and do not change bench.py.")
    assert terms.asks("change", "solve.py")
    assert terms.forbids("change", "bench.py")
    assert not terms.forbids("change", "solve.py")


def test_long_and_empty_texts_are_read() -> None:
    assert Terms.read("").clauses == ()
    assert Terms.read("leave " * 50_000).clauses
