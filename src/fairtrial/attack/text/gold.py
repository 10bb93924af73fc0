"""What the right answer of a case is, read from its ground truth or, where there is none, from its gold completion.

Most probes spoil one value: they need to know where it stands and of what kind it is. A worked solution is reduced to
its last box, its answer tag or what follows `####`. Not covered: answers in words ("forty-two"), algebra, units.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from fairtrial.attack.code.python_code import parse
from fairtrial.attack.text.protocol import TextCase
from fairtrial.records import Severity

Kind = Literal["number", "option", "word", "phrase", "parts", "json", "program", "prose"]

_TAG = re.compile(r"<(answer|final_answer|final|result|solution)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_SEPARATED = re.compile(r"[|;\n]|,\s")
_MOST_MARKS = 100
"""Characters by which two forms of one answer may differ beyond doubling: marks, white space, thousand separators."""
_ONE: frozenset[Kind] = frozenset({"number", "option", "word", "phrase"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The right answer of one case."""

    text: str
    kind: Kind
    is_given: bool
    """The case names it; otherwise it was read out of the gold completion, which may be one of many right ones."""
    accepted: tuple[str, ...] = ()
    """Other right answers that the case names."""

    @property
    def is_one(self) -> bool:
        """Say whether it is a single value: whoever names it beside another has not answered."""
        return self.kind in _ONE

    @property
    def severity(self) -> Severity:
        """Return what a wrong verdict on another value is worth: a proof for a single value that the case names."""
        return "proof" if self.is_one and self.is_given else "lead"

    @property
    def why_lead(self) -> str:
        """Return why a wrong verdict is no proof; empty where it is one."""
        if self.severity == "proof":
            return ""
        if not self.is_given:
            return "The case names no ground truth, so another answer than the gold completion's may be right too."
        return "The answer has several parts or is prose: whether this counts as wrong is its author's call."

    def is_right(self, value: str) -> bool:
        """Say whether `value` is this answer in whatever case, punctuation or form; "true" may mean "yes"."""
        return any(same(value, one) or _polarity(value) == _polarity(one) != "" for one in (self.text, *self.accepted))


def gold_of(case: TextCase) -> Gold | None:
    """Return the right answer of `case`; None where neither ground truth nor gold completion holds any text.

    >>> gold_of(TextCase(id="1", prompt="6*7?", reference="So #### 42", answer="6 * 7 = 42 #### 42")).text
    '42'
    """
    reference = case.reference_text.strip()
    if is_program(unfenced(reference)):
        return Gold(text=unfenced(reference), kind="program", is_given=True)
    given = _given(case.answer)
    named = [reduced(one) for one in given if one.strip()]
    if named:
        text = next((one for one in named if one and one in reference), named[0])
        return Gold(text=text, kind=kind_of(text), is_given=True, accepted=tuple(one for one in named if one != text))
    text = reduced(reference)
    return Gold(text=text, kind=kind_of(text), is_given=False) if text else None


def _given(answer: Any) -> tuple[str, ...]:
    if answer is None:
        return ()
    if isinstance(answer, str):
        return (answer,)
    if isinstance(answer, bool | int | float):
        return (str(answer),)
    if isinstance(answer, list | tuple) and answer and all(isinstance(one, str | int | float) for one in answer):
        return tuple(str(one) for one in answer)
    if isinstance(answer, Mapping | list | tuple):
        return (json.dumps(answer, default=str, ensure_ascii=False),) if answer else ()
    return ()


def reduced(text: str) -> str:
    r"""Return the final answer of a worked solution; the text itself where it has none of the usual marks.

    >>> reduced(r"Hence \boxed{\frac{1}{2}}."), reduced("<think>3</think><answer> 4 </answer>"), reduced(" x ")
    ('\\frac{1}{2}', '4', 'x')
    """
    boxed = last_boxed(text)
    if boxed:
        return boxed.strip()
    tagged = _TAG.findall(text)
    if tagged:
        return str(tagged[-1][1]).strip()
    return text.rpartition("####")[2].strip() if "####" in text else text.strip()


def last_boxed(text: str) -> str:
    r"""Return what stands in the last \boxed{…}, braces matched; empty where there is none."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return ""
    depth = 0
    for place in range(start + 6, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 7 : place]
    return ""


def unfenced(text: str) -> str:
    """Return the content of the last code fence; the text itself where there is none."""
    blocks = _FENCE.findall(text)
    return str(blocks[-1]) if blocks else text


def is_program(text: str) -> bool:
    """Say whether `text` is Python that defines or prints something.

    >>> [is_program(text) for text in ("def f():\\n    return 1", "print(int(input()) + 1)", "42", "yes")]
    [True, True, False, False]
    """
    if not re.search(r"\b(?:def|class)\s|\bprint\(|\.write\(", text):
        return False
    tree = parse(text)
    if tree is None:
        return False
    telling = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Call
    return any(isinstance(node, telling) for node in ast.walk(tree))


def number(text: str) -> Decimal | None:
    """Return the finite number that `text` is, dollar sign, per cent and thousand separators dropped; else None.

    >>> number("$1,234.50"), number("4 apples"), number("nan")
    (Decimal('1234.50'), None, None)
    """
    cleaned = text.strip().removeprefix("$").removesuffix("%").strip()
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", cleaned):
        cleaned = cleaned.replace(",", "")
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", cleaned):
        return None
    try:
        return Decimal(cleaned)
    except InvalidOperation:
        return None


def kind_of(text: str) -> Kind:
    """Return what kind of answer `text` is.

    >>> [kind_of(text) for text in ("4.2", "B", "Paris", "New York", "1 2 3", "a|b", '{"a": 1}')]
    ['number', 'option', 'word', 'phrase', 'parts', 'parts', 'json']
    """
    words = text.split()
    if number(text) is not None:
        return "number"
    if re.fullmatch(r"\(?[A-Za-z]\)?\.?", text.strip()):
        return "option"
    if _is_json(text):
        return "json"
    if is_program(text):
        return "program"
    if _SEPARATED.search(text.strip()) or (len(words) > 1 and all(number(word) is not None for word in words)):
        return "parts"
    if len(words) <= 1 and len(text) <= 60:
        return "word"
    return "phrase" if len(words) <= 4 and len(text) <= 60 else "prose"


def _is_json(text: str) -> bool:
    if text.strip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def same(one: str, other: str) -> bool:
    """Say whether two short answers are one: case, white space and outer punctuation aside, numbers by value.

    >>> same("Paris.", "paris"), same("42.0", "$42"), same("42", "43")
    (True, True, False)
    """
    one, other = one.strip(), other.strip()
    if abs(len(one) - len(other)) > _MOST_MARKS + min(len(one), len(other)):
        return False
    first, second = number(one), number(other)
    if first is not None and second is not None:
        return first == second
    return _plain(one) == _plain(other)


def _polarity(text: str) -> str:
    word = _plain(text) if len(text) <= _MOST_MARKS else ""
    return (
        "yes" if word in ("yes", "true", "correct", "y") else "no" if word in ("no", "false", "incorrect", "n") else ""
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(".,;:!?()[]{}\"'`*$ ")
