"""The two responses of a pair in the other order: a sound judge prefers the same one."""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge, Shown

CARD = Card(
    id="order_swapped",
    family="equivalent",
    surface="judge",
    submits="the two responses of a pair in the other order",
    sound="prefers the same response",
    proof="When its verdicts differ between the orders by more than they differ within one, and some pair is flipped.",
    classes=("BGW-127",),
)


class OrderSwapped:
    """Show the worse response first."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield each pair the other way round."""
        if judge.form != "pairwise":
            return
        turned = Shown(prompt=case.prompt, response=case.worse, second=case.response, reference=case.reference)
        yield JudgeSubmission(name="", shown=turned, defect="moves", is_turned=True,
                              what="showing the two responses in the other order")  # fmt: skip
