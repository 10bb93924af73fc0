"""A right answer, badly written: where style is declared free, a sound judge scores it no lower.

Words of four letters or more get two letters exchanged; capitals and most punctuation go. Numbers, code, links and what
stands in a fence are left alone, so that what is said stays the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from fairtrial.attack.card import Card
from fairtrial.attack.judges.protocol import JudgeCase, JudgeSubmission
from fairtrial.grade.judges import Judge, Shown

CARD = Card(
    id="badly_written_right",
    family="equivalent",
    surface="judge",
    submits="a known right response with typos, without capitals and punctuation",
    sound="scores it as it scores the response as written",
    proof="When it scores lower by half the gap or falls below the pass mark, not by chance, and JUDGE.toml lists "
    "`style` under `free`; else a lead.",
    classes=("BGW-120",),
)
ONE_IN = 3
_PLAIN_WORD = re.compile(r"[A-Za-z]{4,}")


class BadlyWrittenRight:
    """Spoil the writing, not the answer."""

    card = CARD

    def submissions(self, judge: Judge, case: JudgeCase) -> Iterable[JudgeSubmission]:
        """Yield a known right response, spoiled, where spoiling changes it."""
        right = case.known_right
        spoiled = badly_written(right)
        if not right or spoiled == right:
            return
        is_free = "style" in judge.free
        base = Shown(prompt=case.prompt, response=right, second=case.worse, reference=case.reference)
        yield JudgeSubmission(
            name="", defect="falls", what="writing a right answer with typos and without capitals", base=base,
            shown=Shown(prompt=case.prompt, response=spoiled, second=case.worse, reference=case.reference),
            severity="proof" if is_free else "lead",
            why="It says the same." if is_free else "JUDGE.toml does not list `style` under `free`.",
        )  # fmt: skip


def badly_written(text: str) -> str:
    """Return `text` with typos and without capitals and commas; fences, code, links and numbers as they are.

    >>> badly_written("The Answer, plainly stated, is `x` and 42.")
    'the answer plainly sttaed is `x` and 42.'
    """
    chance = random.Random(0)
    parts = re.split(r"(```.*?```|`[^`]*`|https?://\S+)", text, flags=re.DOTALL)
    return "".join(part if index % 2 else _spoiled(part, chance) for index, part in enumerate(parts))


def _spoiled(text: str, chance: random.Random) -> str:
    words = re.split(r"(\s+)", text)
    return "".join(_typed(word, chance) for word in words)


def _typed(word: str, chance: random.Random) -> str:
    if not word or word.isspace() or any(letter.isdigit() for letter in word):
        return word
    word = word.lower().rstrip(",;:")
    if not _PLAIN_WORD.fullmatch(word.strip(".!?()\"'")) or chance.randrange(ONE_IN):
        return word
    at = chance.randrange(len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
