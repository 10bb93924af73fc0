"""Attacks attribution without arms: credit is counted right, families without it are named, and simulated truth is met.

The figures of docs/price.md come from `table` below: `python -m tests.train.price.test_by_credit`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.train.price.simulated import Design, Family, pair_of, run
from tests.train.price.unlike import gained

from fairtrial.train.lift import Options
from fairtrial.train.log.lines import GroupLine
from fairtrial.train.price import Arm, credit_by_family, taught_by_arms, taught_by_credit

TRUTH = {"teacher": "taught", "tutor": "taught", "noise": "within_noise", "idle": "within_noise", "harmful": "harmed"}
BY_CREDIT = {"gained": "taught", "lost": "harmed"}
"""What a reading by credit is a sign of."""
Table = Counter[tuple[str, str]]


def design(*, transfer: float = 0.0, control: bool = True, seeds: int = 3) -> Design:
    """Return families that teach, teach nothing, harm; `transfer`: how much of it `teacher` teaches all others."""
    start = {"teacher": (-1.5, 2.0), "tutor": (-1.0, 1.2), "harmful": (0.5, -1.2)}
    start |= dict.fromkeys(("noise", "idle", "outside") if control else ("noise", "idle"), (-1.0, 0.0))
    others = dict.fromkeys(start, 2.0 * transfer) if transfer else {}
    return Design(seeds=seeds, families={
        name: Family(start=at, teaches=(others if name == "teacher" else {}) | {name: own},
                     noise=name in ("noise", "harmful"), trained_on=name != "outside")
        for name, (at, own) in start.items()
    })  # fmt: skip


def by_credit(made: Design, runs: int) -> Table:
    """Return how often each family got each reading."""
    found: Table = Counter()
    for seed in range(runs):
        whole = run(made, seed)
        said = taught_by_credit(pair_of(made, whole.base, whole.trained), credit_by_family(whole.groups))
        found.update((one.family, BY_CREDIT.get(one.reading, one.reading)) for one in said)
    return found


def by_arms(made: Design, runs: int) -> Table:
    found: Table = Counter()
    for seed in range(runs):
        whole = run(made, seed)
        without = {family: run(made, seed, family).trained for family in TRUTH}
        pairs = {Arm(family=family, model=f"no-{family}"): pair_of(made, arm, whole.trained)
                 for family, arm in without.items()}  # fmt: skip
        found.update((one.family, one.reading) for one in taught_by_arms("trained", pairs, Options(replicates=400)))
    return found


def right(table: Table, *families: str) -> float:
    """Return how often these families got the reading that is true of them."""
    mine = {key: count for key, count in table.items() if key[0] in families}
    return sum(count for (family, reading), count in mine.items() if TRUTH[family] == reading) / sum(mine.values())


def group(family: str, passes: int, task: str = "t", size: int = 4) -> GroupLine:
    rewards = [1.0] * passes + [0.0] * (size - passes)
    mean = sum(rewards) / size
    return GroupLine(step=1, stage=0, task=task, family=family, completions=("x",) * size, tokens=(1,) * size,
                     finished=(True,) * size, outcomes=("passed",) * passes + ("failed",) * (size - passes),
                     reasons=("",) * size, rewards=tuple(rewards), convention="none",
                     advantages=tuple(reward - mean for reward in rewards))  # fmt: skip


def test_credit_is_the_share_of_absolute_advantage() -> None:
    groups = [group("a", 2, "a1"), group("a", 4, "a2"), group("b", 1, "b1"), group("c", 0, "c1")]
    a, b, c = credit_by_family(groups)
    assert (a.share.value, b.share.value, c.share.value) == pytest.approx((2 / 3.5, 1.5 / 3.5, 0.0))
    assert (a.groups, a.informative, a.tasks) == (2, 1, 2)
    assert (c.groups, c.informative) == (1, 0)
    assert a.share.low is not None
    assert a.share.high is not None
    assert a.share.low < 2 / 3.5 < a.share.high


def test_a_run_whose_groups_all_agree_dealt_no_credit() -> None:
    assert credit_by_family([group("a", 0), group("a", 4)]) == ()
    assert credit_by_family([]) == ()


def test_a_family_without_credit_is_named_whatever_its_tasks_gained() -> None:
    made = design()
    whole = run(made, 0)
    flat = [replace(one, advantages=(0.0,) * len(one.advantages)) if one.family == "teacher" else one
            for one in whole.groups]  # fmt: skip
    pair = pair_of(made, whole.base, whole.trained)
    said = {one.family: one for one in taught_by_credit(pair, credit_by_family(flat))}
    assert said["teacher"].reading == "no_credit"
    assert said["teacher"].effect.value is None
    assert said["teacher"].own is not None


def test_effects_without_controls_add_up_to_the_whole_gain_and_nothing_is_read_from_them() -> None:
    made = design(control=False)
    whole = run(made, 1)
    pair = pair_of(made, whole.base, whole.trained)
    said = taught_by_credit(pair, credit_by_family(whole.groups))
    assert sum(one.effect.value or 0.0 for one in said) == pytest.approx(float(pair.differences.mean()))
    assert {one.reading for one in said} == {"not_told"}


def test_credit_never_says_that_a_family_taught() -> None:
    """A sibling that learned from the teacher gained beyond families without credit as the teacher did."""
    made = design(seeds=5)
    whole = run(made, 0)
    pair = pair_of(made, whole.base, whole.trained)
    said = {one.family: one.reading for one in taught_by_credit(pair, credit_by_family(whole.groups))}
    assert said["teacher"] == "gained"
    assert said["harmful"] == "lost"


def test_tasks_without_a_family_stand_in_for_none_that_got_no_credit() -> None:
    made = design()
    whole = run(made, 0)
    pair = pair_of(made, whole.base, whole.trained)
    nameless = replace(pair, family=tuple("" if family == "outside" else family for family in pair.family))
    assert {one.reading for one in taught_by_credit(nameless, credit_by_family(whole.groups))} == {"not_told"}
    lost = [replace(one, family="" if one.family == "idle" else one.family) for one in whole.groups]
    said = taught_by_credit(pair, credit_by_family(lost))
    assert "" not in {one.family for one in said}
    assert {one.reading for one in said} == {"not_told"}


def test_where_nobody_taught_anything_almost_no_family_is_said_to_have_gained() -> None:
    found, of = gained("nobody taught", seeds=1, runs=30)
    assert of == 90
    assert found <= 4


@pytest.mark.extra
def test_of_simulated_runs_few_families_that_taught_nothing_are_called_and_many_that_did_are_found() -> None:
    alone, shared = by_credit(design(seeds=5), 12), by_credit(design(seeds=5, transfer=0.3), 12)
    assert right(alone, "noise", "idle") >= 0.9
    assert right(shared, "noise", "idle") >= 0.8
    assert right(alone, "teacher", "tutor", "harmful") >= 0.5


@pytest.mark.extra
def test_of_simulated_arms_a_reading_is_seldom_against_the_truth() -> None:
    table = by_arms(design(seeds=5), 5)
    assert table["teacher", "harmed"] + table["tutor", "harmed"] + table["harmful", "taught"] == 0
    assert right(table, "teacher", "harmful") >= 0.5


def table(runs: int = 60) -> None:
    """Print the table of docs/price.md."""
    for seeds in (3, 5):
        for transfer in (0.0, 0.3):
            made = design(transfer=transfer, seeds=seeds)
            for name, found in (("credit", by_credit(made, runs)), ("arms", by_arms(made, runs // 2))):
                said = {family: {r: found[family, r] for r in ("taught", "within_noise", "harmed")} for family in TRUTH}
                print(f"seeds {seeds}, transfer {transfer}, {name}: {said}")


if __name__ == "__main__":
    table()
