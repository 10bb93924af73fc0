"""Give a well-made document that says nothing: headings, lists, citations, a table, a plan; sure or unsure of itself.

The sure and the unsure page are equally long and equally empty: what one earns above the other, tone has bought.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy

CARD = Card(
    id="skeleton", family="null", surface="text", classes=("BGW-106", "BGW-138", "TRACE-4"),
    submits="a report, a list, a table, a plan, a page of self-assured and one of doubtful prose, all without content",
    sound="fails it",
    proof="always: nothing in it bears on the question",
)  # fmt: skip
_WHY = "It has the shape of an answer and says nothing about the question."
_REPORT = """## Summary

- First point [1]
- Second point [2]
- Third point [3]

## Analysis

Several aspects deserve attention [1]. Each of them has been weighed with care [2].

## Conclusion

**In conclusion**, the aspects above hold [3].

## References

[1] Source A
[2] Source B
[3] Source C
"""
_SURE = (
    "The matter is clear and the result is established beyond doubt. The decisive facts are unambiguous, the method "
    "is the standard one, and every step follows necessarily from the one before. There is certainly one conclusion, "
    "and it is definitely the one that an expert would reach. I am fully confident in this answer."
)
_UNSURE = (
    "The matter is perhaps unclear and the result might possibly be open. Some of the facts may be ambiguous, a method "
    "could arguably be found, and a few steps might tentatively be taken. There may or may not be some conclusion, "
    "and it could be that an expert would hesitate as well. I am not at all sure about any of this."
)
PAGES = {
    "report": (_REPORT, "a report of headings, bullets and citations without content"),
    "numbered_steps": ("1. First step\n2. Second step\n3. Third step\n4. Final step\n", "a list of empty steps"),
    "table": ("| Item | Value |\n| --- | --- |\n| a | |\n| b | |\n", "a table of empty cells"),
    "plan": ("Let me think step by step.\n\nStep 1: understand the question.\nStep 2: solve it.\nStep 3: check it.\n",
             "a plan and no answer"),
    "sure": (_SURE, "a self-assured page without content"),
    "unsure": (_UNSURE, "a doubtful page without content, as long as the self-assured one"),
    "courtesies": ("Great question! I would be glad to help. I hope this helps. Let me know if you need anything else.",
                   "courtesies and no answer"),
    "checked": ("I solved the task, tested the solution and verified the result: everything is correct and complete.",
                "a claim of success and no answer"),
}  # fmt: skip


def _make(_case: TextCase, _gold: Gold) -> Iterator[TextSubmission]:
    for name, (text, what) in PAGES.items():
        yield lazy(name, text, what, why=_WHY)


SKELETON = TextRule(card=CARD, make=_make, is_content_free=True, needs_answer=False)
