"""Checks of answers: does what a file says mean the same as the reference, in whatever form it is written?

An answer is a whole file, what lies at a path of a JSON file, or what stands behind a label at the head of a line (in a
memo, or in a Markdown table of two columns). How answers of each kind are compared stands in `fairtrial.compare`. Not
covered: labels that are worded otherwise; where a text has a layout of its own, ask a judge.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, json_value, key_text, of_the_work, plain_text, said
from fairtrial.checks.state.json_path import is_single, places
from fairtrial.compare.equivalence import equivalent
from fairtrial.compare.stating import stated_from
from fairtrial.records.errors import InputError

Kind = Literal[
    "number", "percent", "money", "quantity", "date", "boolean", "math", "tuple", "set", "interval", "json", "table",
    "text", "choice", "code_output",
]  # fmt: skip
MOST_BYTES = 4_000_000
_LABEL_END = r"[\s*_`\"'”)\]]*(?:\([^()]{0,60}\))?[\s*_`]*"
_PARTED = re.compile(rf"{_LABEL_END}(?:[:=|]|[-–—]>?(?=\s)|$)[\s*_`|]*")
_SAID = re.compile(rf"{_LABEL_END}(?:is|are|was|were)\b[\s*_`:]*")
_LINE_HEAD = re.compile(r"[\s>|*_`#+\-\"'(\[]*(?:\d{1,3}[.)]\s*)?(?:the\s)?[\s*_`\"']*", re.IGNORECASE)


@of_the_work
def answer_equals(
    path: Inside,
    kind: Kind,
    reference: str = "",
    reference_file: Inside = "",
    at: str = "",
    after: str = "",
    stated: dict[str, Any] | None = None,
) -> Result:
    """Check that an answer means the same as `reference`, or as the text of `reference_file`.

    The answer is the text of the file at `path`; what lies `at` a JSONPath of it; or what stands `after` a label on its
    lines, which must be the same wherever the label heads a line. `stated`: what the task states of its answers.
    """
    if bool(reference) == bool(reference_file):
        raise CheckError("state either `reference` or `reference_file`")
    expected = reference or key_text(reference_file)
    return _judged(path, [{"kind": kind, "reference": expected, "at": at, "after": after, "stated": stated or {}}])


@of_the_work
def answers_equal(path: Inside, answers: list[dict[str, Any]]) -> Result:
    """Check several answers of one file: tables with `reference`, `kind`, and `at`, `after`, `stated` as above.

    All must be right; the value is the share that is, and the evidence names each that is not.
    """
    if not answers:
        raise CheckError("state the answers that are expected")
    for one in answers:
        if strange := sorted(set(one) - {"reference", "kind", "at", "after", "stated"}):
            raise CheckError(f"an answer has no `{strange[0]}`: reference, kind, at, after, stated")
        if not isinstance(one.get("reference"), str) or not one["reference"]:
            raise CheckError("each answer needs a `reference`, a text")
    return _judged(path, answers)


def _judged(path: str, answers: list[dict[str, Any]]) -> Result:
    wrong: dict[str, str] = {}
    for one in answers:
        name = str(one.get("after") or one.get("at") or "the answer")
        try:
            why = _difference(path, one)
        except WorkError as fault:
            why = str(fault)
        if why:
            wrong[name] = why
    share = 1 - len(wrong) / len(answers)
    if not wrong:
        return Result(
            True, "the answer is right" if len(answers) == 1 else f"all {len(answers)} answers are right", share
        )
    name, why = next(iter(wrong.items()))
    others = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return Result(False, f"{name}: {why}{others}", share, {"wrong": wrong})


def _difference(path: str, one: dict[str, Any]) -> str:
    """Say how an answer differs from its reference; empty where it does not."""
    reference, kind = one["reference"], str(one.get("kind", "text"))
    try:
        stated = stated_from(one.get("stated") or {})
    except InputError as error:
        raise CheckError(f"`stated`: {error.what}, at `{error.field}`") from None
    found = _answers(path, str(one.get("at") or ""), str(one.get("after") or ""))
    for answer in found:
        try:
            same = equivalent(reference, answer, kind, stated)
        except ValueError as error:
            raise CheckError(str(error)) from None
        if not same.equivalent:
            return f"{said(answer.strip(), 60)}: {same.reason}"
    return ""


def _answers(path: str, at: str, after: str) -> list[str]:
    """Return the answer as often as it is given, at least once. Raise WorkError where it is not given."""
    if at and after:
        raise CheckError("state either `at` or `after`")
    if at:
        if not is_single(at):
            raise CheckError(f"the path {said(at)} should name one place")
        found = places(json_value(path), at)
        if not found:
            raise WorkError(f"nothing lies at {said(at)}")
        return [_as_text(found[0][1])]
    text = plain_text(path, MOST_BYTES)
    if not after:
        return [text]
    given = _behind(text, after)
    if not given:
        raise WorkError(f"no line begins with {said(after)} and goes on")
    return given


def _behind(text: str, label: str) -> list[str]:
    """Return what stands behind `label` on each line that it heads, or on the next line where nothing does.

    It stands behind a colon, a bar, a dash or `=`; only where no line has that, behind "is".

    >>> _behind("# Memo\\n- **EBITDA** (USD): $1,250\\n| Debt | 40 |", "ebitda")
    ['$1,250']
    """
    lines = text.splitlines()
    for parting in (_PARTED, _SAID):
        found = [
            said_there
            for n, line in enumerate(lines)
            if (said_there := _given(line, label, parting, lines[n + 1 : n + 4]))
        ]
        if found:
            return found
    return []


def _given(line: str, label: str, parting: re.Pattern[str], below: list[str]) -> str:
    head = _LINE_HEAD.match(line)
    rest = line[head.end() :] if head else line
    if not rest.casefold().startswith(label.casefold()):
        return ""
    parted = parting.match(rest, len(label))
    if parted is None:
        return ""
    given = rest[parted.end() :].strip(" \t*_`|")
    return given or next((one.strip(" \t*_`|") for one in below if one.strip()), "")


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
