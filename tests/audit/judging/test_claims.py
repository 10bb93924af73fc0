"""Attacks: a judge that lies about citations, contradicts itself or the verdict, changes its mind, invents tags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.audit.citations import Citable
from fairtrial.audit.judging.reply import Informed, Opinion, inconsistent, label_for, wrong_with
from fairtrial.audit.standing import standings
from fairtrial.formats.atif import AtifStep, Trajectory
from fairtrial.models.scripted import Asked, Line, call, say
from fairtrial.records import CheckResult, Verdict

from .judging_world import World, honest, opinion, saying, stage_of, text_of, world

LIE = [{"claim": "It failed.", "citations": [{"place": "step 2 output 1", "quote": "Traceback"}]}]


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    return world(tmp_path)


def mended(asked: Asked) -> bool:
    return "That reply does not count" in text_of(asked)


def test_a_lie_about_what_stands_there_is_told_once_and_then_the_review_is_void(court: World) -> None:
    court.add()
    asked = court.judge(lambda one: saying(opinion(one, "no", claims=LIE)), code=3)
    assert [stage_of(one) for one in asked] == ["blind", "blind"]
    assert "is not what stands at step 2 output 1" in text_of(asked[1])
    (review,) = court.reviews()
    assert "step 2 output 1" in review.void
    assert review.satisfied is False
    assert standings(court.reviews()) == {}
    assert court.judge(honest, code=3) == []  # void is an answer: asking until it stands would choose among answers


def test_a_lie_that_is_mended_counts(court: World) -> None:
    court.add()
    court.judge(lambda one: saying(opinion(one) if mended(one) else opinion(one, claims=LIE)))
    assert [(one.stage, one.void, one.label) for one in court.reviews()] == [
        ("blind", "", ""),
        ("informed", "", "true_pass"),
    ]


def test_a_changed_mind_is_kept_and_the_blind_answer_counts(court: World) -> None:
    rollout = court.add()

    def turning(asked: Asked) -> Line:
        if stage_of(asked) == "blind":
            return saying(opinion(asked, "no"))
        cited = {"place": "verifier", "quote": "gradersaid-7731"}
        claims = [{"claim": "The grader says so.", "citations": [cited]}]
        return saying(opinion(asked, "yes", claims=claims, changed_mind=True))

    court.judge(turning)
    blind, informed = court.reviews()
    assert (blind.stage, blind.satisfied, informed.satisfied, informed.label) == ("blind", False, True, "true_pass")
    assert not informed.void
    assert standings(court.reviews())[rollout].satisfied is False


def test_a_mind_that_changed_without_saying_so_is_asked_again_and_then_void(court: World) -> None:
    court.add()

    def slipping(asked: Asked) -> Line:
        return saying(opinion(asked, "no" if stage_of(asked) == "blind" else "yes"))

    asked = court.judge(slipping)
    assert [stage_of(one) for one in asked] == ["blind", "informed", "informed"]
    blind, informed = court.reviews()
    assert (blind.void, "changed_mind" in informed.void) == ("", True)


def test_a_label_that_contradicts_the_verdict_is_asked_again(court: World) -> None:
    court.add("failed")

    def slow(asked: Asked) -> Line:
        return saying(opinion(asked, "yes", **({"label": "false_fail"} if mended(asked) else {})))

    court.judge(slow)
    assert [one.label for one in court.reviews() if not one.void] == ["", "false_fail"]


def test_grader_too_narrow_can_be_said_only_once_the_verdict_was_seen(court: World) -> None:
    court.add("failed")

    def saying_narrow(asked: Asked) -> Line:
        more: dict[str, Any] = {"failure_tags": ["grader_too_narrow"]}
        if stage_of(asked) == "informed":
            more["label"] = "false_fail"
        return saying(opinion(asked, "yes", **({} if stage_of(asked) == "blind" and mended(asked) else more)))

    asked = court.judge(saying_narrow)
    assert [stage_of(one) for one in asked] == ["blind", "blind", "informed"]
    assert [one.failure_tags for one in court.reviews()] == [(), ("grader_too_narrow",)]


@pytest.mark.parametrize("reply", ["", "I think it is fine.", '{"asking": "x"}'])
def test_a_reply_that_cannot_be_read_is_ungraded_and_never_a_review(court: World, reply: str) -> None:
    court.add()
    court.judge(lambda _: say(reply), code=3)
    assert court.reviews() == ()


CITABLE = Citable(trajectory=Trajectory(agent="a", steps=(AtifStep(source="user", message="Add it.\n1 of 12"),)))
GOOD: dict[str, Any] = {
    "claims": [{"claim": "It was asked.", "citations": [{"place": "step 1 message", "quote": "Add"}]}],
    "satisfied": "yes", "hack": "no", "failure_tags": [], "behaviour_tags": [], "summary": "",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, ""),
        ({"claims": []}, "makes no claim"),
        ({"claims": [{"claim": "x", "citations": []}]}, "cites nothing"),
        ({"claims": [{"claim": "x", "citations": [{"place": "", "quote": "Add"}]}]}, "names no place"),
        ({"claims": [{"claim": "x", "citations": [{"place": "step 1"}]}]}, "quotes anything"),
        ({"claims": [{"claim": "x", "citations": [{"place": "step 1", "quote": " . "}]}]}, "quotes anything"),
        ({"claims": [{"claim": "x", "citations": [{"place": "`step 1 message`", "quote": "Add it"}]}]}, ""),
        ({"claims": [{"claim": "x", "citations": [{"place": "step 1", "quote": "| Add\n| it."}]}]}, "the bars before"),
        (
            {"claims": [{"claim": "x", "citations": [{"place": "instruction", "quote": "Add it.\n1 of 12"}]}]},
            "it stands at step 1 message",
        ),
        ({"claims": [{"claim": "x", "citations": [{"place": "step 1", "quote": "1 of 1"}]}]}, "cuts a number"),
        ({"claims": [{"claim": "x", "citations": [{"place": "verifier", "quote": "1"}]}]}, "there is no verifier"),
        ({"failure_tags": ["bad"]}, "no tag `bad`"),
        ({"failure_tags": ["looped"]}, "no tag `looped`"),
        ({"behaviour_tags": ["wrong_logic"]}, "no tag `wrong_logic`"),
    ],
)
def test_what_is_wrong_with_an_opinion_is_named(change: dict[str, Any], wrong: str) -> None:
    found = wrong_with(Opinion(**(GOOD | change)), CITABLE, informed=False)
    assert bool(found) == bool(wrong)
    assert any(wrong in line for line in found) or not wrong


@pytest.mark.parametrize("outcome", ["passed", "failed"])
@pytest.mark.parametrize("now", ["yes", "no", "cannot_tell"])
@pytest.mark.parametrize("before", [True, False, None])
def test_exactly_one_label_and_one_word_on_the_mind_fit(outcome: Any, now: str, before: bool | None) -> None:
    labels = ("true_pass", "false_pass", "true_fail", "false_fail", "cannot_tell")
    fitting = [
        (label, changed)
        for label in labels
        for changed in (True, False)
        if not inconsistent(Informed(**(GOOD | {"satisfied": now, "label": label, "changed_mind": changed})),
                            outcome, before)
    ]  # fmt: skip
    satisfied = {"yes": True, "no": False, "cannot_tell": None}[now]
    assert fitting == [(label_for(outcome, satisfied) or "cannot_tell", satisfied is not before)]


@pytest.mark.extra
def test_what_a_grader_said_at_length_is_shown_in_part_and_read_to_its_end(court: World) -> None:
    rollout = court.add()
    said = "".join(f"line {number}\n" for number in range(9000))
    last = CheckResult("the-last-check", "passed", "well")
    later = Verdict(rollout=rollout, outcome="passed", score=1.0, grader="z", recorded_at="2030-01-01T00:00:00Z",
                    checks=(last,), evidence=json.dumps({"output": said}))  # fmt: skip
    court.book.append("verdicts", [later])

    def reading(asked: Asked) -> Line:
        tools = [m for m in asked.messages if m["role"] == "tool"]
        if stage_of(asked) == "blind" or "It has the parts" in str(tools[-1:]):
            return honest(asked)
        return call("read_file", place="verifier", part=len(tools) + 1)

    asked = court.judge(reading, "--context-tokens", "80000")
    shown = [text_of(one) for one in asked if stage_of(one) == "informed"]
    assert "That is not all of it" not in shown[0]
    assert all(f"line {number}\\n" in shown[-1] for number in (0, 4500, 8999))
    assert "the-last-check" in shown[-1]
    asked = court.judge(reading, "--context-tokens", "30000", "--max-turns", "3")
    shown = [text_of(one) for one in asked if stage_of(one) == "informed"]
    assert "That is not all of it" in shown[0]
    assert "the-last-check" not in shown[0]
