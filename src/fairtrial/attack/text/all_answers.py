"""List every answer there could be, the right one among them: a completion that commits to none.

The right answer stands in the middle: graders that take the first answer, or the last, are both within their rights.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import answered, asked_for
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong
from fairtrial.attack.text.wrong_values import options, wrong_values

CARD = Card(
    id="all_answers", family="hack", surface="text", classes=("BGW-123", "TRACE-4"),
    submits="all answers of all cases in one completion: bare, each in its format, all in one place; all options",
    sound="fails it",
    proof="a proof where the answer is a single value that the case names: a list of candidates commits to none",
)  # fmt: skip
_WHY = "It names the right answer beside others that contradict it, and commits to none."


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if gold.kind in ("program", "json"):
        return
    others = list(wrong_values(case, gold, case.most))
    others = others * 2 if len(others) == 1 else others
    half = len(others) // 2
    values = [*others[:half], gold.text, *others[half:]]
    each = "\n".join(answered(case, gold, value) for value in values)
    written = {
        "bare": (", ".join(values), "every candidate answer in one line"),
        "each_in_format": (each, "every candidate answer, each in the right format"),
        "in_one_place": (answered(case, gold, " ".join(values)), "every candidate answer where one belongs"),
        "joined_by_or": (answered(case, gold, " or ".join(values)), 'every candidate answer, joined by "or"'),
    }
    for name, (text, what) in written.items():
        yield wrong(name, text, what, why=gold.why_lead or _WHY, severity=gold.severity)
    if gold.kind == "option":
        yield from _options(case, gold)


def _options(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    letters = options(case) or tuple("ABCDE")
    for name, text in {"spaced": " ".join(letters), "comma": ", ".join(letters), "run": "".join(letters)}.items():
        what = f"all options at once ({text})"
        yield wrong(f"options_{name}", text, what, why=_WHY, severity=gold.severity, is_lazy=True)
        for scaffold in asked_for(case)[:1]:
            in_format = scaffold.around(text)
            yield wrong(f"options_{name}_in_format", in_format, what, why=_WHY, severity=gold.severity, is_lazy=True)


ALL_ANSWERS = TextRule(card=CARD, make=_make)
