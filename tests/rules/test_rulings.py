"""Where a submission stands: override before majority; no majority, other rules, other findings are not clean."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Ruled, Ruling, Screening, Submission, canonical_json
from fairtrial.rules import BenchmarkRules, Standing, read_rules, standing
from fairtrial.rules.current import current_screenings, seen_in
from fairtrial.rules.schema import RulesToml

RULED: tuple[Ruled, ...] = ("clean", "violation", "unclear")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkRules:
    return rules_of(tmp_path_factory.mktemp("rules"))


def rules_of(folder: Path, more: str = "") -> BenchmarkRules:
    path = folder / "rules.toml"
    path.write_text(f'[benchmark]\nname = "b"\nversion = "1"\nruns_per_task = 1\n{more}')
    return read_rules(path)


def screening(**more: Any) -> Screening:
    return Screening(**({"kind": "scan", "subject": "t", "subject_hash": "h", "holds": True, "summary": "s",
                         "model": "m", "recorded_at": "2", "document": "d"} | more))  # fmt: skip


def vote(under: BenchmarkRules, run: int, ruled: Ruled, **more: Any) -> Ruling:
    seen = more.pop("seen", seen_in([]))
    judge = more.pop("judge", {"model": {"model": "j"}})
    told = {"judge": judge, "screenings": seen}
    return Ruling(**({"model": "m", "rule": "contamination", "ruled": ruled, "kind": "judge", "by": "j", "run": run,
                      "reason": f"{ruled}!", "rules": under.name, "evidence": "e",
                      "settings": canonical_json(told).decode(), "recorded_at": str(run)} | more))  # fmt: skip


def override(under: BenchmarkRules, ruled: Ruled, **more: Any) -> Ruling:
    return vote(under, 0, ruled, kind="override", by="ada", **more)


def stands(rulings: Sequence[Ruling], rules: BenchmarkRules, found: Sequence[Screening] = ()) -> Standing:
    return standing(rulings, rules, "m", found)["contamination"]


@pytest.mark.parametrize("said", list(itertools.product(RULED, repeat=3)))
def test_majority_of_three_by_brute_force(rules: BenchmarkRules, said: tuple[Ruled, ...]) -> None:
    found = stands([vote(rules, run, ruled) for run, ruled in enumerate(said)], rules)
    (top, times), *_ = Counter(said).most_common()
    assert found.ruled == (top if times >= 2 else "unclear")
    assert found.by == "majority"
    assert sum(found.votes.values()) == 3


@given(st.lists(st.sampled_from(RULED), max_size=2))
def test_runs_that_failed_are_no_votes(said: list[Ruled]) -> None:
    """Of three runs fewer gave a ruling: two that agree are a majority, less is nobody's word."""
    toml = RulesToml.model_validate({"benchmark": {"name": "b", "version": "1", "runs_per_task": 1}})
    held = BenchmarkRules(Path("rules.toml"), toml, "0" * 16)
    found = stands([vote(held, run, ruled) for run, ruled in enumerate(said)], held)
    assert found.ruled == (said[0] if len(said) == 2 and said[0] == said[1] else None)
    assert found.ruled is not None or found.status == "not_judged"


@pytest.mark.parametrize("ruled", RULED)
@pytest.mark.parametrize("said", RULED)
def test_a_person_outranks_any_majority_and_the_last_person_counts(
    rules: BenchmarkRules, ruled: Ruled, said: Ruled
) -> None:
    votes = [vote(rules, run, said) for run in range(3)]
    found = stands([override(rules, "unclear"), *votes, override(rules, ruled)], rules)
    assert (found.ruled, found.by, found.author) == (ruled, "override", "ada")


def test_rulings_under_other_rules_say_nothing_and_are_told(rules: BenchmarkRules) -> None:
    votes = [vote(rules, run, "clean", rules="b@1#other") for run in range(3)]
    found = stands([*votes, override(rules, "clean", rules="b@0#x")], rules)
    assert found.ruled is None
    assert len(found.void) == 2
    assert all("was made under" in why for why in found.void)


def test_rulings_on_other_findings_say_nothing_and_are_told(rules: BenchmarkRules) -> None:
    before, now = screening(), screening(holds=False, summary="found", document="d2")
    votes = [vote(rules, run, "clean", seen=seen_in([before])) for run in range(3)]
    assert stands(votes, rules, [before]).ruled == "clean"
    found = stands([*votes, override(rules, "clean", seen=seen_in([before]))], rules, [before, now])
    assert (found.ruled, found.status) == (None, "awaiting")
    assert all("other findings" in why for why in found.void)


