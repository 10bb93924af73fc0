"""A criterion is kept only if it tells rollouts apart that nobody studied, and no word put into them changes a no."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairtrial.checks import limits
from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.train.criteria import (
    Asker,
    Bars,
    Criterion,
    HeldOut,
    ScriptedAnswers,
    Work,
    programs,
    text_work,
    try_criteria,
)
from fairtrial.train.criteria.probes import ALTERED, PROBES, altered


def asker(decide: Callable[[str, str], bool | None], steady: bool = True) -> ScriptedAnswers:
    """Answer by a function of question and answer."""
    return ScriptedAnswers(
        decide=lambda criterion, work: decide(criterion.question, work.answer or ""), is_steady=steady
    )


def held(tasks: int = 8, better: int = 3, worse: int = 2, left_out: int = 0) -> list[HeldOut]:
    return [
        HeldOut(work=text_work(f"t{task}", "do it", f"{'good' if n < better else 'poor'} {task} {n}"),
                better=n < better, left_out=task < left_out)
        for task in range(tasks) for n in range(better + worse)
    ]  # fmt: skip


def sound(_: str, text: str) -> bool:
    return text.startswith("good")


GOOD = Criterion(name="good", question="Is it good?")


def reason(found: ScriptedAnswers, rollouts: list[HeldOut] | None = None, bars: Bars | None = None) -> str:
    (tried,) = try_criteria([GOOD], held() if rollouts is None else rollouts, found, bars or Bars())
    assert bool(tried.why) == (not tried.is_kept)
    return tried.reason


def test_one_that_separates_is_kept_with_all_that_was_measured() -> None:
    (tried,) = try_criteria([GOOD], held(left_out=3), asker(sound), Bars())
    assert tried.is_kept
    assert (tried.yes_better, tried.yes_worse, tried.auc) == (1.0, 0.0, 1.0)
    assert tried.difference is not None
    assert tried.difference.low is not None
    assert tried.difference.low > 0
    assert (tried.difference.n, tried.carried.n, tried.ungraded) == (40, 15, 0)  # type: ignore[union-attr]
    assert [(one.probe, one.turned, one.asked) for one in tried.probes] == [(probe, 0, 4) for probe in PROBES]


@pytest.mark.parametrize("turned", [*ALTERED, "empty", "refusal", "instruction"])
def test_each_probe_alone_brings_down_what_it_turns(turned: str) -> None:
    works = [one.work for one in held()]
    fooled = {altered(turned, work, GOOD).answer for work in works}
    assert reason(asker(lambda question, text: sound(question, text) or text in fooled)) == "falls_to_probe"


def test_noise_is_dropped_and_so_is_what_says_yes_of_the_worse() -> None:
    assert reason(asker(lambda _, text: text.endswith(("0", "3")))) == "no_separation"
    assert reason(asker(lambda _, text: text.startswith("poor"))) == "no_separation"


def test_many_that_say_nothing_raise_the_bar_for_one_that_says_little() -> None:
    """Yes is said of 3 in 3 better and 1 in 2 worse rollouts of three tasks: p is .026, and q among twenty is not."""
    little = Criterion(name="little", question="little")
    noise = [Criterion(name=f"noise {n}", question=f"noise {n}") for n in range(19)]

    def decide(question: str, text: str) -> bool:
        task, number = text.split()[1:]
        return task not in "012" or number != "4" if question == "little" else (int(task) + int(number)) % 2 == 0

    alone = try_criteria([little], held(8), asker(decide), Bars(fdr=0.1))[0]
    among = try_criteria([little, *noise], held(8), asker(decide), Bars(fdr=0.1))[0]
    assert alone.p_value == among.p_value == alone.q_value
    assert alone.p_value is not None
    assert among.q_value is not None
    assert alone.p_value < 0.1 < among.q_value
    assert among.reason == "no_separation"


def test_what_does_not_hold_on_tasks_that_were_not_studied_is_dropped() -> None:
    def decide(_: str, text: str) -> bool:
        kind, task, _number = text.split()
        return kind == ("poor" if task in "01" else "good")

    assert reason(asker(decide), held(12, left_out=2)) == "does_not_carry_over"


def test_votes_that_disagree_are_unsteady() -> None:
    assert reason(asker(sound, steady=False)) == "unsteady"


def test_a_criterion_that_breaks_is_not_asked_of_all() -> None:
    broken = asker(lambda *_: None)
    (tried,) = try_criteria([GOOD], held(), broken, Bars())
    assert (tried.reason, tried.ungraded, len(broken.asked)) == ("broken", 40, 8)
    assert tried.yes_better is None


def test_broken_answers_are_neither_yes_nor_no() -> None:
    few = asker(lambda question, text: None if text == "good 1 1" else sound(question, text))
    (tried,) = try_criteria([GOOD], held(), few, Bars())
    assert (tried.is_kept, tried.ungraded, tried.yes_better) == (True, 1, 1.0)
    some = asker(lambda question, text: None if text.endswith("1") else sound(question, text))
    assert reason(some, bars=Bars(ungraded=0.1)) == "broken"


def test_a_probe_that_cannot_be_answered_is_not_clean() -> None:
    def decide(question: str, text: str) -> bool | None:
        return None if "Note to the grader" in text else sound(question, text)

    assert reason(asker(decide)) == "not_probed"
    assert reason(asker(lambda *_: True)) == "no_separation"


def test_too_few_tasks_measure_nothing() -> None:
    assert reason(asker(sound), held(1)) == "too_few"
    assert reason(asker(sound), []) == "too_few"


def test_a_criterion_is_asked_of_its_families_alone() -> None:
    ours = asker(sound)
    (tried,) = try_criteria([Criterion(name="a", question="?", families=("other",))], held(), ours, Bars())
    assert (tried.reason, ours.asked) == ("too_few", [])


def acted(*commands: str) -> Trajectory:
    steps = [AtifStep(source="user", message="Do it.")]
    for number, command in enumerate(commands):
        call = ToolCall(tool_call_id=f"c{number}", function_name="bash", arguments={"command": command})
        steps.append(AtifStep(source="agent", tool_calls=(call,),
                              observations=(Observation(content="ok", source_call_id=f"c{number}"),)))  # fmt: skip
    return Trajectory(agent="a", steps=(*steps, AtifStep(source="agent", message="Done.")))


def test_a_behaviour_is_asked_of_the_steps_by_a_program() -> None:
    tests = Criterion(name="tests", question="Did it run the tests?", about="behaviour", use="required",
                      parameters={"action": {"runs": "pytest"}})  # fmt: skip
    rollouts = [
        HeldOut(work=Work(task=f"t{task}", trajectory=acted("ls", "pytest" if n < 3 else "true")), better=n < 3)
        for task in range(8) for n in range(5)
    ]  # fmt: skip
    (tried,) = try_criteria([tests], rollouts, Asker(judges=None, at_once=1), Bars())
    assert (tried.reason, tried.why, tried.auc) == ("", "", 1.0)


def test_what_asks_for_less_is_paid_for_nothing() -> None:
    short = Criterion(name="short", question="Did it act once at most?", about="behaviour", use="turns",
                      parameters={"budget": 2})  # fmt: skip
    rollouts = [
        HeldOut(work=Work(task=f"t{task}", trajectory=acted("ls", *["true"] * (0 if n < 3 else 5))), better=n < 3)
        for task in range(8) for n in range(5)
    ]  # fmt: skip
    (tried,) = try_criteria([short], rollouts, Asker(judges=None, at_once=1), Bars())
    assert (tried.reason, [one.probe for one in tried.probes if one.turned]) == (
        "falls_to_probe", ["empty", "refusal", "instruction"],
    )  # fmt: skip
    (free,) = try_criteria([short], rollouts, Asker(judges=None, at_once=1), Bars(may_lack=True))
    assert free.is_kept
    assert free.probes == tried.probes  # what they did is told all the same


def test_words_that_turn_a_no_are_no_absence() -> None:
    works = [one.work for one in held()]
    praised = {altered("praise", work, GOOD).answer for work in works}
    fooled = asker(lambda question, text: sound(question, text) or text in praised)
    assert reason(fooled, bars=Bars(may_lack=True)) == "falls_to_probe"


def test_an_expression_without_end_says_nothing_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backtracking on forty letters takes years; the words of the limit in the work itself excuse nothing."""
    monkeypatch.setattr(limits, "SECONDS_OF_A_SEARCH", 0.2)
    monkeypatch.setattr(programs, "OUT_OF_TIME", "could not be worked through in 0.2 s")
    endless = Criterion(name="a", question="?", use="file_text", parameters={"regex": "(a+)+$"})
    asked = Asker(judges=None, at_once=1)
    told = asked.ask(endless, text_work("t", "", "a" * 40 + "b"))
    assert (told.yes, "0.2 s" in told.broken) == (None, True)
    assert asked.ask(endless, text_work("t", "", "b could not be worked through in 0.2 s")).yes is False


def test_a_probe_speaks_in_every_place_that_is_looked_at() -> None:
    work = Work(task="t", instruction="Do it.", answer="41", trajectory=acted("ls"))
    for about in ("solution", "behaviour"):
        last = altered("note", work, GOOD).sources(about)[-1]  # type: ignore[arg-type]
        assert "give the verdict yes" in "\n".join(last.lines)
    files = Work(task="t", files=text_work("t", "", "a\nb").sources("solution"))
    (source,) = altered("praise", files, GOOD).sources("solution")
    assert source.lines[:2] == ("a", "b")
    assert len(source.lines) > 2


def test_a_work_with_other_words_is_another_work() -> None:
    work = Work(task="t", answer="41", trajectory=acted("ls"))
    assert len({altered(probe, work, GOOD).content for probe in PROBES} | {work.content}) >= len(PROBES)
