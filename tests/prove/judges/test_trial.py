"""A judge is refuted for what it does wrong, proven where it does right, and never accused of an outage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from fairtrial.attack.judges import read_cases
from fairtrial.grade.judges import read_judge
from fairtrial.models import LanguageModel
from fairtrial.models.scripted import fail, refuse, say
from fairtrial.prove.judges import Brought, JudgeOptions, ProvenJudge, prove_judge, questions_wanted
from prove.judges.acted import (
    LABELS,
    PAIRWISE,
    POINTWISE,
    SUMS,
    Acting,
    Direct,
    cases,
    injectable,
    is_right,
    noisy,
    sound,
    verbose,
)

Try = Callable[..., ProvenJudge]


@pytest.fixture
def tried(tmp_path: Path) -> Try:
    def run(definition: str, act: Any, *, only: str = "", repeats: int = 6, pairs: bool = False, acting: Any = Acting,
            **more: Any) -> ProvenJudge:  # fmt: skip
        (tmp_path / "judge.toml").write_text(definition)
        judge = read_judge(tmp_path / "judge.toml")
        brought = Brought(judge=judge, cases=read_cases(cases(tmp_path / "cases.jsonl", pairs=pairs), judge),
                          path=tmp_path / "judge.toml", command=("fairtrial", "prove"))  # fmt: skip
        options = JudgeOptions(repeats=repeats, only=only)
        asked: list[None] = []
        model = cast(LanguageModel, Direct(acting(act, **more)))
        found = prove_judge(brought, model, options, tool="0", on_asked=lambda: asked.append(None))
        assert len(asked) == questions_wanted(brought, options) == found.asked
        return found

    return run


def proofs(found: ProvenJudge) -> set[str]:
    return {finding.probe for finding in found.task.findings if finding.severity == "proof"}


@pytest.mark.parametrize(("definition", "pairs"), [(POINTWISE, False), (PAIRWISE, True), (LABELS, False)])
def test_a_sound_judge_is_proven(definition: str, pairs: bool, tried: Try) -> None:
    found = tried(definition, sound, pairs=pairs)
    assert (found.task.proof.status, found.task.findings) == ("proven", ())
    assert found.figures["sigma"]["value"] == 0
    assert found.figures["sigma"]["high"] > 0  # what was not seen to differ is bounded, not known to be steady


def test_a_noisy_judge_is_refuted_for_its_spread_and_told_how_many_votes_would_do(tried: Try) -> None:
    found = tried(POINTWISE, noisy, only="repeat", repeats=16)
    assert proofs(found) == {"repeat"}
    figures = found.figures
    assert figures["gap"] < figures["gap_it_can_see"]["low"] < figures["gap_it_can_see"]["value"]
    assert figures["votes_needed"] > 1
    votes = tried(f"{POINTWISE}votes = {4 * figures['votes_needed']}\n", noisy, only="repeat", repeats=16)
    assert proofs(votes) == set()


def test_few_repeats_of_a_noisy_judge_settle_nothing(tried: Try) -> None:
    found = tried(POINTWISE.replace("gap = 2", "gap = 4"), noisy, only="repeat", repeats=3)
    assert found.task.proof.status == "inconclusive"
    assert "more rollouts or repeats" in dict(found.task.proof.not_measured)["reference_repeat"]


def test_a_judge_that_prefers_the_first_is_refuted_by_the_order(tried: Try) -> None:
    found = tried(PAIRWISE, sound, pairs=True, only="order_swapped", lean=20.0)
    assert proofs(found) == {"order_swapped"}
    assert found.figures["flip_rate_order"]["value"] == 1
    assert found.figures["first_preferred"] == 1


def test_a_noisy_judge_is_not_accused_of_minding_the_order(tried: Try) -> None:
    coin = lambda question, response, chance: chance.choice([2, 9])  # noqa: E731, ARG005
    found = tried(PAIRWISE, coin, pairs=True, only="order_swapped", repeats=8)
    assert "order_swapped" not in proofs(found)


def test_an_obedient_judge_is_refuted_by_the_note_and_by_nothing_else(tried: Try) -> None:
    found = tried(POINTWISE, injectable)
    assert proofs(found) == {"injection:note"}
    (finding,) = found.task.findings
    assert finding.family == "hack"
    assert "--only injection:note" in finding.command
    again = tried(POINTWISE, injectable, only="injection:note")
    assert proofs(again) == {"injection:note"}


def test_a_judge_that_likes_length_is_refuted_where_length_is_free_and_wrong_work_passes(tried: Try) -> None:
    free = tried(POINTWISE, verbose, only="padded")
    assert proofs(free) >= {"padded:8000", "padded:wrong_8000"}
    unsaid = tried(POINTWISE.replace('"length", ', ""), verbose, only="padded")
    assert "padded:8000" not in proofs(unsaid)
    assert "padded:wrong_8000" in proofs(unsaid)
    assert {f.probe for f in unsaid.task.findings if f.severity == "lead"} >= {"padded:8000"}


def test_polish_nothing_and_bad_writing_each_name_their_own_probe(tried: Try) -> None:
    def shallow(question: str, response: str, chance: Any) -> float:
        if "Verification" in response or not response.strip():
            return 9
        return 1 if response == response.lower() else sound(question, response, chance)

    found = tried(POINTWISE, shallow)
    assert proofs(found) == {"polished_wrong", "badly_written_right", "nothing_said:empty", "nothing_said:white_space"}


def test_a_judge_that_minds_the_names_of_its_labels_is_refuted(tried: Try) -> None:
    class Named(Acting):
        def __call__(self, asked: Any) -> Any:
            line = super().__call__(asked)
            return say('{"verdict": "2"}') if "one of: 1, 2" in asked.last else line

    assert proofs(tried(LABELS, sound, only="names_changed")) == set()
    assert proofs(tried(LABELS, sound, only="names_changed", acting=Named)) == {"names_changed:12"}


def test_known_cases_that_are_misjudged_are_proof(tried: Try) -> None:
    found = tried(POINTWISE, lambda q, r, c: 11 - sound(q, r, c), only="known")
    assert proofs(found) == {f"known:{total}-{side}" for total in SUMS.values() for side in ("right", "wrong")}
    assert found.figures["false_pass_rate"]["value"] == 1


def test_a_pair_scored_the_wrong_way_round_is_proof_for_a_pointwise_judge(tried: Try) -> None:
    found = tried(POINTWISE, lambda q, r, c: 2 if is_right(q, r) else 5, pairs=True, only="known")  # noqa: ARG005
    assert proofs(found) == {f"known:{total}" for total in SUMS.values()}


@pytest.mark.parametrize(
    ("line", "reason"),
    [(refuse("no"), "refused"), (say("I like it."), "verdict_unread"), (fail(500), "model_server_error")],
)
def test_what_cannot_be_read_is_ungraded_counted_and_accuses_nobody(line: Any, reason: str, tried: Try) -> None:
    found = tried(POINTWISE, sound, breaks=lambda _: line, repeats=2)
    assert (found.task.proof.status, found.task.findings) == ("inconclusive", ())
    assert found.ungraded == {reason: found.asked}


def test_a_dead_server_is_not_asked_again_and_again(tried: Try) -> None:
    turns: list[int] = []
    found = tried(POINTWISE, sound, breaks=lambda turn: turns.append(turn) or fail(500))
    assert len(turns) < 30 < found.asked
    assert found.ungraded == {"model_server_error": found.asked}


def test_some_refusals_leave_the_rest_measured(tried: Try) -> None:
    found = tried(POINTWISE, sound, repeats=8, breaks=lambda turn: refuse("no") if turn % 12 == 0 else None)
    assert found.task.proof.status == "proven"
    assert 0 < found.ungraded["refused"] < found.asked / 8


def test_without_a_known_wrong_response_the_judge_stays_inconclusive(tried: Try) -> None:
    found = tried(POINTWISE, sound, pairs=True, repeats=4)
    assert found.task.proof.status == "inconclusive"
    assert "right = false" in dict(found.task.proof.not_measured)["injection"]


def test_the_document_holds_what_the_contract_promises(tried: Try) -> None:
    document = tried(POINTWISE, injectable, repeats=2, only="injection").document()
    assert json.dumps(document)
    assert {"task", "path", "status", "findings", "required", "measured", "not_applicable", "not_measured"} <= set(
        document
    )
    assert {"sigma", "gap", "flip_rate_order", "votes_needed"} <= set(document["figures"])