def test_the_same_check_run_again_changes_nothing(rules: BenchmarkRules) -> None:
    before, again = screening(recorded_at="2"), screening(recorded_at="3")
    votes = [vote(rules, run, "clean", seen=seen_in([before])) for run in range(3)]
    assert stands(votes, rules, [before, again]).ruled == "clean"


def test_asking_again_until_it_suits_changes_nothing(rules: BenchmarkRules) -> None:
    votes = [vote(rules, run, "violation") for run in range(3)]
    again = [vote(rules, run, "clean", recorded_at=str(9 + run)) for run in (0, 1, 2, 3, 4, 5)]
    assert stands([*votes, *again], rules).ruled == "violation"


def test_judges_that_disagree_settle_nothing(rules: BenchmarkRules) -> None:
    other = {"model": {"model": "k"}}
    votes = [vote(rules, run, "clean") for run in range(3)]
    others = [vote(rules, run, "violation", judge=other, by="k") for run in range(3)]
    assert stands([*votes, *others], rules).ruled == "unclear"
    assert stands([*votes, *others[:1]], rules).ruled == "clean"


def test_only_the_judge_that_the_rules_name_counts(tmp_path: Path) -> None:
    named = rules_of(tmp_path, '[judges]\nmodel = "k"\n')
    votes = [vote(named, run, "clean") for run in range(3)]
    others = [vote(named, run, "violation", judge={"model": {"model": "k"}}, by="k") for run in range(3)]
    assert stands([*votes, *others], named).ruled == "violation"
    assert stands(votes, named).ruled is None


@pytest.mark.parametrize(("holds", "status"), [(False, "awaiting"), (True, "not_judged"), (None, "not_judged")])
def test_a_finding_without_a_ruling_awaits_one_and_flags_nothing(
    rules: BenchmarkRules, holds: bool | None, status: str
) -> None:
    found = stands([], rules, [screening(holds=holds)])
    assert (found.ruled, found.by, found.status) == (None, "checks", status)


def test_nothing_known_is_not_clean(rules: BenchmarkRules) -> None:
    found = stands([], rules)
    assert (found.ruled, found.by, found.status) == (None, "nobody", "not_judged")


def test_rules_that_are_not_checked_are_left_out(tmp_path: Path) -> None:
    few = rules_of(tmp_path, 'checked = ["usage"]\n')
    assert list(standing([], few, "m")) == ["usage"]


def test_what_was_found_of_an_earlier_hand_in_says_nothing_of_a_later_one() -> None:
    def handed_in(address: str, at: str) -> Submission:
        artifacts = {"training_set": [{"path": "t", "hash": address}], "exhibits": [{"path": "x", "hash": at}]}
        return Submission(model="m", artifacts=canonical_json(artifacts).decode(), recorded_at=at)

    first, second = screening(holds=False, recorded_at="2"), screening(recorded_at="4", subject="u", subject_hash="k")
    submissions = [handed_in("a", "1"), handed_in("b", "3")]
    assert current_screenings([first, second], submissions, "contamination", "m") == (second,)
    same = [handed_in("a", "1"), handed_in("a", "3")]
    assert current_screenings([first, second], same, "contamination", "m") == (first, second)


def test_a_renamed_file_is_the_same_subject() -> None:
    first, second = screening(holds=False), screening(subject="elsewhere/t", recorded_at="3")
    assert current_screenings([first, second], [], "contamination", "m") == (second,)


def test_what_earlier_rules_found_is_replaced_by_what_later_ones_find() -> None:
    """A host that the rules now allow is no lead any more; findings of another benchmark stay."""
    then = screening(kind="usage", holds=False, against="b@1#0a", recorded_at="1")
    other = screening(kind="usage", holds=False, against="c@1#0a", recorded_at="1")
    now = screening(kind="usage", holds=True, against="b@2#0b", recorded_at="2")
    assert current_screenings([then, other, now], [], "usage", "m") == (other, now)


def test_a_gap_that_a_later_check_no_longer_has_is_gone() -> None:
    """The rules name the base's weights by now, and so they were compared."""
    first, again = Submission(model="m", recorded_at="1"), Submission(model="m", recorded_at="3")
    gap = screening(kind="identity", holds=None, subject="weights", subject_hash="", document="", recorded_at="2")
    found = screening(kind="identity", subject="w", recorded_at="4")
    assert current_screenings([gap], [first], "identity", "m") == (gap,)
    assert current_screenings([gap, found], [first, again], "identity", "m") == (found,)
    assert current_screenings([gap, found], [first], "identity", "m") == (gap, found)
