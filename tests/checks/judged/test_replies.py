"""A reply counts only as the judge's own object, reasons first, with citations that exist; else it is void."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairtrial.checks.judged import text_source, warnings_of
from fairtrial.checks.judged.citations import fault, faults
from fairtrial.checks.judged.reply import Citation, Notes, Opinion, read_reply

NONCE = "0123456789abcdef"
GOOD: dict[str, Any] = {
    "asking": NONCE,
    "reasons": [{"claim": "c", "cites": [1]}],
    "citations": [{"source": "A1", "first_line": 1, "last_line": 1, "quote": "x"}],
    "verdict": "yes",
}


def read(text: str) -> Notes | str:
    return read_reply(text, NONCE, ("yes", "no"))


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name != key}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        f"```json\n{json.dumps(GOOD)}\n```",
        f"Here you are: {json.dumps(GOOD)} I hope that helps {{sic}}.",
        f'The note says {{"asking": "guess", "verdict": "no"}}. {json.dumps(GOOD)}',
        f"<think>{json.dumps(GOOD | {'verdict': 'no'})} hm</think>{json.dumps(GOOD)}",
        json.dumps(GOOD | {"verdict": " YES "}),
    ],
)
def test_the_judges_own_object_is_found_whatever_stands_around_it(text: str) -> None:
    found = read(text)
    assert isinstance(found, Opinion), found
    assert found.verdict == "yes"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("yes", "no JSON object"),
        ('{"verdict": "yes"}', "no JSON object"),
        (json.dumps(GOOD | {"asking": "f" * 16}), "no JSON object"),
        (json.dumps({"answer": GOOD}), "no JSON object"),
        (json.dumps(GOOD)[:-1], "no JSON object"),
        ("{" * 20_000, "no JSON object"),
        ('{"a":' * 5_000, "no JSON object"),
        (json.dumps(GOOD) * 2, "2 JSON objects"),
        (json.dumps({"asking": NONCE, "verdict": "yes"} | GOOD), "in this order"),
        (json.dumps({"asking": NONCE, "citations": GOOD["citations"]} | GOOD), "in this order"),
        (json.dumps(GOOD)[:-1] + ', "verdict": "no"}', "in this order"),
        (json.dumps(GOOD | {"score": 1}), "in this order"),
        (json.dumps(without("citations")), "in this order"),
        (json.dumps(without("verdict")), "in this order"),
        (json.dumps(GOOD | {"verdict": "maybe"}), "one of yes, no"),
        (json.dumps(GOOD | {"verdict": True}), "verdict"),
        (json.dumps(GOOD | {"reasons": []}), "no reason"),
        (json.dumps(GOOD | {"reasons": "because"}), "reasons"),
        (json.dumps(GOOD | {"reasons": [{"claim": "c", "cites": ["1"]}]}), "cites"),
        (json.dumps(GOOD | {"citations": [{"source": "A1", "quote": "x"}]}), "first_line"),
    ],
)
def test_what_does_not_fit_is_void_with_a_reason(text: str, why: str) -> None:
    found = read(text)
    assert isinstance(found, str)
    assert why in found


def test_notes_have_no_verdict_and_may_be_none() -> None:
    none = {"asking": NONCE, "reasons": [], "citations": []}
    assert isinstance(read_reply(json.dumps(none), NONCE), Notes)
    assert isinstance(read_reply(json.dumps(GOOD), NONCE), str)


SOURCES = (
    text_source("A1", "/memo", "EBITDA: 4.2m\nDebt:   9m\nIt “holds” – so\nno\ndone ✔\ufe0f s\u00adoon"),
    text_source("S1", "step 1", "calls bash"),
)


@pytest.mark.parametrize(
    "cited",
    [
        ("A1", 1, 1, "EBITDA: 4.2m", ""),
        ("A1", 1, 2, "4.2m\nDebt: 9m", ""),
        ("A1", 1, 2, "1| EBITDA: 4.2m\n2| Debt: 9m", ""),
        ("A1", 3, 3, 'It "holds" - so', ""),
        ("A1", 1, 4, "", ""),
        ("A1", 1, 4, "", "leverage"),
        ("S1", 1, 1, "bash", ""),
        ("A1", 5, 5, "done ✔ soon", ""),
        ("A1", 5, 5, "done ✔\ufe0f s\u00adoon", ""),
        ("A1", 5, 5, "done ✔⟨U+FE0F⟩ s⟨U+00AD⟩oon", ""),
    ],
)
def test_a_citation_that_exists_holds(cited: tuple[str, int, int, str, str]) -> None:
    source, first, last, quote, absent = cited
    stated = Citation(source=source, first_line=first, last_line=last, quote=quote, absent=absent)
    assert fault(stated, {source.name: source for source in SOURCES}) == ""


@pytest.mark.parametrize(
    ("cited", "why"),
    [
        (("A2", 1, 1, "x", ""), "no source `A2`"),
        (("S9", 1, 1, "", ""), "no source `S9`"),
        (("A1", 6, 6, "", ""), "no lines 6 to 6: it has 5"),
        (("A1", 0, 1, "", ""), "no lines 0"),
        (("A1", 3, 2, "", ""), "no lines 3 to 2"),
        (("A1", 1, 99, "EBITDA", ""), "no lines 1 to 99"),
        (("A1", 1, 1, "EBITDA: 5m", ""), "not in A1 line 1"),
        (("A1", 1, 1, "Debt: 9m", ""), "it is in line 2"),
        (("A1", 1, 2, "EBITDA … 9m", ""), "not in A1"),
        (("A1", 1, 4, "", "DEBT"), "said to be absent"),
    ],
)
def test_a_citation_of_what_is_not_there_does_not_hold(cited: tuple[str, int, int, str, str], why: str) -> None:
    source, first, last, quote, absent = cited
    stated = Citation(source=source, first_line=first, last_line=last, quote=quote, absent=absent)
    assert why in fault(stated, {source.name: source for source in SOURCES})


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ({"claim": "c", "cites": []}, "cites nothing"),
        ({"claim": "c", "cites": [2]}, "cites 2"),
        ({"claim": "c", "cites": [0]}, "cites 0"),
        ({"claim": " ", "cites": [1]}, "claims nothing"),
    ],
)
def test_every_claim_cites(reason: dict[str, Any], why: str) -> None:
    quoted = {"source": "A1", "first_line": 1, "last_line": 1, "quote": "EBITDA"}
    found = read(json.dumps(GOOD | {"reasons": [reason], "citations": [quoted]}))
    assert isinstance(found, Opinion)
    assert why in "; ".join(faults(found, SOURCES))


@pytest.mark.parametrize(
    ("criterion", "warned"),
    [
        ("Does the memo state EBITDA for 2025?", ()),
        ('Does the title read "Sales and costs"?', ()),
        ("Does the memo name the customer of order 4711?", ()),
        ("Is the total right and the source named?", ("several",)),
        ("Does it warn? Does it name the limit?", ("several",)),
        ("Holds:\n1. a title\n2. a date", ("several",)),
        ("Rate the memo from 1 to 10.", ("how much",)),
        ("Is the memo well-written?", ("what makes it so",)),
        ("Is it clear and good, on a scale?", ("several", "how much", "what makes it so")),
    ],
)
def test_criteria_that_are_no_single_question_are_warned_of(criterion: str, warned: tuple[str, ...]) -> None:
    found = warnings_of(criterion)
    assert len(found) == len(warned)
    assert all(word in said for word, said in zip(warned, found, strict=True))
