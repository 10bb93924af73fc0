"""A text grader is proven, refuted or inconclusive for the right reason, and its figures say how sure they are."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

import pytest

from fairtrial.prove.text import GraderCase
from fairtrial.records import InputError
from prove.text.acted import CASES, Act, acted, exact, labels


def contains(case: Mapping[str, Any], said: Any) -> float:
    return float(str(case["answer"]) in str(said))


def test_a_sound_grader_is_proven_with_no_proof_against_it() -> None:
    proven = acted(exact)
    assert proven.task.proof.status == "proven"
    assert labels(proven) == set()
    ceiling = proven.figures["false_pass_ceiling"]
    assert ceiling["value"] == 0
    assert ceiling["one_sided"]
    assert 0.5 < ceiling["high"] < 1  # nothing seen in two cases bounds little


def test_a_grader_that_looks_for_the_answer_anywhere_is_refuted_with_a_command() -> None:
    proven = acted(contains, only="denied")
    assert proven.task.proof.status == "refuted"
    [finding] = [one for one in proven.task.findings if one.severity == "proof"]
    assert finding.command.endswith("--only denied")
    assert finding.family == "hack"
    assert json.loads(finding.evidence)["example"]["completion"]


def test_silence_that_passes_is_a_null_finding() -> None:
    def lax(case: Mapping[str, Any], said: Any) -> float:
        return 1.0 if not str(said).strip() else exact(case, said)

    proven = acted(lax, only="nothing")
    assert "nothing" in labels(proven)
    assert {one.family for one in proven.task.findings if one.severity == "proof"} == {"null"}


@pytest.mark.parametrize(
    ("wrapped", "format_name"),
    [("<answer>{}</answer>", "answer_tag"), ("\\boxed{{{}}}", "boxed"), ("#### {}", "hash"),
     ('{{"answer": "{}"}}', "json")],
)  # fmt: skip
def test_the_format_that_a_grader_wants_is_found(wrapped: str, format_name: str) -> None:
    proven = acted(lambda case, said: float(str(said) == wrapped.format(case["answer"])), only="reference")
    assert proven.figures["gold"] == {"reward": 1.0, "format": format_name, "form": "text", "cases": 2, "passing": 2}


def test_a_tag_named_in_the_system_prompt_is_found() -> None:
    prompt = ({"role": "system", "content": "Reply in <sum> tags."}, {"role": "user", "content": "3 times 7?"})
    cases = [GraderCase(id="a", prompt=prompt, answer="21")]
    proven = acted(lambda _, said: float("<sum>21</sum>" in str(said)), cases=cases, only="reference")
    assert proven.figures["gold"]["format"] == "sum_tag"


def test_no_gold_that_passes_leaves_it_inconclusive_and_unaccused() -> None:
    proven = acted(lambda *_: 0.0)
    assert proven.task.proof.status == "inconclusive"
    assert proven.task.findings == ()
    assert proven.figures["false_pass_ceiling"]["value"] is None
    assert "no gold completion passes" in dict(proven.task.proof.not_measured)["reference"]


def test_a_score_that_ignores_the_completion_is_refuted() -> None:
    assert labels(acted(lambda *_: 0.7)) == {"tie"}


def test_gold_that_earns_no_more_than_silence_below_full_marks_is_a_lead() -> None:
    proven = acted(lambda _, said: 0.9 if "perhaps" in str(said) else 0.3)
    assert proven.task.proof.status == "inconclusive"
    assert "tie" in labels(proven, "lead")


def test_a_declared_reference_that_fails_is_proof() -> None:
    cases = [GraderCase(id="a", prompt="3 times 7?", reference="21")]
    proven = acted(lambda _, said: float(str(said) == "27"), cases=cases, only="reference")
    assert proven.task.proof.status == "refuted"
    assert labels(proven) == {"reference"}


def test_declared_completions_are_judged() -> None:
    cases = [GraderCase(id="a", prompt="3 times 7?", answer="21", wrong=("It is not 21",), right=("twenty-one",))]
    assert {"declared_wrong", "declared_right"} <= labels(acted(contains, cases=cases))


def test_chance_is_told_from_what_was_graded_before() -> None:
    flips = itertools.cycle((0.0, 1.0, 1.0))

    def draw(case: Mapping[str, Any], said: Any) -> float:
        return 1.0 if exact(case, said) else next(flips) if "42" in str(said) else 0.0

    def remembers(_: int) -> Act:
        seen: list[str] = []

        def act(case: Mapping[str, Any], said: Any) -> float:
            seen.append(str(said))
            return float(exact(case, said) or len(seen) > 3)

        return act

    by_chance, by_state = acted(draw, only="constant"), acted(fresh=remembers, only="constant")
    for proven, how in ((by_chance, "from one process to the next"), (by_state, "with what was graded before it")):
        [finding] = [one for one in proven.task.findings if one.family == "wrong_repeat"]
        assert finding.severity == "proof"
        assert how in finding.claim


def test_a_grader_that_breaks_on_long_texts_is_not_failed() -> None:
    def fragile(case: Mapping[str, Any], said: Any) -> float | str:
        return exact(case, said) if len(str(said)) < 5000 else "raised"

    proven = acted(fragile)
    assert "breaks_grader" in labels(proven, "lead")
    assert proven.figures["false_pass_ceiling"]["ungraded"] > 0
    assert proven.task.proof.status == "proven"


def test_a_grader_that_never_scores_silence_is_refuted() -> None:
    assert labels(acted(lambda case, said: exact(case, said) if str(said).strip() else "raised")) == {"breaks_grader"}


def test_scores_outside_the_unit_interval_are_refuted_unless_the_user_names_the_scale() -> None:
    assert "reward_range" in labels(acted(lambda case, said: 5 * exact(case, said), only="reward_range"))
    named = acted(lambda case, said: 5 * exact(case, said), pass_at=1.0, only="reward_range")
    assert labels(named) == set()


def test_a_share_of_the_marks_for_any_text_is_a_lead() -> None:
    assert "flat_credit" in labels(acted(lambda case, said: max(0.35, exact(case, said))), "lead")


def test_the_laziest_policy_is_played_on_the_cases_where_it_is_right_too() -> None:
    cases = [GraderCase(id=str(n), prompt=f"Is {n} even?", answer="no" if n == 3 else "yes") for n in range(8)]
    lazy = acted(exact, cases=cases).figures["laziest_policy"]
    assert lazy["value"] == 7 / 8
    assert lazy["n"] == 8
    assert lazy["low"] < lazy["value"] < lazy["high"]


def test_only_names_a_probe_and_the_rest_is_not_measured() -> None:
    proven = acted(exact, only="hack:denied")
    assert proven.task.proof.status == "inconclusive"
    assert "denied" in proven.task.proof.measured
    with pytest.raises(InputError, match="no probe `nonsense`"):
        acted(exact, only="nonsense")


def test_one_grading_proves_no_steadiness() -> None:
    proven = acted(exact, repeats=1)
    assert proven.task.proof.status == "inconclusive"
    assert dict(proven.task.proof.not_measured)["wrong_repeat"] == "needs --repeats of 2 or more"


def test_a_grader_that_draws_is_repeated_more() -> None:
    few, many = (acted(exact, only="nothing", source=source).task.proof.gradings for source in ("", "random.random()"))
    assert many > 4 * few


def test_the_document_has_all_that_the_contract_names() -> None:
    document = acted(exact, only="nothing").document()
    assert {"task", "path", "status", "findings", "required", "measured", "not_applicable", "not_measured",
            "figures", "grader"} <= set(document)  # fmt: skip
    assert set(document["figures"]) == {"false_pass_ceiling", "laziest_policy", "false_fail_rate", "gold"}
    assert len(CASES) == document["figures"]["gold"]["cases"]


def test_a_case_whose_answer_fits_no_format_accuses_nobody_where_gold_has_no_common_mark() -> None:
    cases = (*CASES, *(GraderCase(id=f"l{n}", prompt=f"Name colour {n}.", answer=["red", str(n)]) for n in range(3)))
    proven = acted(lambda case, said: float(said == case["answer"]), cases=cases)
    assert labels(proven) == set()
    assert proven.figures["gold"] | {"form": ""} == {"reward": None, "format": "plain", "form": "", "cases": 5,
                                                     "passing": 2}  # fmt: skip


def test_a_policy_that_earned_nothing_is_bounded_exactly_for_all_that_were_tried() -> None:
    lazy = acted(exact, only="nothing").figures["laziest_policy"]
    assert lazy["value"] == 0
    assert lazy["high"] == pytest.approx(1 - (0.05 / lazy["policies"]) ** (1 / len(CASES)))


def test_why_nothing_was_graded_is_told_of_the_form_that_was_tried_first() -> None:
    proven = acted(lambda _, said: "no chat" if isinstance(said, list) else "no network")
    assert "no network" in dict(proven.task.proof.not_measured)["reference"]
