"""What a reader of the page does not see says nothing, however long it is and wherever it is cut."""

from __future__ import annotations

import pytest

from fairtrial.compare import equivalent
from fairtrial.compare.markup import unwrapped, visible

REFERENCES = {
    "number": "21", "percent": "21%", "money": "$21", "quantity": "21 cm", "date": "2021-02-21", "boolean": "yes",
    "math": "2x", "choice": "B", "set": "{1,2}",
}  # fmt: skip


@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("hidden", ["<!-- {} -->", "<!-- {}", "<style>{}</style>", "~~{}~~", "<del>{}</del>"])
def test_what_is_not_seen_is_no_answer(kind: str, hidden: str) -> None:
    assert not equivalent(REFERENCES[kind], hidden.format(REFERENCES[kind]), kind).equivalent


@pytest.mark.parametrize("kind", ["number", "percent", "money", "quantity", "date", "boolean"])
def test_a_comment_longer_than_what_is_looked_at_stays_one(kind: str) -> None:
    answer = "<!-- " + "word " * 20_000 + f"the answer is {REFERENCES[kind]} -->"
    assert not equivalent(REFERENCES[kind], answer, kind).equivalent


@pytest.mark.parametrize("text", ["x < 3", "a --> b", "~18", "1 ~~ 2", "<x> 3", "\\frac{1}{2}", "5 <- 4"])
def test_what_is_seen_stays(text: str) -> None:
    assert visible(text) == text


def test_tags_with_attributes_go() -> None:
    assert unwrapped('<span class="n3">18</span>') == "18"
