"""Nothing that is held out was studied: not the rollout, not its words, and of whole tasks nothing at all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.train.criteria.halves import Contrasted, halves


def one(name: str, task: str, better: bool, content: str = "", cluster: str = "") -> Contrasted:
    return Contrasted(rollout=name, task=task, cluster=cluster or task, content=content or name, better=better)


def dealt(tasks: int, better: int, worse: int) -> list[Contrasted]:
    return [
        one(f"{task}-{n}", f"t{task}", n < better)
        for task in range(tasks)
        for n in range(better + worse)
    ]  # fmt: skip


rollouts = st.lists(
    st.builds(
        lambda n, task, better, content: one(f"r{n}", f"t{task}", better, f"t{task}c{content}", f"k{task // 2}"),
        st.integers(0, 10_000), st.integers(0, 9), st.booleans(), st.integers(0, 30),
    ),
    max_size=60, unique_by=lambda found: found.rollout,
)  # fmt: skip


@settings(max_examples=40)
@given(rollouts, st.integers(0, 5), st.sampled_from([0.0, 0.25, 0.5]))
def test_no_words_no_rollout_and_no_left_out_cluster_stand_on_both_sides(
    ones: list[Contrasted], seed: int, share: float
) -> None:
    found = halves(ones, seed, share)
    studied, held = found.studied, found.held_out
    assert not {(o.task, o.content) for o in studied} & {(o.task, o.content) for o in held}
    apart = {o.cluster for o in held if o.task in found.left_out}
    assert not apart & {o.cluster for o in studied}
    contents = [(o.task, o.content) for o in (*studied, *held)]
    assert len(contents) == len(set(contents))
    assert len(contents) + found.same + found.disputed <= len(ones)
    again = halves(ones[::-1], seed, share)
    assert (again.studied, again.held_out, again.left_out) == (studied, held, found.left_out)


def test_of_tasks_with_one_worse_rollout_half_are_studied_by_it() -> None:
    found = halves(dealt(8, better=5, worse=1), seed=0, left_out=0.0)
    assert sum(not o.better for o in found.studied) == sum(not o.better for o in found.held_out) == 4


def test_whole_tasks_are_left_out_near_copies_together_and_never_one_alone() -> None:
    found = halves(dealt(8, 3, 3), seed=0, left_out=0.1)
    assert len(found.left_out) == 2
    copies = [one(f"{task}{n}", task, n < 2, cluster="copies") for task in ("a", "b") for n in range(4)]
    for seed in range(6):
        left = halves([*copies, *dealt(5, 2, 2)], seed, 0.25).left_out
        assert len(left & {"a", "b"}) in (0, 2)
    assert halves(dealt(4, 3, 3), seed=0, left_out=0.5).left_out == set()


def test_same_words_count_once_and_words_on_both_sides_not_at_all() -> None:
    ones = [*dealt(2, 2, 2), one("twin", "t0", True, "0-0"), one("x", "t1", True, "odd"), one("y", "t1", False, "odd")]
    found = halves(ones, seed=0, left_out=0.0)
    assert (found.same, found.disputed) == (1, 2)
    assert not {"twin", "x", "y"} & {o.rollout for o in (*found.studied, *found.held_out)}


def test_a_task_with_one_side_alone_is_of_no_use() -> None:
    found = halves(dealt(3, 4, 0), seed=0, left_out=0.0)
    assert (found.studied, found.held_out) == ([], [])


def test_another_seed_deals_otherwise() -> None:
    ones = dealt(8, 4, 4)
    assert len({tuple(o.rollout for o in halves(ones, seed, 0.25).studied) for seed in range(5)}) == 5
