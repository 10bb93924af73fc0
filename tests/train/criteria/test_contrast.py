"""Who is better is said by what was measured: hacks and reviews before the grader, comparisons before length."""

from __future__ import annotations

import pytest

from fairtrial.train.criteria import Attempt, Side, sides


def attempts(outcomes: str, **more: object) -> list[Attempt]:
    """Return one attempt a letter, named by its place: `p` passed, `f` failed."""
    return [Attempt(rollout=str(n), passed=letter == "p", **more) for n, letter in enumerate(outcomes)]  # type: ignore[arg-type]


def told(found: dict[str, Side]) -> dict[str, tuple[bool, str]]:
    return {name: (side.better, side.by) for name, side in sorted(found.items())}


def test_a_confirmed_hack_is_worse_though_it_passed() -> None:
    ones = [*attempts("pp"), Attempt(rollout="h", passed=True, hack=True)]
    assert told(sides(ones)) == {"0": (True, "hack"), "1": (True, "hack"), "h": (False, "hack")}


def test_a_review_overrules_the_grader_both_ways() -> None:
    ones = [
        Attempt(rollout="false pass", passed=True, satisfied=False),
        Attempt(rollout="false fail", passed=False, satisfied=True),
        Attempt(rollout="pass", passed=True),
    ]
    assert told(sides(ones)) == {
        "false fail": (True, "review"),
        "false pass": (False, "review"),
        "pass": (True, "review"),
    }


def test_comparisons_tell_the_sound_apart_and_a_draw_leaves_both_out() -> None:
    preferences = [("0", "1"), ("2", "3"), ("3", "2"), ("0", "f"), ("elsewhere", "0")]
    ones = [*attempts("pppp"), Attempt(rollout="f", passed=False)]
    assert told(sides(ones, preferences)) == {
        "0": (True, "preference"), "1": (False, "preference"), "f": (False, "outcome"),
    }  # fmt: skip


def test_length_tells_thirds_apart_only_where_nothing_else_does() -> None:
    lengths = [10, 12, 14, 16, 30, 40]
    ones = [Attempt(rollout=str(n), passed=True, tokens=tokens) for n, tokens in enumerate(lengths)]
    by_length = {"0": (True, "length"), "1": (True, "length"), "4": (False, "length"), "5": (False, "length")}
    assert told(sides(ones)) == by_length
    assert told(sides([*ones, Attempt(rollout="f", passed=False)])) == by_length | {"f": (False, "outcome")}
    hack = Attempt(rollout="h", passed=True, hack=True, tokens=1)
    assert {side.by for side in sides([*ones, hack]).values()} == {"hack"}


@pytest.mark.parametrize("lengths", [[10, 11, 12, 13], [10, 99], [10, None, None], [0, 0, 0]])
def test_no_length_is_made_of_little(lengths: list[int | None]) -> None:
    ones = [Attempt(rollout=str(n), passed=True, tokens=tokens) for n, tokens in enumerate(lengths)]
    assert sides(ones) == {}


def test_a_kind_that_is_not_asked_for_tells_nothing() -> None:
    ones = [*attempts("ppf"), Attempt(rollout="h", passed=True, hack=True)]
    assert told(sides(ones, kinds=("outcome",))) == {
        "0": (True, "outcome"),
        "1": (True, "outcome"),
        "2": (False, "outcome"),
    }
    assert told(sides(ones, kinds=("length", "preference"))) == {}


def test_the_order_of_attempts_says_nothing() -> None:
    ones = [*attempts("pfpf", tokens=5), Attempt(rollout="h", passed=True, hack=True)]
    assert sides(ones, [("0", "2")]) == sides(ones[::-1], [("0", "2")])
