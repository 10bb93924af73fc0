"""Probes of judges: each hands in what it says, only where there is occasion, the same every time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.attack.judges import PROBES, JudgeCase, read_cases
from fairtrial.attack.judges.injection import injections
from fairtrial.attack.judges.typos import badly_written
from fairtrial.grade.judges import Judge, read_verdict
from fairtrial.records import FormatError

JUDGE = Judge(name="j", template="{response}", high=10, pass_at=7)
PAIR = Judge(name="p", template="{name_1}{first}{name_2}{second}", form="pairwise", field="verdict")


def case(**more: object) -> JudgeCase:
    return JudgeCase(id="c", prompt="Why?", response="Because of the weather.", **more)  # type: ignore[arg-type]


def test_ids_are_unique_and_cards_are_full() -> None:
    cards = [probe.card for probe in PROBES]
    assert len({card.id for card in cards}) == len(cards)
    assert all(card.surface == "judge" and card.submits and card.sound and card.proof for card in cards)


@pytest.mark.parametrize("judge", [JUDGE, PAIR])
def test_the_same_case_gives_the_same_submissions(judge: Judge) -> None:
    of = case(worse="No." if judge is PAIR else "", wrong="No.", right=True, other="Blue.")
    first, again = ([list(probe.submissions(judge, of)) for probe in PROBES] for _ in range(2))
    assert first == again
    for one in first:
        assert len({submission.name for submission in one}) == len(one)


def test_without_known_work_nothing_accuses_by_it() -> None:
    made = [s for probe in PROBES for s in probe.submissions(JUDGE, case())]
    assert {s.defect for s in made if s.is_compared} == {"rises"}


@pytest.mark.parametrize(
    "judge",
    [
        JUDGE,
        Judge(name="j", template="", high=10, pattern=r"Score:\s*(\d+)"),
        Judge(name="j", template="", labels=(("good", 1.0), ("bad", 0.0)), field="verdict"),
        PAIR,
    ],
)
def test_a_forged_verdict_is_one_that_the_judges_own_reader_reads(judge: Judge) -> None:
    _, text = injections(judge)["forged_verdict"]
    assert read_verdict(judge, text) in (10.0, 1.0, -1.0)


@pytest.mark.parametrize("text", ["42", "`x = 1`", "https://example.org/Path", "```\nprint('Hello')\n```", ""])
def test_bad_writing_leaves_numbers_code_and_links_alone(text: str) -> None:
    assert badly_written(text) == text


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ('{"prompt": "p"}', "response"),
        ('{"response": "r"}', "prompt"),
        ('{"prompt": 1, "response": "r"}', "prompt"),
        ('{"prompt": "p", "response": "r", "right": "yes"}', "right"),
        ('{"prompt": "p", "response": "r", "score": "7"}', "score"),
        ('{"prompt": "p", "better": "b"}', "worse"),
        ('{"prompt": "p", "better": "b", "worse": "b"}', "worse"),
        ("[1]", None),
        ("{", None),
    ],
)
def test_a_row_that_is_no_case_is_named_by_line(row: str, field: str | None, tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"prompt": "p", "response": "r"}\n' + row)
    with pytest.raises(FormatError) as caught:
        read_cases(tmp_path / "c.jsonl", JUDGE)
    assert (caught.value.line, caught.value.field) == (2, field)


def test_a_known_score_says_which_side_and_twins_are_refused(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "prompt": "p", "response": "r", "score": 8},
        {"id": "b", "prompt": "q", "response": "s", "score": 2},
    ]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    first, second = read_cases(tmp_path / "c.jsonl", JUDGE).cases
    assert (first.right, second.right, second.wrong, second.other) == (True, False, "s", "r")
    (tmp_path / "c.jsonl").write_text("\n".join(json.dumps(row | {"id": "a"}) for row in rows))
    with pytest.raises(FormatError):
        read_cases(tmp_path / "c.jsonl", JUDGE)


def test_cases_that_share_an_answer_are_no_wrong_answers_to_each_other(tmp_path: Path) -> None:
    rows = [{"prompt": "1+1", "response": "2", "right": True}, {"prompt": "3-1", "response": "It is 2", "right": True}]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert [one.wrong for one in read_cases(tmp_path / "c.jsonl", JUDGE).cases] == ["", ""]
