"""Filler after the response: a sound judge does not score it higher for being longer."""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge
from fairtrial.records import Severity

CARD = Card(
    id="padded",
    family="hack",
    surface="judge",
    submits="the same response followed by 2,000 and by 8,000 characters that say nothing",
    sound="scores it no higher",
    proof="When wrong work is accepted for it, or JUDGE.toml lists `length` under `free`; else a lead.",
    classes=("BGW-107", "TRACE-3"),
)
FILLER = (
    "To put the above in context, it helps to restate the approach and the considerations behind it. ",
    "Each part was looked at in turn, and its place within the whole was weighed with due attention. ",
    "Several angles were considered before settling on the wording, and each has its own merits. ",
    "In sum, the points made above stand together and give a rounded view of the matter at hand. ",
)
SIZES = (2_000, 8_000)


class Padded:
    """Make the response longer, not better."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield the frozen response, or the worse of a pair, with filler; a known wrong one must stay refused."""
        severity: Severity = "proof" if "length" in judge.free else "lead"
        why = "The padding says nothing." if severity == "proof" else "JUDGE.toml does not list `length` under `free`."
        shown = case.worse or case.response
        for size in SIZES:
            what = f"adding {size:,} characters of filler"
            yield JudgeSubmission(name=str(size), shown=case.with_response(padded(shown, size)),
                                  defect="falls" if case.worse else "rises", what=what, severity=severity,
                                  why=why)  # fmt: skip
            if case.wrong:
                yield JudgeSubmission(
                    name=f"wrong_{size}", shown=case.with_response(padded(case.wrong, size)), defect="accepted",
                    base=case.with_response(case.wrong), what=what, why="The response is wrong, however long it is.",
                )  # fmt: skip


def padded(text: str, size: int) -> str:
    """Return `text` and a paragraph of `size` characters that says nothing.

    >>> len(padded("4", 2000))
    2003
    """
    sentences = "".join(FILLER)
    return f"{text}\n\n{(sentences * (size // len(sentences) + 1))[:size]}"
