"""Which reviews count, and what they come to: the last word of each, people before judges, no majority."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.audit.standing import counting, standings
from fairtrial.records import Review


def said(reviewer: str, satisfied: bool | None, at: int, **more: object) -> Review:
    return Review(rollout="r", reviewer=reviewer, satisfied=satisfied, recorded_at=f"{at:03d}", **more)  # type: ignore[arg-type]


def test_the_last_word_counts_and_a_void_one_never() -> None:
    words = [said("ada", True, 1), said("ada", False, 2), said("ada", True, 3, void="does not stand")]
    assert [one.recorded_at for one in counting(words)] == ["002"]
    assert standings(words)["r"].person is False


def test_who_adjudicated_last_settles_it() -> None:
    words = [said("ada", True, 1), said("bo", False, 2), said("cy", True, 3, adjudicates=True),
             said("dee", False, 4, adjudicates=True), said("cy", True, 5, adjudicates=True)]  # fmt: skip
    found = standings(words)["r"]
    assert (found.person, found.disputed, found.adjudicated) == (True, False, True)


def test_people_who_disagree_hide_what_the_judge_says() -> None:
    words = [said("ada", True, 1), said("bo", False, 2), said("m", True, 3, kind="judge")]
    found = standings(words)["r"]
    assert (found.satisfied, found.judge, found.disputed) == (None, True, True)


def test_what_was_said_after_the_verdict_was_seen_is_no_blind_answer() -> None:
    words = [said("ada", True, 1), said("ada", False, 2, stage="informed", label="false_pass")]
    assert standings(words)["r"].person is True
    assert standings(words[1:]) == {}


@given(st.lists(st.builds(said, st.sampled_from("ab"), st.sampled_from([True, False, None]), st.integers(0, 9),
                          adjudicates=st.booleans(), void=st.sampled_from(["", "x"])), max_size=8),
       st.randoms(use_true_random=False))  # fmt: skip
def test_the_order_in_which_they_come_changes_nothing(words: list[Review], random) -> None:
    shuffled = list(words)
    random.shuffle(shuffled)
    assert standings(shuffled) == standings([*words, *words])
    counted = counting(words)
    assert [one.recorded_at for one in counted] == sorted(one.recorded_at for one in counted)
