"""Spoil an answer that is JSON: contents made up under the right keys, prose replaced, labels denied, NaN for numbers.

All contents made up is wrong by construction. One field is a lead, for a grader may weigh only some.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import placed
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, right, wrong
from fairtrial.records import Severity

CARD = Card(
    id="json_fields", family="hack", surface="text", classes=("BGW-119", "BGW-138", "BGW-134"),
    submits="the right keys with contents made up; prose fields holding the prompt; a label called wrong; numbers NaN",
    sound="fails it",
    proof="a proof where every content is made up and the case names the answer; one field spoiled is a lead",
)  # fmt: skip
EQUIVALENT_CARD = Card(
    id="json_layout", family="equivalent", surface="text", classes=("BGW-120",),
    submits="the same JSON value with its keys in another order, indented, without spaces",
    sound="passes it",
    proof="a proof where the gold completion is nothing but that JSON: it is the same value; else a lead",
)  # fmt: skip
_WHY_ALL = "Its keys are right and every content is made up."
_WHY_ONE = "Part of the content is wrong; which fields count is the author's call."
_WHY_SAME = "It is the same JSON value, written in another way."
_MOST = 6
Change = Callable[[Any], Any]


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if gold.kind != "json":
        return
    value = json.loads(gold.text)
    made = {
        "all_made_up": (mapped(value, _made_up), "every content made up under the right keys"),
        "all_empty": (mapped(value, lambda one: type(one)() if one is not None else "wombat"), "every content empty"),
        "strings_prompt": (mapped(value, lambda one: _echo(one, case.prompt_text)), "the prompt in every prose field"),
        "numbers_nan": (mapped(value, lambda one: _changed_number(one, float("nan"))), "NaN for every number"),
        "numbers_shifted": (mapped(value, _shifted), "every number changed"),
    }
    for name, (spoiled, what) in made.items():
        is_all = name in ("all_made_up", "all_empty")
        if json.dumps(spoiled) == json.dumps(value):
            continue
        severity: Severity = "proof" if is_all and gold.is_given and value else "lead"
        yield wrong(name, _written(case, gold, json.dumps(spoiled)), what, why=_WHY_ALL if is_all else _WHY_ONE,
                    severity=severity)  # fmt: skip
    for key in list(value)[:_MOST] if isinstance(value, dict) else []:
        without = {name: one for name, one in value.items() if name != key}
        denied = value | {key: f"{value[key]} (this is wrong)"}
        for name, spoiled, what in (("without", without, "left out"), ("denied", denied, "called wrong")):
            text = _written(case, gold, json.dumps(spoiled))
            yield wrong(f"{name}_{key}", text, f'the answer with "{key}" {what}', why=_WHY_ONE, severity="lead")


def _make_layout(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if gold.kind != "json":
        return
    value = json.loads(gold.text)
    severity: Severity = "proof" if case.reference_text.strip() == gold.text.strip() else "lead"
    layouts = {
        "indented": json.dumps(value, indent=2), "without_spaces": json.dumps(value, separators=(",", ":")),
        "keys_turned": json.dumps(_turned(value)), "escaped": json.dumps(value, ensure_ascii=True),
    }  # fmt: skip
    for name, text in layouts.items():
        if text != gold.text:
            what = f"the same JSON value, {name.replace('_', ' ')}"
            yield right(name, _written(case, gold, text), what, why=_WHY_SAME, severity=severity)


def mapped(value: Any, change: Change) -> Any:
    """Return `value` with every leaf changed.

    >>> mapped({"a": [1, "x"]}, str)
    {'a': ['1', 'x']}
    """
    if isinstance(value, dict):
        return {key: mapped(one, change) for key, one in value.items()}
    if isinstance(value, list):
        return [mapped(one, change) for one in value]
    return change(value)


def _written(case: TextCase, gold: Gold, text: str) -> str:
    return placed(case, gold, text) or text


def _made_up(one: Any) -> Any:
    if isinstance(one, bool):
        return not one
    if isinstance(one, int | float):
        return one * -3 - 17
    return "wombat" if isinstance(one, str) else 17


def _echo(one: Any, prompt: str) -> Any:
    return prompt if isinstance(one, str) and len(one.split()) >= 2 else one


def _changed_number(one: Any, to: float) -> Any:
    return to if isinstance(one, int | float) and not isinstance(one, bool) else one


def _shifted(one: Any) -> Any:
    return one + 0.9 if isinstance(one, int | float) and not isinstance(one, bool) else one


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(one) for one in value] if isinstance(value, list) else value


JSON_FIELDS = TextRule(card=CARD, make=_make)
JSON_LAYOUT = TextRule(card=EQUIVALENT_CARD, make=_make_layout)
