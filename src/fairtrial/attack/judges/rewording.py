"""The author's other wordings of the prompt: a sound judge scores the same under each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge

CARD = Card(
    id="reworded",
    family="equivalent",
    surface="judge",
    submits="the same rollout under each paraphrase of the prompt that JUDGE.toml declares",
    sound="gives the same verdict under every wording",
    proof="When verdicts move between wordings by more than by chance, and by half the gap or past the pass mark.",
    classes=("BGW-127",),
)


class Reworded:
    """Ask in the author's other words."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield the frozen rollout under each paraphrase."""
        for number, template in enumerate(judge.paraphrases, 1):
            yield JudgeSubmission(
                name=str(number), shown=case.shown(), judge=replace(judge, template=template), defect="moves",
                what=f"asking in wording {number} of `paraphrases`", why="JUDGE.toml declares it a paraphrase.",
            )  # fmt: skip
