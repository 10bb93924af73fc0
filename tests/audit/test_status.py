"""Who reads what: the same for everybody, equal loads, two different people on the overlap, nothing lost by growth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.audit.status import assigned, pairs_of_readers, status
from fairtrial.records import Draw, Review, Sample


def sample_of(*readers: int, seed: int = 0) -> Sample:
    rows = tuple(Draw(rollout=f"r{i}", stratum="all", probability=0.5, readers=n) for i, n in enumerate(readers))
    return Sample(seed=seed, by=(), strata=(), rows=rows)


def said(rollout: str, reviewer: str, satisfied: bool | None = True, **more: object) -> Review:
    return Review(rollout=rollout, reviewer=reviewer, satisfied=satisfied, **more)  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 2), max_size=60), st.integers(1, 6), st.integers(0, 99))
def test_rows_go_to_as_many_different_people_as_they_want_in_equal_loads(readers: list[int], n: int, seed: int) -> None:
    names = [f"reader {i}" for i in range(n)]
    sample = sample_of(*readers, seed=seed)
    found = assigned(sample, names)
    assert found == assigned(sample, reversed(names))
    assert [len(set(found[row.rollout])) for row in sample.rows] == [min(row.readers, n) for row in sample.rows]
    loads = Counter(name for chosen in found.values() for name in chosen)
    assert max((loads[name] for name in names), default=0) - min((loads[name] for name in names), default=0) <= 1


@given(st.lists(st.integers(0, 2), max_size=30), st.lists(st.integers(0, 2), max_size=30))
def test_a_sample_that_grew_hands_out_its_old_rows_as_before(old: list[int], new: list[int]) -> None:
    names = ["ada", "bo", "cy"]
    before, after = assigned(sample_of(*old), names), assigned(sample_of(*old, *new), names)
    assert before == {rollout: after[rollout] for rollout in before}


def test_two_of_three_meet_in_every_pair() -> None:
    sample = sample_of(*[2] * 60)
    reviews = [said(row, name) for row, names in assigned(sample, ["ada", "bo", "cy"]).items() for name in names]
    found = pairs_of_readers(status(sample, reviews).rows)
    assert set(found) == {("ada", "bo"), ("ada", "cy"), ("bo", "cy")}
    assert min(found.values()) >= 10


def test_a_sample_closes_when_all_is_read_and_every_dispute_is_settled() -> None:
    sample, names = sample_of(1, 2, 0), ["ada", "bo"]
    to_read = assigned(sample, names)
    assert not status(sample, [], names).is_closed
    reviews = [said("r0", to_read["r0"][0]), said("r1", "ada", True)]
    half = status(sample, reviews, names)
    assert (half.reads, half.is_read, half.of("ada").is_closed, half.of("bo").is_closed) == ((2, 3), False, True, False)
    assert half.of("bo").left == ("r1",)
    reviews.append(said("r1", "bo", False))
    read = status(sample, reviews, names)
    assert (read.is_read, read.is_closed, read.disputed) == (True, False, ("r1",))
    assert (read.to_adjudicate("cy"), read.to_adjudicate("bo")) == (("r1",), ())
    reviews.append(said("r1", "cy", True, adjudicates=True))
    over = status(sample, reviews, names)
    assert (over.is_closed, over.rows[1].adjudicated, over.rows[1].readers) == (True, True, to_read["r1"])


def test_void_reviews_judges_and_second_looks_leave_a_row_unread() -> None:
    sample = sample_of(1)
    for review in (
        said("r0", "ada", void="cites nothing"),
        said("r0", "some-model", kind="judge"),
        said("r0", "ada", stage="informed"),
    ):
        found = status(sample, [review], ["ada"])
        assert not found.is_read
        assert found.rows[0].judged == (review.kind == "judge")


def test_cannot_tell_is_a_read_and_no_dispute() -> None:
    found = status(sample_of(2), [said("r0", "ada", None), said("r0", "bo", True)], ["ada", "bo"])
    assert found.is_closed


def test_whoever_has_read_a_row_has_it_and_the_others_keep_theirs() -> None:
    sample, names = sample_of(1, 1, 2, 1, 1), ["ada", "bo"]
    before = assigned(sample, names)
    taken = next(rollout for rollout, readers in before.items() if readers == ("bo",))
    found = status(sample, [said(taken, "cy")], names)
    assert {row.rollout: row.readers for row in found.rows} == before | {taken: ("cy",)}
    assert found.of("cy").is_closed
    assert taken not in found.of("bo").rows


def test_one_person_alone_closes_a_sample_and_the_status_says_what_is_lacking() -> None:
    sample = sample_of(1, 2)
    found = status(sample, [said("r0", "ada"), said("r1", "ada")], ["ada"])
    assert (found.is_closed, found.lacking, found.reads) == (True, 1, (2, 2))


def test_a_sample_that_nobody_is_to_read_is_never_closed() -> None:
    assert not status(sample_of(0, 0), [said("r0", "ada")], ["ada"]).is_closed
    assert not status(sample_of(1), []).is_closed


@pytest.mark.parametrize("name", ["rows", "reviewers"])
def test_the_order_of_reviews_changes_nothing(name: str) -> None:
    sample = sample_of(2, 2, 1)
    reviews = [said(f"r{i}", who, bool(i), recorded_at=str(i)) for i in range(3) for who in ("ada", "bo", "cy")]
    assert getattr(status(sample, reviews), name) == getattr(status(sample, reversed(reviews)), name)
    assert status(replace(sample, name="x"), reviews).sample != status(sample, reviews).sample
