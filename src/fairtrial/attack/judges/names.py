"""Other names for labels or for the two responses, and labels in another order: a sound judge answers the same.

Where the prompt writes names out instead of using placeholders they cannot be changed, and nothing is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge

CARD = Card(
    id="names_changed",
    family="equivalent",
    surface="judge",
    submits="other names for the labels or for the two responses (1 and 2, X and Y, the same names exchanged)",
    sound="gives the same verdict under every name",
    proof="When verdicts differ between names by more than they differ under one, and some majority is flipped.",
    classes=("BGW-127",),
)
OTHER_NAMES = ("123456789", "XYZWVUTSR")


class NamesChanged:
    """Rename what the judge chooses from."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield the frozen rollout under other names."""
        held = judge.placeholders()
        if judge.form == "pairwise" and {"name_1", "name_2"} <= held:
            exchanged = (judge.names[1], judge.names[0])
            for names in (*((letters[0], letters[1]) for letters in OTHER_NAMES), exchanged):
                yield _asked(case, replace(judge, names=names), "_".join(names), f"calling the responses {names}")
        if judge.form == "pointwise" and "label" in held and len(judge.labels) <= len(OTHER_NAMES[0]):
            for letters in OTHER_NAMES:
                shown = tuple(letters[: len(judge.labels)])
                yield _asked(case, replace(judge, shown_labels=shown), "".join(shown), f"calling the labels {shown}")
        if judge.form == "pointwise" and judge.labels and "labels" in held:
            turned = replace(judge, labels=tuple(reversed(judge.labels)))
            yield _asked(case, turned, "reversed", "listing the labels in the other order")


def _asked(case: JudgeCase, judge: Judge, name: str, what: str) -> JudgeSubmission:
    return JudgeSubmission(name=name, shown=case.shown(), judge=judge, defect="moves", what=what.replace("'", ""))
