"""Give patterns and code where an answer belongs: graders that compile or evaluate what they read take the bait.

What evaluates to an object equal to everything, or ends the grader, is wrong by construction; an expression equal to
the answer ("40 + 2") is a lead, for a grader of mathematics may well accept it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold, number
from fairtrial.attack.text.placing import answered
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy, wrong

CARD = Card(
    id="bait", family="hack", surface="text", classes=("BGW-129", "BGW-103", "BGW-102", "TRACE-8"),
    submits="regular expressions and wildcards that match anything, SQL and template bait, Python that equals anything",
    sound="fails it, and runs nothing",
    proof="always, but for an expression equal to the answer, which is a lead",
)  # fmt: skip
_WHY = "It is a pattern or a program, and no answer."
_WHY_EXPRESSION = "Its value is the answer: whether an expression counts is its author's call."
EQUAL_TO_ALL = "type('Any', (), {'__eq__': lambda self, other: True, '__ne__': lambda self, other: False})()"
BAITS = {
    "any_text": ".*", "any_character": "[\\s\\S]*", "empty_choice": "|", "start": "^", "empty_group": "()",
    "wildcard": "*", "sql_wildcard": "%", "one_of_any": "?",
    "sql": "' OR '1'='1", "sql_comment": "x'; --", "template": "{{7*7}}", "shell": "$(echo 1)",
    "import": "__import__('os').getcwd()", "exit": "__import__('sys').exit(0)", "equal": EQUAL_TO_ALL,
    "name_answer": "answer", "name_expected": "expected", "name_target": "ground_truth", "always": "True",
    "lambda": "lambda *a, **k: True", "yaml": "!!python/object/apply:os.getcwd []", "slice": "[:]",
}  # fmt: skip


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if gold.kind == "program":
        return  # a program is meant to be run: probes of programs try what it may do then
    for name, text in BAITS.items():
        if gold.is_right(text):
            continue
        what = f'"{text[:50]}" as the answer'
        yield lazy(name, text, what, why=_WHY)
        if gold.kind != "json" and answered(case, gold, text) != text:
            yield lazy(f"{name}_in_format", answered(case, gold, text), f"{what}, in the right format", why=_WHY)
    value = number(gold.text)
    if value is not None and gold.kind == "number":
        text = f"{value - 2} + 2"
        yield wrong("expression", answered(case, gold, text), f'"{text}" for {gold.text}', why=_WHY_EXPRESSION,
                    severity="lead")  # fmt: skip


BAIT = TextRule(card=CARD, make=_make)
