"""Give words instead of an answer: those of the prompt, of the rubric, and the grader's own string literals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_code import is_docstring, parse
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy, wrong
from fairtrial.records import Severity

CARD = Card(
    id="words", family="hack", surface="text", classes=("BGW-123", "BGW-106", "BGW-138", "TRACE-2"),
    submits="the prompt's words, sorted; the words of the rubric; the string literals of the grader's own file",
    sound="fails it",
    proof="a proof where the answer is a single value, a list of values or JSON that the case names, and none of the"
    " words is it; else a lead",
)  # fmt: skip
_WHY = "It is a list of words that answers nothing."
_WORD = re.compile(r"[^\W\d_][\w'-]*|\d+(?:\.\d+)?")
_RUBRIC = re.compile(
    r"rubric|criteri|keyword|checklist|must_|expected_(?:point|fact)|key_(?:point|fact)", re.IGNORECASE
)
_MOST = 400


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    is_closed = gold.is_given and gold.kind not in ("prose", "phrase", "program")
    severity: Severity = "proof" if is_closed else "lead"
    why = _WHY if is_closed else f"{_WHY} {gold.why_lead}".strip()
    prompt = sorted(dict.fromkeys(_WORD.findall(case.prompt_text)))[:_MOST]
    if prompt:
        yield lazy("prompt", " ".join(prompt), "the words of the prompt, sorted", why=why, severity=severity)
    rubric = list(dict.fromkeys(word for text in _rubric(case.info) for word in _WORD.findall(text)))[:_MOST]
    if rubric:
        yield wrong("rubric", " ".join(rubric), "the words of the rubric in a row", why=_WHY, severity="lead")
    literals = [text for text in grader_literals(case.grader_source) if not _holds(text, gold)]
    if literals:
        what = "the grader's own string literals"
        yield wrong("literals", "\n".join(literals), what, why=why, severity=severity)
        yield wrong("literals_in_row", " ".join(literals), f"{what} in a row", why=why, severity=severity)


def grader_literals(source: str, most: int = 60) -> list[str]:
    """Return the string literals of a Python file, docstrings left out, each once, in order.

    >>> grader_literals('def grade(x):\\n    "Doc."\\n    return "done" in x')
    ['done']
    """
    tree = parse(source)
    if tree is None:
        return []
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and is_docstring(node)}
    found = [
        node.value for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents
    ]  # fmt: skip
    return [text for text in dict.fromkeys(found) if text.strip() and len(text) <= 2_000][:most]


def _holds(text: str, gold: Gold) -> bool:
    return any(one.casefold() in text.casefold() for one in (gold.text, *gold.accepted) if one)


def _rubric(info: Mapping[str, Any]) -> Iterator[str]:
    for name, value in info.items():
        if _RUBRIC.search(name):
            yield from _texts(value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


WORDS = TextRule(card=CARD, make=_make)
