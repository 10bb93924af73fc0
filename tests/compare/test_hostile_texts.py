"""Text made to cost time or to crash costs neither: what is quadratic in one of these runs into the test's time limit.

Not covered: numbers, dates, formulas (their own tests).
"""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

REFERENCES = {
    "json": '{"a":1}', "table": "name,qty\nbolt,3", "text": "Ben Nevis", "choice": "B", "code_output": "0.5 ok\n1",
}  # fmt: skip
PIECES = [
    "a", " ", "a ", "\n", "(", ")", "()", "[", "{", "[]", "[1x", '{"', '{"a":', '{"a":1} ', '"', '\\"', "\\", "'", "`",
    "```", "```\n", "```json\n[\n", "|", "| ", "|-", "-|\n", "| a | b |\n", "a,", "a,b\n", "name,qty\n", "name qty\n",
    "name\tqty;,|\n", "a  ", "<", "<tr>", "<td>", "<tr><td>x", "<answer>", "</think>", "**", "*a", "__", "_", "-", "- ",
    "is ", "it is ", ". ", "S. ", "no, ", "wait, ", "the answer is ", "Ben Nevis ", "Ben Nevis, ", "\\text{", "$", "1",
    "1.", "1. ", "1,000", "0.1\n", "1e-4000,1\n", "A ", "A, ", "A and ", "(A)", "option ", "I ", "ii", "１", "é",
    "e\u0301", "\u0301", "ﷺ", "…", "\x00", "\ud800", "\u200b", "\u2028", "\ufeff",
]  # fmt: skip


@pytest.mark.extra
@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("length", [7, 150_000])
def test_repeated_pieces_are_compared_and_never_raise(kind: str, length: int) -> None:
    for piece in PIECES:
        text = (piece * (length // len(piece) + 1))[:length]
        for stated in (Stated(), Stated(ordered=False, absolute=0.1, choices=("x", "Paris"))):
            assert equivalent(REFERENCES[kind], text, kind, stated).reason
        assert equivalent(text, text, kind).equivalent
        assert equivalent(text, REFERENCES[kind], kind).reason


@pytest.mark.parametrize("kind", REFERENCES)
def test_a_text_is_the_same_as_itself_with_blanks_behind_it(kind: str) -> None:
    for piece in PIECES:
        assert equivalent(f"x{piece}y", f"x{piece}y \n", kind).equivalent, piece
