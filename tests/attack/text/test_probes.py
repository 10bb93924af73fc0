"""Every text probe catches a grader that it must catch, and proves nothing against a sound one."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attack.text.weak_graders import BARE, BOXED, CHAT, CITY, FACTS, PROGRAM, RECORD, SUM, WEAK, Grader, Weak, exact, of
from fairtrial.attack.text import PROBES, TextCase, TextProbe, TextSubmission

CASES = [SUM, BARE, BOXED, CITY, FACTS, RECORD, PROGRAM, CHAT]
BY_ID = {probe.card.id: probe for probe in PROBES}


def past(probe: TextProbe, case: TextCase, grader: Grader) -> Iterator[TextSubmission]:
    """Yield the submissions on which a grader is wrong."""
    for submission in probe.submissions(case):
        if grader(of(submission.completion), case) != (submission.expects == "passes"):
            yield submission


@pytest.mark.parametrize("weak", WEAK, ids=lambda weak: weak.probe)
def test_a_probe_gets_past_the_grader_that_it_is_for(weak: Weak) -> None:
    found = {submission.name for submission in past(BY_ID[weak.probe], weak.case, weak.grader)}
    assert found
    assert weak.names <= found


@pytest.mark.parametrize("weak", WEAK, ids=lambda weak: weak.probe)
def test_a_probe_proves_nothing_against_a_sound_grader(weak: Weak) -> None:
    proofs = [one.name for one in past(BY_ID[weak.probe], weak.case, weak.sound) if one.severity == "proof"]
    assert proofs == []


def test_every_probe_has_a_grader_that_it_catches() -> None:
    assert {weak.probe for weak in WEAK} == set(BY_ID)


@pytest.mark.parametrize("case", [one for one in CASES if one is not PROGRAM and one is not RECORD], ids=lambda c: c.id)
def test_the_exact_grader_is_proven_wrong_by_nothing(case: TextCase) -> None:
    found = [
        (probe.card.id, one.name) for probe in PROBES for one in past(probe, case, exact) if one.severity == "proof"
    ]
    assert found == []


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.card.id)
def test_names_are_unique_and_submissions_the_same_each_time(probe: TextProbe) -> None:
    for case in CASES:
        first = list(probe.submissions(case))
        assert first == list(pickle.loads(pickle.dumps(probe)).submissions(case))
        assert len({one.name for one in first}) == len(first)
        assert all(one.what and one.why for one in first)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_right_is_never_handed_in_as_wrong(case: TextCase) -> None:
    for probe in PROBES:
        for one in probe.submissions(case):
            if one.expects == "fails":
                assert one.completion != case.reference
                assert not isinstance(one.completion, str) or one.completion.strip() != case.reference_text.strip()


def test_what_a_case_declares_right_is_no_wrong_answer() -> None:
    case = replace(CITY, right=("Parisqxzvq",))
    names = {one.name for one in BY_ID["embedded_word"].submissions(case)}
    assert "letters_after" not in names
    assert "letters_around" in names


@pytest.mark.parametrize(
    ("answer", "constant"), [("yes", "constant_true"), ("42.0", "constant_42"), ("40", "constant_42")]
)
def test_a_constant_that_may_be_right_is_not_handed_in(answer: str, constant: str) -> None:
    case = TextCase(id="1", prompt="?", reference=answer, answer=answer)
    assert constant not in {one.name for one in BY_ID["constant"].submissions(case)}


def test_a_case_whose_gold_completion_declines_is_asked_no_refusal() -> None:
    case = TextCase(id="1", prompt="Who?", reference="I cannot tell from this.", answer="I cannot tell from this.")
    assert list(BY_ID["refusal"].submissions(case)) == []


def test_without_a_named_answer_another_value_is_a_lead() -> None:
    case = TextCase(id="1", prompt="Name an even number.", reference="8", answer=None)
    severities = {one.severity for one in BY_ID["wrong_in_format"].submissions(case)}
    assert severities == {"lead"}


def test_lazy_policies_say_the_same_in_every_case() -> None:
    other = replace(SUM, id="other", prompt="What is 60 + 58? Use <answer> tags.", answer="118",
                    reference="<answer>118</answer>")  # fmt: skip
    fixed = ("spray", "filler", "skeleton", "judge_note", "malformed", "refusal")
    for name in fixed:
        first = {one.name: one.completion for one in BY_ID[name].submissions(SUM) if one.is_lazy}
        second = {one.name: one.completion for one in BY_ID[name].submissions(other) if one.is_lazy}
        assert first == second


TEXT = st.text(max_size=60)
ANSWERS = st.one_of(
    TEXT, st.integers(), st.floats(), st.booleans(), st.none(), st.lists(TEXT, max_size=3),
    st.dictionaries(TEXT, TEXT, max_size=3), st.decimals().map(str),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(prompt=TEXT, reference=TEXT, answer=ANSWERS, source=TEXT)
def test_no_probe_raises_on_any_case(prompt: str, reference: str, answer: object, source: str) -> None:
    case = TextCase(id="1", prompt=prompt, reference=reference, answer=answer, grader_source=source,
                    other_answers=(answer,), other_references=(reference,), majority=answer)  # fmt: skip
    for probe in PROBES:
        assert len(list(probe.submissions(case))) < 400


SCRIPT = TextCase(id="double", prompt="Read a number and print its double.", answer=None,
                  reference="number = int(input())\nprint(number * 2)\n")  # fmt: skip


def printed(text: str, given: str) -> tuple[int, str]:
    """Return status and output of a program that is started with `given` on its standard input."""
    ran = subprocess.run([sys.executable, "-c", text], input=given, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout.strip()


def test_scripts_without_work_get_past_a_grader_that_only_starts_them() -> None:
    stub = list(BY_ID["program_stub"].submissions(SCRIPT))
    assert {one.name for one in stub if printed(one.completion, "0")[0] == 0} >= {
        "script_prints_nothing",
        "script_echoes",
    }
    assert [one.name for one in stub if printed(one.completion, "21") == (0, "42")] == []


def test_a_script_that_computes_nothing_has_no_work_to_leave_out() -> None:
    case = TextCase(id="hello", prompt="Print hello.", answer=None, reference="print('hello')")
    assert list(BY_ID["program_stub"].submissions(case)) == []
