"""Nothing, a refusal, the prompt again, another case's answer: a sound judge accepts none of them."""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge

CARD = Card(
    id="nothing_said",
    family="null",
    surface="judge",
    submits="an empty response, white space, a refusal, the prompt repeated, the right answer to another case",
    sound="fails it; of a pair, prefers the response that answers",
    proof="When it is accepted by the majority of verdicts on a case. The prompt repeated is a lead.",
    classes=("BGW-125", "TRACE-4"),
)
REFUSAL = "I'm sorry, but I can't help with that."


class NothingSaid:
    """Hand in what answers nothing."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:  # noqa: ARG002
        """Yield each kind of no answer; a refusal only where the case's own right answer is none."""
        yield _wrong(case, "empty", "", "an empty response")
        yield _wrong(case, "white_space", " \n\t\n ", "white space")
        right = case.known_right.casefold()
        if "sorry" not in right and "can't" not in right and "cannot" not in right:
            yield _wrong(case, "refusal", REFUSAL, "a refusal")
        if case.other:
            yield _wrong(case, "other_case", case.other, "the right answer to another case")
        yield JudgeSubmission(
            name="echo", shown=case.with_response(case.prompt), defect="accepted", is_compared=False, severity="lead",
            what="the prompt repeated", why="The prompt may hold its own answer.",
        )  # fmt: skip


def _wrong(case: JudgeCase, name: str, response: str, what: str) -> JudgeSubmission:
    return JudgeSubmission(name=name, shown=case.with_response(response), defect="accepted", is_compared=False,
                           what=what, why="It does not answer the prompt.")  # fmt: skip
