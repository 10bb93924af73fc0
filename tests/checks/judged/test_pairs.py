"""A preference holds in both orders or it is none; what could not be judged is no preference either."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fairtrial.checks.judged import prefer, preferring, text_source
from fairtrial.checks.judged.pairs import Preference, flips
from fairtrial.models.scripted import Asked, Line, refuse

from .conftest import opinion

if TYPE_CHECKING:
    from .conftest import Bench

CITED = (("F1", 1, 1, ""), ("G1", 1, 1, ""))


def longer(asked: Asked) -> str:
    shown = str(asked.messages[1]["content"]).split("=== begin ")
    first, second = (next(part for part in shown if part.startswith(letter)) for letter in ("F1", "G1"))
    return opinion(asked, "first" if len(first) > len(second) else "second", *CITED)


def test_a_preference_follows_the_work_and_not_the_place(bench: Bench) -> None:
    judges, server = bench.judges(longer)
    assert prefer(judges, "more is told", "short", "a longer text").value == -1
    assert prefer(judges, "more is told", "a longer text", "short").value == 1
    assert len(server.asked) == 4


@pytest.mark.parametrize("place", ["first", "second"])
def test_a_judge_that_prefers_a_place_prefers_nothing(bench: Bench, place: str) -> None:
    judges, _ = bench.judges(lambda asked: opinion(asked, place, *CITED))
    found = prefer(judges, "better", "one", "two")
    assert (found.value, found.is_flipped) == (0, True)


def test_a_tie_in_one_order_leaves_the_preference_of_the_other(bench: Bench) -> None:
    judges, _ = bench.judges(lambda asked: opinion(asked, "tie" if asked.turn else "second", *CITED))
    found = prefer(judges, "better", "one", "two")
    assert (found.value, found.is_flipped) == (-1, False)


def test_a_tie_in_both_orders_is_a_tie(bench: Bench) -> None:
    judges, _ = bench.judges(lambda asked: opinion(asked, "tie", *CITED))
    assert prefer(judges, "better", "one", "two").value == 0


def test_what_could_not_be_judged_is_no_preference(bench: Bench) -> None:
    def script(asked: Asked) -> str | Line:
        return refuse("no") if asked.turn == 1 else longer(asked)

    found = prefer(bench.judges(script)[0], "better", "one", "two more")
    assert (found.value, found.why) == (None, "refused: no")


def test_the_same_work_is_not_asked_about(bench: Bench) -> None:
    judges, server = bench.judges(longer)
    assert prefer(judges, "better", "one", [text_source("X", "work", "one")]).value == 0
    assert server.asked == []


def test_a_ranking_is_handed_a_function_and_what_was_seen(bench: Bench) -> None:
    seen: list[Preference] = []
    ask = preferring(bench.judges(longer)[0], seen)
    assert ask("more", "aaaa", "a") == 1
    assert flips(seen) == {"pairs": 1, "flipped": 0, "tied": 0, "not_measured": 0}
