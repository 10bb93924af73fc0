"""A benchmark is flawed, sound or cannot be told: the share, its ends, faults at scale, and what was left open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.audit.checklist import Checklist, Decided, Item, Population, TaskRef, decide, drawn, standing_answers
from fairtrial.audit.checklist.decision import bought, tasks_to_tell
from fairtrial.audit.checklist.document import agreement, document
from fairtrial.measure.intervals.finite import finite_interval
from fairtrial.records import Inspection

LIST = Checklist(name="l", items=(
    Item(id="right", section="scoring", question="Is it right?"),
    Item(id="clear", section="reviewability", question="Is it clear?", severity="note"),
    Item(id="apart", section="evaluation", question="Are runs apart?", about="benchmark"),
))  # fmt: skip


def benchmark(size: int) -> Population:
    return Population(suite="s@1", tasks=tuple(TaskRef(f"t{number}", "h") for number in range(size)))


def said(task: str, answer: Any, item: str = "right", reviewer: str = "ada", **more: Any) -> Inspection:
    content = {"suite": "s@1", "task_hash": "h" if task else "", "recorded_at": "1"} | more
    return Inspection(checklist=LIST.identity, item=item, answer=answer, reviewer=reviewer, task=task, **content)


APART = said("", "holds", "apart")


def decided(size: int, answers: list[Inspection], n: int, threshold: float = 0.2) -> Decided:
    population = benchmark(size)
    standing, _ = standing_answers(answers, LIST, population)
    return decide(LIST, population, population.tasks[:n], standing, threshold)


def answers(errors: int, clean: int, unclear: int = 0) -> list[Inspection]:
    told = ["fails"] * errors + ["holds"] * clean + ["unclear"] * unclear
    return [APART, *(said(f"t{number}", answer) for number, answer in enumerate(told))]


def ends(found: Decided) -> tuple[float, float]:
    assert found.share.low is not None
    assert found.share.high is not None
    return found.share.low, found.share.high


@pytest.mark.parametrize(
    ("size", "errors", "clean", "unclear", "expected"),
    [
        (200, 0, 20, 0, "sound"),
        (200, 9, 11, 0, "flawed"),
        (200, 4, 16, 0, "cannot_tell"),  # 20% of the sample, and from 7% to 42% of the benchmark
        (200, 0, 10, 0, "cannot_tell"),
        (20, 4, 16, 0, "flawed"),  # all were looked at: a census
        (20, 3, 17, 0, "sound"),
        (20, 3, 16, 1, "cannot_tell"),  # the open one would make it 20%
        (20, 4, 0, 16, "flawed"),
        (200, 0, 18, 2, "cannot_tell"),
    ],
)
def test_the_whole_interval_is_held_against_the_threshold(
    size: int, errors: int, clean: int, unclear: int, expected: str
) -> None:
    found = decided(size, answers(errors, clean, unclear), errors + clean + unclear)
    assert found.decision == expected
    assert found.counts == {"error": errors, "clean": clean, "open": unclear, "not_inspected": 0}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["holds", "fails", "unclear", ""]), min_size=1, max_size=12), st.integers(12, 30))
def test_settling_what_is_open_never_leaves_the_interval(told: list[Any], size: int) -> None:
    open_ones = [APART, *(said(f"t{n}", answer) for n, answer in enumerate(told) if answer)]
    before = decided(size, open_ones, len(told))
    for settle in ("holds", "fails"):
        settled = [APART, *(said(f"t{n}", answer if answer in ("holds", "fails") else settle)
                            for n, answer in enumerate(told))]  # fmt: skip
        after = decided(size, settled, len(told))
        assert ends(before)[0] <= ends(after)[0] + 1e-12
        assert ends(after)[1] <= ends(before)[1] + 1e-12
        if before.decision != "cannot_tell":
            assert after.decision == before.decision


def test_one_fault_at_scale_is_enough_and_a_disputed_one_is_not() -> None:
    clean = answers(0, 20)[1:]
    fault = said("", "fails", "apart", at_scale=True)
    assert decided(20, [*clean, fault], 20).decision == "flawed"
    assert decided(20, [*clean, said("", "fails", "apart")], 20).decision == "sound"
    disputed = decided(20, [*clean, fault, said("", "holds", "apart", "bo")], 20)
    assert disputed.decision == "cannot_tell"
    assert disputed.open_items == ("apart",)
    partly = decided(20, [*clean, fault, said("", "fails", "apart", "bo")], 20)
    assert (partly.decision, partly.open_items, partly.at_scale) == ("cannot_tell", (), ())
    on_a_task = decided(200, [APART, *clean[1:], said("t0", "fails", at_scale=True)], 20)
    assert (on_a_task.decision, [one.task for one in on_a_task.at_scale]) == ("flawed", ["t0"])


@pytest.mark.parametrize("left", [[], [said("", "unclear", "apart")]])
def test_a_benchmark_of_which_a_question_is_open_is_never_sound(left: list[Inspection]) -> None:
    assert decided(20, [*left, *answers(0, 20)[1:]], 20).decision == "cannot_tell"


def test_notes_decide_nothing_and_what_applies_to_nothing_was_not_inspected() -> None:
    found = decided(20, [*answers(0, 20), *(said(f"t{n}", "fails", "clear") for n in range(20))], 20)
    assert found.decision == "sound"
    nowhere = decided(20, [APART, *(said(f"t{n}", "not_applicable") for n in range(20))], 20)
    assert (nowhere.decision, nowhere.counts["open"]) == ("cannot_tell", 20)


def test_the_last_word_counts_and_an_answer_about_another_content_is_void() -> None:
    changed = [APART, said("t0", "fails"), said("t0", "holds", recorded_at="2")]
    assert decided(5, changed, 1).states == {"t0": "clean"}
    old = [said("t0", "fails", task_hash="old"), said("", "holds", "apart", suite="s@0"), APART]
    standing, void = standing_answers(old, LIST, benchmark(3))
    assert {(one.task, one.item) for one in void} == {("t0", "right")}
    assert list(standing) == [("", "apart")]
    gone = said("t9", "fails")
    assert standing_answers([gone], LIST, benchmark(3)) == ({}, (gone,))


def test_inspectors_who_disagree_leave_a_task_open_and_their_agreement_is_told() -> None:
    both = [*answers(1, 3), said("t0", "holds", reviewer="bo"), said("t1", "holds", reviewer="bo"),
            said("t2", "unclear", reviewer="bo")]  # fmt: skip
    found = decided(10, both, 4)
    assert (found.counts["open"], found.counts["clean"]) == (1, 3)
    standing, void = standing_answers(both, LIST, benchmark(10))
    agreed = agreement(standing)
    assert (agreed.questions, agreed.alike.value, agreed.alike.n) == (2, 0.5, 2)
    told = document(LIST, benchmark(10), found, standing, void, 0)
    assert [row["task"] for row in told["disputed"]] == ["t0"]
    assert told["agreement"]["inspectors"] == ["ada", "bo"]
    items: Mapping[str, Any] = {row["item"]: row["answers"] for row in told["items"]}
    assert items["right"] == {"disputed": 1, "holds": 3}


def test_tasks_outside_of_the_sample_say_nothing_of_the_share() -> None:
    found = decided(50, [*answers(0, 20), said("t40", "fails")], 20)
    assert (found.counts["error"], found.outside) == (0, {"t40": "error"})
    assert found.share.high == finite_interval(0, 20, 50)[1] / 50


@given(st.integers(0, 40), st.integers(1, 40), st.integers(0, 99))
def test_a_larger_sample_holds_every_smaller_one_and_a_new_task_moves_no_other(n: int, size: int, seed: int) -> None:
    tasks = benchmark(size).tasks
    order = drawn(tasks, size, seed)
    assert drawn(tasks, n, seed) == order[:n]
    assert sorted(order) == sorted(tasks)
    without = [task for task in order if task != tasks[0]]
    assert list(drawn(tasks[1:], size, seed)) == without


def test_how_many_more_tasks_would_tell_is_enough_and_one_fewer_is_not() -> None:
    for errors, settled, size in ((0, 5, 200), (1, 20, 150), (6, 20, 150)):
        more = tasks_to_tell(errors, settled, size)
        assert more
        rate = errors / settled

        def tells(n: int, rate: float = rate, size: int = size) -> bool:
            low, high = finite_interval(round(rate * n + (0.499 if rate < 0.2 else -0.499)), n, size)
            return low / size >= 0.2 or high / size < 0.2

        assert tells(settled + more)
        assert not tells(settled)
    assert tasks_to_tell(1, 5, 100_000) is None  # exactly at the threshold: no sample tells


def test_what_a_sample_buys_is_what_it_decides() -> None:
    sound, flawed = bought(20, 200)
    for errors in range(21):
        expected = "sound" if errors <= (sound or 0) else "flawed" if errors >= (flawed or 99) else "cannot_tell"
        assert decided(200, answers(errors, 20 - errors), 20).decision == expected
